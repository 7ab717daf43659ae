//! Texts as people paste them: a function alone, another language, letters of other alphabets, what
//! word processors make of quotes and blanks.

use faultline::lang::load;
use faultline::report::diagnostics::diagnostics;
use faultline::wire::diagnostic::DiagnosticView;
use faultline::wire::options::{Dialect, RequestedOptions};

/// Is it read in the language that is guessed, and what is said of it?
fn read(source: &str) -> (Dialect, bool, Vec<DiagnosticView>) {
    let loaded = load(source, &RequestedOptions::default());
    let said = diagnostics(source, &loaded.diagnostics);
    (loaded.options.dialect, loaded.program.is_some(), said)
}

#[test]
fn a_c_function_alone_has_the_integers_of_c() {
    let loaded = load("int sum(int x, int y) { return x + y; }", &RequestedOptions::default());
    assert_eq!((loaded.options.dialect, loaded.options.bits), (Dialect::C, 32));
}

#[test]
fn another_language_is_told_by_one_line() {
    for (source, language) in [
        ("def f(x):\n    y = x + 1\n    return y\n\nprint(f(3))\n", "Python"),
        (
            "#include <iostream>\nusing namespace std;\nint main() {\n  int x;\n  cin >> x;\n  cout << x << endl;\n}\n",
            "C++",
        ),
        ("#include <vector>\nint f(std::vector<int> v) {\n  return v[0];\n}\n", "C++"),
    ] {
        let (_, is_read, said) = read(source);
        let messages: Vec<&str> = said.iter().map(|said| said.message.as_str()).collect();
        let told = format!("this looks like {language}, which Faultline does not read");
        assert_eq!(messages, [told], "{source}");
        assert!(!is_read);
    }
}

#[test]
fn names_have_letters_of_all_alphabets() {
    for source in [
        "\u{feff}#include <assert.h>\n#define größe 3\nint main(void) { int число = größe; int ifä = число; assert(ifä == 3); return 0; }\n",
        "\u{feff}//! bits = 4\nint größe;\nvoid main() { größe = nondet(); assert(größe == 数(größe)); }\nint 数(int é) { return é; }\n",
    ] {
        let (_, is_read, said) = read(source);
        assert!(is_read, "{said:#?}");
    }
}

#[test]
fn typographic_characters_are_told_once_and_replaced_at_once() {
    let source = "\u{feff}#include <stdio.h>\n#define N\u{a0}3 // “three”\nint main(void) {\n\u{a0}\u{a0}int größe = ‘a’ – N；\n  printf(“%d\u{a0}– it’s\\n”, größe);\n  return 0;\n}\n";
    let (dialect, is_read, said) = read(source);
    assert_eq!((dialect, is_read, said.len()), (Dialect::C, false, 1), "{said:#?}");
    assert_eq!((said[0].line, said[0].hint.is_empty()), (2, false));
    let edit = said[0].edit.as_ref().expect("all are replaced");
    assert_eq!(edit.label(), "Replace all 9");
    let mended = edit.applied(source);
    assert!(mended.contains("// “three”") && mended.contains("\"%d\u{a0}– it’s\\n\""), "{mended}");
    let (_, is_read, said) = read(&mended);
    assert!(is_read, "{said:#?}");
}

#[test]
fn a_forgotten_address_is_told_and_written() {
    let start = "#include <stdio.h>\nstruct s { int v; };\nint main(void) {\n  int x, a[3], i = 1; char c; struct s t; struct s *p = &t; x = c = a[0] = t.v = 0;\n  ";
    for wrong in ["x", "c", "a[i]", "t.v", "p->v"] {
        let format = if wrong == "c" { " %c" } else { "%d" };
        let source = format!("{start}scanf(\"{format}\", {wrong});\n  return p->v;\n}}\n");
        let (_, is_read, said) = read(&source);
        assert!(!is_read);
        let message = format!("`{wrong}` is a number; `scanf` needs its address");
        let told = said.iter().find(|said| said.message == message);
        let told = told.unwrap_or_else(|| panic!("{wrong}: {said:#?}"));
        assert_eq!(told.hint, format!("write `&{wrong}`"));
        let mended = told.edit.as_ref().expect("it is mended").applied(&source);
        let (_, is_read, said) = read(&mended);
        assert!(is_read, "{mended}\n{said:#?}");
    }
    for right in ["scanf(\"%d\", a);", "scanf(\"%d\", a + 1);", "scanf(\"%d\", &p->v);"] {
        let (_, is_read, said) = read(&format!("{start}{right}\n  return 0;\n}}\n"));
        assert!(is_read, "{right}: {said:#?}");
    }
}

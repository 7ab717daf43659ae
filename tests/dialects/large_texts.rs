//! Texts that are large or deep: the front end reads them on a small stack, or refuses them by
//! name. Those of a megabyte would take minutes if some part took quadratic time.

use crate::support::Random;
use crate::support::load::in_dialect;
use faultline::lang::Loaded;
use faultline::lang::diagnostic::Diagnostic;
use faultline::wire::diagnostic::Severity;
use faultline::wire::options::Dialect;

/// What a soup is made of.
const WORDS: &str = r#"
    int bool void unsigned char const static enum struct x y a f main if else while do for
    switch case default break continue goto return error assert assume skip nondet true 0 1 7
    0xF 99999999999999999999 1.5 'a' "s" ( ) ( ) { } { } [ ] ; ; ; , : ? = += <<= ++ -- + - * /
    % << & && || ! == < @ /*
"#;

fn load(source: &str) -> Loaded {
    faultline::lang::load(source, &in_dialect(Dialect::Cimple))
}

fn messages(source: &str) -> Vec<String> {
    let told = |d: &Diagnostic| format!("{}: {} | {}", d.span.line, d.message, d.hint);
    load(source).diagnostics.iter().map(told).collect()
}

/// What is said of a text, with as much stack as a Web Worker has. `tests/browser` does the same in
/// a Web Worker.
fn on_small_stack(source: String) -> Vec<String> {
    let load = move || messages(&source);
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(load)
        .expect("a thread can be started");
    thread.join().expect("no stack overflow")
}

#[test]
fn deep_nesting_is_refused_by_name() {
    let deep = [
        format!("void main() {{ {} }}", "{".repeat(100_000)),
        format!("void main() {{ int x; x = {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "!-~".repeat(100_000)),
        format!("void main() {{ {} skip; }}", "if (*) ".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "x = ".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "x ? x : ".repeat(100_000)),
        format!("int a[2] = {}1; void main() {{ }}", "{".repeat(100_000)),
        format!("void main() {{ int x; x = {}; }}", "main(".repeat(100_000)),
    ];
    for source in deep {
        let start: String = source.chars().take(60).collect();
        let messages = on_small_stack(source);
        assert!(
            messages[0].contains("nested deeper than 256 levels: line 1"),
            "{start}: {messages:?}"
        );
        assert!(messages.len() <= 2, "{start}: {messages:?}");
    }
    let chain = format!("void main() {{ int x; x = x{}; }}", " + x".repeat(10_000));
    assert!(on_small_stack(chain)[0].contains("chains more than 500 operators: line 1"));
}

#[test]
fn what_is_allowed_fits_a_small_stack() {
    let allowed = [
        format!("void main() {{ {} skip; {} }}", "{".repeat(250), "}".repeat(250)),
        format!("void main() {{ int x; x = {}1{}; }}", "(x + ".repeat(250), ")".repeat(250)),
        format!("void main() {{ int x; x = {}1{}; }}", "(1 - x * ".repeat(240), ")".repeat(240)),
        format!("void main() {{ int x; if (x{}) skip; }}", " + x".repeat(490)),
        format!("void main() {{ int x; if (x{}) skip; }}", " && x / x".repeat(490)),
        format!(
            "int f(int p) {{ return p; }} void main() {{ int x; x = {}1{}; }}",
            "f(".repeat(250),
            ")".repeat(250)
        ),
        format!("void main() {{ int x; {} skip; }}", "if (x) skip; else ".repeat(10_000)),
        format!("void main() {{ int x; {} skip; {} }}", "while (x) {".repeat(120), "}".repeat(120)),
        format!("void main() {{ {} skip; }}", "if (*) ".repeat(250)),
        format!(
            "bool f() {{ return *; }} void main() {{ if (f(){}) skip; }}",
            " && f()".repeat(490)
        ),
        format!(
            "bool f() {{ return *; }} void main() {{ if ({}f(){}) skip; }}",
            "f() && (".repeat(240),
            ")".repeat(240)
        ),
        format!("int f() {{ return *; }} void main() {{ int x = {}1; }}", "f() ? 1 : ".repeat(250)),
    ];
    for source in allowed {
        let start: String = source.chars().take(80).collect();
        assert_eq!(on_small_stack(source), Vec::<String>::new(), "{start}");
    }
}

/// It has a program just if it has no error, and every place in it is one of the text.
fn survives(source: &str) {
    let loaded = load(source);
    let fails = loaded.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(loaded.program.is_none(), fails);
    for found in &loaded.diagnostics {
        let (start, end) = (found.span.start as usize, found.span.end as usize);
        assert!(start <= end && source.is_char_boundary(start) && source.is_char_boundary(end));
    }
}

#[test]
fn a_megabyte_of_anything_is_read() {
    let size = 1 << 20;
    let mut random = Random::new(42);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut soup = String::new();
    while soup.len() < size {
        let word = words[random.below(words.len() as u64) as usize];
        // An open comment would hide the rest.
        soup.push_str(if word == "/*" { "x" } else { word });
        soup.push(' ');
    }
    survives(&soup);
    survives(&"\u{1}@$`é".repeat(size / 6));
    survives(&"\"".repeat(size));
    survives(&"/* ".repeat(size / 3));
    survives(&"//@ assert x;\n".repeat(size / 14));
    survives(&"{}".repeat(size / 2));
    survives(&"}".repeat(size));
    survives(&format!("void main() {{ {} }}", "foo = bar;".repeat(size / 10)));
    let locals: String = (0..80_000).map(|i| format!("int v{i}=1;")).collect();
    survives(&format!("void main() {{ {locals} }}"));
    let globals: String = (0..1000).map(|i| format!("int g{i};")).collect();
    let procedures: String = (0..1000)
        .map(|i| format!("void f{i}() {{ {} }}", &locals[..locals.find("v99=").unwrap_or(0)]))
        .collect();
    survives(&format!("{globals}{procedures}"));
    let cases: String = (0..80_000).map(|i| format!("case {i}:")).collect();
    survives(&format!("//! bits = 32\nvoid main() {{ int x; switch (x) {{ {cases} }} }}"));
    let guarded = format!("if (x{}) skip;\n", " && x / x".repeat(490));
    survives(&format!("void main() {{ int x; {} }}", guarded.repeat(size / guarded.len())));
    let sums = format!("x = x{};\n", " + x".repeat(490));
    survives(&format!(
        "//! check = overflow\nvoid main() {{ int x; {} }}",
        sums.repeat(size / sums.len())
    ));
    let divisions = format!("x = {}x{};\n", "x / (".repeat(12), ")".repeat(12));
    survives(&format!(
        "//! check = none\nvoid main() {{ int x; {} }}",
        divisions.repeat(size / divisions.len())
    ));
    let parameters = vec!["int p"; 50_000].join(",");
    survives(&format!(
        "int g() {{ return 1; }} int f({parameters}) {{ return f({}); }}",
        vec!["g()"; 50_000].join(",")
    ));
    survives(&"void f(int x){skip;}\n".repeat(size / 21));
}

#[test]
fn ten_thousand_lines_load() {
    let mut source = String::from("int x, a[8];\n");
    for i in 0..1000 {
        source += &format!(
            "int f{i}(int p) {{\n  int r = p;\n  while (r < 5) {{\n    r = r + a[r];\n    if (r == 3 && x > 1)\n      break;\n  }}\n  x = r;\n  return r;\n}}\n"
        );
    }
    source += "void main() { x = f0(1) + f999(2); assert(x); }\n";
    survives(&source);
    let one = format!(
        "int x, y;\nvoid main() {{\n{}}}\n",
        "if (x > y) x = x - y; else { y = y - x; assert(y); }\n".repeat(10_000)
    );
    survives(&one);
}

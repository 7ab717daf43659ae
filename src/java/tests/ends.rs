//! How runs end, and what is refused: with literal expectations.
#![allow(missing_docs)]

use faultline_java::machine::{Code, End, Limit, Limits, Run, compile, run};
use faultline_java::read_exact;

fn executed(main: &str, input: &str, limits: Limits) -> (Run, Code) {
    let source = format!(
        "import java.util.*;\npublic class Main {{\npublic static void main(String[] args) {{\n{main}\n}}\n}}\n"
    );
    let program = read_exact(&source).expect("a program");
    let code = compile(&program).expect("code");
    (run(&program, &code, input.as_bytes(), limits), code)
}

fn printed(main: &str, input: &str) -> String {
    let (run, _) = executed(main, input, Limits::default());
    assert_eq!(run.end, End::Exited(0));
    String::from_utf8_lossy(&run.output).into_owned()
}

#[test]
fn output_and_input() {
    assert_eq!(printed("System.out.println(1 + 2 + \"a\" + 1.0f + 'c');", ""), "3a1.0c\n");
    let sum = "Scanner in = new Scanner(System.in); int s = 0;\n\
               while (in.hasNextInt()) s += in.nextInt(); System.out.print(s + in.next());";
    assert_eq!(printed(sum, "1 2\n3 x"), "6x");
    let map = "Map<String, Integer> m = new HashMap<>(); m.put(\"b\", 1); m.put(\"a\", 2);\n\
               for (String k : m.keySet()) System.out.print(k + m.get(k) + \";\");";
    assert_eq!(printed(map, ""), "a2;b1;");
    assert_eq!(printed("Integer a = 127, b = 127; System.out.print(a == b);", ""), "true");
}

#[test]
fn an_exception_that_nothing_catches_has_its_class_message_and_line() {
    let (run, code) =
        executed("int[] a = new int[2];\nint k = 2;\na[k] = 1;", "", Limits::default());
    let End::Uncaught(what, point) = run.end else { panic!("{:?}", run.end) };
    assert_eq!(what.class, "java.lang.ArrayIndexOutOfBoundsException");
    assert_eq!(what.message.as_deref(), Some("Index 2 out of bounds for length 2"));
    assert_eq!(code.points[point.index()].span.line, 6);
    // Of what the library throws, the line is that of the call.
    let (run, code) =
        executed("List<String> l = new ArrayList<>();\nl.get(0);", "", Limits::default());
    let End::Uncaught(what, point) = run.end else { panic!("{:?}", run.end) };
    assert_eq!(what.class, "java.lang.IndexOutOfBoundsException");
    assert_eq!(code.points[point.index()].span.line, 5);
}

#[test]
fn limits_and_runs_without_an_end() {
    let end = |main: &str| executed(main, "", Limits::default()).0.end;
    assert!(matches!(end("boolean b = false; while (true) b = !b;"), End::Endless(_)));
    assert!(matches!(end("long i = 0; while (true) i++;"), End::Limit(Limit::Steps, _)));
    let grows = "List<int[]> l = new ArrayList<>(); while (true) l.add(new int[100000]);";
    assert!(matches!(end(grows), End::Limit(Limit::Memory, _)));
    assert!(matches!(end("int[] a = new int[2000000000];"), End::Limit(Limit::Memory, _)));
    let prints = "for (int i = 0; ; i++) System.out.println(i);";
    assert!(matches!(end(prints), End::Limit(Limit::Output, _)));
    // What nothing refers to is collected.
    assert_eq!(end("for (int i = 0; i < 3000; i++) { int[] a = new int[10000]; }"), End::Exited(0));
    assert_eq!(end("System.exit(7);"), End::Exited(7));
    assert!(matches!(end("\"a\".matches(\"(a)\");"), End::NotKnown(..)));
}

#[test]
fn what_is_not_known_is_refused_by_name_and_line() {
    let refused = |main: &str| {
        let source = format!(
            "import java.util.*;\npublic class Main {{\npublic static void main(String[] args) {{\n{main}\n}}\n}}\n"
        );
        let no = read_exact(&source).expect_err("it is refused");
        (no.message(), no.span.line)
    };
    let list = "List<Integer> l = new ArrayList<>();\nl.stream();";
    assert_eq!(refused(list), ("`List.stream` is not read yet".to_string(), 5));
    assert_eq!(refused("\"a\".chars();"), ("`String.chars` is not read yet".to_string(), 4));
    assert_eq!(refused("Thread t;"), ("the class `Thread` is not read yet".to_string(), 4));
    assert_eq!(refused("int x = \"a\";").1, 4);
}

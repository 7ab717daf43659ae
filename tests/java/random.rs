//! Random programs against the machine's `java`: what each returns for a few inputs is what must
//! hold for those inputs. Left out, with one line, where there is no `java`.

use super::verdict_within;
use faultline::wire::report::Verdict;
use std::fmt::Write as _;
use std::process::Command;

/// The inputs that are compared.
const INPUTS: [i32; 4] = [-3, 0, 1, 2];
const PROGRAMS: usize = 24;
/// Steps of the kernel for each question.
const STEPS: u64 = 3_000_000;

/// Numbers that look random (xorshift; Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        return random
            .of(&[
                "a", "b", "x", "1", "2", "-1", "7", "v[1]", "o.f", "v.length", "(byte) a", "100000",
            ])
            .to_string();
    }
    let (left, right) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(12) {
        0 => format!("({left} - {right})"),
        1 => format!("({left} * 3)"),
        2 => format!("({left} / {right})"),
        3 => format!("({left} % {right})"),
        4 => format!("({left} << ({right} & 3))"),
        5 => format!("({left} >>> {})", random.of(&["1", "33", "31"])),
        6 => format!("({left} < {right} ? {left} : b++)"),
        7 => format!("(a = {left})"),
        8 => format!("o.m({left})"),
        9 => format!("(b += {left})"),
        10 => format!("v[{} & 3]", left),
        _ => format!("({left} + {right})"),
    }
}

fn condition(random: &mut Random) -> String {
    let (left, right) = (expression(random, 1), expression(random, 1));
    match random.below(5) {
        0 => format!("{left} == {right}"),
        1 => format!("{left} > {right} && b != 3"),
        2 => format!("{left} <= {right} || (b++ & 1) == 0"),
        3 => "o instanceof B".to_string(),
        _ => format!("!({left} < {right})"),
    }
}

fn statement(random: &mut Random, depth: u32, in_loop: bool) -> String {
    if depth == 0 {
        return format!("a = {};", expression(random, 1));
    }
    let mut inner = |in_loop| statement(random, depth - 1, in_loop);
    let (one, other) = (inner(in_loop), inner(in_loop));
    let in_turn = inner(true);
    let value = expression(random, 2);
    match random.below(14) {
        0 => format!("if ({}) {{ {one} }} else {{ {other} }}", condition(random)),
        1 => format!("for (int i{depth} = 0; i{depth} < 2; i{depth}++) {{ {in_turn} {other} }}"),
        2 => format!("try {{ {one} {other} }} catch (ArithmeticException e{depth}) {{ b = 5; }}"),
        3 => format!("try {{ {one} }} finally {{ b++; }}"),
        4 => format!("try {{ {one} throw new E(); }} catch (E e{depth}) {{ {other} }}"),
        5 => format!("v[{value} & 3] = {};", expression(random, 1)),
        6 => format!("o.f = {value};"),
        7 => random.of(&["o = p;", "o = null;", "o = x > 0 ? p : q;", "p = (B) o;"]).to_string(),
        8 => {
            format!("switch ({value} & 3) {{ case 0: {one} case 1: {other} break; default: b--; }}")
        }
        9 if in_loop => {
            format!("if ({}) {};", condition(random), random.of(&["break", "continue"]))
        }
        10 => format!("if ({}) return {value};", condition(random)),
        11 => format!("{one} {other}"),
        12 => format!("b {} {value};", random.of(&["+=", "-=", "^=", "|=", ">>="])),
        _ => format!("a = {value};"),
    }
}

/// The method `run` of program `k`, with classes of its own.
fn class(random: &mut Random, k: usize) -> String {
    let body: Vec<String> = (0..3).map(|_| statement(random, 2, false)).collect();
    let body = body.join("\n      ");
    format!(
        "class P{k} {{
  static class E extends RuntimeException {{ }}
  static class A {{ int f; A(int f) {{ this.f = f; }} int m(int n) {{ f = f + 1; return n + f; }} }}
  static class B extends A {{ B() {{ super(4); }} int m(int n) {{ if (n == 7) throw new E(); return super.m(n) * 2; }} }}
  static int run(int x) {{
    try {{
      return body(x);
    }} catch (ArithmeticException e) {{ return -1001;
    }} catch (ArrayIndexOutOfBoundsException e) {{ return -1002;
    }} catch (NullPointerException e) {{ return -1003;
    }} catch (ClassCastException e) {{ return -1004;
    }} catch (E e) {{ return -1005; }}
  }}
  static int body(int x) {{
      int a = x, b = 3;
      int[] v = new int[3];
      A q = new A(2), o = q;
      B p = new B();
      {body}
      return a + 10 * b + 100 * o.f;
  }}
}}
"
    )
}

#[test]
fn random_programs_do_what_java_does() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let classes: Vec<String> = (0..PROGRAMS).map(|k| class(&mut random, k)).collect();
    let mut calls = String::new();
    for k in 0..PROGRAMS {
        for input in INPUTS {
            let _ = writeln!(calls, "    System.out.println(P{k}.run({input}));");
        }
    }
    let whole = format!(
        "public class Main {{\n  public static void main(String[] args) {{\n{calls}  }}\n}}\n{}",
        classes.concat()
    );
    let folder = std::env::temp_dir().join(format!("faultline-java-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let path = folder.join("Main.java");
    std::fs::write(&path, whole).expect("the programs are written");
    let run = Command::new("java").arg(&path).output();
    let _ = std::fs::remove_dir_all(&folder);
    let Ok(run) = run else {
        println!("left out: random programs in Java, as there is no java");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    let results: Vec<&str> = printed.lines().collect();
    assert_eq!(results.len(), PROGRAMS * INPUTS.len());
    let mut decided = 0;
    for (class, results) in classes.iter().zip(results.chunks(INPUTS.len())) {
        let name = class.split(' ').nth(1).expect("a name");
        let mut checks = String::new();
        for (input, result) in INPUTS.iter().zip(results) {
            let _ = writeln!(checks, "    if (x == {input}) assert r == {result};");
        }
        let source = |checks: &str| {
            format!(
                "public class Main {{\n  public static void main(String[] args) {{\n    int x = Verifier.nondetInt();\n    Verifier.assume({});\n    int r = {name}.run(x);\n{checks}  }}\n}}\n{class}",
                INPUTS.map(|input| format!("x == {input}")).join(" || ")
            )
        };
        let right = source(&checks);
        let found = verdict_within(&right, STEPS);
        assert!(
            matches!(found, Ok(Verdict::Safe | Verdict::Unknown)),
            "{found:?}, but java says so:\n{right}"
        );
        let wrong = source(&format!("    if (x == {}) assert r != {};\n", INPUTS[2], results[2]));
        let failing = verdict_within(&wrong, STEPS);
        assert!(
            matches!(failing, Ok(Verdict::Unsafe | Verdict::Unknown)),
            "{failing:?}, but java fails:\n{wrong}"
        );
        decided += usize::from(found == Ok(Verdict::Safe) && failing == Ok(Verdict::Unsafe));
    }
    println!("{decided} of {PROGRAMS} decided");
    assert!(2 * decided >= PROGRAMS, "{decided} of {PROGRAMS} programs are decided");
}

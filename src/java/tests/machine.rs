//! The machine that executes Java against the one of a Java that is installed: output and exit code
//! of programs, and of random expressions. Where no Java is installed, what is kept counts.
#![allow(missing_docs)]

use faultline_java::machine::{End, Limits, compile, run};
use faultline_java::read_exact;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the programs are: `NAME.java`, its input `NAME.in`, and its output `NAME.out`.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/java/programs");

/// What a program prints, and its exit code.
fn executed(source: &str, input: &[u8]) -> (String, i32) {
    let program =
        read_exact(source).unwrap_or_else(|no| panic!("{}: {}", no.span.line, no.message()));
    let code = compile(&program).unwrap_or_else(|no| panic!("{}: {}", no.span.line, no.message()));
    let limits = Limits { steps: 200_000_000, ..Limits::default() };
    let run = run(&program, &code, input, limits);
    let exit = match run.end {
        End::Exited(code) => code,
        End::Uncaught(..) => 1,
        other => panic!("{other:?}"),
    };
    (String::from_utf8_lossy(&run.output).into_owned(), exit)
}

/// Compiles files to a folder; false where there is no compiler.
fn javac(files: &[PathBuf], into: &Path) -> bool {
    let run = Command::new("javac")
        .args(["-nowarn", "-Xlint:none", "-d"])
        .arg(into)
        .args(files)
        .stderr(Stdio::piped())
        .output();
    match run {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            true
        }
        Err(_) => false,
    }
}

/// What Java prints, and its exit code.
fn java(class: &str, folder: &Path, input: &[u8]) -> (String, i32) {
    let mut run = Command::new("java")
        .args(["-ea", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(folder)
        .arg(class)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Java runs");
    let mut pipe = run.stdin.take().expect("an input");
    // A program that reads nothing closes it.
    let _ = std::io::Write::write_all(&mut pipe, input);
    drop(pipe);
    let output = run.wait_with_output().expect("Java ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code().unwrap_or(-1))
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("faultline-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn programs_do_what_java_does() {
    let mut files: Vec<PathBuf> = fs::read_dir(PROGRAMS)
        .expect("programs")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "java"))
        .collect();
    files.sort();
    let folder = scratch("programs");
    let has_java = javac(&files, &folder);
    if !has_java {
        eprintln!("no Java is installed: the outputs are compared with those that are kept");
    }
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for file in &files {
        let name = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let source = fs::read_to_string(file).expect("a text");
        let input = fs::read(file.with_extension("in")).unwrap_or_default();
        let (output, exit) = executed(&source, &input);
        if has_java {
            assert_eq!((output.clone(), exit), java(&name, &folder, &input), "{name}");
        }
        let kept = file.with_extension("out");
        if update && has_java {
            fs::write(&kept, &output).expect("it is written");
        }
        assert_eq!(output, fs::read_to_string(&kept).expect("an output"), "{name}");
    }
    assert!(files.len() >= 20);
    let _ = fs::remove_dir_all(folder);
}

/// Random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    /// An expression of this type. Divisions may fail, which the program catches.
    fn expression(&mut self, ty: &str, depth: u32) -> String {
        let leaves: &[&str] = match ty {
            "int" => &["i", "j", "b", "s", "c", "7", "-1", "'x'", "0x7fffffff", "100"],
            "long" => &["l", "i", "m", "1L", "0x7fffffffffffffffL", "c"],
            "double" => &["d", "e", "i", "0.1", "f", "1e10", "-2.5"],
            "boolean" => &["t", "true", "(i > j)", "(l < m)", "(d <= e)", "(b == s)"],
            _ => &["\"x\"", "text", "\"\"", "(text + i)"],
        };
        if depth == 0 {
            return leaves[self.below(leaves.len())].to_string();
        }
        let mut part = |ty: &str| self.expression(ty, depth - 1);
        let (a, b) = (part(ty), part(ty));
        let (whole, truth) = (part("int"), part("boolean"));
        let any = part(["int", "long", "double"][depth as usize % 3]);
        let pick = |random: &mut Random, list: Vec<String>| list[random.below(list.len())].clone();
        let list = match ty {
            "int" | "long" => vec![
                format!("({a} + {b})"),
                format!("({a} - {b})"),
                format!("({a} * {b})"),
                format!("({a} / {b})"),
                format!("({a} % {b})"),
                format!("({a} << {whole})"),
                format!("({a} >> {whole})"),
                format!("({a} >>> {whole})"),
                format!("({a} & {b} | ~{a} ^ {b})"),
                format!("({truth} ? {a} : {b})"),
                format!("-({a})"),
                format!("({ty}) ({any})"),
                format!("Math.max({a}, {b})"),
                format!("(byte) ({a})"),
                format!("(char) ({a})"),
                format!("(short) ({a})"),
            ],
            "double" => vec![
                format!("({a} + {b})"),
                format!("({a} - {b})"),
                format!("({a} * {b})"),
                format!("({a} / {b})"),
                format!("({a} % {b})"),
                format!("({truth} ? {a} : {b})"),
                format!("(float) ({a})"),
                format!("(long) ({a})"),
                format!("(int) ({a})"),
                format!("Math.abs({a})"),
                format!("Math.floor({a})"),
            ],
            "boolean" => vec![
                format!("({a} && {b})"),
                format!("({a} || {b})"),
                format!("({a} ^ {b})"),
                format!("!({a})"),
                format!("({a} == {b})"),
                format!("({whole} != i)"),
            ],
            _ => vec![
                format!("({a} + {b})"),
                format!("({a} + {whole})"),
                format!("({truth} + {a})"),
                format!("String.valueOf({whole})"),
                format!("({a}).toUpperCase()"),
                format!("({a}).replace('x', 'y')"),
                format!("({a}).concat({b})"),
            ],
        };
        pick(self, list)
    }

    fn program(&mut self, name: &str) -> String {
        let mut lines = String::new();
        for k in 0..30 {
            let ty = ["int", "long", "double", "boolean", "String"][k % 5];
            let depth = 1 + self.below(3) as u32;
            let value = self.expression(ty, depth);
            lines.push_str(&format!(
                "        try {{ System.out.println({value}); }} catch (ArithmeticException no) {{ System.out.println(no); }}\n"
            ));
            let place = ["i", "j", "l", "b", "s", "c", "d", "m"][self.below(8)];
            let of = match place {
                "d" => "double",
                "l" | "m" => "long",
                _ => "int",
            };
            let value = self.expression(of, 1);
            let sign = ["+=", "-=", "*=", "="][self.below(4)];
            let cast = match (sign, place) {
                ("=", "b") => "(byte) ",
                ("=", "s") => "(short) ",
                ("=", "c") => "(char) ",
                _ => "",
            };
            lines.push_str(&format!("        try {{ {place} {sign} {cast}({value}); }} catch (ArithmeticException no) {{ }}\n"));
        }
        let (i, j, l) = (self.below(5000) as i64 - 2500, self.below(9), self.below(1 << 30) << 9);
        format!(
            "public class {name} {{\n    public static void main(String[] args) {{\n        int i = {i}, j = {j}; long l = {l}L, m = -3; byte b = 100; short s = -7; char c = 'q';\n        double d = 1.0 / 3, e = -{j}.75; float f = 0.3f; boolean t = i > 0; String text = \"text\";\n{lines}    }}\n}}\n"
        )
    }
}

#[test]
fn random_expressions_have_the_values_that_java_gives() {
    let folder = scratch("random");
    let mut random = Random(20261129);
    let mut files = Vec::new();
    let mut sources = Vec::new();
    for k in 0..30 {
        let name = format!("Random{k}");
        let source = random.program(&name);
        let file = folder.join(format!("{name}.java"));
        fs::write(&file, &source).expect("it is written");
        files.push(file);
        sources.push((name, source));
    }
    if !javac(&files, &folder) {
        eprintln!("no Java is installed: random expressions are left out");
        return;
    }
    for (name, source) in sources {
        assert_eq!(executed(&source, b""), java(&name, &folder, b""), "{source}");
    }
    let _ = fs::remove_dir_all(folder);
}

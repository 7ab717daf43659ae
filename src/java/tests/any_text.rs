//! Texts that are nearly programs, with fixed seeds: each is refused or ends, and nothing panics.
#![allow(missing_docs)]

use faultline_java::machine::{Limits, compile, run};
use faultline_java::read_exact;

const PROGRAM: &str = "import java.util.*; public class Main { static int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }\n\
    interface Shape { double area(); default String d() { return \"a\" + area(); } } enum Color { RED, BLUE; int k = 1; }\n\
    record P(int x, String y) { } static class Box<T> implements Shape { T t; Box(T t) { this.t = t; } public double area() { return 2.5; } }\n\
    public static void main(String[] args) throws Exception { Scanner in = new Scanner(System.in); int n = in.nextInt(); int[] a = {1, 2, 3};\n\
    List<Integer> l = new ArrayList<>(); for (int i = 0; i < 3; i++) { l.add(a[i] * twice(i)); } for (int x : l) n += x; Map<String, Integer> m = new HashMap<>();\n\
    m.merge(\"k\", 1, Integer::sum); try { a[n] = 1; } catch (RuntimeException e) { System.out.println(e.getMessage()); } finally { n++; }\n\
    switch (n % 3) { case 0: break; default: n--; } String s = switch (n) { case 1 -> \"one\"; default -> \"d\" + n; }; s += 'c'; Integer q = n; q++;\n\
    StringBuilder sb = new StringBuilder(s); sb.append(1.5).reverse(); Shape sh = () -> 1.0; Object o = new Box<String>(\"b\"); if (o instanceof Box b && n > 0) n ^= 1;\n\
    System.out.printf(\"%5.2f %s %d%n\", sh.area(), sb, l.size()); long z = (long) 1e18 >>> 3; char c = 'x'; c += 1; assert n != 77 : \"m\"; System.out.println(new P(1, s) + \" \" + Color.RED + m + z + c + q); } }";

#[test]
fn any_text_is_refused_or_executed() {
    let words: Vec<&str> = PROGRAM.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let strange = ["(", ")", "{", "}", "<", ">", "[", "->", "::", "-1", "'", "\"%n", "2147483648"];
    let mut state = 42u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut executed = 0;
    for _ in 0..800 {
        let mut list = words.clone();
        for _ in 0..1 + below(2) {
            let at = below(list.len());
            match below(4) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, words[below(words.len())]),
                2 => list[at] = words[below(words.len())],
                _ => list.insert(at, strange[below(strange.len())]),
            }
        }
        let limits = Limits { steps: 50_000, memory: 1 << 20, output: 1 << 12 };
        let Ok(program) = read_exact(&list.concat()) else { continue };
        let Ok(code) = compile(&program) else { continue };
        let run = run(&program, &code, b"2 1.5", limits);
        assert!(run.steps <= limits.steps + 100_000);
        executed += 1;
    }
    assert!(executed > 40, "only {executed} were programs");
}

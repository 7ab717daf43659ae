import java.io.*;
import java.util.*;
import java.util.function.*;

public class Flow {
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) { try { if (i == 1) continue; System.out.println("body " + i); if (i == 2) break; } finally { System.out.println("finally " + i); } } System.out.println(f(1) + f(2) + f(3)); try { g(); } catch (RuntimeException e) { System.out.println("out " + e.getMessage()); }
        int n = 0; a: while (true) { b: for (;;) { n++; if (n % 2 == 0) continue a; if (n > 7) break a; if (n == 5) break b; } n += 10; } System.out.println(n); do { n--; if (n % 3 == 0) continue; } while (n > 5); System.out.println(n); switch (n) { case 1: case 5: System.out.println("five"); default: System.out.println("fall"); case 9: System.out.println("nine"); break; case 10: System.out.println("ten"); } char c = 'b'; switch (c) { case 'a' -> System.out.println("A"); case 'b', 'c' -> { System.out.println("BC"); } default -> System.out.println("?"); } String r = switch (n % 3) { case 0 -> "zero"; case 1 -> { String q = "o"; yield q + "ne"; } default -> "two"; }; System.out.println(r); System.out.println(switch (r) { case "two" -> 2; default -> n > 3 ? 7 : 8; } + 1); int[] k = {0}; int z = k[0]++ + ++k[0] * k[0]--; System.out.println(z + " " + k[0]); boolean t = true || k[5] == 1; System.out.println(t && !(false & true) | false); x: { if (t) break x; System.out.println("never"); } for (int i = 0, j = 10; i < j; i += 3, j--) System.out.print(i + ":" + j + " "); System.out.println(); synchronized (k) { System.out.println("locked"); }
    }
    static String f(int k) { try { if (k == 1) return "r1 "; if (k == 2) throw new IllegalStateException("k2"); return "r3 "; } catch (IllegalStateException e) { return "c" + e.getMessage() + " "; } finally { System.out.println("fin" + k); } }
    static int g() { try { throw new RuntimeException("first"); } finally { try { throw new RuntimeException("second"); } catch (RuntimeException e) { System.out.println("in " + e.getMessage()); } }
    }
}

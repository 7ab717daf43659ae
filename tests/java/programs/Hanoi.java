import java.io.*;
import java.util.*;
import java.util.function.*;

public class Hanoi {
    public static void main(String[] args) {
        hanoi(4, 'A', 'B', 'C'); System.out.println(moves + " " + ack(2, 3) + " " + pow(3, 13) + " " + collatz(27) + " " + perms("abc", "") + " " + isPal("level", 0, 4) + " " + bin(10)); queens(0, new int[6]); System.out.println(found);
    }
    static int moves, found; static void hanoi(int n, char a, char b, char c) { if (n == 0) return; hanoi(n - 1, a, c, b); moves++; if (moves < 4) System.out.println(a + "->" + c); hanoi(n - 1, b, a, c); } static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); } static long pow(long b, int e) { if (e == 0) return 1; long h = pow(b, e / 2); return e % 2 == 0 ? h * h : h * h * b; } static int collatz(long n) { int s = 0; while (n != 1) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; s++; } return s; } static String perms(String s, String p) { if (s.isEmpty()) return p + " "; String r = ""; for (int i = 0; i < s.length(); i++) r += perms(s.substring(0, i) + s.substring(i + 1), p + s.charAt(i)); return r; } static boolean isPal(String s, int i, int j) { return i >= j || s.charAt(i) == s.charAt(j) && isPal(s, i + 1, j - 1); } static String bin(int n) { return n < 2 ? "" + n : bin(n / 2) + n % 2; }
    static void queens(int r, int[] q) { if (r == q.length) { found++; return; } for (int c = 0; c < q.length; c++) { boolean ok = true; for (int k = 0; k < r; k++) if (q[k] == c || Math.abs(q[k] - c) == r - k) ok = false; if (ok) { q[r] = c; queens(r + 1, q); } }
    }
}

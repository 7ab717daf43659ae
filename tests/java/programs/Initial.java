import java.io.*;
import java.util.*;
import java.util.function.*;

public class Initial {
    public static void main(String[] args) {
        System.out.println("main"); new D(5); System.out.println(C.K + " " + D.count); System.out.println(E.V); try { System.out.println(F.x); } catch (ExceptionInInitializerErrorX e) { }
    }
    static class ExceptionInInitializerErrorX extends RuntimeException { }
    static class F { static int x = y() + 1; static int y() { return 41; } }
    static class C { static final int K = 7; static int s = p("C static"); int a = p("C field"); { p("C block"); } C() { p("C()"); h(); } void h() { p("C.h"); } static int p(String t) { System.out.println(t); return 1; } }
    static class D extends C { static int count; static { p("D static"); count = 100; } int b = p("D field"); D(int n) { this(n, "x"); p("D(int)"); } D(int n, String t) { super(); p("D(int, String) " + n + t + b); count += n; } void h() { p("D.h " + b); } }
    interface E { int V = C.p("E field") + 1; } static void unused() {
    }
}

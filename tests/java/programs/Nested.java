import java.io.*;
import java.util.*;
import java.util.function.*;

public class Nested {
    public static void main(String[] args) {
        Outer o = new Outer(3); Outer.In in = o.new In(4); System.out.println(in.sum() + " " + o.make().sum() + " " + new Outer.St(7).v); int base = 10; class Local { int plus(int x) { return x + base; } } System.out.println(new Local().plus(5)); Op add = (a, b) -> a + b + base; Op mul = new Op() { public int run(int a, int b) { return a * b; } }; System.out.println(add.run(1, 2) + " " + mul.run(3, 4) + " " + apply(Nested::sub, 9, 4)); Color c = Color.BLUE; System.out.println(c + " " + c.name() + c.ordinal() + Color.valueOf("RED").hex() + Color.values().length + c.compareTo(Color.RED) + (c == Color.BLUE) + c.equals(Color.GREEN)); for (Color x : Color.values()) { switch (x) { case RED: System.out.print("r"); break; case BLUE: System.out.print("b"); break; default: System.out.print("-"); } } System.out.println(); Map<Color, Integer> m = new TreeMap<>(); m.put(Color.BLUE, 1); m.put(Color.RED, 2); System.out.println(m); int[] counter = {0}; Runnable r = () -> counter[0]++; r.run(); r.run(); System.out.println(counter[0]); try { Color.valueOf("PINK"); } catch (IllegalArgumentException e) { System.out.println("none"); }
    }
    interface Op { int run(int a, int b); } static int sub(int a, int b) { return a - b; } static int apply(Op o, int a, int b) { return o.run(a, b); }
    enum Color { RED("f00"), GREEN("0f0"), BLUE("00f"); private final String h; Color(String h) { this.h = h; } String hex() { return "#" + h; } }
    static class Outer { int n; Outer(int n) { this.n = n; } class In { int k; In(int k) { this.k = k; } int sum() { return n + k + Outer.this.n; } } In make() { return new In(n * 2); } static class St { int v; St(int v) { this.v = v; } }
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Patterns {
    public static void main(String[] args) throws Exception {
        Object[] list = {1, "two", 3.0, List.of(4), null, new int[] {5}, 'c'}; for (Object o : list) System.out.println(d(o)); Object o = "str"; if (!(o instanceof String s)) return; System.out.println(s.length()); if (o instanceof String t && t.length() == 3) System.out.println(t + t); P p = new P("a", 1); System.out.println(p + " " + p.equals(new P("a", 1)) + p.equals(new P("b", 1)) + " " + p.name() + p.n() + " " + p.bigger() + P.zero() + " " + (p.hashCode() == new P("a", 1).hashCode())); G<Integer, String> g = new G<>(1, "x"); int one = g.a(); System.out.println(one + g.b().length() + " " + g); try (Res r = new Res("r1"); Res q = new Res("r2")) { System.out.println("use " + r.name + q.name); } try (Res r = new Res("r3")) { throw new RuntimeException("body"); } catch (RuntimeException e) { System.out.println("caught " + e.getMessage()); } finally { System.out.println("end"); }
    }
    static String d(Object o) { if (o instanceof Integer i && i > 0) return "int " + (i + 1); if (o instanceof String s) return "text " + s.toUpperCase(); if (o instanceof Double x) return "double " + x / 2; if (o instanceof List<?> l) return "list " + l.size(); if (o instanceof int[] a) return "array " + a[0]; return "other " + o; }
    record P(String name, int n) { P { if (n < 0) throw new IllegalArgumentException(); } P bigger() { return new P(name + "+", n + 1); } static P zero() { return new P("z", 0); } }
    record G<A, B>(A a, B b) { }
    static class Res implements AutoCloseable { String name; Res(String n) { name = n; System.out.println("open " + n); } public void close() { System.out.println("close " + name); }
    }
}

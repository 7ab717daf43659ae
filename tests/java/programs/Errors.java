import java.io.*;
import java.util.*;
import java.util.function.*;

public class Errors {
    public static void main(String[] args) throws Exception {
        String[] k = {"div", "null", "index", "cast", "neg", "store", "custom", "state", "deep", "str", "assert"}; for (String s : k) { try { go(s); } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) { System.out.println("1 " + e.getMessage()); } catch (Custom e) { System.out.println("2 " + e.getMessage() + e.code + e.getCause()); } catch (RuntimeException e) { System.out.println("3 " + e.getClass().getSimpleName() + (s.equals("null") ? "" : " " + e.getMessage())); } catch (Exception e) { System.out.println("4 " + e); } catch (StackOverflowError e) { System.out.println("5 " + e.getMessage()); } catch (Error e) { System.out.println("6 " + e); } finally { System.out.print("."); } } throw new Custom("end", 9);
    }
    static class Custom extends RuntimeException { int code; Custom(String m, int c) { super("<" + m + ">", new Exception("cause")); code = c; } }
    static int deep(int n) { return deep(n + 1) + 1; }
    static void go(String s) throws Exception { int[] a = new int[2]; Object o = "x"; switch (s) { case "div": System.out.println(5 / (a[0])); break; case "null": o = null; o.hashCode(); break; case "index": a[2] = 1; break; case "cast": Integer i = (Integer) o; break; case "neg": a = new int[-3]; break; case "store": Object[] q = new String[1]; q[0] = 1; break; case "custom": throw new Custom("c", 4); case "state": throw new Exception("checked"); case "deep": deep(0); break; case "str": "abc".charAt(10); break; case "assert": assert a.length == 3 : "length " + a.length; break; }
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Strings {
    public static void main(String[] args) {
        String s = "Hello, World"; System.out.println(s.length() + s.toUpperCase() + s.toLowerCase() + s.indexOf("o") + s.indexOf('o', 5) + s.lastIndexOf('o') + s.indexOf("zz") + s.charAt(4) + s.substring(7) + s.substring(0, 5));
        System.out.println(s.replace('l', 'L') + s.replace("World", "x") + s.contains("lo, W") + s.startsWith("Hell") + s.endsWith("d") + s.isEmpty() + "".isEmpty() + " ".isBlank() + "[" + "  a b ".trim() + "][" + " x ".strip() + "]" + "x".repeat(3));
        System.out.println("a".compareTo("b") + " " + "apple".compareTo("app") + " " + "Apple".compareToIgnoreCase("apple") + " " + "AbC".equalsIgnoreCase("aBc") + " " + "abc".equals(null) + " " + "abc".hashCode() + " " + "".hashCode());
        for (String p : "a1b22c333".split("[0-9]+")) System.out.print(p + ";"); for (String p : "  lead and  trail  ".split(" ")) System.out.print("<" + p + ">"); for (String p : "a.b.c".split("\\.")) System.out.print(p + "|"); for (String p : "x,y;z".split("[,;]")) System.out.print(p); System.out.println("a,b,,".split(",", -1).length + " " + "a,b,c".split(",", 2)[1] + " " + "abc".split("").length + " " + " a  b ".trim().split("\\s+").length);
        System.out.println(String.valueOf(3.0) + String.valueOf('c') + String.valueOf(true) + String.valueOf(new char[] {'o', 'k'}) + String.join("/", "a", "b", "c") + "abc".concat("d") + "banana".replaceAll("an", "AN") + "a1b2".replaceAll("[0-9]", "#") + "abc".matches("[a-c]+") + "x9".matches("\\w\\d"));
        char[] cs = "sorted".toCharArray(); Arrays.sort(cs); System.out.println(new String(cs) + cs.length + Arrays.toString(cs)); String t = null; System.out.println("null: " + t); String a = "x", b = "x", c = "X".toLowerCase(); System.out.println((a == b) + " " + (a == c) + " " + a.equals(c)); final String k = "ab"; System.out.println(k + 1 + 2 + 'c' + (1 + 2) + 1.5f + null + true); System.out.println('a' + 'b' + "c" + 'd' + 1);
        String u = "\u00e9\t\"q\"\\"; System.out.println(u + u.length()); System.out.println("""
            block
              text""");
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Builders {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder("start"); sb.append(1).append('c').append(2.5).append(true).append((Object) null).append(new char[] {'x', 'y'}).append("s").append(3L).append(1.5f); System.out.println(sb + " " + sb.length());
        sb.insert(0, "<<").insert(2, 42).reverse(); System.out.println(sb); sb.setCharAt(0, 'Z'); sb.deleteCharAt(1); sb.delete(0, 3); sb.replace(0, 2, "RR"); System.out.println(sb + " " + sb.indexOf("t") + " " + sb.charAt(2)); sb.setLength(4); System.out.println(sb.toString().equals("x") + " " + sb); StringBuffer buf = new StringBuffer(); for (char c = 'a'; c < 'f'; c++) buf.append(c).append(c - 'a'); System.out.println(buf); System.out.println(new StringBuilder("ab").compareTo(new StringBuilder("abc")) + " " + new StringBuilder("level").reverse().toString().equals("level"));
        try { sb.charAt(99); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); } try { sb.insert(99, "x"); } catch (StringIndexOutOfBoundsException e) { System.out.println(e); }
    }
}

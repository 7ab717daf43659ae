import java.io.*;
import java.util.*;
import java.util.function.*;

public class Lines {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); String line; int n = 0; while ((line = in.readLine()) != null) { n++; String[] p = line.split(" "); int s = 0; for (String q : p) { try { s += Integer.parseInt(q); } catch (NumberFormatException e) { System.out.println("bad " + q); } } System.out.println(n + ": " + line.length() + " " + s); }
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Words {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in); Map<String, Integer> count = new HashMap<>(); while (in.hasNext()) { String w = in.next().toLowerCase().replaceAll("[^a-z]", ""); if (w.isEmpty()) continue; count.put(w, count.containsKey(w) ? count.get(w) + 1 : 1); } List<String> keys = new ArrayList<>(count.keySet()); Collections.sort(keys, (x, y) -> { int c = count.get(y) - count.get(x); return c != 0 ? c : x.compareTo(y); }); for (String k : keys) System.out.printf("%-8s %3d%n", k, count.get(k)); System.out.println(count);
    }
}

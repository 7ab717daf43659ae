import java.io.*;
import java.util.*;
import java.util.function.*;

public class Search {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in); int n = in.nextInt(); int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = in.nextInt(); int[] b = a.clone(); for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1 - i; j++) if (b[j] > b[j + 1]) { int t = b[j]; b[j] = b[j + 1]; b[j + 1] = t; } System.out.println(Arrays.toString(b) + Arrays.toString(a)); int key = in.nextInt(), lo = 0, hi = n - 1, at = -1; while (lo <= hi) { int m = (lo + hi) / 2; if (b[m] == key) { at = m; break; } if (b[m] < key) lo = m + 1; else hi = m - 1; } System.out.println(at + " " + Arrays.binarySearch(b, key) + " " + Arrays.equals(a, b)); in.nextLine(); String line = in.nextLine(); System.out.println("[" + line + "]" + in.hasNextInt() + in.hasNext()); while (in.hasNext()) { if (in.hasNextDouble()) System.out.println("d " + in.nextDouble()); else System.out.println("w " + in.next()); } System.out.println(in.hasNextLine()); try { in.nextInt(); } catch (NoSuchElementException e) { System.out.println(e); }
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Floats {
    public static void main(String[] args) {
        double[] list = {0.1, 1.0 / 3, 1e100, 1e-7, 123456789.125, 100, 1e7, 12345678.9, 0.001, 0.00099, 4.35, 2.675, 1.005, 5e-324, 9007199254740993.0};
        for (double d : list) { System.out.println(d + " " + (long) d + " " + (int) d + " " + Math.round(d) + " " + String.format("%.2f|%10.3f|%e|%.0f|%g", d, d, d, d, d)); }
        System.out.println(0.0 / 0 + " " + 1 / 0.0 + " " + -1 / 0.0 + " " + -0.0 + " " + (0.0 == -0.0) + " " + Double.compare(0.0, -0.0) + " " + (Double.NaN == Double.NaN) + " " + Double.isNaN(0.0 / 0));
        System.out.println(Math.sqrt(2) + " " + Math.pow(2, 10) + " " + Math.pow(2, 0.5) + " " + Math.ceil(-1.5) + " " + Math.floor(-1.5) + " " + Math.rint(2.5) + " " + Math.hypot(3, 4) + " " + Math.cbrt(27) + " " + Math.signum(-2.5));
        System.out.println((float) 1 / 3 + " " + 1.0f * 16777217 + " " + (0.1f + 0.2f) + " " + (0.1f + 0.2) + " " + 3.0e38f * 10 + " " + (int) 1e20f + " " + (long) Float.NaN + " " + (char) 65.7 + " " + (byte) 300.5);
        System.out.println(5.5 % 2 + " " + -5.5 % 2 + " " + 5.5f % -2 + " " + Math.max(-0.0, 0.0) + " " + Math.min(1.5, 1) + " " + Math.abs(-2.5f)); float f = 1; for (int k = 0; k < 40; k++) f *= 1.1f; System.out.println(f); double s = 0; for (int k = 1; k <= 100; k++) s += 1.0 / k; System.out.println(s);
    }
}

import java.io.*;
import java.util.*;
import java.util.function.*;

public class Bits {
    public static void main(String[] args) {
        int x = 0x5a5a1234; long y = 0x123456789abcdefL;
        System.out.println((x << 5) + " " + (x >> 3) + " " + (x >>> 3) + " " + (x << 37) + " " + (y >>> 60) + " " + (y << 65));
        System.out.println((x & 0xff) + " " + (x | 1) + " " + (x ^ -1) + " " + ~x + " " + (true ^ false) + " " + (5 & 3 | 8));
        System.out.println(Integer.toBinaryString(42) + " " + Integer.toHexString(-1) + " " + Integer.toOctalString(8) + " " + Integer.bitCount(255) + " " + Integer.toString(255, 16) + " " + Long.toBinaryString(5L));
        System.out.println(Integer.parseInt("-7f", 16) + " " + Integer.reverse(1) + " " + Integer.highestOneBit(100) + " " + Integer.numberOfTrailingZeros(8));
        byte b = (byte) 0xf0; short s = (short) 70000; char c = (char) -1; b >>= 2; s >>>= 1; c++;
        System.out.println(b + " " + s + " " + (int) c); b += 200; s *= 3; System.out.println(b + " " + s);
        int i = Integer.MIN_VALUE; System.out.println(-i + " " + Math.abs(i) + " " + i / -1 + " " + i % -1 + " " + (i - 1));
    }
}

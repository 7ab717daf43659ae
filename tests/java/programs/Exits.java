import java.io.*;
import java.util.*;
import java.util.function.*;

public class Exits {
    public static void main(String[] args) {
        System.out.println("before"); System.err.println("to err"); if (args.length == 0) { try { System.exit(3); } finally { System.out.println("never"); } } System.out.println("never");
    }
}

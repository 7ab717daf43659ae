import java.io.*;
import java.util.*;
import java.util.function.*;

public class Guess {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in); int secret = 42, tries = 0; System.out.print("Guess: "); while (in.hasNextInt()) { int g = in.nextInt(); tries++; if (g == secret) { System.out.println("Right after " + tries); break; } System.out.println(g < secret ? "low" : "high"); System.out.print("Guess: "); } String rest = in.hasNextLine() ? in.nextLine() : "none"; System.out.println("[" + rest + "]"); System.out.println(in.nextLine()); in.nextInt();
    }
}

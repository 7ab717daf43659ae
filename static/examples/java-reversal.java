/*! test an empty line

---

palindrome
*/
/*! test a word
stone
---
enots
no palindrome
*/
import java.util.Scanner;

public class Reversal {
    static String reverse(String text) {
        String turned = "";
        for (int i = text.length() - 1; i > 0; i--) {
            turned += text.charAt(i);
        }
        return turned;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String word = in.nextLine();
        String turned = reverse(word);
        System.out.println(turned);
        System.out.println(turned.equals(word) ? "palindrome" : "no palindrome");
    }
}

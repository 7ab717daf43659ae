/*! test one word
so so
---
1 words, most often so
*/
/*! test in capitals, too
The dog and the cat and the bird
---
5 words, most often the
*/
import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;

public class WordCount {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Map<String, Integer> counts = new HashMap<>();
        while (in.hasNext()) {
            String word = in.next();
            if (counts.containsKey(word)) {
                counts.put(word, counts.get(word) + 1);
            } else {
                counts.put(word, 1);
            }
        }
        String best = "";
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            if (best.isEmpty() || entry.getValue() > counts.get(best)) {
                best = entry.getKey();
            }
        }
        System.out.println(counts.size() + " words, most often " + best);
    }
}

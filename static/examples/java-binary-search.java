/*! test in the middle
3 1 4 9 4
---
1
*/
/*! test the last
3 1 4 9 9
---
2
*/
import java.util.Scanner;

public class BinarySearch {
    static int search(int[] list, int key, int low, int high) {
        if (low >= high) {
            return -1;
        }
        int middle = (low + high) / 2;
        if (list[middle] == key) {
            return middle;
        }
        if (list[middle] < key) {
            return search(list, key, middle + 1, high);
        }
        return search(list, key, low, middle - 1);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        int[] list = new int[n];
        for (int i = 0; i < n; i++) {
            list[i] = in.nextInt();
        }
        System.out.println(search(list, in.nextInt(), 0, n - 1));
    }
}

import java.util.Random;

public class Search {
    static int find(int[] a, int key, int low, int high) {
        if (low > high)
            return -1;
        int middle = (low + high) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            return find(a, key, middle + 1, high);
        return find(a, key, low, middle - 1);
    }

    public static void main(String[] args) {
        int[] a = { 2, 3, 5, 7 };
        int key = new Random().nextInt(10);
        int found = find(a, key, 0, a.length);
        assert found == -1 || a[found] == key;
    }
}

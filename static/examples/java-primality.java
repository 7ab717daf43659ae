//! bits = 4
//! check = none
// Fig. 6.11 of the thesis, as Java; the parsed number is any, the printing is left out.
import java.util.Random;

public class Primality {
    static int witness(int a, int i, int n) {
        assert n != 0;
        if (i == 0)
            return 1;
        int x = witness(a, i / 2, n);
        if (x == 0)
            return 0;
        int y = (x * x) % n;
        if (y == 1 && x != 1 && x != n - 1)
            return 0;
        if (i % 2 != 0)
            y = (a * y) % n;
        return y;
    }

    static boolean isPrime(int n) {
        Random random = new Random();
        for (int counter = 0; counter < 5; counter++) {
            int a = random.nextInt();
            if (witness(a, n - 1, n) != 1)
                return false;
        }
        return true;
    }

    public static void main(String[] args) {
        for (int i = 3; i < 7; i += 1) {
            boolean p = isPrime(i);
        }
    }
}

import java.util.Random;

public class Door {
    static boolean open;

    static void pass(int code) {
        open = true;
        try {
            if (code != 4711)
                throw new IllegalArgumentException();
        } finally {
            open = false;
        }
    }

    public static void main(String[] args) {
        try {
            pass(new Random().nextInt());
        } catch (IllegalArgumentException wrong) {
            assert !open;
        }
        assert !open;
    }
}

// What Java's library does when a program is executed: `java.util`, arrays.
class Arrays {
    static native Object cloned(Object array);
    static native Object resized(Object array, int from, int to);
    private static native void sorted(Object array, int from, int to);
    private static void check(int length, int from, int to) {
        if (from > to) {
            throw new IllegalArgumentException("fromIndex(" + from + ") > toIndex(" + to + ")");
        }
        if (from < 0) throw new ArrayIndexOutOfBoundsException("Array index out of range: " + from);
        if (to > length) throw new ArrayIndexOutOfBoundsException("Array index out of range: " + to);
    }
    private static Object copied(Object array, int length, int from, int to) {
        if (from > to) throw new IllegalArgumentException(from + " > " + to);
        return resized(array, from, to);
    }
    static <T> List<T> asList(T... values) { return new FixedList(values, true); }
    static void sort(Object[] a) { sort(a, null); }
    static <T> void sort(T[] a, Comparator<? super T> by) {
        Object[] all = a;
        merge(all, new Object[all.length], 0, all.length, by);
    }
    static void sort(Object[] a, int from, int to) {
        check(a.length, from, to);
        merge(a, new Object[a.length], from, to, null);
    }
    private static void merge(Object[] a, Object[] room, int from, int to, Comparator by) {
        if (to - from < 2) return;
        int middle = from + to >>> 1;
        merge(a, room, from, middle, by);
        merge(a, room, middle, to, by);
        int left = from;
        int right = middle;
        for (int k = from; k < to; k++) {
            boolean isLeft = right >= to;
            if (left < middle && right < to) {
                isLeft = (by != null ? by.compare(a[left], a[right])
                    : ((Comparable) a[left]).compareTo(a[right])) <= 0;
            }
            room[k] = isLeft ? a[left++] : a[right++];
        }
        System.arraycopy(room, from, a, from, to - from);
    }
    static String deepToString(Object[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(deep(a[k]));
        }
        return made.append("]").toString();
    }
    private static String deep(Object a) {
        if (a instanceof Object[]) return deepToString((Object[]) a);
        if (a instanceof int[]) return toString((int[]) a);
        if (a instanceof double[]) return toString((double[]) a);
        if (a instanceof char[]) return toString((char[]) a);
        if (a instanceof boolean[]) return toString((boolean[]) a);
        if (a instanceof long[]) return toString((long[]) a);
        return String.valueOf(a);
    }
    static boolean deepEquals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) {
            Object x = a[k];
            Object y = b[k];
            boolean same = Objects.equals(x, y);
            if (x instanceof Object[] && y instanceof Object[]) same = deepEquals((Object[]) x, (Object[]) y);
            if (x instanceof int[] && y instanceof int[]) same = equals((int[]) x, (int[]) y);
            if (x instanceof double[] && y instanceof double[]) same = equals((double[]) x, (double[]) y);
            if (x instanceof char[] && y instanceof char[]) same = equals((char[]) x, (char[]) y);
            if (!same) return false;
        }
        return true;
    }
    static <T> T[] copyOf(T[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (T[]) resized(a, 0, length);
    }
    static <T> T[] copyOfRange(T[] a, int from, int to) {
        return (T[]) copied(a, a.length, from, to);
    }
    static void setAll(int[] a, IntUnaryOperator make) {
        for (int k = 0; k < a.length; k++) a[k] = make.applyAsInt(k);
    }
    static String toString(int[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(int[] a, int value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(int[] a, int from, int to, int value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(int[] a, int[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(int[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static int[] copyOf(int[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (int[]) resized(a, 0, length);
    }
    static int[] copyOfRange(int[] a, int from, int to) {
        return (int[]) copied(a, a.length, from, to);
    }
    static void sort(int[] a) { sorted(a, 0, a.length); }
    static void sort(int[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(int[] a, int key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(long[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(long[] a, long value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(long[] a, int from, int to, long value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(long[] a, long[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(long[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Long.hashCode(a[k]);
        return hash;
    }
    static long[] copyOf(long[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (long[]) resized(a, 0, length);
    }
    static long[] copyOfRange(long[] a, int from, int to) {
        return (long[]) copied(a, a.length, from, to);
    }
    static void sort(long[] a) { sorted(a, 0, a.length); }
    static void sort(long[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(long[] a, long key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(double[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(double[] a, double value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(double[] a, int from, int to, double value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(double[] a, double[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (Double.compare(a[k], b[k]) != 0) return false;
        return true;
    }
    static int hashCode(double[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Double.hashCode(a[k]);
        return hash;
    }
    static double[] copyOf(double[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (double[]) resized(a, 0, length);
    }
    static double[] copyOfRange(double[] a, int from, int to) {
        return (double[]) copied(a, a.length, from, to);
    }
    static void sort(double[] a) { sorted(a, 0, a.length); }
    static void sort(double[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(double[] a, double key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(float[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(float[] a, float value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(float[] a, int from, int to, float value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(float[] a, float[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (Float.compare(a[k], b[k]) != 0) return false;
        return true;
    }
    static int hashCode(float[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Float.hashCode(a[k]);
        return hash;
    }
    static float[] copyOf(float[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (float[]) resized(a, 0, length);
    }
    static float[] copyOfRange(float[] a, int from, int to) {
        return (float[]) copied(a, a.length, from, to);
    }
    static void sort(float[] a) { sorted(a, 0, a.length); }
    static void sort(float[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(float[] a, float key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(char[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(char[] a, char value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(char[] a, int from, int to, char value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(char[] a, char[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(char[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static char[] copyOf(char[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (char[]) resized(a, 0, length);
    }
    static char[] copyOfRange(char[] a, int from, int to) {
        return (char[]) copied(a, a.length, from, to);
    }
    static void sort(char[] a) { sorted(a, 0, a.length); }
    static void sort(char[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(char[] a, char key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(byte[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(byte[] a, byte value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(byte[] a, int from, int to, byte value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(byte[] a, byte[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(byte[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static byte[] copyOf(byte[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (byte[]) resized(a, 0, length);
    }
    static byte[] copyOfRange(byte[] a, int from, int to) {
        return (byte[]) copied(a, a.length, from, to);
    }
    static void sort(byte[] a) { sorted(a, 0, a.length); }
    static void sort(byte[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(byte[] a, byte key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(short[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(short[] a, short value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(short[] a, int from, int to, short value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(short[] a, short[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(short[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static short[] copyOf(short[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (short[]) resized(a, 0, length);
    }
    static short[] copyOfRange(short[] a, int from, int to) {
        return (short[]) copied(a, a.length, from, to);
    }
    static void sort(short[] a) { sorted(a, 0, a.length); }
    static void sort(short[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(short[] a, short key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(boolean[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(boolean[] a, boolean value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(boolean[] a, int from, int to, boolean value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(boolean[] a, boolean[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(boolean[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Boolean.hashCode(a[k]);
        return hash;
    }
    static boolean[] copyOf(boolean[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (boolean[]) resized(a, 0, length);
    }
    static boolean[] copyOfRange(boolean[] a, int from, int to) {
        return (boolean[]) copied(a, a.length, from, to);
    }
    static String toString(Object[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(Object[] a, Object value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(Object[] a, int from, int to, Object value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (!Objects.equals(a[k], b[k])) return false;
        return true;
    }
    static int hashCode(Object[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Objects.hashCode(a[k]);
        return hash;
    }
}

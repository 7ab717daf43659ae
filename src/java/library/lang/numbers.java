// What Java's library does when a program is executed: `java.lang`, numbers.
class Number {
    int intValue() { return 0; }
    long longValue() { return 0; }
    float floatValue() { return 0; }
    double doubleValue() { return 0; }
    byte byteValue() { return (byte) intValue(); }
    short shortValue() { return (short) intValue(); }
}
class Integer extends Number implements Comparable<Integer> {
    private final int value;
    static final int MAX_VALUE = 0x7fffffff;
    static final int MIN_VALUE = 0x80000000;
    static final int SIZE = 32;
    static final int BYTES = 4;
    private static final Integer[] small = new Integer[256];
    Integer(int value) { this.value = value; }
    static Integer valueOf(int value) {
        if (value < -128 || value > 127) return new Integer(value);
        Integer known = small[value + 128];
        if (known == null) {
            known = new Integer(value);
            small[value + 128] = known;
        }
        return known;
    }
    static Integer valueOf(String text) { return valueOf(parse(text, 10)); }
    private static native int parse(String text, int radix);
    static int parseInt(String text) { return parse(text, 10); }
    static int parseInt(String text, int radix) { return parse(text, radix); }
    static int max(int a, int b) { return a >= b ? a : b; }
    static int min(int a, int b) { return a <= b ? a : b; }
    static int sum(int a, int b) { return a + b; }
    static int compare(int a, int b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int signum(int a) { return a < 0 ? -1 : a == 0 ? 0 : 1; }
    static int hashCode(int a) { return a; }
    static String toString(int a) { return "" + a; }
    static String toString(int a, int radix) { return Long.digits(a, radix); }
    static String toBinaryString(int a) { return Long.digits(a & 0xffffffffL, 2); }
    static String toHexString(int a) { return Long.digits(a & 0xffffffffL, 16); }
    static String toOctalString(int a) { return Long.digits(a & 0xffffffffL, 8); }
    static int bitCount(int a) { return Long.bitCount(a & 0xffffffffL); }
    static int reverse(int a) {
        int turned = 0;
        for (int k = 0; k < 32; k++) turned = turned << 1 | a >>> k & 1;
        return turned;
    }
    static int numberOfTrailingZeros(int a) {
        for (int k = 0; k < 32; k++) if ((a >>> k & 1) != 0) return k;
        return 32;
    }
    static int numberOfLeadingZeros(int a) {
        for (int k = 0; k < 32; k++) if ((a << k) < 0) return k;
        return 32;
    }
    static int highestOneBit(int a) { return a == 0 ? 0 : 0x80000000 >>> numberOfLeadingZeros(a); }
    int compareTo(Integer other) { return compare(value, other.value); }
    boolean equals(Object other) { return other instanceof Integer && ((Integer) other).value == value; }
    int hashCode() { return value; }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Long extends Number implements Comparable<Long> {
    private final long value;
    static final long MAX_VALUE = 0x7fffffffffffffffL;
    static final long MIN_VALUE = 0x8000000000000000L;
    static final int SIZE = 64;
    static final int BYTES = 8;
    private static final Long[] small = new Long[256];
    Long(long value) { this.value = value; }
    static Long valueOf(long value) {
        if (value < -128 || value > 127) return new Long(value);
        int at = (int) value + 128;
        Long known = small[at];
        if (known == null) {
            known = new Long(value);
            small[at] = known;
        }
        return known;
    }
    static Long valueOf(String text) { return valueOf(parse(text, 10)); }
    private static native long parse(String text, int radix);
    static native String digits(long a, int radix);
    static long parseLong(String text) { return parse(text, 10); }
    static long parseLong(String text, int radix) { return parse(text, radix); }
    static long max(long a, long b) { return a >= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
    static long sum(long a, long b) { return a + b; }
    static int compare(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int signum(long a) { return a < 0 ? -1 : a == 0 ? 0 : 1; }
    static int hashCode(long a) { return (int) (a ^ a >>> 32); }
    static String toString(long a) { return "" + a; }
    static String toString(long a, int radix) { return digits(a, radix); }
    static String toBinaryString(long a) {
        String text = "";
        do {
            text = (a & 1) + text;
            a >>>= 1;
        } while (a != 0);
        return text;
    }
    static int bitCount(long a) {
        int count = 0;
        for (; a != 0; a &= a - 1) count++;
        return count;
    }
    int compareTo(Long other) { return compare(value, other.value); }
    boolean equals(Object other) { return other instanceof Long && ((Long) other).value == value; }
    int hashCode() { return hashCode(value); }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Short extends Number implements Comparable<Short> {
    private final short value;
    static final short MAX_VALUE = 32767;
    static final short MIN_VALUE = -32768;
    private static final Short[] small = new Short[256];
    Short(short value) { this.value = value; }
    static Short valueOf(short value) {
        if (value < -128 || value > 127) return new Short(value);
        Short known = small[value + 128];
        if (known == null) {
            known = new Short(value);
            small[value + 128] = known;
        }
        return known;
    }
    static int compare(short a, short b) { return a - b; }
    static String toString(short a) { return "" + a; }
    int compareTo(Short other) { return value - other.value; }
    boolean equals(Object other) { return other instanceof Short && ((Short) other).value == value; }
    int hashCode() { return value; }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Byte extends Number implements Comparable<Byte> {
    private final byte value;
    static final byte MAX_VALUE = 127;
    static final byte MIN_VALUE = -128;
    private static final Byte[] small = new Byte[256];
    Byte(byte value) { this.value = value; }
    static Byte valueOf(byte value) {
        if (value < -128 || value > 127) return new Byte(value);
        Byte known = small[value + 128];
        if (known == null) {
            known = new Byte(value);
            small[value + 128] = known;
        }
        return known;
    }
    static int compare(byte a, byte b) { return a - b; }
    static String toString(byte a) { return "" + a; }
    int compareTo(Byte other) { return value - other.value; }
    boolean equals(Object other) { return other instanceof Byte && ((Byte) other).value == value; }
    int hashCode() { return value; }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Double extends Number implements Comparable<Double> {
    private final double value;
    static final double MAX_VALUE = 1.7976931348623157e308;
    static final double MIN_VALUE = 4.9e-324;
    static final double POSITIVE_INFINITY = 1.0 / 0;
    static final double NEGATIVE_INFINITY = -1.0 / 0;
    static final double NaN = 0.0 / 0;
    Double(double value) { this.value = value; }
    static Double valueOf(double value) { return new Double(value); }
    static Double valueOf(String text) { return new Double(parseDouble(text)); }
    static native double parseDouble(String text);
    static native long doubleToLongBits(double x);
    static boolean isNaN(double x) { return x != x; }
    static boolean isInfinite(double x) { return x - x != x - x && x == x; }
    static boolean isFinite(double x) { return x - x == 0; }
    static double max(double a, double b) { return Math.max(a, b); }
    static double min(double a, double b) { return Math.min(a, b); }
    static double sum(double a, double b) { return a + b; }
    static String toString(double x) { return "" + x; }
    static int compare(double a, double b) {
        if (a < b) return -1;
        if (a > b) return 1;
        return Long.compare(doubleToLongBits(a), doubleToLongBits(b));
    }
    static int hashCode(double x) { return Long.hashCode(doubleToLongBits(x)); }
    boolean isNaN() { return value != value; }
    boolean isInfinite() { return isInfinite(value); }
    int compareTo(Double other) { return compare(value, other.value); }
    boolean equals(Object other) {
        return other instanceof Double && compare(((Double) other).value, value) == 0;
    }
    int hashCode() { return hashCode(value); }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Float extends Number implements Comparable<Float> {
    private final float value;
    static final float MAX_VALUE = 3.4028235e38f;
    static final float MIN_VALUE = 1.4e-45f;
    static final float POSITIVE_INFINITY = 1.0f / 0;
    static final float NEGATIVE_INFINITY = -1.0f / 0;
    static final float NaN = 0.0f / 0;
    Float(float value) { this.value = value; }
    static Float valueOf(float value) { return new Float(value); }
    static Float valueOf(String text) { return new Float(parseFloat(text)); }
    static float parseFloat(String text) { return (float) Double.parseDouble(text); }
    static native int floatToIntBits(float x);
    static boolean isNaN(float x) { return x != x; }
    static boolean isInfinite(float x) { return x - x != x - x && x == x; }
    static boolean isFinite(float x) { return x - x == 0; }
    static float max(float a, float b) { return Math.max(a, b); }
    static float min(float a, float b) { return Math.min(a, b); }
    static float sum(float a, float b) { return a + b; }
    static String toString(float x) { return "" + x; }
    static int compare(float a, float b) {
        if (a < b) return -1;
        if (a > b) return 1;
        return Integer.compare(floatToIntBits(a), floatToIntBits(b));
    }
    static int hashCode(float x) { return floatToIntBits(x); }
    boolean isNaN() { return value != value; }
    boolean isInfinite() { return isInfinite(value); }
    int compareTo(Float other) { return compare(value, other.value); }
    boolean equals(Object other) {
        return other instanceof Float && compare(((Float) other).value, value) == 0;
    }
    int hashCode() { return hashCode(value); }
    String toString() { return "" + value; }
    int intValue() { return (int) value; }
    long longValue() { return (long) value; }
    float floatValue() { return (float) value; }
    double doubleValue() { return (double) value; }
    byte byteValue() { return (byte) value; }
    short shortValue() { return (short) value; }
}
class Boolean implements Comparable<Boolean> {
    private final boolean value;
    static final Boolean TRUE = new Boolean(true);
    static final Boolean FALSE = new Boolean(false);
    Boolean(boolean value) { this.value = value; }
    static Boolean valueOf(boolean value) { return value ? TRUE : FALSE; }
    static Boolean valueOf(String text) { return parseBoolean(text) ? TRUE : FALSE; }
    static boolean parseBoolean(String text) { return "true".equalsIgnoreCase(text); }
    static String toString(boolean a) { return a ? "true" : "false"; }
    static int compare(boolean a, boolean b) { return a == b ? 0 : a ? 1 : -1; }
    static int hashCode(boolean a) { return a ? 1231 : 1237; }
    boolean booleanValue() { return value; }
    int compareTo(Boolean other) { return compare(value, other.value); }
    boolean equals(Object other) { return other instanceof Boolean && ((Boolean) other).value == value; }
    int hashCode() { return hashCode(value); }
    String toString() { return "" + value; }
}
class Character implements Comparable<Character> {
    private final char value;
    static final char MAX_VALUE = 65535;
    static final char MIN_VALUE = 0;
    private static final Character[] small = new Character[128];
    Character(char value) { this.value = value; }
    static Character valueOf(char value) {
        if (value > 127) return new Character(value);
        Character known = small[value];
        if (known == null) {
            known = new Character(value);
            small[value] = known;
        }
        return known;
    }
    private static native int kind(int c);
    static boolean isDigit(int c) { return (kind(c) & 1) != 0; }
    static boolean isLetter(int c) { return (kind(c) & 2) != 0; }
    static boolean isAlphabetic(int c) { return (kind(c) & 2) != 0; }
    static boolean isLetterOrDigit(int c) { return (kind(c) & 3) != 0; }
    static boolean isUpperCase(int c) { return (kind(c) & 4) != 0; }
    static boolean isLowerCase(int c) { return (kind(c) & 8) != 0; }
    static boolean isWhitespace(int c) { return (kind(c) & 16) != 0; }
    static boolean isSpaceChar(char c) { return c == ' ' || c == 160; }
    static native char toUpperCase(char c);
    static native char toLowerCase(char c);
    static int getNumericValue(char c) { return digit(c, 36); }
    static int digit(char c, int radix) {
        int value = -1;
        if (c >= '0' && c <= '9') value = c - '0';
        if (c >= 'a' && c <= 'z') value = c - 'a' + 10;
        if (c >= 'A' && c <= 'Z') value = c - 'A' + 10;
        return value < radix ? value : -1;
    }
    static char forDigit(int digit, int radix) {
        if (digit < 0 || digit >= radix) return 0;
        return (char) (digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    static int compare(char a, char b) { return a - b; }
    static int hashCode(char a) { return a; }
    static String toString(char a) { return String.ofChar(a); }
    char charValue() { return value; }
    int compareTo(Character other) { return value - other.value; }
    boolean equals(Object other) {
        return other instanceof Character && ((Character) other).value == value;
    }
    int hashCode() { return value; }
    String toString() { return "" + value; }
}

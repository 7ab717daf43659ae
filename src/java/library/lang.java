// What Java's library does when a program is executed: `java.lang`. The machine does what is native.
class Object {
    Object() { }
    boolean equals(Object other) { return this == other; }
    native int hashCode();
    native Class getClass();
    String toString() { return getClass().getName() + "@" + Integer.toHexString(hashCode()); }
}
class Class {
    private String name;
    private String simple;
    String getName() { return name; }
    String getSimpleName() { return simple; }
    String getTypeName() { return name; }
    boolean equals(Object other) { return other instanceof Class && name.equals(((Class) other).name); }
    int hashCode() { return name.hashCode(); }
    String toString() { return "class " + name; }
}
interface Comparable<T> { int compareTo(T other); }
interface CharSequence {
    int length();
    char charAt(int index);
    String toString();
}
interface Runnable { void run(); }
interface AutoCloseable { void close(); }
interface Iterable<T> {
    Iterator<T> iterator();
    default void forEach(Consumer<? super T> action) {
        Iterator<T> each = iterator();
        while (each.hasNext()) action.accept(each.next());
    }
}
class Enum implements Comparable<Enum> {
    native String name();
    native int ordinal();
    String toString() { return name(); }
    int compareTo(Enum other) { return ordinal() - other.ordinal(); }
    static Enum find(Enum[] constants, String name, String of) {
        if (name == null) throw new NullPointerException("Name is null");
        for (int k = 0; k < constants.length; k++) {
            if (constants[k].name().equals(name)) return constants[k];
        }
        throw new IllegalArgumentException("No enum constant " + of + "." + name);
    }
}
class Record { }
class Throwable {
    private String message;
    private Throwable cause;
    Throwable() { }
    Throwable(String message) { this.message = message; }
    Throwable(Throwable cause) {
        this.cause = cause;
        if (cause != null) message = cause.toString();
    }
    Throwable(String message, Throwable cause) { this.message = message; this.cause = cause; }
    String getMessage() { return message; }
    String getLocalizedMessage() { return getMessage(); }
    Throwable getCause() { return cause; }
    Throwable initCause(Throwable cause) { this.cause = cause; return this; }
    String toString() {
        String text = getLocalizedMessage();
        String name = getClass().getName();
        return text != null ? name + ": " + text : name;
    }
    void printStackTrace() { System.err.println(this); }
}
class Exception extends Throwable {
    Exception() { }
    Exception(String message) { super(message); }
    Exception(Throwable cause) { super(cause); }
    Exception(String message, Throwable cause) { super(message, cause); }
}
class RuntimeException extends Exception {
    RuntimeException() { }
    RuntimeException(String message) { super(message); }
    RuntimeException(Throwable cause) { super(cause); }
    RuntimeException(String message, Throwable cause) { super(message, cause); }
}
class Error extends Throwable {
    Error() { }
    Error(String message) { super(message); }
    Error(Throwable cause) { super(cause); }
    Error(String message, Throwable cause) { super(message, cause); }
}
class ArithmeticException extends RuntimeException {
    ArithmeticException() { }
    ArithmeticException(String message) { super(message); }
}
class NullPointerException extends RuntimeException {
    NullPointerException() { }
    NullPointerException(String message) { super(message); }
}
class ClassCastException extends RuntimeException {
    ClassCastException() { }
    ClassCastException(String message) { super(message); }
}
class IndexOutOfBoundsException extends RuntimeException {
    IndexOutOfBoundsException() { }
    IndexOutOfBoundsException(String message) { super(message); }
}
class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {
    ArrayIndexOutOfBoundsException() { }
    ArrayIndexOutOfBoundsException(String message) { super(message); }
}
class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {
    StringIndexOutOfBoundsException() { }
    StringIndexOutOfBoundsException(String message) { super(message); }
}
class NegativeArraySizeException extends RuntimeException {
    NegativeArraySizeException() { }
    NegativeArraySizeException(String message) { super(message); }
}
class ArrayStoreException extends RuntimeException {
    ArrayStoreException() { }
    ArrayStoreException(String message) { super(message); }
}
class IllegalArgumentException extends RuntimeException {
    IllegalArgumentException() { }
    IllegalArgumentException(String message) { super(message); }
    IllegalArgumentException(Throwable cause) { super(cause); }
    IllegalArgumentException(String message, Throwable cause) { super(message, cause); }
}
class NumberFormatException extends IllegalArgumentException {
    NumberFormatException() { }
    NumberFormatException(String message) { super(message); }
}
class IllegalStateException extends RuntimeException {
    IllegalStateException() { }
    IllegalStateException(String message) { super(message); }
    IllegalStateException(Throwable cause) { super(cause); }
    IllegalStateException(String message, Throwable cause) { super(message, cause); }
}
class UnsupportedOperationException extends RuntimeException {
    UnsupportedOperationException() { }
    UnsupportedOperationException(String message) { super(message); }
    UnsupportedOperationException(Throwable cause) { super(cause); }
    UnsupportedOperationException(String message, Throwable cause) { super(message, cause); }
}
class CloneNotSupportedException extends Exception {
    CloneNotSupportedException() { }
    CloneNotSupportedException(String message) { super(message); }
}
class InterruptedException extends Exception {
    InterruptedException() { }
    InterruptedException(String message) { super(message); }
}
class StackOverflowError extends Error {
    StackOverflowError() { }
    StackOverflowError(String message) { super(message); }
}
class OutOfMemoryError extends Error {
    OutOfMemoryError() { }
    OutOfMemoryError(String message) { super(message); }
}
class AssertionError extends Error {
    AssertionError() { }
    AssertionError(String detail) { super(detail); }
    AssertionError(Object detail) { super(String.valueOf(detail)); }
    AssertionError(String message, Throwable cause) { super(message, cause); }
}
class System {
    static final PrintStream out = new PrintStream(1);
    static final PrintStream err = new PrintStream(2);
    static final InputStream in = new InputStream();
    static native void print(int stream, String text);
    static native void exit(int status);
    static native long currentTimeMillis();
    static native long nanoTime();
    static native void arraycopy(Object from, int at, Object to, int into, int count);
    static int identityHashCode(Object object) { return object == null ? 0 : object.hashCode(); }
    static String lineSeparator() { return "\n"; }
}
class Math {
    static final double PI = 3.141592653589793;
    static final double E = 2.718281828459045;
    private static native double function(int which, double x);
    static native double pow(double x, double y);
    static native double atan2(double y, double x);
    static native double hypot(double x, double y);
    static double sqrt(double x) { return function(0, x); }
    static double sin(double x) { return function(1, x); }
    static double cos(double x) { return function(2, x); }
    static double tan(double x) { return function(3, x); }
    static double asin(double x) { return function(4, x); }
    static double acos(double x) { return function(5, x); }
    static double atan(double x) { return function(6, x); }
    static double exp(double x) { return function(7, x); }
    static double log(double x) { return function(8, x); }
    static double log10(double x) { return function(9, x); }
    static double cbrt(double x) { return function(10, x); }
    static double floor(double x) { return function(11, x); }
    static double ceil(double x) { return function(12, x); }
    static double rint(double x) { return function(13, x); }
    static double sinh(double x) { return function(14, x); }
    static double cosh(double x) { return function(15, x); }
    static double tanh(double x) { return function(16, x); }
    static double log1p(double x) { return function(17, x); }
    static double expm1(double x) { return function(18, x); }
    static double toRadians(double x) { return x * 0.017453292519943295; }
    static double toDegrees(double x) { return x * 57.29577951308232; }
    static double random() { return Random.shared.nextDouble(); }
    static long round(double x) {
        if (x != x) return 0;
        if (abs(x) >= 4503599627370496.0) return (long) x;
        long whole = (long) floor(x);
        return x - whole >= 0.5 ? whole + 1 : whole;
    }
    static int round(float x) {
        if (x != x) return 0;
        if (abs(x) >= 8388608.0f) return (int) x;
        int whole = (int) floor(x);
        return x - whole >= 0.5f ? whole + 1 : whole;
    }
    static double signum(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
    static int floorDiv(int a, int b) {
        int quotient = a / b;
        return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
    }
    static long floorDiv(long a, long b) {
        long quotient = a / b;
        return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
    }
    static int floorMod(int a, int b) {
        int rest = a % b;
        return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
    }
    static long floorMod(long a, long b) {
        long rest = a % b;
        return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
    }
    static int floorMod(long a, int b) { return (int) floorMod(a, (long) b); }
    static int addExact(int a, int b) { return toIntExactly((long) a + b); }
    static int subtractExact(int a, int b) { return toIntExactly((long) a - b); }
    static int multiplyExact(int a, int b) { return toIntExactly((long) a * b); }
    static int incrementExact(int a) { return toIntExactly((long) a + 1); }
    static int decrementExact(int a) { return toIntExactly((long) a - 1); }
    static int negateExact(int a) { return toIntExactly(-(long) a); }
    static int toIntExact(long a) { return toIntExactly(a); }
    private static int toIntExactly(long a) {
        if (a != (int) a) throw new ArithmeticException("integer overflow");
        return (int) a;
    }
    static long addExact(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) throw new ArithmeticException("long overflow");
        return sum;
    }
    static long subtractExact(long a, long b) {
        long rest = a - b;
        if (((a ^ b) & (a ^ rest)) < 0) throw new ArithmeticException("long overflow");
        return rest;
    }
    static long multiplyExact(long a, long b) {
        long product = a * b;
        if (a != 0 && (product / a != b || a == -1 && b == Long.MIN_VALUE)) {
            throw new ArithmeticException("long overflow");
        }
        return product;
    }
    static int abs(int a) { return a < 0 ? -a : a; }
    static int max(int a, int b) { return a >= b ? a : b; }
    static int min(int a, int b) { return a <= b ? a : b; }
    static long abs(long a) { return a < 0 ? -a : a; }
    static long max(long a, long b) { return a >= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
    static float abs(float a) { return a <= 0 ? 0 - a : a; }
    static float max(float a, float b) { return a != a ? a : a == 0 && b == 0 ? a + b : a >= b ? a : b; }
    static float min(float a, float b) { return a != a ? a : a == 0 && b == 0 ? -(-a - b) : a <= b ? a : b; }
    static double abs(double a) { return a <= 0 ? 0 - a : a; }
    static double max(double a, double b) { return a != a ? a : a == 0 && b == 0 ? a + b : a >= b ? a : b; }
    static double min(double a, double b) { return a != a ? a : a == 0 && b == 0 ? -(-a - b) : a <= b ? a : b; }
}
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
class String implements Comparable<String>, CharSequence {
    static final Comparator<String> CASE_INSENSITIVE_ORDER = new CaseInsensitiveOrder();
    native int length();
    native char charAt(int index);
    native boolean equals(Object other);
    native int hashCode();
    native int compareTo(String other);
    native String substring(int begin, int end);
    private native int find(String text, int from);
    private native int findLast(String text, int from);
    native String toUpperCase();
    native String toLowerCase();
    native String trim();
    private native String stripped(int ends);
    native char[] toCharArray();
    static native String of(char[] characters, int from, int count);
    static native String ofChar(char c);
    private native String exchange(String old, String made);
    private native String exchangeAll(String pattern, String made, boolean first);
    private native String[] pieces(String pattern, int limit);
    native String fresh();
    native String intern();
    native boolean matches(String pattern);
    private static native String formatted(String format, Object[] arguments, String[] texts);
    String toString() { return this; }
    String substring(int begin) { return substring(begin, length()); }
    CharSequence subSequence(int begin, int end) { return substring(begin, end); }
    boolean isEmpty() { return length() == 0; }
    boolean isBlank() { return stripped(3).length() == 0; }
    String strip() { return stripped(3); }
    String stripLeading() { return stripped(1); }
    String stripTrailing() { return stripped(2); }
    String concat(String other) {
        if (other == null) throw new NullPointerException();
        return this + other;
    }
    boolean contains(CharSequence text) { return find(text.toString(), 0) >= 0; }
    int indexOf(String text) { return find(text, 0); }
    int indexOf(String text, int from) { return find(text, from); }
    int indexOf(int c) { return find(ofChar((char) c), 0); }
    int indexOf(int c, int from) { return from >= length() ? -1 : find(ofChar((char) c), from); }
    int lastIndexOf(String text) { return findLast(text, length()); }
    int lastIndexOf(String text, int from) { return findLast(text, from); }
    int lastIndexOf(int c) { return findLast(ofChar((char) c), length()); }
    int lastIndexOf(int c, int from) { return findLast(ofChar((char) c), from); }
    boolean startsWith(String text) { return startsWith(text, 0); }
    boolean startsWith(String text, int from) {
        int end = from + text.length();
        return from >= 0 && end <= length() && substring(from, end).equals(text);
    }
    boolean endsWith(String text) { return startsWith(text, length() - text.length()); }
    boolean equalsIgnoreCase(String other) {
        return other != null && length() == other.length() && compareToIgnoreCase(other) == 0;
    }
    int compareToIgnoreCase(String other) {
        int least = Math.min(length(), other.length());
        for (int k = 0; k < least; k++) {
            char a = Character.toLowerCase(Character.toUpperCase(charAt(k)));
            char b = Character.toLowerCase(Character.toUpperCase(other.charAt(k)));
            if (a != b) return a - b;
        }
        return length() - other.length();
    }
    boolean contentEquals(CharSequence other) { return equals(other.toString()); }
    String replace(char old, char made) { return exchange(ofChar(old), ofChar(made)); }
    String replace(CharSequence old, CharSequence made) {
        return exchange(old.toString(), made.toString());
    }
    String replaceAll(String pattern, String made) { return exchangeAll(pattern, made, false); }
    String replaceFirst(String pattern, String made) { return exchangeAll(pattern, made, true); }
    String[] split(String pattern) { return pieces(pattern, 0); }
    String[] split(String pattern, int limit) { return pieces(pattern, limit); }
    int codePointAt(int index) { return charAt(index); }
    String repeat(int count) {
        if (count < 0) throw new IllegalArgumentException("count is negative: " + count);
        StringBuilder made = new StringBuilder();
        for (int k = 0; k < count; k++) made.append(this);
        return made.toString();
    }
    static String format(String format, Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int k = 0; k < arguments.length; k++) {
            Object one = arguments[k];
            boolean simple = one == null || one instanceof Number || one instanceof Character
                || one instanceof Boolean;
            if (!simple) texts[k] = one.toString();
        }
        return formatted(format, arguments, texts);
    }
    String formatted(Object... arguments) { return format(this, arguments); }
    static String join(CharSequence between, CharSequence... parts) {
        StringBuilder made = new StringBuilder();
        for (int k = 0; k < parts.length; k++) {
            if (k > 0) made.append(between);
            made.append(parts[k]);
        }
        return made.toString();
    }
    static String join(CharSequence between, Iterable<? extends CharSequence> parts) {
        StringBuilder made = new StringBuilder();
        boolean first = true;
        for (Object part : parts) {
            if (!first) made.append(between);
            first = false;
            made.append(part);
        }
        return made.toString();
    }
    static String valueOf(Object a) { return a == null ? "null" : a.toString(); }
    static String valueOf(char[] a) { return of(a, 0, a.length); }
    static String valueOf(char[] a, int from, int count) { return of(a, from, count); }
    static String copyValueOf(char[] a) { return of(a, 0, a.length); }
    static String valueOf(boolean a) { return "" + a; }
    static String valueOf(char a) { return ofChar(a); }
    static String valueOf(int a) { return "" + a; }
    static String valueOf(long a) { return "" + a; }
    static String valueOf(float a) { return "" + a; }
    static String valueOf(double a) { return "" + a; }
}
class CaseInsensitiveOrder implements Comparator<String> {
    int compare(String a, String b) { return a.compareToIgnoreCase(b); }
}
abstract class AbstractStringBuilder implements CharSequence {
    native void add(String text);
    native int length();
    native char charAt(int index);
    native void setCharAt(int index, char c);
    native void insertText(int at, String text);
    native void cut(int from, int to);
    native void setLength(int length);
    native void turn();
    native String toString();
    boolean isEmpty() { return length() == 0; }
    int capacity() { return length() + 16; }
    void ensureCapacity(int least) { }
    void trimToSize() { }
    String substring(int begin) { return toString().substring(begin); }
    String substring(int begin, int end) { return toString().substring(begin, end); }
    int indexOf(String text) { return toString().indexOf(text); }
    int indexOf(String text, int from) { return toString().indexOf(text, from); }
    int lastIndexOf(String text) { return toString().lastIndexOf(text); }
}
class StringBuilder extends AbstractStringBuilder implements Comparable<StringBuilder> {
    StringBuilder() { }
    StringBuilder(int capacity) { }
    StringBuilder(String text) { add(text.toString()); }
    StringBuilder(CharSequence text) { add(text.toString()); }
    StringBuilder append(String a) { add("" + a); return this; }
    StringBuilder insert(int at, String a) { insertText(at, "" + a); return this; }
    StringBuilder append(Object a) { add("" + a); return this; }
    StringBuilder insert(int at, Object a) { insertText(at, "" + a); return this; }
    StringBuilder append(CharSequence a) { add("" + a); return this; }
    StringBuilder append(boolean a) { add("" + a); return this; }
    StringBuilder insert(int at, boolean a) { insertText(at, "" + a); return this; }
    StringBuilder append(char a) { add("" + a); return this; }
    StringBuilder insert(int at, char a) { insertText(at, "" + a); return this; }
    StringBuilder append(int a) { add("" + a); return this; }
    StringBuilder insert(int at, int a) { insertText(at, "" + a); return this; }
    StringBuilder append(long a) { add("" + a); return this; }
    StringBuilder insert(int at, long a) { insertText(at, "" + a); return this; }
    StringBuilder append(float a) { add("" + a); return this; }
    StringBuilder insert(int at, float a) { insertText(at, "" + a); return this; }
    StringBuilder append(double a) { add("" + a); return this; }
    StringBuilder insert(int at, double a) { insertText(at, "" + a); return this; }
    StringBuilder append(char[] a) { add(String.valueOf(a)); return this; }
    StringBuilder append(CharSequence a, int from, int to) { add(a.toString().substring(from, to)); return this; }
    StringBuilder appendCodePoint(int c) { add(String.ofChar((char) c)); return this; }
    StringBuilder reverse() { turn(); return this; }
    StringBuilder deleteCharAt(int at) {
        if (at < 0 || at >= length()) {
            throw new StringIndexOutOfBoundsException("index " + at + ", length " + length());
        }
        cut(at, at + 1);
        return this;
    }
    StringBuilder delete(int from, int to) { cut(from, to); return this; }
    StringBuilder replace(int from, int to, String text) {
        int length = length();
        int end = Math.min(to, length);
        if (from < 0 || from > length || from > end) {
            throw new StringIndexOutOfBoundsException(
                "start " + from + ", end " + end + ", length " + length);
        }
        cut(from, end);
        insertText(from, text);
        return this;
    }
    int compareTo(StringBuilder other) { return toString().compareTo(other.toString()); }
}
class StringBuffer extends AbstractStringBuilder implements Comparable<StringBuffer> {
    StringBuffer() { }
    StringBuffer(int capacity) { }
    StringBuffer(String text) { add(text.toString()); }
    StringBuffer(CharSequence text) { add(text.toString()); }
    StringBuffer append(String a) { add("" + a); return this; }
    StringBuffer insert(int at, String a) { insertText(at, "" + a); return this; }
    StringBuffer append(Object a) { add("" + a); return this; }
    StringBuffer insert(int at, Object a) { insertText(at, "" + a); return this; }
    StringBuffer append(CharSequence a) { add("" + a); return this; }
    StringBuffer append(boolean a) { add("" + a); return this; }
    StringBuffer insert(int at, boolean a) { insertText(at, "" + a); return this; }
    StringBuffer append(char a) { add("" + a); return this; }
    StringBuffer insert(int at, char a) { insertText(at, "" + a); return this; }
    StringBuffer append(int a) { add("" + a); return this; }
    StringBuffer insert(int at, int a) { insertText(at, "" + a); return this; }
    StringBuffer append(long a) { add("" + a); return this; }
    StringBuffer insert(int at, long a) { insertText(at, "" + a); return this; }
    StringBuffer append(float a) { add("" + a); return this; }
    StringBuffer insert(int at, float a) { insertText(at, "" + a); return this; }
    StringBuffer append(double a) { add("" + a); return this; }
    StringBuffer insert(int at, double a) { insertText(at, "" + a); return this; }
    StringBuffer append(char[] a) { add(String.valueOf(a)); return this; }
    StringBuffer append(CharSequence a, int from, int to) { add(a.toString().substring(from, to)); return this; }
    StringBuffer appendCodePoint(int c) { add(String.ofChar((char) c)); return this; }
    StringBuffer reverse() { turn(); return this; }
    StringBuffer deleteCharAt(int at) {
        if (at < 0 || at >= length()) {
            throw new StringIndexOutOfBoundsException("index " + at + ", length " + length());
        }
        cut(at, at + 1);
        return this;
    }
    StringBuffer delete(int from, int to) { cut(from, to); return this; }
    StringBuffer replace(int from, int to, String text) {
        int length = length();
        int end = Math.min(to, length);
        if (from < 0 || from > length || from > end) {
            throw new StringIndexOutOfBoundsException(
                "start " + from + ", end " + end + ", length " + length);
        }
        cut(from, end);
        insertText(from, text);
        return this;
    }
    int compareTo(StringBuffer other) { return toString().compareTo(other.toString()); }
}

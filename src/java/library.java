// What Java's library is taken to do. A `native` method without effects gives any value of its type.
class Object {
    Object() { }
    boolean equals(Object other) { return this == other; }
    native String toString();
}
class String { }
class Throwable {
    Throwable() { }
    Throwable(String message) { }
    Throwable(Throwable cause) { }
    Throwable(String message, Throwable cause) { }
    native String getMessage();
    native String toString();
    void printStackTrace() { }
}
class Exception extends Throwable {
    Exception() { }
    Exception(String message) { }
    Exception(Throwable cause) { }
    Exception(String message, Throwable cause) { }
}
class RuntimeException extends Exception {
    RuntimeException() { }
    RuntimeException(String message) { }
    RuntimeException(Throwable cause) { }
    RuntimeException(String message, Throwable cause) { }
}
class Error extends Throwable {
    Error() { }
    Error(String message) { }
    Error(Throwable cause) { }
    Error(String message, Throwable cause) { }
}
class AssertionError extends Error {
    AssertionError() { }
    AssertionError(Object detail) { }
    AssertionError(String detail) { }
    AssertionError(boolean detail) { }
    AssertionError(char detail) { }
    AssertionError(int detail) { }
    AssertionError(long detail) { }
    AssertionError(float detail) { }
    AssertionError(double detail) { }
    AssertionError(String message, Throwable cause) { }
}
class ArithmeticException extends RuntimeException {
    ArithmeticException() { }
    ArithmeticException(String message) { }
}
class NullPointerException extends RuntimeException {
    NullPointerException() { }
    NullPointerException(String message) { }
}
class ClassCastException extends RuntimeException {
    ClassCastException() { }
    ClassCastException(String message) { }
}
class IndexOutOfBoundsException extends RuntimeException {
    IndexOutOfBoundsException() { }
    IndexOutOfBoundsException(String message) { }
}
class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {
    ArrayIndexOutOfBoundsException() { }
    ArrayIndexOutOfBoundsException(String message) { }
}
class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {
    StringIndexOutOfBoundsException() { }
    StringIndexOutOfBoundsException(String message) { }
}
class NegativeArraySizeException extends RuntimeException {
    NegativeArraySizeException() { }
    NegativeArraySizeException(String message) { }
}
class ArrayStoreException extends RuntimeException {
    ArrayStoreException() { }
    ArrayStoreException(String message) { }
}
class IllegalArgumentException extends RuntimeException {
    IllegalArgumentException() { }
    IllegalArgumentException(String message) { }
    IllegalArgumentException(String message, Throwable cause) { }
}
class NumberFormatException extends IllegalArgumentException {
    NumberFormatException() { }
    NumberFormatException(String message) { }
}
class IllegalStateException extends RuntimeException {
    IllegalStateException() { }
    IllegalStateException(String message) { }
    IllegalStateException(String message, Throwable cause) { }
}
class UnsupportedOperationException extends RuntimeException {
    UnsupportedOperationException() { }
    UnsupportedOperationException(String message) { }
}
class NoSuchElementException extends RuntimeException {
    NoSuchElementException() { }
    NoSuchElementException(String message) { }
}
class CloneNotSupportedException extends Exception {
    CloneNotSupportedException() { }
    CloneNotSupportedException(String message) { }
}
class InterruptedException extends Exception {
    InterruptedException() { }
    InterruptedException(String message) { }
}
class IOException extends Exception {
    IOException() { }
    IOException(String message) { }
}
class FileNotFoundException extends IOException {
    FileNotFoundException() { }
    FileNotFoundException(String message) { }
}
class StackOverflowError extends Error {
    StackOverflowError() { }
    StackOverflowError(String message) { }
}
class OutOfMemoryError extends Error {
    OutOfMemoryError() { }
    OutOfMemoryError(String message) { }
}
class Random {
    Random() { }
    Random(long seed) { }
    int nextInt() { return Verifier.nondetInt(); }
    int nextInt(int bound) {
        if (bound <= 0) throw new IllegalArgumentException();
        int value = Verifier.nondetInt();
        Verifier.assume(0 <= value && value < bound);
        return value;
    }
    int nextInt(int origin, int bound) {
        if (origin >= bound) throw new IllegalArgumentException();
        int value = Verifier.nondetInt();
        Verifier.assume(origin <= value && value < bound);
        return value;
    }
    long nextLong() { return Verifier.nondetLong(); }
    boolean nextBoolean() { return Verifier.nondetBoolean(); }
    void setSeed(long seed) { }
}
class Scanner {
    Scanner(InputStream in) { }
    int nextInt() { return Verifier.nondetInt(); }
    long nextLong() { return Verifier.nondetLong(); }
    boolean nextBoolean() { return Verifier.nondetBoolean(); }
    boolean hasNextInt() { return Verifier.nondetBoolean(); }
    void close() { }
}
class InputStream { }
class System {
    static InputStream in;
}
class Verifier {
    static native boolean nondetBoolean();
    static native byte nondetByte();
    static native char nondetChar();
    static native short nondetShort();
    static native int nondetInt();
    static native long nondetLong();
    static native float nondetFloat();
    static native double nondetDouble();
    static native void assume(boolean condition);
    static native boolean mayFail();
}
class CProver {
    static native boolean nondetBoolean();
    static native byte nondetByte();
    static native char nondetChar();
    static native short nondetShort();
    static native int nondetInt();
    static native long nondetLong();
    static native float nondetFloat();
    static native double nondetDouble();
    static native void assume(boolean condition);
}
class Math {
    static int abs(int a) { return a < 0 ? -a : a; }
    static long abs(long a) { return a < 0 ? -a : a; }
    static int max(int a, int b) { return a >= b ? a : b; }
    static long max(long a, long b) { return a >= b ? a : b; }
    static int min(int a, int b) { return a <= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
}
class Integer {
    static final int MAX_VALUE = 0x7fffffff;
    static final int MIN_VALUE = 0x80000000;
    static int parseInt(String text) {
        if (Verifier.mayFail()) throw new NumberFormatException();
        return Verifier.nondetInt();
    }
    static int max(int a, int b) { return a >= b ? a : b; }
    static int min(int a, int b) { return a <= b ? a : b; }
    static int sum(int a, int b) { return a + b; }
    static int compare(int a, int b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int signum(int a) { return a < 0 ? -1 : a == 0 ? 0 : 1; }
}
class Long {
    static final long MAX_VALUE = 0x7fffffffffffffffL;
    static final long MIN_VALUE = 0x8000000000000000L;
    static long parseLong(String text) {
        if (Verifier.mayFail()) throw new NumberFormatException();
        return Verifier.nondetLong();
    }
    static long max(long a, long b) { return a >= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
    static int compare(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
}
class Short {
    static final short MAX_VALUE = 32767;
    static final short MIN_VALUE = -32768;
}
class Byte {
    static final byte MAX_VALUE = 127;
    static final byte MIN_VALUE = -128;
}
class Character {
    static final char MAX_VALUE = 65535;
    static final char MIN_VALUE = 0;
}

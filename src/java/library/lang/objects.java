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

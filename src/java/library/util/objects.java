// What Java's library does when a program is executed: `java.util`.
interface Iterator<T> {
    boolean hasNext();
    T next();
    default void remove() { throw new UnsupportedOperationException("remove"); }
}
class NoSuchElementException extends RuntimeException {
    NoSuchElementException() { }
    NoSuchElementException(String message) { super(message); }
}
class ConcurrentModificationException extends RuntimeException {
    ConcurrentModificationException() { }
    ConcurrentModificationException(String message) { super(message); }
}
class EmptyStackException extends RuntimeException {
    EmptyStackException() { }
}
class IllegalFormatException extends IllegalArgumentException {
    IllegalFormatException() { }
    IllegalFormatException(String message) { super(message); }
}
class IllegalFormatConversionException extends IllegalFormatException {
    IllegalFormatConversionException() { }
}
class IllegalFormatCodePointException extends IllegalFormatException {
    IllegalFormatCodePointException() { }
}
class MissingFormatArgumentException extends IllegalFormatException {
    MissingFormatArgumentException() { }
}
class UnknownFormatConversionException extends IllegalFormatException {
    UnknownFormatConversionException() { }
}
class Objects {
    static boolean equals(Object a, Object b) { return a == b || a != null && a.equals(b); }
    static int hashCode(Object a) { return a == null ? 0 : a.hashCode(); }
    static int hash(Object... values) { return Arrays.hashCode(values); }
    static String toString(Object a) { return String.valueOf(a); }
    static String toString(Object a, String other) { return a == null ? other : a.toString(); }
    static boolean isNull(Object a) { return a == null; }
    static boolean nonNull(Object a) { return a != null; }
    static <T> T requireNonNull(T a) {
        if (a == null) throw new NullPointerException();
        return a;
    }
    static <T> T requireNonNull(T a, String message) {
        if (a == null) throw new NullPointerException(message);
        return a;
    }
    static <T> T requireNonNullElse(T a, T other) { return a != null ? a : requireNonNull(other); }
    static int checkIndex(int index, int length) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
        }
        return index;
    }
}
class Optional<T> {
    private Object value;
    private Optional(Object value) { this.value = value; }
    static <T> Optional<T> of(T value) { return new Optional(Objects.requireNonNull(value)); }
    static <T> Optional<T> ofNullable(T value) { return new Optional(value); }
    static <T> Optional<T> empty() { return new Optional(null); }
    boolean isPresent() { return value != null; }
    boolean isEmpty() { return value == null; }
    T get() {
        if (value == null) throw new NoSuchElementException("No value present");
        return value;
    }
    T orElseThrow() { return get(); }
    T orElse(T other) { return value != null ? value : other; }
    T orElseGet(Supplier<? extends T> other) { return value != null ? value : other.get(); }
    void ifPresent(Consumer<? super T> action) { if (value != null) action.accept(value); }
    String toString() { return value == null ? "Optional.empty" : "Optional[" + value + "]"; }
}

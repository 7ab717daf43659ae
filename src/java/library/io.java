// What Java's library does when a program is executed: `java.io`.
class PrintStream {
    private final int stream;
    PrintStream(int stream) { this.stream = stream; }
    void print(String a) { System.print(stream, "" + a); }
    void println(String a) { System.print(stream, a + "\n"); }
    void print(Object a) { System.print(stream, "" + a); }
    void println(Object a) { System.print(stream, a + "\n"); }
    void print(boolean a) { System.print(stream, "" + a); }
    void println(boolean a) { System.print(stream, a + "\n"); }
    void print(char a) { System.print(stream, "" + a); }
    void println(char a) { System.print(stream, a + "\n"); }
    void print(int a) { System.print(stream, "" + a); }
    void println(int a) { System.print(stream, a + "\n"); }
    void print(long a) { System.print(stream, "" + a); }
    void println(long a) { System.print(stream, a + "\n"); }
    void print(float a) { System.print(stream, "" + a); }
    void println(float a) { System.print(stream, a + "\n"); }
    void print(double a) { System.print(stream, "" + a); }
    void println(double a) { System.print(stream, a + "\n"); }
    void print(char[] a) { System.print(stream, String.valueOf(a)); }
    void println(char[] a) { System.print(stream, String.valueOf(a) + "\n"); }
    void println() { System.print(stream, "\n"); }
    void write(int c) { System.print(stream, String.ofChar((char) c)); }
    PrintStream printf(String format, Object... arguments) {
        System.print(stream, String.format(format, arguments));
        return this;
    }
    PrintStream format(String format, Object... arguments) { return printf(format, arguments); }
    PrintStream append(CharSequence text) { System.print(stream, "" + text); return this; }
    void flush() { }
}
class InputStream {
    native int read();
    void close() { }
}
class InputStreamReader { InputStreamReader(InputStream in) { } }
class BufferedReader implements AutoCloseable {
    BufferedReader(InputStreamReader in) { }
    native String readLine();
    native int read();
    void close() { }
}
class IOException extends Exception {
    IOException() { }
    IOException(String message) { super(message); }
    IOException(Throwable cause) { super(cause); }
    IOException(String message, Throwable cause) { super(message, cause); }
}
class FileNotFoundException extends IOException {
    FileNotFoundException() { }
    FileNotFoundException(String message) { super(message); }
}
class UncheckedIOException extends RuntimeException {
    UncheckedIOException(String message, Throwable cause) { super(message, cause); }
}

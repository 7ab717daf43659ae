// What Java's library does when a program is executed: `java.lang`, text.
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

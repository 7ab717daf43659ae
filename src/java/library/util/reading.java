// What Java's library does when a program is executed: `java.util`, reading.
class InputMismatchException extends NoSuchElementException {
    InputMismatchException() { }
    InputMismatchException(String message) { super(message); }
}
class StringJoiner {
    private String between;
    private String before;
    private String behind;
    private String text;
    StringJoiner(CharSequence between) { this(between, "", ""); }
    StringJoiner(CharSequence between, CharSequence before, CharSequence behind) {
        this.between = between.toString();
        this.before = before.toString();
        this.behind = behind.toString();
    }
    StringJoiner add(CharSequence part) {
        text = text == null ? "" + part : text + between + part;
        return this;
    }
    int length() { return toString().length(); }
    String toString() { return before + (text == null ? "" : text) + behind; }
}
class StringTokenizer {
    private String text;
    private String ends;
    private int at;
    StringTokenizer(String text) { this(text, " \t\n\r\f"); }
    StringTokenizer(String text, String ends) { this.text = text.toString(); this.ends = ends; }
    private void skip() {
        while (at < text.length() && ends.indexOf(text.charAt(at)) >= 0) at++;
    }
    boolean hasMoreTokens() {
        skip();
        return at < text.length();
    }
    String nextToken() {
        if (!hasMoreTokens()) throw new NoSuchElementException();
        int from = at;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) at++;
        return text.substring(from, at);
    }
    int countTokens() {
        int kept = at;
        int count = 0;
        while (hasMoreTokens()) {
            nextToken();
            count++;
        }
        at = kept;
        return count;
    }
}
class Scanner implements AutoCloseable, Iterator<String> {
    private String text;
    private int at;
    Scanner(InputStream in) {
        if (in == null) throw new NullPointerException("source");
    }
    Scanner(String text) { this.text = text.toString(); }
    private native String token();
    private native String peek();
    private native String line();
    native boolean hasNextLine();
    boolean hasNext() { return peek() != null; }
    boolean hasNextInt() { return isWhole(-2147483648L, 2147483647L); }
    boolean hasNextLong() { return isWhole(Long.MIN_VALUE, Long.MAX_VALUE); }
    boolean hasNextBoolean() {
        String word = peek();
        return word != null && (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false"));
    }
    boolean hasNextDouble() {
        String word = peek();
        if (word == null) return false;
        try {
            Double.parseDouble(word);
            return true;
        } catch (NumberFormatException no) {
            return false;
        }
    }
    private boolean isWhole(long least, long most) {
        String word = peek();
        if (word == null) return false;
        try {
            long value = Long.parseLong(word);
            return least <= value && value <= most;
        } catch (NumberFormatException no) {
            return false;
        }
    }
    private String word() {
        String word = peek();
        if (word == null) throw new NoSuchElementException();
        return word;
    }
    private static boolean isNumber(String word) {
        int first = word.length() > 1 && (word.charAt(0) == '-' || word.charAt(0) == '+') ? 1 : 0;
        for (int k = first; k < word.length(); k++) {
            if (!Character.isDigit(word.charAt(k))) return false;
        }
        return true;
    }
    String next() {
        word();
        return token();
    }
    int nextInt() {
        String word = word();
        if (!isNumber(word)) throw new InputMismatchException();
        try {
            int value = Integer.parseInt(word);
            token();
            return value;
        } catch (NumberFormatException no) {
            throw new InputMismatchException(no.getMessage());
        }
    }
    long nextLong() {
        String word = word();
        if (!isNumber(word)) throw new InputMismatchException();
        try {
            long value = Long.parseLong(word);
            token();
            return value;
        } catch (NumberFormatException no) {
            throw new InputMismatchException(no.getMessage());
        }
    }
    short nextShort() { return (short) nextInt(); }
    byte nextByte() { return (byte) nextInt(); }
    double nextDouble() {
        String word = word();
        try {
            double value = Double.parseDouble(word);
            token();
            return value;
        } catch (NumberFormatException no) {
            throw new InputMismatchException();
        }
    }
    float nextFloat() { return (float) nextDouble(); }
    boolean nextBoolean() {
        String word = word();
        if (!hasNextBoolean()) throw new InputMismatchException();
        token();
        return word.equalsIgnoreCase("true");
    }
    String nextLine() {
        String line = line();
        if (line == null) throw new NoSuchElementException("No line found");
        return line;
    }
    void close() { }
}
class Random {
    static final Random shared = new Random(42);
    private long seed;
    Random() { this(42); }
    Random(long seed) { setSeed(seed); }
    void setSeed(long seed) { this.seed = (seed ^ 0x5DEECE66DL) & ((1L << 48) - 1); }
    private int next(int bits) {
        seed = seed * 0x5DEECE66DL + 0xBL & ((1L << 48) - 1);
        return (int) (seed >>> 48 - bits);
    }
    int nextInt() { return next(32); }
    int nextInt(int bound) {
        if (bound <= 0) throw new IllegalArgumentException("bound must be positive");
        int value = next(31);
        int most = bound - 1;
        if ((bound & most) == 0) return (int) (bound * (long) value >> 31);
        for (int u = value; u - (value = u % bound) + most < 0; u = next(31)) { }
        return value;
    }
    int nextInt(int origin, int bound) {
        if (origin >= bound) throw new IllegalArgumentException("bound must be greater than origin");
        return origin + nextInt(bound - origin);
    }
    long nextLong() { return ((long) next(32) << 32) + next(32); }
    boolean nextBoolean() { return next(1) != 0; }
    float nextFloat() { return next(24) / (float) (1 << 24); }
    double nextDouble() { return (((long) next(26) << 27) + next(27)) * 1.1102230246251565E-16; }
}

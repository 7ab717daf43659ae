// What Java's library does when a program is executed: `java.lang`, mathematics.
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

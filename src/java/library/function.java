// What Java's library does when a program is executed: `java.util.function`.
interface Consumer<T> { void accept(T value); }
interface BiConsumer<T, U> { void accept(T one, U other); }
interface Supplier<T> { T get(); }
interface Function<T, R> {
    R apply(T value);
    static <T> Function<T, T> identity() { return value -> value; }
    default <V> Function<T, V> andThen(Function<R, V> next) { return value -> next.apply(apply(value)); }
    default <V> Function<V, R> compose(Function<V, T> first) { return value -> apply(first.apply(value)); }
}
interface BiFunction<T, U, R> { R apply(T one, U other); }
interface UnaryOperator<T> extends Function<T, T> { }
interface BinaryOperator<T> extends BiFunction<T, T, T> { }
interface Predicate<T> {
    boolean test(T value);
    default Predicate<T> negate() { return value -> !test(value); }
    default Predicate<T> and(Predicate<T> other) { return value -> test(value) && other.test(value); }
    default Predicate<T> or(Predicate<T> other) { return value -> test(value) || other.test(value); }
}
interface BiPredicate<T, U> { boolean test(T one, U other); }
interface IntFunction<R> { R apply(int value); }
interface IntUnaryOperator { int applyAsInt(int value); }
interface IntBinaryOperator { int applyAsInt(int one, int other); }
interface IntPredicate { boolean test(int value); }
interface IntConsumer { void accept(int value); }
interface IntSupplier { int getAsInt(); }
interface ToIntFunction<T> { int applyAsInt(T value); }
interface ToLongFunction<T> { long applyAsLong(T value); }
interface ToDoubleFunction<T> { double applyAsDouble(T value); }
interface DoubleUnaryOperator { double applyAsDouble(double value); }
interface DoubleBinaryOperator { double applyAsDouble(double one, double other); }
interface BooleanSupplier { boolean getAsBoolean(); }
interface DoubleSupplier { double getAsDouble(); }

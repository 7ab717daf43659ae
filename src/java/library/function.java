// What Java's library does when a program is executed: `java.util.function`.
interface Consumer<T> { void accept(T value); }

// What Java's library does when a program is executed: `java.util`, collections.
interface Comparator<T> {
    int compare(T a, T b);
    default Comparator<T> reversed() { return (a, b) -> compare(b, a); }
    default Comparator<T> thenComparing(Comparator<? super T> next) {
        return (a, b) -> {
            int first = compare(a, b);
            return first != 0 ? first : next.compare(a, b);
        };
    }
    default <U> Comparator<T> thenComparing(Function<? super T, ? extends U> key) {
        return thenComparing(comparing(key));
    }
    default Comparator<T> thenComparingInt(ToIntFunction<? super T> key) {
        return thenComparing(comparingInt(key));
    }
    default Comparator<T> thenComparingDouble(ToDoubleFunction<? super T> key) {
        return thenComparing(comparingDouble(key));
    }
    static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key) {
        return (a, b) -> ((Comparable) key.apply(a)).compareTo(key.apply(b));
    }
    static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key, Comparator<? super U> by) {
        return (a, b) -> by.compare(key.apply(a), key.apply(b));
    }
    static <T> Comparator<T> comparingInt(ToIntFunction<? super T> key) {
        return (a, b) -> Integer.compare(key.applyAsInt(a), key.applyAsInt(b));
    }
    static <T> Comparator<T> comparingLong(ToLongFunction<? super T> key) {
        return (a, b) -> Long.compare(key.applyAsLong(a), key.applyAsLong(b));
    }
    static <T> Comparator<T> comparingDouble(ToDoubleFunction<? super T> key) {
        return (a, b) -> Double.compare(key.applyAsDouble(a), key.applyAsDouble(b));
    }
    static <T> Comparator<T> naturalOrder() { return (a, b) -> ((Comparable) a).compareTo(b); }
    static <T> Comparator<T> reverseOrder() { return (a, b) -> ((Comparable) b).compareTo(a); }
}
class Collections {
    static <T> void sort(List<T> list) { list.sort(null); }
    static <T> void sort(List<T> list, Comparator<? super T> by) { list.sort(by); }
    static void reverse(List<?> list) {
        int last = list.size() - 1;
        for (int k = 0; k < last - k; k++) swap(list, k, last - k);
    }
    static void swap(List<?> list, int a, int b) {
        List any = list;
        any.set(a, any.set(b, any.get(a)));
    }
    static void shuffle(List<?> list, Random random) {
        for (int k = list.size(); k > 1; k--) swap(list, k - 1, random.nextInt(k));
    }
    static void shuffle(List<?> list) { shuffle(list, Random.shared); }
    private static int order(Object a, Object b, Comparator by) {
        return by != null ? by.compare(a, b) : ((Comparable) a).compareTo(b);
    }
    static <T> T max(Collection<? extends T> list) { return max(list, null); }
    static <T> T min(Collection<? extends T> list) { return min(list, null); }
    static <T> T max(Collection<? extends T> list, Comparator<? super T> by) {
        Iterator each = list.iterator();
        Object best = each.next();
        while (each.hasNext()) {
            Object next = each.next();
            if (order(next, best, by) > 0) best = next;
        }
        return best;
    }
    static <T> T min(Collection<? extends T> list, Comparator<? super T> by) {
        Iterator each = list.iterator();
        Object best = each.next();
        while (each.hasNext()) {
            Object next = each.next();
            if (order(next, best, by) < 0) best = next;
        }
        return best;
    }
    static int frequency(Collection<?> list, Object value) {
        int count = 0;
        Iterator each = list.iterator();
        while (each.hasNext()) if (Objects.equals(value, each.next())) count++;
        return count;
    }
    static <T> boolean addAll(Collection<? super T> list, T... values) {
        Collection any = list;
        boolean changed = false;
        for (int k = 0; k < values.length; k++) changed |= any.add(values[k]);
        return changed;
    }
    static <T> void fill(List<? super T> list, T value) {
        List any = list;
        for (int k = 0; k < any.size(); k++) any.set(k, value);
    }
    static <T> int binarySearch(List<? extends T> list, T key) {
        List any = list;
        int low = 0;
        int high = any.size() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int order = order(any.get(middle), key, null);
            if (order < 0) low = middle + 1; else if (order > 0) high = middle - 1; else return middle;
        }
        return -(low + 1);
    }
    static <T> Comparator<T> reverseOrder() { return Comparator.reverseOrder(); }
    static <T> Comparator<T> reverseOrder(Comparator<T> by) { return by.reversed(); }
    static <T> List<T> emptyList() { return new FixedList(new Object[0], false); }
    static <T> List<T> singletonList(T value) {
        Object[] values = { value };
        return new FixedList(values, false);
    }
    static <T> List<T> nCopies(int count, T value) {
        Object[] values = new Object[count];
        Arrays.fill(values, value);
        return new FixedList(values, false);
    }
    static <T> List<T> unmodifiableList(List<? extends T> list) { return new ClosedList(list); }
}
class ClosedList<T> extends AbstractList<T> {
    private List list;
    ClosedList(List list) { this.list = list; }
    int size() { return list.size(); }
    T get(int index) { return list.get(index); }
    boolean remove(Object value) { throw new UnsupportedOperationException(); }
    void clear() { throw new UnsupportedOperationException(); }
    void sort(Comparator<? super T> by) { throw new UnsupportedOperationException(); }
}

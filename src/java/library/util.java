// What Java's library does when a program is executed: `java.util`.
interface Iterator<T> {
    boolean hasNext();
    T next();
    default void remove() { throw new UnsupportedOperationException("remove"); }
}
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
class NoSuchElementException extends RuntimeException {
    NoSuchElementException() { }
    NoSuchElementException(String message) { super(message); }
}
class InputMismatchException extends NoSuchElementException {
    InputMismatchException() { }
    InputMismatchException(String message) { super(message); }
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
interface Collection<T> extends Iterable<T> {
    int size();
    boolean isEmpty();
    boolean contains(Object value);
    boolean add(T value);
    boolean remove(Object value);
    void clear();
    boolean addAll(Collection<? extends T> other);
    boolean containsAll(Collection<?> other);
    boolean removeAll(Collection<?> other);
    boolean retainAll(Collection<?> other);
    boolean removeIf(Predicate<? super T> test);
    Object[] toArray();
    <A> A[] toArray(A[] array);
}
abstract class AbstractCollection<T> implements Collection<T> {
    boolean isEmpty() { return size() == 0; }
    boolean add(T value) { throw new UnsupportedOperationException(); }
    boolean contains(Object value) {
        Iterator<T> each = iterator();
        while (each.hasNext()) if (Objects.equals(value, each.next())) return true;
        return false;
    }
    boolean remove(Object value) {
        Iterator<T> each = iterator();
        while (each.hasNext()) {
            if (Objects.equals(value, each.next())) {
                each.remove();
                return true;
            }
        }
        return false;
    }
    void clear() {
        Iterator<T> each = iterator();
        while (each.hasNext()) {
            each.next();
            each.remove();
        }
    }
    boolean addAll(Collection<? extends T> other) {
        boolean changed = false;
        Object[] values = other.toArray();
        for (int k = 0; k < values.length; k++) changed |= add(values[k]);
        return changed;
    }
    boolean containsAll(Collection<?> other) {
        Iterator each = other.iterator();
        while (each.hasNext()) if (!contains(each.next())) return false;
        return true;
    }
    boolean removeAll(Collection<?> other) { return removeIf(value -> other.contains(value)); }
    boolean retainAll(Collection<?> other) { return removeIf(value -> !other.contains(value)); }
    boolean removeIf(Predicate<? super T> test) {
        boolean changed = false;
        Iterator<T> each = iterator();
        while (each.hasNext()) {
            if (test.test(each.next())) {
                each.remove();
                changed = true;
            }
        }
        return changed;
    }
    Object[] toArray() {
        Object[] made = new Object[size()];
        fill(made);
        return made;
    }
    <A> A[] toArray(A[] array) {
        Object[] made = (Object[]) (Object) array;
        if (array.length < size()) made = (Object[]) Arrays.resized(array, 0, size());
        fill(made);
        if (made.length > size()) made[size()] = null;
        return (A[]) made;
    }
    private void fill(Object[] made) {
        Iterator<T> each = iterator();
        for (int k = 0; each.hasNext(); k++) made[k] = each.next();
    }
    String toString() {
        Iterator<T> each = iterator();
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; each.hasNext(); k++) {
            Object value = each.next();
            if (k > 0) made.append(", ");
            if (value == this) made.append("(this Collection)"); else made.append(value);
        }
        return made.append("]").toString();
    }
}
interface List<T> extends Collection<T> {
    T get(int index);
    T set(int index, T value);
    void add(int index, T value);
    T remove(int index);
    int indexOf(Object value);
    int lastIndexOf(Object value);
    boolean addAll(int index, Collection<? extends T> other);
    void sort(Comparator<? super T> by);
    void replaceAll(UnaryOperator<T> change);
    List<T> subList(int from, int to);
    ListIterator<T> listIterator();
    static <T> List<T> of(T... values) {
        for (int k = 0; k < values.length; k++) Objects.requireNonNull(values[k]);
        return new GivenList((Object[]) Arrays.cloned(values));
    }
    static <T> List<T> copyOf(Collection<? extends T> other) {
        return new GivenList(other.toArray());
    }
}
interface RandomAccess { }
interface ListIterator<T> extends Iterator<T> {
    boolean hasPrevious();
    T previous();
    int nextIndex();
    void set(T value);
    void add(T value);
}
abstract class AbstractList<T> extends AbstractCollection<T> implements List<T> {
    int changes;
    boolean add(T value) { add(size(), value); return true; }
    T set(int index, T value) { throw new UnsupportedOperationException(); }
    void add(int index, T value) { throw new UnsupportedOperationException(); }
    T remove(int index) { throw new UnsupportedOperationException(); }
    int indexOf(Object value) {
        for (int k = 0; k < size(); k++) if (Objects.equals(value, get(k))) return k;
        return -1;
    }
    int lastIndexOf(Object value) {
        for (int k = size() - 1; k >= 0; k--) if (Objects.equals(value, get(k))) return k;
        return -1;
    }
    boolean contains(Object value) { return indexOf(value) >= 0; }
    boolean remove(Object value) {
        int at = indexOf(value);
        if (at >= 0) remove(at);
        return at >= 0;
    }
    boolean addAll(int index, Collection<? extends T> other) {
        Object[] values = other.toArray();
        for (int k = 0; k < values.length; k++) add(index + k, values[k]);
        return values.length > 0;
    }
    void sort(Comparator<? super T> by) {
        Object[] values = toArray();
        Arrays.sort(values, by);
        for (int k = 0; k < values.length; k++) set(k, values[k]);
        changes++;
    }
    void replaceAll(UnaryOperator<T> change) {
        for (int k = 0; k < size(); k++) set(k, change.apply(get(k)));
    }
    List<T> subList(int from, int to) {
        if (from < 0) throw new IndexOutOfBoundsException("fromIndex = " + from);
        if (to > size()) throw new IndexOutOfBoundsException("toIndex = " + to);
        if (from > to) {
            throw new IllegalArgumentException("fromIndex(" + from + ") > toIndex(" + to + ")");
        }
        return new SubList(this, from, to - from);
    }
    Iterator<T> iterator() { return new ListCursor(this); }
    ListIterator<T> listIterator() { return new ListCursor(this); }
    boolean equals(Object other) {
        if (!(other instanceof List)) return false;
        List theirs = (List) other;
        if (size() != theirs.size()) return false;
        Iterator a = iterator();
        Iterator b = theirs.iterator();
        while (a.hasNext()) if (!Objects.equals(a.next(), b.next())) return false;
        return true;
    }
    int hashCode() {
        int hash = 1;
        Iterator<T> each = iterator();
        while (each.hasNext()) hash = 31 * hash + Objects.hashCode(each.next());
        return hash;
    }
}
class ListCursor<T> implements ListIterator<T> {
    private AbstractList list;
    private int at;
    private int last = -1;
    private int changes;
    ListCursor(AbstractList list) { this.list = list; changes = list.changes; }
    private void check() {
        if (changes != list.changes) throw new ConcurrentModificationException();
    }
    boolean hasNext() { return at != list.size(); }
    T next() {
        check();
        if (at >= list.size()) throw new NoSuchElementException();
        last = at;
        at++;
        return list.get(last);
    }
    boolean hasPrevious() { return at > 0; }
    int nextIndex() { return at; }
    T previous() {
        check();
        if (at <= 0) throw new NoSuchElementException();
        at--;
        last = at;
        return list.get(last);
    }
    void set(T value) {
        if (last < 0) throw new IllegalStateException();
        check();
        list.set(last, value);
    }
    void add(T value) {
        check();
        list.add(at, value);
        at++;
        last = -1;
        changes = list.changes;
    }
    void remove() {
        if (last < 0) throw new IllegalStateException();
        check();
        list.remove(last);
        at = last;
        last = -1;
        changes = list.changes;
    }
}
class SubList<T> extends AbstractList<T> {
    private AbstractList of;
    private int from;
    private int count;
    SubList(AbstractList of, int from, int count) { this.of = of; this.from = from; this.count = count; }
    int size() { return count; }
    T get(int index) { return of.get(from + Objects.checkIndex(index, count)); }
    T set(int index, T value) { return of.set(from + Objects.checkIndex(index, count), value); }
    void add(int index, T value) {
        of.add(from + index, value);
        count++;
        changes++;
    }
    T remove(int index) {
        T old = of.remove(from + Objects.checkIndex(index, count));
        count--;
        changes++;
        return old;
    }
}
class FixedList<T> extends AbstractList<T> {
    private Object[] values;
    private boolean isOpen;
    FixedList(Object[] values, boolean isOpen) { this.values = values; this.isOpen = isOpen; }
    int size() { return values.length; }
    T get(int index) {
        if (index < 0 || index >= values.length) {
            throw new ArrayIndexOutOfBoundsException(
                "Index " + index + " out of bounds for length " + values.length);
        }
        return values[index];
    }
    T set(int index, T value) {
        if (!isOpen) throw new UnsupportedOperationException();
        T old = get(index);
        values[index] = value;
        return old;
    }
    boolean remove(Object value) {
        if (!isOpen) throw new UnsupportedOperationException();
        return super.remove(value);
    }
}
class GivenList<T> extends FixedList<T> {
    GivenList(Object[] values) { super(values, false); }
    int indexOf(Object value) {
        if (value == null) throw new NullPointerException();
        return super.indexOf(value);
    }
}
class ArrayList<T> extends AbstractList<T> implements RandomAccess {
    private Object[] items;
    private int count;
    ArrayList() { items = new Object[10]; }
    ArrayList(int capacity) {
        if (capacity < 0) throw new IllegalArgumentException("Illegal Capacity: " + capacity);
        items = new Object[capacity];
    }
    ArrayList(Collection<? extends T> other) {
        items = other.toArray();
        count = items.length;
    }
    int size() { return count; }
    private void reserve(int least) {
        if (least <= items.length) return;
        Object[] larger = new Object[Math.max(10, items.length + (items.length >> 1) + 1)];
        System.arraycopy(items, 0, larger, 0, count);
        items = larger;
    }
    T get(int index) { return items[Objects.checkIndex(index, count)]; }
    T set(int index, T value) {
        Object old = items[Objects.checkIndex(index, count)];
        items[index] = value;
        return old;
    }
    boolean add(T value) {
        reserve(count + 1);
        items[count++] = value;
        changes++;
        return true;
    }
    void add(int index, T value) {
        if (index < 0 || index > count) {
            throw new IndexOutOfBoundsException("Index: " + index + ", Size: " + count);
        }
        reserve(count + 1);
        System.arraycopy(items, index, items, index + 1, count - index);
        items[index] = value;
        count++;
        changes++;
    }
    T remove(int index) {
        Object old = items[Objects.checkIndex(index, count)];
        System.arraycopy(items, index + 1, items, index, count - index - 1);
        items[--count] = null;
        changes++;
        return old;
    }
    void clear() {
        for (int k = 0; k < count; k++) items[k] = null;
        count = 0;
        changes++;
    }
    boolean removeIf(Predicate<? super T> test) {
        int kept = 0;
        for (int k = 0; k < count; k++) if (!test.test(items[k])) items[kept++] = items[k];
        boolean changed = kept < count;
        for (int k = kept; k < count; k++) items[k] = null;
        count = kept;
        if (changed) changes++;
        return changed;
    }
    void ensureCapacity(int least) { }
    void trimToSize() { }
    Object[] toArray() { return (Object[]) Arrays.resized(items, 0, count); }
    Object clone() { return new ArrayList(this); }
}
class Vector<T> extends ArrayList<T> {
    Vector() { }
    T elementAt(int index) { return get(index); }
    void addElement(T value) { add(value); }
    T firstElement() {
        if (isEmpty()) throw new NoSuchElementException();
        return get(0);
    }
    T lastElement() {
        if (isEmpty()) throw new NoSuchElementException();
        return get(size() - 1);
    }
}
class Stack<T> extends Vector<T> {
    Stack() { }
    T push(T value) { add(value); return value; }
    T pop() {
        if (isEmpty()) throw new EmptyStackException();
        return remove(size() - 1);
    }
    T peek() {
        if (isEmpty()) throw new EmptyStackException();
        return get(size() - 1);
    }
    boolean empty() { return isEmpty(); }
    int search(Object value) {
        int at = lastIndexOf(value);
        return at < 0 ? -1 : size() - at;
    }
}
interface Queue<T> extends Collection<T> {
    boolean offer(T value);
    T remove();
    T poll();
    T element();
    T peek();
}
interface Deque<T> extends Queue<T> {
    void addFirst(T value);
    void addLast(T value);
    boolean offerFirst(T value);
    boolean offerLast(T value);
    T removeFirst();
    T removeLast();
    T pollFirst();
    T pollLast();
    T getFirst();
    T getLast();
    T peekFirst();
    T peekLast();
    void push(T value);
    T pop();
    Iterator<T> descendingIterator();
}
class ArrayDeque<T> extends AbstractCollection<T> implements Deque<T> {
    private Object[] items = new Object[16];
    private int first;
    private int count;
    ArrayDeque() { }
    ArrayDeque(int capacity) { }
    ArrayDeque(Collection<? extends T> other) { addAll(other); }
    int size() { return count; }
    T at(int index) { return items[(first + index) % items.length]; }
    private void reserve(Object value) {
        if (value == null) throw new NullPointerException();
        if (count < items.length) return;
        Object[] larger = new Object[items.length * 2];
        for (int k = 0; k < count; k++) larger[k] = at(k);
        items = larger;
        first = 0;
    }
    void addFirst(T value) {
        reserve(value);
        first = first == 0 ? items.length - 1 : first - 1;
        items[first] = value;
        count++;
    }
    void addLast(T value) {
        reserve(value);
        items[(first + count) % items.length] = value;
        count++;
    }
    boolean add(T value) { addLast(value); return true; }
    T pollFirst() {
        if (count == 0) return null;
        Object value = items[first];
        items[first] = null;
        first = (first + 1) % items.length;
        count--;
        return value;
    }
    T pollLast() {
        if (count == 0) return null;
        count--;
        int last = (first + count) % items.length;
        Object value = items[last];
        items[last] = null;
        return value;
    }
    T peekFirst() { return count == 0 ? null : at(0); }
    T peekLast() { return count == 0 ? null : at(count - 1); }
    void clear() {
        items = new Object[16];
        first = 0;
        count = 0;
    }
    void removeAt(int index) {
        for (int k = index; k < count - 1; k++) {
            items[(first + k) % items.length] = items[(first + k + 1) % items.length];
        }
        pollLast();
    }
    Iterator<T> iterator() { return new DequeCursor(this, false); }
    Iterator<T> descendingIterator() { return new DequeCursor(this, true); }
    boolean offer(T value) { addLast(value); return true; }
    boolean offerFirst(T value) { addFirst(value); return true; }
    boolean offerLast(T value) { addLast(value); return true; }
    private void some() { if (isEmpty()) throw new NoSuchElementException(); }
    T remove() { some(); return pollFirst(); }
    T removeFirst() { some(); return pollFirst(); }
    T removeLast() { some(); return pollLast(); }
    T getFirst() { some(); return peekFirst(); }
    T getLast() { some(); return peekLast(); }
    T element() { some(); return peekFirst(); }
    T poll() { return pollFirst(); }
    T peek() { return peekFirst(); }
    void push(T value) { addFirst(value); }
    T pop() { some(); return pollFirst(); }
    boolean removeFirstOccurrence(Object value) { return remove(value); }
}
class DequeCursor<T> implements Iterator<T> {
    private ArrayDeque deque;
    private boolean turned;
    private int at;
    DequeCursor(ArrayDeque deque, boolean turned) { this.deque = deque; this.turned = turned; }
    boolean hasNext() { return at < deque.size(); }
    T next() {
        if (at >= deque.size()) throw new NoSuchElementException();
        at++;
        return deque.at(turned ? deque.size() - at : at - 1);
    }
    void remove() {
        deque.removeAt(turned ? deque.size() - at : at - 1);
        at--;
    }
}
class LinkedNode {
    Object value;
    LinkedNode before;
    LinkedNode after;
}
class LinkedList<T> extends AbstractList<T> implements Deque<T> {
    private LinkedNode ends = new LinkedNode();
    private int count;
    LinkedList() { ends.before = ends; ends.after = ends; }
    LinkedList(Collection<? extends T> other) { this(); addAll(other); }
    int size() { return count; }
    private LinkedNode node(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("Index: " + index + ", Size: " + count);
        }
        LinkedNode at = ends;
        if (index < count / 2) for (int k = 0; k <= index; k++) at = at.after;
        else for (int k = count; k > index; k--) at = at.before;
        return at;
    }
    private void insert(LinkedNode next, Object value) {
        LinkedNode made = new LinkedNode();
        made.value = value;
        made.after = next;
        made.before = next.before;
        made.before.after = made;
        next.before = made;
        count++;
        changes++;
    }
    private T cut(LinkedNode node) {
        node.before.after = node.after;
        node.after.before = node.before;
        count--;
        changes++;
        return node.value;
    }
    T get(int index) { return node(index).value; }
    T set(int index, T value) {
        LinkedNode node = node(index);
        Object old = node.value;
        node.value = value;
        return old;
    }
    boolean add(T value) { insert(ends, value); return true; }
    void add(int index, T value) { insert(index == count ? ends : node(index), value); }
    T remove(int index) { return cut(node(index)); }
    int indexOf(Object value) {
        int k = 0;
        for (LinkedNode at = ends.after; at != ends; at = at.after) {
            if (Objects.equals(value, at.value)) return k;
            k++;
        }
        return -1;
    }
    void addFirst(T value) { insert(ends.after, value); }
    void addLast(T value) { insert(ends, value); }
    T pollFirst() { return count == 0 ? null : cut(ends.after); }
    T pollLast() { return count == 0 ? null : cut(ends.before); }
    T peekFirst() { return count == 0 ? null : ends.after.value; }
    T peekLast() { return count == 0 ? null : ends.before.value; }
    void clear() {
        ends.before = ends;
        ends.after = ends;
        count = 0;
        changes++;
    }
    LinkedNode begin() { return ends; }
    T removed(LinkedNode node) { return cut(node); }
    Iterator<T> iterator() { return new LinkedCursor(this, false); }
    Iterator<T> descendingIterator() { return new LinkedCursor(this, true); }
    boolean offer(T value) { addLast(value); return true; }
    boolean offerFirst(T value) { addFirst(value); return true; }
    boolean offerLast(T value) { addLast(value); return true; }
    private void some() { if (isEmpty()) throw new NoSuchElementException(); }
    T remove() { some(); return pollFirst(); }
    T removeFirst() { some(); return pollFirst(); }
    T removeLast() { some(); return pollLast(); }
    T getFirst() { some(); return peekFirst(); }
    T getLast() { some(); return peekLast(); }
    T element() { some(); return peekFirst(); }
    T poll() { return pollFirst(); }
    T peek() { return peekFirst(); }
    void push(T value) { addFirst(value); }
    T pop() { some(); return pollFirst(); }
    boolean removeFirstOccurrence(Object value) { return remove(value); }
}
class LinkedCursor<T> implements Iterator<T> {
    private LinkedList list;
    private boolean turned;
    private LinkedNode at;
    private boolean canRemove;
    private int changes;
    LinkedCursor(LinkedList list, boolean turned) {
        this.list = list;
        this.turned = turned;
        at = list.begin();
        changes = list.changes;
    }
    private LinkedNode step() { return turned ? at.before : at.after; }
    boolean hasNext() { return step() != list.begin(); }
    T next() {
        if (changes != list.changes) throw new ConcurrentModificationException();
        if (!hasNext()) throw new NoSuchElementException();
        at = step();
        canRemove = true;
        return at.value;
    }
    void remove() {
        if (!canRemove) throw new IllegalStateException();
        if (changes != list.changes) throw new ConcurrentModificationException();
        LinkedNode node = at;
        at = turned ? at.after : at.before;
        list.removed(node);
        canRemove = false;
        changes = list.changes;
    }
}
class PriorityQueue<T> extends AbstractCollection<T> implements Queue<T> {
    private Object[] items = new Object[11];
    private int count;
    private Comparator by;
    PriorityQueue() { }
    PriorityQueue(int capacity) { }
    PriorityQueue(Comparator<? super T> by) { this.by = by; }
    PriorityQueue(int capacity, Comparator<? super T> by) { this.by = by; }
    PriorityQueue(Collection<? extends T> other) {
        items = (Object[]) Arrays.resized(other.toArray(), 0, other.size() + 1);
        count = other.size();
        for (int k = (count >>> 1) - 1; k >= 0; k--) down(k, items[k]);
    }
    private int order(Object a, Object b) {
        return by != null ? by.compare(a, b) : ((Comparable) a).compareTo(b);
    }
    private void up(int k, Object value) {
        while (k > 0) {
            int parent = k - 1 >>> 1;
            if (order(value, items[parent]) >= 0) break;
            items[k] = items[parent];
            k = parent;
        }
        items[k] = value;
    }
    private void down(int k, Object value) {
        int half = count >>> 1;
        while (k < half) {
            int child = 2 * k + 1;
            if (child + 1 < count && order(items[child], items[child + 1]) > 0) child++;
            if (order(value, items[child]) <= 0) break;
            items[k] = items[child];
            k = child;
        }
        items[k] = value;
    }
    int size() { return count; }
    Object at(int index) { return items[index]; }
    boolean add(T value) { return offer(value); }
    boolean offer(T value) {
        if (value == null) throw new NullPointerException();
        if (count >= items.length) items = (Object[]) Arrays.resized(items, 0, count * 2);
        if (count == 0) order(value, value);
        count++;
        up(count - 1, value);
        return true;
    }
    T peek() { return count == 0 ? null : items[0]; }
    T element() {
        if (count == 0) throw new NoSuchElementException();
        return items[0];
    }
    T poll() {
        if (count == 0) return null;
        Object first = items[0];
        Object last = items[--count];
        items[count] = null;
        if (count > 0) down(0, last);
        return first;
    }
    T remove() {
        if (count == 0) throw new NoSuchElementException();
        return poll();
    }
    void removeAt(int k) {
        Object last = items[--count];
        items[count] = null;
        if (k == count) return;
        down(k, last);
        if (items[k] == last) up(k, last);
    }
    boolean remove(Object value) {
        for (int k = 0; k < count; k++) {
            if (items[k].equals(value)) {
                removeAt(k);
                return true;
            }
        }
        return false;
    }
    void clear() {
        items = new Object[11];
        count = 0;
    }
    Iterator<T> iterator() { return new HeapCursor(this); }
}
class HeapCursor<T> implements Iterator<T> {
    private PriorityQueue queue;
    private int at;
    HeapCursor(PriorityQueue queue) { this.queue = queue; }
    boolean hasNext() { return at < queue.size(); }
    T next() {
        if (at >= queue.size()) throw new NoSuchElementException();
        return queue.at(at++);
    }
}
interface Map<K, V> {
    interface Entry<K, V> {
        K getKey();
        V getValue();
        V setValue(V value);
        static <K, V> Comparator<Map.Entry<K, V>> comparingByKey() {
            return (a, b) -> ((Comparable) a.getKey()).compareTo(b.getKey());
        }
        static <K, V> Comparator<Map.Entry<K, V>> comparingByValue() {
            return (a, b) -> ((Comparable) a.getValue()).compareTo(b.getValue());
        }
        static <K, V> Comparator<Map.Entry<K, V>> comparingByValue(Comparator<? super V> by) {
            return (a, b) -> by.compare(a.getValue(), b.getValue());
        }
    }
    int size();
    boolean isEmpty();
    boolean containsKey(Object key);
    boolean containsValue(Object value);
    V get(Object key);
    V put(K key, V value);
    V remove(Object key);
    void clear();
    void putAll(Map<? extends K, ? extends V> other);
    V getOrDefault(Object key, V other);
    V putIfAbsent(K key, V value);
    V replace(K key, V value);
    V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> join);
    V compute(K key, BiFunction<? super K, ? super V, ? extends V> change);
    V computeIfAbsent(K key, Function<? super K, ? extends V> make);
    V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> change);
    void forEach(BiConsumer<? super K, ? super V> action);
    void replaceAll(BiFunction<? super K, ? super V, ? extends V> change);
    Set<K> keySet();
    Collection<V> values();
    Set<Map.Entry<K, V>> entrySet();
    static <K, V> Map.Entry<K, V> entry(K key, V value) { return new MapNode(0, key, value); }
}
class MapNode<K, V> implements Map.Entry<K, V> {
    int hash;
    Object key;
    Object value;
    MapNode next;
    MapNode before;
    MapNode after;
    MapNode(int hash, Object key, Object value) { this.hash = hash; this.key = key; this.value = value; }
    K getKey() { return key; }
    V getValue() { return value; }
    V setValue(V made) {
        Object old = value;
        value = made;
        return old;
    }
    boolean equals(Object other) {
        if (!(other instanceof Map.Entry)) return false;
        Map.Entry theirs = (Map.Entry) other;
        return Objects.equals(key, theirs.getKey()) && Objects.equals(value, theirs.getValue());
    }
    int hashCode() { return Objects.hashCode(key) ^ Objects.hashCode(value); }
    String toString() { return key + "=" + value; }
}
abstract class AbstractMap<K, V> implements Map<K, V> {
    int changes;
    abstract MapNode find(Object key);
    abstract Iterator nodes();
    boolean isEmpty() { return size() == 0; }
    boolean containsKey(Object key) { return find(key) != null; }
    V get(Object key) {
        MapNode node = find(key);
        return node == null ? null : node.value;
    }
    V getOrDefault(Object key, V other) {
        MapNode node = find(key);
        return node == null ? other : node.value;
    }
    boolean containsValue(Object value) {
        Iterator each = nodes();
        while (each.hasNext()) if (Objects.equals(value, ((MapNode) each.next()).value)) return true;
        return false;
    }
    void putAll(Map<? extends K, ? extends V> other) {
        Iterator each = other.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry entry = (Map.Entry) each.next();
            put(entry.getKey(), entry.getValue());
        }
    }
    V putIfAbsent(K key, V value) {
        MapNode node = find(key);
        if (node != null && node.value != null) return node.value;
        put(key, value);
        return null;
    }
    V replace(K key, V value) { return find(key) == null ? null : put(key, value); }
    V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> join) {
        if (value == null) throw new NullPointerException();
        MapNode node = find(key);
        Object made = node == null || node.value == null ? value : join.apply(node.value, value);
        if (made == null) remove(key); else put(key, made);
        return made;
    }
    V compute(K key, BiFunction<? super K, ? super V, ? extends V> change) {
        MapNode node = find(key);
        Object made = change.apply(key, node == null ? null : node.value);
        if (made != null) put(key, made); else if (node != null) remove(key);
        return made;
    }
    V computeIfAbsent(K key, Function<? super K, ? extends V> make) {
        MapNode node = find(key);
        if (node != null && node.value != null) return node.value;
        int before = changes;
        Object made = make.apply(key);
        if (before != changes) throw new ConcurrentModificationException();
        if (made != null) put(key, made);
        return made;
    }
    V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> change) {
        MapNode node = find(key);
        if (node == null || node.value == null) return null;
        Object made = change.apply(key, node.value);
        if (made == null) remove(key); else put(key, made);
        return made;
    }
    void forEach(BiConsumer<? super K, ? super V> action) {
        Iterator each = nodes();
        while (each.hasNext()) {
            MapNode node = (MapNode) each.next();
            action.accept(node.key, node.value);
        }
    }
    void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
        Iterator each = nodes();
        while (each.hasNext()) {
            MapNode node = (MapNode) each.next();
            node.value = change.apply(node.key, node.value);
        }
    }
    Set<K> keySet() { return new MapView(this, 0); }
    Collection<V> values() { return new MapValues(this); }
    Set<Map.Entry<K, V>> entrySet() { return new MapView(this, 2); }
    boolean equals(Object other) {
        if (!(other instanceof Map)) return false;
        Map theirs = (Map) other;
        if (size() != theirs.size()) return false;
        Iterator each = nodes();
        while (each.hasNext()) {
            MapNode node = (MapNode) each.next();
            if (!theirs.containsKey(node.key)) return false;
            if (!Objects.equals(node.value, theirs.get(node.key))) return false;
        }
        return true;
    }
    int hashCode() {
        int hash = 0;
        Iterator each = nodes();
        while (each.hasNext()) hash += each.next().hashCode();
        return hash;
    }
    String toString() {
        StringBuilder made = new StringBuilder("{");
        Iterator each = nodes();
        for (int k = 0; each.hasNext(); k++) {
            MapNode node = (MapNode) each.next();
            if (k > 0) made.append(", ");
            if (node.key == this) made.append("(this Map)"); else made.append(node.key);
            made.append("=");
            if (node.value == this) made.append("(this Map)"); else made.append(node.value);
        }
        return made.append("}").toString();
    }
}
class PartCursor<T> implements Iterator<T> {
    private Iterator nodes;
    private int part;
    PartCursor(Iterator nodes, int part) { this.nodes = nodes; this.part = part; }
    boolean hasNext() { return nodes.hasNext(); }
    T next() {
        MapNode node = (MapNode) nodes.next();
        return part == 0 ? node.key : part == 1 ? node.value : node;
    }
    void remove() { nodes.remove(); }
}
class MapValues<T> extends AbstractCollection<T> {
    private AbstractMap map;
    MapValues(AbstractMap map) { this.map = map; }
    int size() { return map.size(); }
    void clear() { map.clear(); }
    Iterator<T> iterator() { return new PartCursor(map.nodes(), 1); }
}
interface Set<T> extends Collection<T> { }
interface SequencedSet<T> extends Set<T> { }
abstract class AbstractSet<T> extends AbstractCollection<T> implements Set<T> {
    boolean equals(Object other) {
        if (!(other instanceof Set)) return false;
        Set theirs = (Set) other;
        return size() == theirs.size() && containsAll(theirs);
    }
    int hashCode() {
        int hash = 0;
        Iterator<T> each = iterator();
        while (each.hasNext()) hash += Objects.hashCode(each.next());
        return hash;
    }
}
class MapView<T> extends AbstractSet<T> {
    private AbstractMap map;
    private int part;
    MapView(AbstractMap map, int part) { this.map = map; this.part = part; }
    int size() { return map.size(); }
    void clear() { map.clear(); }
    boolean contains(Object value) { return part == 0 ? map.containsKey(value) : super.contains(value); }
    boolean remove(Object value) {
        if (part != 0) return super.remove(value);
        boolean is = map.containsKey(value);
        map.remove(value);
        return is;
    }
    Iterator<T> iterator() { return new PartCursor(map.nodes(), part); }
}
class HashMap<K, V> extends AbstractMap<K, V> {
    MapNode[] table;
    private int count;
    private int capacity = 16;
    boolean linked;
    MapNode first;
    MapNode last;
    HashMap() { }
    HashMap(int capacity) { this(capacity, 0.75f); }
    HashMap(int capacity, float load) {
        if (capacity < 0) throw new IllegalArgumentException("Illegal initial capacity: " + capacity);
        this.capacity = 1;
        while (this.capacity < capacity) this.capacity <<= 1;
    }
    HashMap(Map<? extends K, ? extends V> other) {
        this((int) (other.size() / 0.75f + 1.0f));
        putAll(other);
    }
    private static int spread(Object key) {
        int hash = key == null ? 0 : key.hashCode();
        return hash ^ hash >>> 16;
    }
    int size() { return count; }
    MapNode find(Object key) {
        if (table == null) return null;
        int hash = spread(key);
        for (MapNode at = table[hash & table.length - 1]; at != null; at = at.next) {
            if (at.hash == hash && (at.key == key || key != null && key.equals(at.key))) return at;
        }
        return null;
    }
    V put(K key, V value) {
        MapNode known = find(key);
        if (known != null) return known.setValue(value);
        if (table == null) table = new MapNode[capacity];
        int hash = spread(key);
        MapNode made = new MapNode(hash, key, value);
        append(table, made);
        if (linked) {
            made.before = last;
            if (last == null) first = made; else last.after = made;
            last = made;
        }
        changes++;
        if (++count > table.length * 3 / 4) grow();
        return null;
    }
    private static void append(MapNode[] table, MapNode made) {
        int at = made.hash & table.length - 1;
        made.next = null;
        if (table[at] == null) {
            table[at] = made;
            return;
        }
        MapNode end = table[at];
        while (end.next != null) end = end.next;
        end.next = made;
    }
    private void grow() {
        MapNode[] larger = new MapNode[table.length * 2];
        for (int k = 0; k < table.length; k++) {
            MapNode at = table[k];
            while (at != null) {
                MapNode next = at.next;
                append(larger, at);
                at = next;
            }
        }
        table = larger;
    }
    V remove(Object key) {
        MapNode node = find(key);
        if (node == null) return null;
        int slot = node.hash & table.length - 1;
        if (table[slot] == node) table[slot] = node.next;
        else {
            MapNode at = table[slot];
            while (at.next != node) at = at.next;
            at.next = node.next;
        }
        if (linked) {
            if (node.before == null) first = node.after; else node.before.after = node.after;
            if (node.after == null) last = node.before; else node.after.before = node.before;
        }
        count--;
        changes++;
        return node.value;
    }
    void clear() {
        if (table != null) for (int k = 0; k < table.length; k++) table[k] = null;
        first = null;
        last = null;
        count = 0;
        changes++;
    }
    Iterator nodes() { return new HashCursor(this); }
}
class HashCursor implements Iterator {
    private HashMap map;
    private int slot;
    private MapNode next;
    private MapNode given;
    private int changes;
    HashCursor(HashMap map) {
        this.map = map;
        changes = map.changes;
        if (map.linked) next = map.first; else search();
    }
    private void search() {
        while (next == null && map.table != null && slot < map.table.length) next = map.table[slot++];
    }
    boolean hasNext() { return next != null; }
    Object next() {
        if (changes != map.changes) throw new ConcurrentModificationException();
        if (next == null) throw new NoSuchElementException();
        given = next;
        if (map.linked) next = given.after;
        else {
            next = given.next;
            search();
        }
        return given;
    }
    void remove() {
        if (given == null) throw new IllegalStateException();
        if (changes != map.changes) throw new ConcurrentModificationException();
        map.remove(given.key);
        given = null;
        changes = map.changes;
    }
}
class LinkedHashMap<K, V> extends HashMap<K, V> {
    LinkedHashMap() { linked = true; }
    LinkedHashMap(int capacity) { super(capacity); linked = true; }
    LinkedHashMap(Map<? extends K, ? extends V> other) { linked = true; putAll(other); }
}
class TreeMap<K, V> extends AbstractMap<K, V> {
    MapNode[] nodes = new MapNode[16];
    private int count;
    private Comparator by;
    TreeMap() { }
    TreeMap(Comparator<? super K> by) { this.by = by; }
    TreeMap(Map<? extends K, ? extends V> other) { putAll(other); }
    int size() { return count; }
    private int order(Object a, Object b) {
        if (by != null) return by.compare(a, b);
        if (a == null) throw new NullPointerException();
        return ((Comparable) a).compareTo(b);
    }
    private int place(Object key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (order(nodes[middle].key, key) < 0) low = middle + 1; else high = middle;
        }
        return low;
    }
    private boolean stands(int at, Object key) { return at < count && order(key, nodes[at].key) == 0; }
    MapNode find(Object key) {
        if (count == 0) return null;
        int at = place(key);
        return stands(at, key) ? nodes[at] : null;
    }
    V put(K key, V value) {
        if (count == 0) order(key, key);
        int at = place(key);
        if (stands(at, key)) return nodes[at].setValue(value);
        if (count == nodes.length) nodes = (MapNode[]) Arrays.resized(nodes, 0, count * 2);
        System.arraycopy(nodes, at, nodes, at + 1, count - at);
        nodes[at] = new MapNode(0, key, value);
        count++;
        changes++;
        return null;
    }
    V remove(Object key) {
        if (count == 0) return null;
        int at = place(key);
        return stands(at, key) ? cut(at).value : null;
    }
    MapNode cut(int at) {
        MapNode node = nodes[at];
        System.arraycopy(nodes, at + 1, nodes, at, count - at - 1);
        nodes[--count] = null;
        changes++;
        return node;
    }
    void clear() {
        nodes = new MapNode[16];
        count = 0;
        changes++;
    }
    Iterator nodes() { return new TreeCursor(this); }
    private Map.Entry<K, V> entry(int at) { return at < 0 || at >= count ? null : nodes[at]; }
    private K key(int at) { return at < 0 || at >= count ? null : nodes[at].key; }
    private K some(int at) {
        if (count == 0) throw new NoSuchElementException();
        return nodes[at].key;
    }
    private int floor(Object key) {
        int at = place(key);
        return stands(at, key) ? at : at - 1;
    }
    private int higher(Object key) {
        int at = place(key);
        return stands(at, key) ? at + 1 : at;
    }
    K firstKey() { return some(0); }
    K lastKey() { return some(count - 1); }
    K floorKey(K key) { return key(floor(key)); }
    K ceilingKey(K key) { return key(place(key)); }
    K lowerKey(K key) { return key(place(key) - 1); }
    K higherKey(K key) { return key(higher(key)); }
    Map.Entry<K, V> firstEntry() { return entry(0); }
    Map.Entry<K, V> lastEntry() { return entry(count - 1); }
    Map.Entry<K, V> floorEntry(K key) { return entry(floor(key)); }
    Map.Entry<K, V> ceilingEntry(K key) { return entry(place(key)); }
    Map.Entry<K, V> lowerEntry(K key) { return entry(place(key) - 1); }
    Map.Entry<K, V> higherEntry(K key) { return entry(higher(key)); }
    Map.Entry<K, V> pollFirstEntry() { return count == 0 ? null : cut(0); }
    Map.Entry<K, V> pollLastEntry() { return count == 0 ? null : cut(count - 1); }
}
class TreeCursor implements Iterator {
    private TreeMap map;
    private int at;
    private int changes;
    TreeCursor(TreeMap map) { this.map = map; changes = map.changes; }
    boolean hasNext() { return at < map.size(); }
    Object next() {
        if (at >= map.size()) throw new NoSuchElementException();
        if (changes != map.changes) throw new ConcurrentModificationException();
        return map.nodes[at++];
    }
    void remove() {
        if (changes != map.changes) throw new ConcurrentModificationException();
        map.cut(--at);
        changes = map.changes;
    }
}
class HashSet<T> extends AbstractSet<T> {
    AbstractMap map;
    HashSet() { map = new HashMap(); }
    HashSet(int capacity) { map = new HashMap(capacity); }
    HashSet(Collection<? extends T> other) {
        map = new HashMap(Math.max((int) (other.size() / 0.75f) + 1, 16));
        addAll(other);
    }
    int size() { return map.size(); }
    boolean contains(Object value) { return map.containsKey(value); }
    boolean add(T value) {
        if (map.containsKey(value)) return false;
        map.put(value, this);
        return true;
    }
    boolean remove(Object value) { return map.remove(value) != null; }
    void clear() { map.clear(); }
    Iterator<T> iterator() { return new PartCursor(map.nodes(), 0); }
}
class LinkedHashSet<T> extends HashSet<T> {
    LinkedHashSet() { map = new LinkedHashMap(); }
    LinkedHashSet(Collection<? extends T> other) { map = new LinkedHashMap(); addAll(other); }
}
class TreeSet<T> extends HashSet<T> {
    private TreeMap tree = new TreeMap();
    TreeSet() { map = tree; }
    TreeSet(Comparator<? super T> by) { tree = new TreeMap(by); map = tree; }
    TreeSet(Collection<? extends T> other) { map = tree; addAll(other); }
    T first() { return tree.firstKey(); }
    T last() { return tree.lastKey(); }
    T floor(T value) { return tree.floorKey(value); }
    T ceiling(T value) { return tree.ceilingKey(value); }
    T lower(T value) { return tree.lowerKey(value); }
    T higher(T value) { return tree.higherKey(value); }
    T pollFirst() {
        Map.Entry entry = tree.pollFirstEntry();
        return entry == null ? null : entry.getKey();
    }
    T pollLast() {
        Map.Entry entry = tree.pollLastEntry();
        return entry == null ? null : entry.getKey();
    }
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
class Arrays {
    static native Object cloned(Object array);
    static native Object resized(Object array, int from, int to);
    private static native void sorted(Object array, int from, int to);
    private static void check(int length, int from, int to) {
        if (from > to) {
            throw new IllegalArgumentException("fromIndex(" + from + ") > toIndex(" + to + ")");
        }
        if (from < 0) throw new ArrayIndexOutOfBoundsException("Array index out of range: " + from);
        if (to > length) throw new ArrayIndexOutOfBoundsException("Array index out of range: " + to);
    }
    private static Object copied(Object array, int length, int from, int to) {
        if (from > to) throw new IllegalArgumentException(from + " > " + to);
        return resized(array, from, to);
    }
    static <T> List<T> asList(T... values) { return new FixedList(values, true); }
    static void sort(Object[] a) { sort(a, null); }
    static <T> void sort(T[] a, Comparator<? super T> by) {
        Object[] all = a;
        merge(all, new Object[all.length], 0, all.length, by);
    }
    static void sort(Object[] a, int from, int to) {
        check(a.length, from, to);
        merge(a, new Object[a.length], from, to, null);
    }
    private static void merge(Object[] a, Object[] room, int from, int to, Comparator by) {
        if (to - from < 2) return;
        int middle = from + to >>> 1;
        merge(a, room, from, middle, by);
        merge(a, room, middle, to, by);
        int left = from;
        int right = middle;
        for (int k = from; k < to; k++) {
            boolean isLeft = right >= to;
            if (left < middle && right < to) {
                isLeft = (by != null ? by.compare(a[left], a[right])
                    : ((Comparable) a[left]).compareTo(a[right])) <= 0;
            }
            room[k] = isLeft ? a[left++] : a[right++];
        }
        System.arraycopy(room, from, a, from, to - from);
    }
    static String deepToString(Object[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(deep(a[k]));
        }
        return made.append("]").toString();
    }
    private static String deep(Object a) {
        if (a instanceof Object[]) return deepToString((Object[]) a);
        if (a instanceof int[]) return toString((int[]) a);
        if (a instanceof double[]) return toString((double[]) a);
        if (a instanceof char[]) return toString((char[]) a);
        if (a instanceof boolean[]) return toString((boolean[]) a);
        if (a instanceof long[]) return toString((long[]) a);
        return String.valueOf(a);
    }
    static boolean deepEquals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) {
            Object x = a[k];
            Object y = b[k];
            boolean same = Objects.equals(x, y);
            if (x instanceof Object[] && y instanceof Object[]) same = deepEquals((Object[]) x, (Object[]) y);
            if (x instanceof int[] && y instanceof int[]) same = equals((int[]) x, (int[]) y);
            if (x instanceof double[] && y instanceof double[]) same = equals((double[]) x, (double[]) y);
            if (x instanceof char[] && y instanceof char[]) same = equals((char[]) x, (char[]) y);
            if (!same) return false;
        }
        return true;
    }
    static <T> T[] copyOf(T[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (T[]) resized(a, 0, length);
    }
    static <T> T[] copyOfRange(T[] a, int from, int to) {
        return (T[]) copied(a, a.length, from, to);
    }
    static void setAll(int[] a, IntUnaryOperator make) {
        for (int k = 0; k < a.length; k++) a[k] = make.applyAsInt(k);
    }
    static String toString(int[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(int[] a, int value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(int[] a, int from, int to, int value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(int[] a, int[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(int[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static int[] copyOf(int[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (int[]) resized(a, 0, length);
    }
    static int[] copyOfRange(int[] a, int from, int to) {
        return (int[]) copied(a, a.length, from, to);
    }
    static void sort(int[] a) { sorted(a, 0, a.length); }
    static void sort(int[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(int[] a, int key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(long[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(long[] a, long value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(long[] a, int from, int to, long value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(long[] a, long[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(long[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Long.hashCode(a[k]);
        return hash;
    }
    static long[] copyOf(long[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (long[]) resized(a, 0, length);
    }
    static long[] copyOfRange(long[] a, int from, int to) {
        return (long[]) copied(a, a.length, from, to);
    }
    static void sort(long[] a) { sorted(a, 0, a.length); }
    static void sort(long[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(long[] a, long key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(double[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(double[] a, double value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(double[] a, int from, int to, double value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(double[] a, double[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (Double.compare(a[k], b[k]) != 0) return false;
        return true;
    }
    static int hashCode(double[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Double.hashCode(a[k]);
        return hash;
    }
    static double[] copyOf(double[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (double[]) resized(a, 0, length);
    }
    static double[] copyOfRange(double[] a, int from, int to) {
        return (double[]) copied(a, a.length, from, to);
    }
    static void sort(double[] a) { sorted(a, 0, a.length); }
    static void sort(double[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(double[] a, double key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(float[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(float[] a, float value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(float[] a, int from, int to, float value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(float[] a, float[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (Float.compare(a[k], b[k]) != 0) return false;
        return true;
    }
    static int hashCode(float[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Float.hashCode(a[k]);
        return hash;
    }
    static float[] copyOf(float[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (float[]) resized(a, 0, length);
    }
    static float[] copyOfRange(float[] a, int from, int to) {
        return (float[]) copied(a, a.length, from, to);
    }
    static void sort(float[] a) { sorted(a, 0, a.length); }
    static void sort(float[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(float[] a, float key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(char[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(char[] a, char value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(char[] a, int from, int to, char value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(char[] a, char[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(char[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static char[] copyOf(char[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (char[]) resized(a, 0, length);
    }
    static char[] copyOfRange(char[] a, int from, int to) {
        return (char[]) copied(a, a.length, from, to);
    }
    static void sort(char[] a) { sorted(a, 0, a.length); }
    static void sort(char[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(char[] a, char key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(byte[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(byte[] a, byte value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(byte[] a, int from, int to, byte value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(byte[] a, byte[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(byte[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static byte[] copyOf(byte[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (byte[]) resized(a, 0, length);
    }
    static byte[] copyOfRange(byte[] a, int from, int to) {
        return (byte[]) copied(a, a.length, from, to);
    }
    static void sort(byte[] a) { sorted(a, 0, a.length); }
    static void sort(byte[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(byte[] a, byte key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(short[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(short[] a, short value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(short[] a, int from, int to, short value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(short[] a, short[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(short[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + a[k];
        return hash;
    }
    static short[] copyOf(short[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (short[]) resized(a, 0, length);
    }
    static short[] copyOfRange(short[] a, int from, int to) {
        return (short[]) copied(a, a.length, from, to);
    }
    static void sort(short[] a) { sorted(a, 0, a.length); }
    static void sort(short[] a, int from, int to) {
        check(a.length, from, to);
        sorted(a, from, to);
    }
    static int binarySearch(short[] a, short key) {
        int low = 0;
        int high = a.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }
    static String toString(boolean[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(boolean[] a, boolean value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(boolean[] a, int from, int to, boolean value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(boolean[] a, boolean[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (a[k] != b[k]) return false;
        return true;
    }
    static int hashCode(boolean[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Boolean.hashCode(a[k]);
        return hash;
    }
    static boolean[] copyOf(boolean[] a, int length) {
        if (length < 0) throw new NegativeArraySizeException("" + length);
        return (boolean[]) resized(a, 0, length);
    }
    static boolean[] copyOfRange(boolean[] a, int from, int to) {
        return (boolean[]) copied(a, a.length, from, to);
    }
    static String toString(Object[] a) {
        if (a == null) return "null";
        StringBuilder made = new StringBuilder("[");
        for (int k = 0; k < a.length; k++) {
            if (k > 0) made.append(", ");
            made.append(a[k]);
        }
        return made.append("]").toString();
    }
    static void fill(Object[] a, Object value) { for (int k = 0; k < a.length; k++) a[k] = value; }
    static void fill(Object[] a, int from, int to, Object value) {
        check(a.length, from, to);
        for (int k = from; k < to; k++) a[k] = value;
    }
    static boolean equals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int k = 0; k < a.length; k++) if (!Objects.equals(a[k], b[k])) return false;
        return true;
    }
    static int hashCode(Object[] a) {
        if (a == null) return 0;
        int hash = 1;
        for (int k = 0; k < a.length; k++) hash = 31 * hash + Objects.hashCode(a[k]);
        return hash;
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

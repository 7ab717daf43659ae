// What Java's library does when a program is executed: `java.util`, lists.
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

// What Java's library does when a program is executed: `java.util`, queues.
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

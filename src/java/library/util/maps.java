// What Java's library does when a program is executed: `java.util`, maps.
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

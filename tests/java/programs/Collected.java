import java.util.*;
import java.util.function.*;
public class Collected {
  static class Node<T> { T data; Node<T> next; Node(T d){data=d;} }
  static class MyStack<T> implements Iterable<T> { private Node<T> head; private int n;
    void push(T x){ Node<T> a=new Node<>(x); a.next=head; head=a; n++; }
    T pop(){ if(head==null) throw new RuntimeException("empty"); T x=head.data; head=head.next; n--; return x; }
    boolean isEmpty(){return head==null;}
    public Iterator<T> iterator(){ return new Iterator<T>(){ Node<T> cur=head; public boolean hasNext(){return cur!=null;} public T next(){ T d=cur.data; cur=cur.next; return d; } }; } }
  static <T extends Comparable<T>> T max(List<T> l){ T b=l.get(0); for(T x:l) if(x.compareTo(b)>0) b=x; return b; }
  record Point(int x, double y) { Point { if (x<0) throw new IllegalArgumentException("neg"); } double len(){ return Math.sqrt(x*x+y*y);} }
  enum Op { ADD, MUL; int apply(int a,int b){ return switch(this){ case ADD -> a+b; case MUL -> a*b; }; } }
  interface Shape { double area(); default String d(){ return "area "+String.format("%.2f",area()); } }
  static class Circle implements Shape { double r; Circle(double r){this.r=r;} public double area(){return Math.PI*r*r;} }
  static class Sq implements Shape { double s; Sq(double s){this.s=s;} public double area(){return s*s;} public String toString(){return "Sq("+s+")";} }
  static class R implements AutoCloseable { String n; R(String n){this.n=n; System.out.println("open "+n);} public void close(){System.out.println("close "+n);} }
  static class Person implements Comparable<Person> { String name; int age; Person(String n,int a){name=n;age=a;} String getName(){return name;} int getAge(){return age;} public int compareTo(Person o){return Integer.compare(age,o.age);} 
    @Override public boolean equals(Object o){ if(this==o) return true; if(!(o instanceof Person)) return false; Person p=(Person)o; return name.equals(p.name)&&age==p.age; } @Override public int hashCode(){ return Objects.hash(name,age);} public String toString(){return name+"("+age+")";} }
  public static void main(String[] args){
    List<Integer> l=new ArrayList<>(); for(int i=0;i<5;i++) l.add(i*i%7); System.out.println(l+" "+max(l)); int s=0; for(int x:l) s+=x; System.out.println(s);
    l.remove(1); l.remove(Integer.valueOf(4)); System.out.println(l);
    Map<String,Integer> m=new HashMap<>(); for(String w:"the quick brown fox jumps over the lazy dog the end".split(" ")) m.put(w,m.getOrDefault(w,0)+1); System.out.println(m);
    for(Map.Entry<String,Integer> e:m.entrySet()) if(e.getValue()>1) System.out.println(e.getKey()+"="+e.getValue());
    m.merge("the",5,Integer::sum); m.computeIfAbsent("zzz",k->k.length()); System.out.println(m.get("the")+m.get("zzz"));
    MyStack<String> st=new MyStack<>(); st.push("a"); st.push("b"); for(String x:st) System.out.print(x+" "); System.out.println(st.pop().toUpperCase());
    Point p=new Point(3,4); System.out.println(p+" "+p.len()+" "+p.equals(new Point(3,4))+" "+p.hashCode()); try{ new Point(-1,0);}catch(IllegalArgumentException e){System.out.println(e.getMessage());}
    System.out.println(Op.ADD.apply(3,4)+" "+Op.valueOf("MUL").apply(3,4)+" "+Arrays.toString(Op.values()));
    List<Shape> sh=List.of(new Circle(1),new Sq(2)); for(Shape x:sh) System.out.println(x.d()); System.out.println(sh.get(1));
    try(R a=new R("a"); R b=new R("b")){ System.out.println("body"); throw new IllegalStateException("x"); } catch(IllegalStateException e){ System.out.println("caught "+e.getMessage()); } finally { System.out.println("fin"); }
    List<Person> ps=new ArrayList<>(Arrays.asList(new Person("Bob",30),new Person("Al",25),new Person("Cy",30))); Collections.sort(ps); System.out.println(ps);
    ps.sort((a,b)->b.name.compareTo(a.name)); System.out.println(ps); ps.sort(Comparator.comparing(Person::getAge).thenComparing(Person::getName)); System.out.println(ps);
    ps.sort(Comparator.comparingInt(q->-q.age)); System.out.println(ps);
    Object o=ps.get(0); if(o instanceof Person q && q.age>20) System.out.println(q.name); 
    String day="TUE"; int n=switch(day){ case "MON","TUE" -> 1; case "WED" -> { int t=5; yield t*2; } default -> 0; }; System.out.println(n);
    switch(day){ case "MON": System.out.println("m"); break; case "TUE": System.out.println("t"); default: System.out.println("d"); }
    Integer a=127,b=127,c=128,d=128; System.out.println((a==b)+" "+(c==d)+" "+c.equals(d)); Integer cnt=0; cnt++; cnt+=5; System.out.println(cnt);
    int[] arr={5,3,9,1}; Arrays.sort(arr); System.out.println(Arrays.toString(arr));
  }
}

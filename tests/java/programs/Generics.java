import java.util.*;
import java.util.function.*;
public class Generics {
  static int fact(int n){ if(n<0) throw new IllegalArgumentException("neg: "+n); return n<=1?1:n*fact(n-1); }
  static <K,V extends Comparable<V>> K best(Map<K,V> m){ K k=null; V v=null; for(Map.Entry<K,V> e:m.entrySet()) if(v==null||e.getValue().compareTo(v)>0){v=e.getValue();k=e.getKey();} return k; }
  class Inner { int v=base*2; int get(){ return v+base; } } int base=21;
  static int counter; static final int[] T={1,2,3}; static { counter=T.length*10; }
  interface Visitor<R> { R visit(Num n); R visit(Add a); }
  static abstract class Ex { abstract <R> R accept(Visitor<R> v); }
  static class Num extends Ex { int v; Num(int v){this.v=v;} <R> R accept(Visitor<R> x){return x.visit(this);} }
  static class Add extends Ex { Ex l,r; Add(Ex l,Ex r){this.l=l;this.r=r;} <R> R accept(Visitor<R> x){return x.visit(this);} }
  static class Eval implements Visitor<Integer> { public Integer visit(Num n){return n.v;} public Integer visit(Add a){return a.l.accept(this)+a.r.accept(this);} }
  static class Show implements Visitor<String> { public String visit(Num n){return ""+n.v;} public String visit(Add a){return "("+a.l.accept(this)+"+"+a.r.accept(this)+")";} }
  static class Bst<T extends Comparable<T>> { class N { T k; N l,r; N(T k){this.k=k;} } N root; int size; void add(T k){ root=add(root,k);} private N add(N n,T k){ if(n==null){size++; return new N(k);} int c=k.compareTo(n.k); if(c<0) n.l=add(n.l,k); else if(c>0) n.r=add(n.r,k); return n; } void in(Consumer<T> f){ in(root,f);} private void in(N n,Consumer<T> f){ if(n!=null){ in(n.l,f); f.accept(n.k); in(n.r,f);} } int h(){return h(root);} int h(N n){return n==null?0:1+Math.max(h(n.l),h(n.r));} }
  public static void main(String[] args){
    System.out.println(fact(10)+" "+fact(13)+" "+new Generics().new Inner().get()+" "+counter);
    Map<String,Double> m=new TreeMap<>(); m.put("x",1.5); m.put("a",2.5); m.put("k",0.5); System.out.println(best(m)+m);
    Ex e=new Add(new Num(3),new Add(new Num(4),new Num(5))); System.out.println(e.accept(new Show())+"="+e.accept(new Eval()));
    Bst<String> t=new Bst<>(); for(String s:"m c x a d z m".split(" ")) t.add(s); StringBuilder sb=new StringBuilder(); t.in(s->sb.append(s).append(' ')); System.out.println(sb.toString().trim()+" "+t.size+" "+t.h());
    Queue<int[]> q=new LinkedList<>(); q.add(new int[]{0,0}); boolean[][] seen=new boolean[4][4]; int steps=0; while(!q.isEmpty()){ int[] c=q.poll(); if(c[0]<0||c[1]<0||c[0]>3||c[1]>3||seen[c[0]][c[1]]) continue; seen[c[0]][c[1]]=true; steps++; q.add(new int[]{c[0]+1,c[1]}); q.offer(new int[]{c[0],c[1]+1}); } System.out.println(steps);
    PriorityQueue<Integer> pq=new PriorityQueue<>((a,b)->b-a); for(int x:new int[]{3,1,4,1,5,9,2,6}) pq.add(x); System.out.print(pq+" "); while(!pq.isEmpty()) System.out.print(pq.poll()+" "); System.out.println();
    Deque<Character> st=new ArrayDeque<>(); String in="{[()]}"; boolean ok=true; for(char c:in.toCharArray()){ if("{[(".indexOf(c)>=0) st.push(c); else { char o=st.pop(); ok&=(o=='('&&c==')')||(o=='['&&c==']')||(o=='{'&&c=='}'); } } System.out.println(ok&&st.isEmpty());
    List<List<Integer>> g=new ArrayList<>(); for(int i=0;i<4;i++) g.add(new ArrayList<>()); g.get(0).add(1); g.get(1).add(2); g.get(2).add(3); System.out.println(g); int[] dist=new int[4]; Arrays.fill(dist,Integer.MAX_VALUE); dist[0]=0; for(int u=0;u<4;u++) for(int v:g.get(u)) dist[v]=Math.min(dist[v],dist[u]+1); System.out.println(Arrays.toString(dist));
    Function<Integer,Function<Integer,Integer>> add=a->b->a+b; System.out.println(add.apply(3).apply(4)); BiFunction<Integer,Integer,Integer> mul=(a,b)->a*b; Supplier<List<String>> sup=ArrayList::new; List<String> ls=sup.get(); ls.add("q"); System.out.println(mul.apply(6,7)+ls.get(0)); Runnable r=()->System.out.println("run"); r.run(); Predicate<String> p=String::isEmpty; System.out.println(p.negate().test("x"));
    Iterator<Integer> it=new ArrayList<>(List.of(1,2,3,4)).iterator(); int z=0; while(it.hasNext()) z+=it.next(); System.out.println(z);
    try { List<Integer> cm=new ArrayList<>(List.of(1,2,3)); for(Integer x:cm) if(x==1) cm.remove(x); } catch(ConcurrentModificationException ex){ System.out.println("CME "+ex.getMessage()); }
    Set<String> hs=new HashSet<>(Arrays.asList("banana","apple","cherry","date","elder","fig","grape")); System.out.println(hs); System.out.println(hs.contains("fig")+" "+new TreeSet<>(hs).first());
    Map<Character,Integer> fr=new HashMap<>(); for(char c:"mississippi".toCharArray()) fr.merge(c,1,Integer::sum); System.out.println(fr); for(char c:fr.keySet()) System.out.print(c); System.out.println();
    Map<Integer,String> big=new HashMap<>(); for(int i=0;i<20;i++) big.put(i*37%101,"v"+i); System.out.println(big);
    int[][] mat={{1,2},{3,4}}; int[][] cp=mat.clone(); cp[0][0]=9; System.out.println(mat[0][0]+Arrays.deepToString(mat)); long L=Integer.MAX_VALUE; L++; System.out.println(L+" "+(int)L+" "+(byte)300+" "+(char)97+" "+(5/2.0)+" "+10%3.5+" "+(1.0f/3)+" "+1e-5+" "+100.0/3+" "+(float)0.1+" "+Long.MAX_VALUE+" "+Double.MAX_VALUE+" "+Math.round(2.5)+" "+Math.round(-2.5)+" "+Math.floorMod(-7,3)+" "+(-7>>1)+" "+(-7>>>28)+" "+('a'+1)+" "+(char)('a'+1));
    String s1="hi", s2="hi", s3=new String("hi"); System.out.println((s1==s2)+" "+(s1==s3)+" "+s1.equals(s3)+" "+(s1==s3.intern())+" "+"Hello".hashCode());
    System.out.printf("%5d|%-8s|%08.3f|%x|%c|%b|%,d%n",42,"ab",3.14159,255,'z',true,1234567); System.out.println(String.format("%3$s %1$s %2$s","a","b","c"));
    Object[] os={1,"a",2.5,'c',null,true,new int[0].length}; for(Object o:os){ String d= o instanceof Integer ? "I" : o instanceof String ? "S" : o instanceof Double ? "D" : String.valueOf(o); System.out.print(d+" "); } System.out.println();
    int x=5; x+=x++ + ++x; System.out.println(x); int i=0; int[] a=new int[3]; a[i++]=i; a[i]=i++; System.out.println(Arrays.toString(a)+i); String n=null; System.out.println("n="+n); n+="x"; System.out.println(n); char ch='a'; ch+=1; ch++; System.out.println(ch); short sh=(short)40000; System.out.println(sh); final var list=new ArrayList<Integer>(); list.add(3); var y=list.get(0)*2; System.out.println(y);
    StringBuilder sb2=new StringBuilder("abc"); sb2.insert(0,1.5).append('x').append(true).deleteCharAt(0).setCharAt(0,'_'); System.out.println(sb2+" "+sb2.length()+" "+sb2.indexOf("b")); do { x-=7; } while(x>0); System.out.println(x); System.out.println(Optional.of(3).get()+" "+Optional.empty());
    Object o=null; try { o.toString(); } catch(NullPointerException ex){ System.out.println("NPE"); } try { Object q2="s"; Integer bad=(Integer)q2; } catch(ClassCastException ex){ System.out.println(ex.getMessage()); } try { throw new Exception("a",new RuntimeException("b")); } catch(Exception ex){ System.out.println(ex.getCause().getMessage()+ex); }
    int[] big2=new int[3]; big2[5]=1;
  }
}

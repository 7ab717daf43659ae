import java.util.*;
import java.io.*;
public class Accounts {
  static int depth=0; static void rec(){ depth++; rec(); }
  static class Account { private double bal; private final String id; static int count; Account(String id,double b){this.id=id;bal=b;count++;} void withdraw(double x) throws InsufficientFunds { if(x>bal) throw new InsufficientFunds("need "+(x-bal)); bal-=x; } double getBal(){return bal;} }
  static class InsufficientFunds extends Exception { InsufficientFunds(String m){super(m);} }
  abstract static class Animal { String name; Animal(String n){name=n;init();} void init(){System.out.println("Animal init "+name);} abstract String sound(); public String toString(){return getClass().getSimpleName()+":"+name+" says "+sound();} }
  static class Dog extends Animal { int x=5; Dog(String n){super(n);} void init(){System.out.println("Dog init "+x);} String sound(){return "Woof";} }
  static long gcd(long a,long b){return b==0?a:gcd(b,a%b);}
  static int sum(int... v){int s=0; for(int x:v)s+=x; return s;}
  static void swap(int[] a,int i,int j){int t=a[i];a[i]=a[j];a[j]=t;}
  static int partition(int[] a,int lo,int hi){int p=a[hi],i=lo;for(int j=lo;j<hi;j++)if(a[j]<p)swap(a,i++,j);swap(a,i,hi);return i;}
  static void qs(int[] a,int lo,int hi){if(lo<hi){int p=partition(a,lo,hi);qs(a,lo,p-1);qs(a,p+1,hi);}}
  public static void main(String[] args) throws IOException {
    BufferedReader br=new BufferedReader(new InputStreamReader(System.in)); String line; int tot=0; while((line=br.readLine())!=null && !line.isEmpty()){ StringTokenizer st=new StringTokenizer(line); while(st.hasMoreTokens()) tot+=Integer.parseInt(st.nextToken()); } System.out.println(tot);
    try { rec(); } catch(StackOverflowError e){ System.out.println("SO "+(depth>1000)); }
    Account a=new Account("x",100); try{a.withdraw(30);a.withdraw(100);}catch(InsufficientFunds e){System.out.println(e.getMessage()+" "+e);} System.out.println(Account.count+" "+a.getBal());
    System.out.println(new Dog("Rex")); System.out.println(gcd(1071,462)+" "+sum()+" "+sum(1,2,3));
    int[] arr={9,4,7,1,8,2}; qs(arr,0,arr.length-1); System.out.println(Arrays.toString(arr));
    outer: for(int i=0;i<5;i++){ for(int j=0;j<5;j++){ if(j==3) continue outer; if(i==2) break outer; System.out.print(i*j+" "); } } System.out.println();
    char[][] g=new char[3][]; for(int i=0;i<3;i++){ g[i]=new char[i+1]; Arrays.fill(g[i],(char)('a'+i)); System.out.println(new String(g[i])); }
    String s="racecar"; StringBuilder sb=new StringBuilder(s); System.out.println(sb.reverse().toString().equals(s)?"pal":"no"); System.out.println(s.replace('a','x')+s.indexOf('c')+s.lastIndexOf("c")+s.contains("ece")+s.charAt(0)+s.compareTo("racer")+" "+"  hi ".trim()+"|"+"a,b,,c,,".split(",").length+" "+String.join("-","a","b")+" "+"ab".repeat(3));
  }
}

import java.util.Scanner;
public class Mixed {
  static int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
  enum Color { RED, GREEN; int x = 3; }
  static class P { int a; P(int a){this.a=a;} public String toString(){ return "P"+a; } }
  static int f() { try { return 1; } finally { System.out.println("fin"); } }
  static int g(int k) { while(true) { try { if (k>3) break; k++; continue; } finally { k+=10; System.out.println("g"+k);} } return k; }
  public static void main(String[] args) {
    int x = 5; long y = 1L<<40; double d = 1.0/3; float ff = 0.1f; char c='x'; byte b=(byte)200;
    System.out.println("x="+x+" y="+y+" d="+d+" "+ff+c+b+true+null);
    System.out.println(fib(20));
    System.out.println(new P(3)+" "+Color.GREEN+" "+Color.GREEN.x);
    System.out.println(f()+" "+g(0));
    int[] arr={3,1,2}; try { arr[3]=1; } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()+" "+e); }
    try { System.out.println(1/(x-5)); } catch (ArithmeticException e) { System.out.println(e); } finally { System.out.println("done"); }
    System.out.println((int)3.99e10 + " " + (char)(c+1) + (c+1) + " " + 7%-3 + " " + -7/2 + " " + 5.5%2);
    StringBuilder sb = new StringBuilder(); for (int i=0;i<5;i++) sb.append(i).append(','); sb.setLength(sb.length()-1); System.out.println(sb.reverse());
    String s="Hello"; s+=1; s+='c'; System.out.println(s.toUpperCase()+s.substring(1,3)+s.indexOf("l")+s.length()+s.equals("Hello1c")+ (s=="Hello1c"));
    Scanner in = new Scanner(System.in); int n=in.nextInt(); int sum=0; while(in.hasNextInt()) sum+=in.nextInt(); System.out.println(n+" "+sum);
    int[][] m=new int[3][4]; m[1][2]=5; m[1][2]+=2; m[1][2]++; System.out.println(m[1][2]+" "+m.length+" "+m[0].length);
    Object o = s; System.out.println(o instanceof String); String t=(String)o; System.out.println(t.charAt(0));
    switch(x){case 5: System.out.println("five"); case 6: System.out.println("six"); break; default: System.out.println("no");}
    throw new IllegalStateException("bad "+x);
  }
}

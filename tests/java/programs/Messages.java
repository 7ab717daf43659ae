public class Messages { public static void main(String[] a){ 
 try { "abc".charAt(5);} catch(Exception e){System.out.println(e.getMessage());}
 try { "abc".substring(5);} catch(Exception e){System.out.println(e.getMessage());}
 try { "abc".substring(2,1);} catch(Exception e){System.out.println(e.getMessage());}
 try { "abc".substring(-1);} catch(Exception e){System.out.println(e.getMessage());}
 try { Integer.parseInt("");} catch(Exception e){System.out.println(e.getMessage());}
 try { Integer.parseInt(null);} catch(Exception e){System.out.println(e.getMessage());}
 try { Integer.parseInt("99999999999");} catch(Exception e){System.out.println(e.getMessage());}
 try { Double.parseDouble("x");} catch(Exception e){System.out.println(e.getMessage());}
 try { Double.parseDouble("");} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").charAt(5);} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").deleteCharAt(5);} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").insert(5,"x");} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").setCharAt(5,'x');} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").setLength(-1);} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").delete(2,1);} catch(Exception e){System.out.println(e.getMessage());}
 try { new StringBuilder("abc").replace(5,6,"");} catch(Exception e){System.out.println(e.getMessage());}
 try { Object o = 1; String s = (String) o;} catch(Exception e){System.out.println(e.getMessage());}
 try { Object o = new Messages(); String s = (String) o;} catch(Exception e){System.out.println(e.getMessage());}
 try { Object o = new int[1]; String s = (String) o;} catch(Exception e){System.out.println(e.getMessage());}
 try { Object[] o = new Integer[1]; o[0]="";} catch(Exception e){System.out.println(e.getMessage());}
 try { int[] o = new int[-1]; } catch(Exception e){System.out.println(e.getMessage());}
 try { new java.util.ArrayList<Integer>().get(0); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayList<Integer>().remove(0); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayList<Integer>().add(3,1); } catch(Exception e){System.out.println(e);}
 try { new java.util.LinkedList<Integer>().get(0); } catch(Exception e){System.out.println(e);}
 try { new java.util.LinkedList<Integer>().getFirst(); } catch(Exception e){System.out.println(e);}
 try { new java.util.LinkedList<Integer>().remove(); } catch(Exception e){System.out.println(e);}
 try { new java.util.LinkedList<Integer>().pop(); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayDeque<Integer>().pop(); } catch(Exception e){System.out.println(e);}
 try { new java.util.Stack<Integer>().pop(); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayDeque<Integer>().add(null); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayList<Integer>().iterator().next(); } catch(Exception e){System.out.println(e);}
 try { java.util.List.of(1).add(2); } catch(Exception e){System.out.println(e);}
 try { new java.util.ArrayList<Integer>(-1); } catch(Exception e){System.out.println(e);}
 try { "ab".repeat(-1); } catch(Exception e){System.out.println(e);}
 try { new java.util.Scanner("x").nextInt(); } catch(Exception e){System.out.println(e);}
 try { new java.util.Scanner("").nextInt(); } catch(Exception e){System.out.println(e);}
 try { new java.util.Scanner("").nextLine(); } catch(Exception e){System.out.println(e);}
 try { new java.util.Scanner("99999999999").nextInt(); } catch(Exception e){System.out.println(e);}
 try { String.format("%d", "x"); } catch(Exception e){System.out.println(e);}
 try { String.format("%d"); } catch(Exception e){System.out.println(e);}
 try { String.format("%.2f", 1); } catch(Exception e){System.out.println(e);}
 try { String.format("%q", 1); } catch(Exception e){System.out.println(e);}
 try { java.util.Optional.empty().get(); } catch(Exception e){System.out.println(e);}
 try { Math.addExact(2147483647,1); } catch(Exception e){System.out.println(e);}
 try { java.util.Objects.requireNonNull(null,"msg"); } catch(Exception e){System.out.println(e);}
 
 try { Integer.valueOf("1x"); } catch(Exception e){System.out.println(e);}
 try { Integer.parseInt("12", 99); } catch(Exception e){System.out.println(e);}
 try { Long.parseLong("1L"); } catch(Exception e){System.out.println(e);}
 System.out.println(String.format("[%5d|%-5d|%05d|%,d|%+d|%x|%X|%o|%c|%b|%s|%10s|%-10s|%.3s|%e|%.0f|%8.2f|%%|%n]", 42,42,42,1234567,5,255,255,8,'c',true,"s","r","l","abcdef",12345.678,2.5,3.14159));
 System.out.println((float)1e10+" "+1e7+" "+1.0E-3+" "+9.999e-4+" "+100.0f+" "+1e21+" "+Double.MIN_VALUE+" "+Float.MAX_VALUE+" "+0.1f+" "+(0.1+0.2)+" "+2e-44);
}}

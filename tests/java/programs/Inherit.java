import java.io.*;
import java.util.*;
import java.util.function.*;

public class Inherit {
    public static void main(String[] args) {
        Shape[] list = {new Circle(2), new Square(3), new Named(4)}; double sum = 0; for (Shape s : list) { System.out.println(s + " " + s.area() + " " + (s instanceof Square) + " " + s.kind()); sum += s.area(); } System.out.printf("%.3f%n", sum); Square q = (Square) list[2]; System.out.println(q.side + " " + q.kind() + " " + ((Shape) q).name + " " + Shape.stat() + " " + q.getClass().getSimpleName()); Object o = list[0]; try { Square bad = (Square) o; } catch (ClassCastException e) { System.out.println("no cast"); } System.out.println(over(1) + over(1L) + over('c') + over(1.0f) + over("s") + over((Object) "s") + over(Integer.valueOf(3)) + over(new int[0]) + over(1, 2) + over()); System.out.println(new Object() { int k = 5; int twice() { return k * 2; } }.twice()); Comparable<String> cmp = "b"; System.out.println(cmp.compareTo("a"));
    }
    static String over(int a) { return "int "; } static String over(long a) { return "long "; } static String over(double a) { return "double "; } static String over(Object a) { return "Object "; } static String over(String a) { return "String "; } static String over(int... a) { return "varargs" + a.length + " "; }
    static abstract class Shape { String name = "shape"; abstract double area(); String kind() { return "shape of " + name; } static String stat() { return "static"; } public String toString() { return "<" + kind() + ">"; } }
    static class Circle extends Shape { double r; Circle(double r) { this.r = r; name = "circle"; } double area() { return Math.PI * r * r; } }
    static class Square extends Shape { double side; String name = "hidden"; Square(double s) { side = s; } double area() { return side * side; } String kind() { return "square " + super.kind() + name; } }
    static class Named extends Square { Named(int s) { super(s); } double area() { return super.area() + 1; } void u() {} }
    static void unused() {
    }
}

/*! test a square
square 2
---
4.000
*/
/*! test both
square 2 disc 1
---
7.142
*/
import java.util.Scanner;

public class Shapes {
    static class Shape {
        double area() {
            return 0;
        }
    }

    static class Square extends Shape {
        final double side;

        Square(double side) {
            this.side = side;
        }

        double area() {
            return side * side;
        }
    }

    static class Disc extends Shape {
        final double radius;

        Disc(double radius) {
            this.radius = radius;
        }

        double area(double scale) {
            return Math.PI * radius * radius * scale;
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        double sum = 0;
        while (in.hasNext()) {
            String kind = in.next();
            double size = in.nextDouble();
            Shape shape = kind.equals("square") ? new Square(size) : new Disc(size);
            sum += shape.area();
        }
        System.out.printf("%.3f%n", sum);
    }
}

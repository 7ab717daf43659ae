/*! test a first grade of zero
0 10 20
---
best 20
average 10.00
*/
/*! test three grades
90 80 70
---
best 90
average 80.00
*/
import java.util.ArrayList;
import java.util.Scanner;

public class GradeBook {
    private final ArrayList<Integer> grades = new ArrayList<>();

    void add(int grade) {
        grades.add(grade);
    }

    double average() {
        int sum = 0;
        for (int i = 1; i < grades.size(); i++) {
            sum += grades.get(i);
        }
        return (double) sum / grades.size();
    }

    int best() {
        int best = grades.get(0);
        for (int grade : grades) {
            if (grade > best) {
                best = grade;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        GradeBook book = new GradeBook();
        while (in.hasNextInt()) {
            book.add(in.nextInt());
        }
        System.out.println("best " + book.best());
        System.out.printf("average %.2f%n", book.average());
    }
}

/*! test nothing
0
---
*/
/*! test two values
2 5 6
---
6
5
*/
import java.util.Scanner;

public class LinkedStack {
    private static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private Node top;
    private int size;

    void push(int value) {
        top = new Node(value, top);
        size++;
    }

    int pop() {
        int value = top.value;
        top = top.next;
        return value;
    }

    boolean isEmpty() {
        return size == 0;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        LinkedStack stack = new LinkedStack();
        int n = in.nextInt();
        for (int i = 0; i < n; i++) {
            stack.push(in.nextInt());
        }
        for (int i = 0; i < n / 2; i++) {
            System.out.println(stack.pop());
        }
        while (!stack.isEmpty()) {
            System.out.println(stack.pop());
        }
    }
}

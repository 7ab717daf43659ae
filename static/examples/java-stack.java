import java.util.Random;

class Node {
    int value;
    Node next;

    Node(int value, Node next) {
        this.value = value;
        this.next = next;
    }
}

public class Stack {
    static Node top;

    static void push(int value) {
        top = new Node(value, top);
    }

    static int pop() {
        int value = top.value;
        top = top.next;
        return value;
    }

    public static void main(String[] args) {
        push(1);
        push(2);
        if (new Random().nextBoolean())
            pop();
        pop();
        pop();
    }
}

import java.util.Random;

class Account {
    int balance = 100;

    void withdraw(int amount) {
        if (amount <= balance)
            balance -= amount;
    }
}

class Premium extends Account {
    @Override
    void withdraw(int amount) {
        balance -= amount;
    }
}

public class Bank {
    public static void main(String[] args) {
        Random random = new Random();
        Account account = random.nextBoolean() ? new Premium() : new Account();
        int amount = random.nextInt(200);
        account.withdraw(amount);
        assert account.balance >= 0;
    }
}

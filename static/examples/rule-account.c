//! rule = mutex
struct mutex;
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
int input(void);

struct mutex from, to;
int balance = 100;

int withdraw(struct mutex *account, int amount) {
  mutex_lock(account);
  if (amount > balance)
    return -1;
  balance = balance - amount;
  mutex_unlock(account);
  return 0;
}

void deposit(struct mutex *account) {
  mutex_lock(account);
  mutex_unlock(account);
}

int main(void) {
  int amount = input();
  if (amount < 0 || amount > 200)
    return 1;
  if (withdraw(&from, amount) != 0)
    return 1;
  deposit(&to);
  return 0;
}

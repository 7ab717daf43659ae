/*! rule "acquire and release in turn"
  start released
  released: AcquireLock() -> acquired
  released: ReleaseLock() -> error "released although it is not held"
  acquired: AcquireLock() -> error "acquired twice"
  acquired: ReleaseLock() -> released
  acquired: at exit       -> error "never released"
*/
void AcquireLock(void);
void ReleaseLock(void);
void other(void);
int input(void);

void main(void) {
  AcquireLock();
  if (input())
    ReleaseLock();
  else
    other();
  AcquireLock();
  if (input())
    ReleaseLock();
  else
    other();
}

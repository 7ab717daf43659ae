struct S { struct S *next; } a, b;
int nondet(void);
int f(struct S *p) { return p->next == &b & p->next - &a; }
int main(void) { return (nondet() & 1) + (nondet() ?: 3); }

struct s0 { struct s0 *next; }; struct s0 a; struct s0 b;
int nondet(void);
int f(struct s0 *p) { return p->next == &b & p->next - &a; }
int main(void) { return (nondet() & 1) + (nondet() ?: 3); }

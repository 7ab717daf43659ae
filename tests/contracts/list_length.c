// wrong: contract
struct node {
  int value;
  struct node *next;
};
/*@ ensures \result >= 0;
  @ ensures \result == 0 <==> list == \null;
  @*/
int list_length(struct node *list) {
#ifdef WRONG
  int n = 1;
#else
  int n = 0;
#endif
  while (list) {
    n++;
    list = list->next;
  }
  return n;
}

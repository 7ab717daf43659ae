// wrong: contract
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
/*@ ensures \valid(\result) && \result->value == x;
  @ ensures list != \null <==> \result->next != \null;
  @*/
struct node *list_push(struct node *list, int x) {
  struct node *first = malloc(sizeof(struct node));
  first->value = x;
#ifdef WRONG
  first->next = 0;
#else
  first->next = list;
#endif
  return first;
}

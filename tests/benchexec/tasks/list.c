// The second element is read after it was freed.
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *first = malloc(sizeof(struct node));
  if (!first) { return 0; }
  first->next = malloc(sizeof(struct node));
  if (!first->next) { free(first); return 0; }
  first->next->value = 1;
  free(first->next);
  int value = first->next->value;
  free(first);
  return value;
}

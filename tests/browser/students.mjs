// Twenty programs as students hand them in, each with one typical mistake. What a teacher would say
// of each is in `cases/students.mjs`.

export const index = `#include <stdio.h>

int main(void) {
  int marks[5] = {3, 1, 4, 1, 5};
  int which;
  printf("Which one? ");
  scanf("%d", &which);
  printf("%d\\n", marks[which]);
  return 0;
}
`;

export const freed = `#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof(int));
  if (p == NULL)
    return 1;
  *p = 7;
  free(p);
  printf("%d\\n", *p);
  return 0;
}
`;

export const nullPointer = `#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int second(struct node *list) {
  return list->next->value;
}

int main(void) {
  struct node last;
  last.value = 3;
  last.next = NULL;
  return second(&last);
}
`;

export const offByOne = `#include <stdio.h>
#define N 10

int main(void) {
  int a[N];
  for (int i = 0; i <= N; i++)
    a[i] = i * i;
  printf("%d\\n", a[N - 1]);
  return 0;
}
`;

export const maximum = `#include <stdio.h>

int main(void) {
  int a[4] = {7, 2, 9, 4};
  int max;
  for (int i = 0; i < 4; i++)
    if (a[i] > max)
      max = a[i];
  printf("%d\\n", max);
  return 0;
}
`;

export const noReturn = `#include <stdio.h>

int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
}

int main(void) {
  int x;
  scanf("%d", &x);
  printf("%d\\n", sign(x));
  return 0;
}
`;

export const overflow = `#include <stdio.h>
#include <string.h>

int main(void) {
  int x = 2147483647;
  int n = strlen("ab");
  x = x + 1;
  printf("%d %d\\n", x, n);
  return 0;
}
`;

export const copies = `#include <string.h>

int main(void) {
  char a[6], b[4];
  strcpy(a, "hello");
  strcpy(b, "world");
  return 0;
}
`;

export const endless = `#include <stdio.h>

int main(void) {
  int i = 0;
  while (i < 10) {
    printf("%d\\n", i);
  }
  return 0;
}
`;

export const unfreed = `#include <stdlib.h>

int main(void) {
  int *a = malloc(4 * sizeof(int));
  if (a == NULL)
    return 1;
  a[0] = 1;
  return 0;
}
`;

export const counter = `#include <pthread.h>
#include <stdio.h>

int counter = 0;

void *work(void *nothing) {
  counter++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\\n", counter);
  return 0;
}
`;

export const assigned = `#include <stdio.h>

int main(void) {
  int x = 3;
  if (x = 5)
    printf("five\\n");
  else
    printf("other\\n");
  return 0;
}
`;

export const misspelt = `#include <stdio.h>

int main(void) {
  prinft("hello\\n");
  return 0;
}
`;

export const fibonacci = `#include <stdio.h>

int fib(int n) {
  if (n == 0 || n == 1)
    return n;
  return fib(n - 1) + fib(n - 2);
}

int main(void) {
  int n;
  scanf("%d", &n);
  printf("%d\\n", fib(n));
  return 0;
}
`;

export const factorial = `#include <stdio.h>

int f(int n) {
  return n * f(n - 1);
}

int main(void) {
  printf("%d\\n", f(5));
  return 0;
}
`;

export const alone = `int sum(int a[], int n) {
  int s = 0;
  for (int i = 0; i <= n; i++)
    s = s + a[i];
  return s;
}
`;

export const procedures = `int larger(int a, int b) {
  return a > b ? a : b;
}

int half(int total, int people) {
  return total / people;
}
`;

export const words = `#include <stdio.h>

int main(void) {
  int c, n = 0;
  char word[8];
  while ((c = getchar()) != EOF) {
    if (c == ' ')
      n = 0;
    else
      word[n++] = c;
  }
  return 0;
}
`;

export const gcd = `#include <stdio.h>

int gcd(int a, int b) {
  while (a != b) {
    if (a > b)
      a = a % b;
    else
      b = b % a;
  }
  return a;
}

int main(void) {
  int a, b;
  scanf("%d %d", &a, &b);
  if (a > 0 && b > 0)
    printf("%d\\n", gcd(a, b));
  return 0;
}
`;

export const board = `#include <stdio.h>

char board[3][3];

int main(void) {
  int row, column;
  scanf("%d %d", &row, &column);
  if (row <= 3 && column <= 3)
    board[row - 1][column - 1] = 'x';
  return 0;
}
`;

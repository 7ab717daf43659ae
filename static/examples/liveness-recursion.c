//! terminates
// How many nodes has the list? The last one points back into it.
int next[4] = {1, 2, 3, 1};

int length(int node) {
  if (node < 0) {
    return 0;
  }
  return 1 + length(next[node]);
}

int main(void) {
  return length(0);
}

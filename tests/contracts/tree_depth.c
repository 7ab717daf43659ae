// wrong: contract
struct tree {
  int key;
  struct tree *left, *right;
};
/*@ ensures 0 <= \result <= 3;
  @ ensures tree != \null ==> \result >= 1;
  @*/
int tree_depth(struct tree *tree) {
  if (!tree) return 0;
  int left = tree_depth(tree->left);
  int right = tree_depth(tree->right);
#ifdef WRONG
  return left > right ? left : right;
#else
  return (left > right ? left : right) + 1;
#endif
}

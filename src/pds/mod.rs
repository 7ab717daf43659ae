//! Weighted pushdown systems: rules, automata, pre\*, post\*.

//! Counterexample DAGs and their interpolants: the thesis's figures, and random DAGs against
//! explicit stores.
mod explicit;
mod figures;
mod picture;
mod random_dags;
mod refused;
mod traces;
mod unroll;

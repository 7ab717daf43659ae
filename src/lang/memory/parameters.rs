//! Parameters that are memory of bytes (structs with unions in them): the caller copies the value
//! to where the parameter stands. A procedure with such a parameter is not in use twice at once.

use super::assignments::is_place;
use super::expressions::has_effects;
use super::layout::Life;
use super::lowerer::{Lowered, Lowerer, refuse};
use super::types::Type;
use crate::lang::syntax::{Expr, Function};

impl Lowerer<'_> {
    /// Makes objects of such parameters.
    pub(super) fn parameters_of_bytes(
        &mut self,
        function: &Function,
        types: &[Type],
    ) -> Lowered<()> {
        for (position, (parameter, ty)) in function.parameters.iter().zip(types).enumerate() {
            let (Some(name), Type::Struct(_)) = (&parameter.name, ty) else { continue };
            if !self.has_union(ty, 0) {
                continue;
            }
            let owner = std::mem::replace(&mut self.owner, function.name.text.clone());
            let variable = self.variable(ty, Life::Block, name.span, false, false);
            self.regions.flatten(variable.region);
            let addressed = self.address_variable(&name.text, &variable);
            self.owner = owner;
            addressed?;
            self.by_bytes.insert((function.name.text.clone(), position), variable);
        }
        Ok(())
    }

    /// Copies an argument to where such a parameter stands; `None` for other parameters.
    pub(super) fn copied_argument(
        &mut self,
        procedure: &str,
        position: usize,
        arguments: &[Expr],
    ) -> Lowered<Option<Expr>> {
        let key = (procedure.to_string(), position);
        let Some(variable) = self.by_bytes.get(&key).cloned() else { return Ok(None) };
        let argument = &arguments[position];
        let Type::Struct(id) = variable.ty else { return Ok(None) };
        if !is_place(argument) || arguments.iter().any(has_effects) {
            return refuse(argument.span, "this argument, which is a struct with a union");
        }
        let to = self.variable_place(procedure, &variable, argument.span);
        self.copied(&to, id, argument, argument.span).map(Some)
    }
}

//! Names and scopes.

use super::address::Address;
use crate::lang::model::{Program, Scope, ScopeId, VariableId, root_name};
use crate::lang::syntax::Handle;
use rustc_hash::FxHashMap;

/// Most variables in all scopes together.
const MOST_SCOPE_ENTRIES: usize = 8_000_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Variable {
        id: VariableId,
        /// Declared `const`.
        constant: bool,
        /// The value, for a `const` whose initialiser is constant.
        value: Option<i128>,
    },
    /// A member of an enumeration.
    Constant(i128),
    /// A struct of C, by its index.
    Aggregate(u32),
    /// A pointer of C that always holds this address.
    Pointer(Address),
    /// A thread or another type of the POSIX threads.
    Handle(Handle),
    /// Its declaration was reported; its uses are not.
    Poisoned,
}

/// Nested scopes, innermost last.
#[derive(Debug, Default)]
pub(super) struct Names {
    globals: FxHashMap<String, Entity>,
    blocks: Vec<Opened>,
    visible: Vec<VariableId>,
    /// Number of names in the open blocks that are no variables: pointers, constants, handles.
    veils: usize,
    /// The current list as a scope of the program, if one was made since it last changed.
    scope: Option<ScopeId>,
    /// Number of variables in all scopes that were made.
    entries: usize,
    /// The scope that lists the globals only.
    global_scope: Option<ScopeId>,
}

#[derive(Debug)]
struct Opened {
    names: FxHashMap<String, Entity>,
    visible: usize,
    veils: usize,
    scope: Option<ScopeId>,
}

impl Names {
    pub(super) fn open(&mut self) {
        self.blocks.push(Opened {
            names: FxHashMap::default(),
            visible: self.visible.len(),
            veils: self.veils,
            scope: self.scope,
        });
    }

    pub(super) fn close(&mut self) {
        if let Some(opened) = self.blocks.pop()
            && (self.visible.len(), self.veils) != (opened.visible, opened.veils)
        {
            self.visible.truncate(opened.visible);
            self.veils = opened.veils;
            self.scope = opened.scope;
        }
    }

    /// Binds a name in the innermost scope. Returns what the name meant *there* before.
    pub(super) fn bind(&mut self, name: &str, entity: Entity) -> Option<Entity> {
        let old = match self.blocks.last_mut() {
            Some(block) => block.names.insert(name.to_string(), entity),
            None => self.globals.insert(name.to_string(), entity),
        };
        match entity {
            Entity::Variable { id, .. } => {
                self.visible.push(id);
                self.scope = None;
            }
            Entity::Aggregate(_) => {}
            _ if self.blocks.is_empty() => {}
            _ => {
                self.veils += 1;
                self.scope = None;
            }
        }
        old
    }

    /// Makes variables without a name of their own (the parts of a struct) visible.
    pub(super) fn show(&mut self, variables: &[VariableId]) {
        self.visible.extend_from_slice(variables);
        self.scope = None;
    }

    /// What a name means outside all procedures.
    pub(super) fn find_global(&self, name: &str) -> Option<Entity> {
        self.globals.get(name).copied()
    }

    pub(super) fn in_block(&self) -> bool {
        !self.blocks.is_empty()
    }

    pub(super) fn find(&self, name: &str) -> Option<Entity> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.names.get(name))
            .or_else(|| self.globals.get(name))
            .copied()
    }

    /// The variables that can be seen, as a scope of the program.
    pub(super) fn scope(&mut self, program: &mut Program) -> ScopeId {
        if let Some(scope) = self.scope {
            return scope;
        }
        let first = self.blocks.first();
        let only_globals = self.veils == 0 && first.is_none_or(|b| b.visible == self.visible.len());
        if let Some(scope) = self.global_scope.filter(|_| only_globals) {
            self.scope = Some(scope);
            return scope;
        }
        if self.is_full() && !program.scopes.is_empty() {
            return ScopeId(0);
        }
        self.entries += self.visible.len();
        let scope = ScopeId(program.scopes.len() as u32);
        let mut variables = self.visible.clone();
        if self.veils > 0 {
            variables.retain(|id| !self.is_veiled(&program.variable(*id).name));
        }
        program.scopes.push(Scope { variables });
        self.scope = Some(scope);
        if only_globals {
            self.global_scope = Some(scope);
        }
        scope
    }

    /// Does the name of this variable mean a pointer, a constant or a handle here?
    fn is_veiled(&self, name: &str) -> bool {
        !matches!(
            self.find(root_name(name)),
            None | Some(Entity::Variable { .. } | Entity::Aggregate(_))
        )
    }

    /// Do the scopes take more room than a program that can be analysed needs?
    pub(super) fn is_full(&self) -> bool {
        self.entries > MOST_SCOPE_ENTRIES
    }

    /// All names in scope, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.blocks
            .iter()
            .flat_map(|b| b.names.keys())
            .chain(self.globals.keys())
            .map(String::as_str)
    }
}

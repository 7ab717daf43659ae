//! C's pointers, as far as each holds one address that is known before the program runs.
//!
//! A pointer parameter represents the variable whose address a call passes: the procedure is
//! lowered once for each tuple of addresses that it is called with, so that `*p` is that variable
//! itself, aliases and all. A local whose address is taken becomes a variable of the whole run
//! (other procedures can name it then), which is exact because its procedure is not recursive and
//! runs in one thread only; otherwise it is refused.

use super::Elaborator;
use super::names::Entity;
use super::paths::Path;
use super::threads::Creation;
use crate::lang::model::{Scalar, Span, VariableId};
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, File, Function, Initializer, Item, Statement,
    StatementKind, StructId, TypeName,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most copies of procedures for different addresses.
pub(super) const MOST_COPIES: usize = 256;

/// What a pointer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Address {
    Null,
    /// Of a scalar, or of an array's first element.
    Variable(VariableId),
    /// Of a struct, or of the first of an array of structs.
    Aggregate(u32),
    /// Of a string: not null, and never looked through.
    Text,
    /// Not known: refused where it matters.
    Unknown,
}

/// What the procedures do with names, before any is lowered.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// By procedure: the names whose address is taken, or that may be passed as arrays.
    pub(super) addressed: FxHashMap<String, FxHashSet<String>>,
    /// Names that are assigned as a whole, anywhere.
    pub(super) assigned: FxHashSet<String>,
    /// Procedures that may be on the stack twice.
    pub(super) recursive: FxHashSet<String>,
    /// By procedure: those that it calls.
    pub(super) calls: FxHashMap<String, FxHashSet<String>>,
    /// Procedures that threads start in, as far as their names can be seen.
    pub(super) thread_entries: FxHashSet<String>,
    /// Every place where a thread is created.
    pub(super) creations: Vec<Creation>,
    /// By procedure that is called: by whom, and whether in a loop.
    pub(super) callers: FxHashMap<String, Vec<(String, bool)>>,
}

impl Survey {
    /// Looks at every procedure once, and at who calls whom.
    pub(super) fn of(file: &File) -> Survey {
        let mut survey = Survey::default();
        let pointed: FxHashMap<&str, &Function> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(f) | Item::Thread(f) => Some((f.name.text.as_str(), f)),
                Item::Declaration(_) => None,
            })
            .collect();
        for item in &file.items {
            let (Item::Function(function) | Item::Thread(function)) = item else { continue };
            let Some(body) = &function.body else { continue };
            let mut walk = Walk {
                survey: &mut survey,
                owner: &function.name.text,
                pointed: &pointed,
                loops: 0,
                labels: FxHashSet::default(),
            };
            walk.loops += u32::from(walk.jumps_back(body));
            walk.block(body);
            if matches!(item, Item::Thread(_)) {
                survey.thread_entries.insert(function.name.text.clone());
            }
        }
        survey.find_recursion();
        survey
    }

    /// Those that are called by one of `from`, at any distance, with these.
    pub(super) fn reached<'s>(
        &'s self,
        from: impl Iterator<Item = &'s String>,
    ) -> FxHashSet<&'s str> {
        let mut stack: Vec<&str> = from.map(String::as_str).collect();
        let mut seen: FxHashSet<&str> = stack.iter().copied().collect();
        while let Some(name) = stack.pop() {
            for callee in self.calls.get(name).into_iter().flatten() {
                if seen.insert(callee) {
                    stack.push(callee);
                }
            }
        }
        seen
    }

    /// Is a procedure entered at most once in a run?
    pub(super) fn runs_at_most_once(&self, name: &str) -> bool {
        let mut name = name;
        // At most one caller each: a chain, which ends at main unless it is a circle.
        for _ in 0..=self.callers.len() {
            match self.callers.get(name).map(Vec::as_slice) {
                None => return name == "main",
                Some([(caller, false)])
                    if name != "main" && !self.thread_entries.contains(name) =>
                {
                    name = caller
                }
                Some(_) => return false,
            }
        }
        false
    }

    fn find_recursion(&mut self) {
        let names: Vec<String> = self.calls.keys().cloned().collect();
        for name in names {
            let callees = self.calls[&name].clone();
            if self.reached(callees.iter()).contains(name.as_str()) {
                self.recursive.insert(name);
            }
        }
    }
}

/// Goes through one procedure.
struct Walk<'w> {
    survey: &'w mut Survey,
    owner: &'w str,
    pointed: &'w FxHashMap<&'w str, &'w Function>,
    /// Loops around the place at hand.
    loops: u32,
    /// Labels that stand before the place at hand.
    labels: FxHashSet<String>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|s| self.statement(s));
    }

    /// Does a `goto` lead back, or into a loop of its own making?
    fn jumps_back(&mut self, block: &Block) -> bool {
        block.statements.iter().any(|s| self.jumps_back_in(s))
    }

    fn jumps_back_in(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Label(name) => {
                self.labels.insert(name.text.clone());
                false
            }
            StatementKind::Goto(name) => self.labels.contains(&name.text),
            StatementKind::If { branches, otherwise } => {
                branches.iter().any(|b| self.jumps_back_in(&b.then))
                    || otherwise.as_ref().is_some_and(|o| self.jumps_back_in(o))
            }
            StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::For { body, .. }
            | StatementKind::Switch { body, .. } => self.jumps_back_in(body),
            StatementKind::Block(block) | StatementKind::Atomic(block) => self.jumps_back(block),
            _ => false,
        }
    }

    /// Depth is bounded by the parser.
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Expression(e)
            | StatementKind::Case(e)
            | StatementKind::Return(Some(e)) => self.expression(e),
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expression(&branch.condition);
                    self.statement(&branch.then);
                }
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition, .. } => {
                self.loops += 1;
                self.expression(condition);
                self.statement(body);
                self.loops -= 1;
            }
            StatementKind::For { initial, condition, step, body } => {
                if let Some(initial) = initial {
                    self.statement(initial);
                }
                self.loops += 1;
                condition.iter().chain(step).for_each(|e| self.expression(e));
                self.statement(body);
                self.loops -= 1;
            }
            StatementKind::Switch { scrutinee, body } => {
                self.expression(scrutinee);
                self.statement(body);
            }
            StatementKind::Block(block) | StatementKind::Atomic(block) => self.block(block),
            _ => {}
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for declarator in &declaration.declarators {
            if let Some(initializer) = &declarator.initializer {
                self.initializer(initializer, declarator.pointers > 0);
            }
        }
    }

    fn initializer(&mut self, initializer: &Initializer, pointer: bool) {
        match initializer {
            Initializer::Value(e) => {
                if pointer {
                    self.passed(e);
                }
                self.expression(e);
            }
            Initializer::List(list, _) => list.iter().for_each(|i| self.initializer(i, false)),
            Initializer::Member(_, inner) | Initializer::At(_, inner) => {
                self.initializer(inner, false)
            }
        }
    }

    fn expression(&mut self, e: &Expr) {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Address(place) => self.addressed(place),
                ExprKind::Assign(_, place, _) | ExprKind::Step { place, .. } => {
                    if let ExprKind::Name(name) = &place.kind {
                        self.survey.assigned.insert(name.clone());
                    }
                }
                ExprKind::Call(name, arguments) => {
                    let calls = self.survey.calls.entry(self.owner.to_string()).or_default();
                    calls.insert(name.text.clone());
                    let callers = self.survey.callers.entry(name.text.clone()).or_default();
                    callers.push((self.owner.to_string(), self.loops > 0));
                    let parameters = self.pointed.get(name.text.as_str()).map(|f| &f.parameters);
                    for (index, argument) in arguments.iter().enumerate() {
                        if parameters.and_then(|p| p.get(index)).is_some_and(|p| p.pointers > 0) {
                            self.passed(argument);
                        }
                    }
                    if name.text == "pthread_create"
                        && let Some(entry) =
                            arguments.get(2).and_then(super::threads::procedure_name)
                    {
                        self.survey.thread_entries.insert(entry.to_string());
                        let handle = arguments
                            .first()
                            .and_then(super::threads::handle_name)
                            .map(str::to_string);
                        let (owner, in_loop) = (self.owner.to_string(), self.loops > 0);
                        self.survey.creations.push(Creation {
                            owner,
                            entry: entry.to_string(),
                            handle,
                            in_loop,
                        });
                    }
                }
                ExprKind::Statements(block) => self.block(block),
                _ => {}
            }
            e.children(&mut stack);
        }
    }

    /// What a pointer takes: perhaps an array by its name.
    fn passed(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(_) => self.addressed(e),
            ExprKind::PointerCast(inner) => self.passed(inner),
            _ => {}
        }
    }

    fn addressed(&mut self, place: &Expr) {
        let mut node = place;
        while let ExprKind::Index(base, _) | ExprKind::Member(base, _) = &node.kind {
            node = base;
        }
        if let ExprKind::Name(name) = &node.kind {
            self.survey.addressed.entry(self.owner.to_string()).or_default().insert(name.clone());
        }
    }
}

impl Elaborator<'_> {
    /// Does a local of this name become a variable of the whole run? Reports it where that would
    /// not be exact.
    pub(super) fn is_shared_local(&mut self, name: &str, span: Span) -> bool {
        let owner = &self.current.name;
        if !self.survey.addressed.get(owner).is_some_and(|names| names.contains(name)) {
            return false;
        }
        if self.survey.recursive.contains(owner) {
            self.refuse_pointer(
                span,
                &format!(
                    "`{name}` is a local of `{owner}`, which may call itself",
                    owner = owner.clone()
                ),
            );
        } else if self.shared_by_threads.contains(owner) {
            self.refuse_pointer(
                span,
                &format!(
                    "`{name}` is a local of `{owner}`, which several threads may run",
                    owner = owner.clone()
                ),
            );
        }
        true
    }

    /// The address that an expression denotes; evaluates nothing. `Unknown` where it is none of
    /// those that are modelled.
    pub(super) fn address(&mut self, e: &Expr) -> Address {
        match &e.kind {
            ExprKind::Number(0, _) => Address::Null,
            ExprKind::Text => Address::Text,
            ExprKind::PointerCast(inner) => self.address(inner),
            ExprKind::Name(name) => match self.names.find(name) {
                Some(Entity::Pointer(address)) => address,
                Some(Entity::Variable { id, .. }) if self.program.variable(id).is_array() => {
                    Address::Variable(id)
                }
                Some(Entity::Aggregate(index))
                    if !self.aggregates[index as usize].dimensions.is_empty() =>
                {
                    Address::Aggregate(index)
                }
                None if name == "NULL" => Address::Null,
                _ => Address::Unknown,
            },
            ExprKind::Address(place) => self.address_of(place),
            _ => Address::Unknown,
        }
    }

    fn address_of(&mut self, place: &Expr) -> Address {
        let mut node = place;
        loop {
            match &node.kind {
                ExprKind::Index(base, index) => {
                    if !matches!(index.kind, ExprKind::Number(0, _)) {
                        return Address::Unknown;
                    }
                    node = base;
                }
                ExprKind::Member(base, _) => node = base,
                ExprKind::Indirect(base) => node = base,
                ExprKind::Name(name) => match self.names.find(name) {
                    Some(Entity::Variable { .. } | Entity::Aggregate(_) | Entity::Pointer(_)) => {
                        break;
                    }
                    _ => return Address::Unknown,
                },
                _ => return Address::Unknown,
            }
        }
        let plain = matches!(place.kind, ExprKind::Name(_));
        match self.path(place) {
            Path::Variable { id, indices, .. } => {
                let variable = self.program.variable(id);
                // `&a` of an array is no `int *`; `&a[0]` is.
                match (variable.dimensions.len(), indices.len()) {
                    (0, 0) | (1, 1) => Address::Variable(id),
                    _ => Address::Unknown,
                }
            }
            Path::Struct { .. } if plain => match &place.kind {
                ExprKind::Name(name) => match self.names.find(name) {
                    Some(Entity::Aggregate(index))
                        if self.aggregates[index as usize].dimensions.is_empty() =>
                    {
                        Address::Aggregate(index)
                    }
                    _ => Address::Unknown,
                },
                _ => Address::Unknown,
            },
            Path::Struct { type_id, leaves, dimensions, indices, .. }
                if indices.is_empty() && dimensions.is_empty() =>
            {
                // A struct inside a struct, or one that a pointer holds.
                let index = self.aggregates.iter().position(|a| {
                    a.type_id == type_id && a.leaves == leaves && a.dimensions.is_empty()
                });
                let index = index.unwrap_or_else(|| {
                    self.aggregates.push(super::aggregates::Aggregate {
                        type_id,
                        dimensions,
                        leaves,
                        constant: false,
                    });
                    self.aggregates.len() - 1
                });
                Address::Aggregate(index as u32)
            }
            _ => Address::Unknown,
        }
    }

    /// What a pointer of this type holds if it is given `address`: looking through it at another
    /// type is not modelled.
    pub(super) fn fitting(
        &mut self,
        address: Address,
        type_name: TypeName,
        pointers: u32,
    ) -> Address {
        if pointers > 1 && address != Address::Null {
            return Address::Unknown;
        }
        match (address, type_name) {
            (Address::Variable(_) | Address::Aggregate(_), TypeName::Void) => address,
            (Address::Variable(id), type_name) => {
                let same = |scalar: Scalar| scalar == self.program.variable(id).scalar;
                if self.scalar(type_name).is_some_and(same) { address } else { Address::Unknown }
            }
            (Address::Aggregate(index), TypeName::Struct(id)) if self.same_struct(index, id) => {
                address
            }
            (Address::Aggregate(_), _) => Address::Unknown,
            (other, _) => other,
        }
    }

    fn same_struct(&self, aggregate: u32, id: StructId) -> bool {
        self.aggregates[aggregate as usize].type_id == id
    }
}

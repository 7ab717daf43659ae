//! A survey of a file before lowering: which names its procedures use and how, and which procedures
//! they call.

use super::atomic_calls::atomic;
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, File, Function, Initializer, Item, Name, Statement,
    StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the procedures do with names.
#[derive(Debug, Default)]
pub(in crate::lang) struct Survey {
    /// By procedure: the names whose address is taken, or that may be passed as arrays.
    pub(in crate::lang) addressed: FxHashMap<String, FxHashSet<String>>,
    /// Names that are assigned as a whole, anywhere.
    pub(in crate::lang) assigned: FxHashSet<String>,
    /// Those of them that get something else than the null pointer.
    pub(in crate::lang) moved: FxHashSet<String>,
    /// Procedures that may be on the stack twice.
    pub(in crate::lang) recursive: FxHashSet<String>,
    /// By procedure: the procedures that it calls.
    pub(in crate::lang) calls: FxHashMap<String, FxHashSet<String>>,
    /// Procedures that threads start in, as far as their names can be seen.
    pub(in crate::lang) thread_entries: FxHashSet<String>,
    /// The handles that are joined somewhere.
    pub(in crate::lang) joined: FxHashSet<String>,
    /// Every place where a thread is created.
    pub(in crate::lang) creations: Vec<Creation>,
    /// By procedure: its callers, and whether the call is in a loop.
    pub(in crate::lang) callers: FxHashMap<String, Vec<(String, bool)>>,
}

/// Where a thread is created.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Creation {
    pub(in crate::lang) owner: String,
    pub(in crate::lang) entry: String,
    /// The handle's name, if it has one.
    pub(in crate::lang) handle: Option<String>,
    pub(in crate::lang) in_loop: bool,
}

impl Survey {
    /// Surveys a file; visits every procedure once.
    pub(in crate::lang) fn of(file: &File) -> Survey {
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

    /// The procedures in `from`, and all that they call directly or indirectly.
    pub(in crate::lang) fn reached<'s>(
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
    pub(in crate::lang) fn runs_at_most_once(&self, name: &str) -> bool {
        let mut name = name;
        // Each procedure has at most one caller or starter. This chain ends at main unless it is a
        // circle.
        for _ in 0..=self.callers.len() + self.creations.len() {
            match self.callers.get(name).map(Vec::as_slice) {
                None if self.thread_entries.contains(name) => match self.only_creation(name) {
                    Some(creation) if !creation.in_loop => name = &creation.owner,
                    _ => return false,
                },
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

    /// Where the threads of a procedure are created, if that is one place.
    fn only_creation(&self, entry: &str) -> Option<&Creation> {
        let mut places = self.creations.iter().filter(|creation| creation.entry == entry);
        places.next().filter(|_| places.next().is_none())
    }

    /// Finds the circles of calls (Tarjan 1972: strongly connected components), with a stack of its
    /// own, because chains of calls can be long.
    fn find_recursion(&mut self) {
        let mut search = Circles::default();
        for name in self.calls.keys() {
            search.from(&self.calls, name);
        }
        self.recursive = search.found.into_iter().map(str::to_string).collect();
    }
}

/// A search for circles of calls.
#[derive(Default)]
struct Circles<'s> {
    /// The number of each procedure that was met, in that order.
    numbers: FxHashMap<&'s str, usize>,
    /// Those of which it is not known yet on which circle they are, with the least number that they
    /// reach.
    open: Vec<(&'s str, usize)>,
    /// By procedure: its place among the open ones.
    places: FxHashMap<&'s str, usize>,
    found: FxHashSet<&'s str>,
}

impl<'s> Circles<'s> {
    fn from(&mut self, calls: &'s FxHashMap<String, FxHashSet<String>>, root: &'s str) {
        let callees = |name: &str| calls.get(name).into_iter().flatten();
        // The procedures on the way, each with the calls of it that come next.
        let mut way = Vec::new();
        if self.enter(root) {
            way.push((root, callees(root)));
        }
        while let Some((name, rest)) = way.last_mut() {
            let name = *name;
            if let Some(callee) = rest.next() {
                if callee == name {
                    self.found.insert(name);
                }
                if self.enter(callee) {
                    way.push((callee, callees(callee)));
                } else if self.places.contains_key(callee.as_str()) {
                    let number = self.numbers[callee.as_str()];
                    self.reaches(name, number);
                }
                continue;
            }
            way.pop();
            let place = self.places[name];
            let least = self.open[place].1;
            if least == self.numbers[name] {
                let circle = self.open.split_off(place);
                for (member, _) in &circle {
                    self.places.remove(member);
                }
                if circle.len() > 1 {
                    self.found.extend(circle.into_iter().map(|(member, _)| member));
                }
            }
            if let Some((caller, _)) = way.last() {
                self.reaches(caller, least);
            }
        }
    }

    /// Numbers a procedure that is met for the first time; was it?
    fn enter(&mut self, name: &'s str) -> bool {
        let number = self.numbers.len();
        if self.numbers.contains_key(name) {
            return false;
        }
        self.numbers.insert(name, number);
        self.places.insert(name, self.open.len());
        self.open.push((name, number));
        true
    }

    fn reaches(&mut self, name: &str, number: usize) {
        if let Some(place) = self.places.get(name) {
            let least = &mut self.open[*place].1;
            *least = (*least).min(number);
        }
    }
}

/// `p = 0`, `p = NULL`, `p = (void *)0`.
fn sets_null(e: &ExprKind) -> bool {
    let ExprKind::Assign(None, _, value) = e else { return false };
    let mut value = value;
    while let ExprKind::PointerCast(_, inner) = &value.kind {
        value = inner;
    }
    match &value.kind {
        ExprKind::Number(number, _) => *number == 0,
        ExprKind::Name(name) => name == "NULL",
        _ => false,
    }
}

/// The procedure that an expression names: `f`, `&f`, `(void *(*)(void *))f`.
pub(in crate::lang) fn procedure_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Address(inner) | ExprKind::PointerCast(_, inner) | ExprKind::Indirect(inner) => {
            match &inner.kind {
                ExprKind::Name(name) => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `&t` of a plain name.
pub(in crate::lang) fn handle_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Address(inner) => match &inner.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// A walk through one procedure.
struct Walk<'w> {
    survey: &'w mut Survey,
    owner: &'w str,
    pointed: &'w FxHashMap<&'w str, &'w Function>,
    /// Number of loops around the current place.
    loops: u32,
    /// Labels before the current place.
    labels: FxHashSet<String>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|s| self.statement(s));
    }

    /// Does a `goto` lead back to an earlier label?
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
            StatementKind::Block(block)
            | StatementKind::Atomic(block)
            | StatementKind::Ghost(block) => self.jumps_back(block),
            _ => false,
        }
    }

    /// The parser bounds the depth of the recursion.
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
            StatementKind::Block(block)
            | StatementKind::Atomic(block)
            | StatementKind::Ghost(block) => self.block(block),
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
                        if !sets_null(&e.kind) {
                            self.survey.moved.insert(name.clone());
                        }
                    }
                }
                // Input and atomic operations go straight to the places that are named: their
                // addresses are not kept.
                ExprKind::Call(name, arguments) if self.writes_at_once(&name.text) => {
                    for argument in arguments {
                        // `(void **)&result`
                        let place = match &argument.kind {
                            ExprKind::PointerCast(_, inner) if name.text == "pthread_join" => inner,
                            _ => argument,
                        };
                        match &place.kind {
                            ExprKind::Address(place) => stack.push(place),
                            _ => stack.push(argument),
                        }
                    }
                    self.joins(name, arguments);
                    continue;
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
                    if name.text == "pthread_cleanup_push"
                        && let Some(handler) = arguments.first().and_then(procedure_name)
                    {
                        let calls = self.survey.calls.entry(self.owner.to_string()).or_default();
                        calls.insert(handler.to_string());
                        let callers = self.survey.callers.entry(handler.to_string()).or_default();
                        // It can be called in several places.
                        callers.push((self.owner.to_string(), true));
                    }
                    if name.text == "pthread_create"
                        && let Some(entry) = arguments.get(2).and_then(procedure_name)
                    {
                        self.survey.thread_entries.insert(entry.to_string());
                        let handle = arguments.first().and_then(handle_name).map(str::to_string);
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

    /// Does this procedure of the library write to its arguments' places before it returns, and
    /// keep no address?
    fn writes_at_once(&self, name: &str) -> bool {
        (matches!(name, "scanf" | "fscanf" | "pthread_join" | "sem_getvalue")
            || atomic(name).is_some())
            && self.pointed.get(name).is_none_or(|f| f.body.is_none())
    }

    /// Notes the handle of a join.
    fn joins(&mut self, name: &Name, arguments: &[Expr]) {
        if name.text == "pthread_join"
            && let Some(handle) = arguments.first()
            && let ExprKind::Name(handle) = match &handle.kind {
                ExprKind::Index(base, _) => &base.kind,
                other => other,
            }
        {
            self.survey.joined.insert(handle.clone());
        }
    }

    /// An expression that gives a pointer its address: perhaps the name of an array.
    fn passed(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(_) => self.addressed(e),
            ExprKind::PointerCast(_, inner) => self.passed(inner),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn recursive(calls: &[(&str, &str)]) -> Vec<String> {
        let mut survey = Survey::default();
        for (caller, callee) in calls {
            for name in [caller, callee] {
                survey.calls.entry(name.to_string()).or_default();
            }
            survey.calls.get_mut(*caller).expect("an entry").insert(callee.to_string());
        }
        survey.find_recursion();
        let mut found: Vec<String> = survey.recursive.into_iter().collect();
        found.sort();
        found
    }

    #[test]
    fn procedures_on_circles_of_calls_are_recursive() {
        assert!(recursive(&[("main", "a"), ("a", "b"), ("main", "b")]).is_empty());
        assert_eq!(recursive(&[("main", "f"), ("f", "f"), ("f", "g")]), ["f"]);
        let two = [("main", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")];
        assert_eq!(recursive(&two), ["a", "b", "c"]);
        let back = [("e", "d"), ("main", "e"), ("e", "c")];
        assert_eq!(recursive(&[&two[..], &back].concat()), ["a", "b", "c", "d", "e"]);
    }

    /// It would overflow the stack, or take for ever, if each procedure were looked at from each.
    #[test]
    fn a_long_chain_of_calls_is_surveyed_once() {
        let names: Vec<String> = (0..50_000).map(|k| format!("p{k}")).collect();
        let calls: Vec<(&str, &str)> =
            names.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
        assert!(recursive(&calls).is_empty());
    }
}

//! Reads of what has no value: random C programs whose variables, elements and members get values
//! on some paths only. The judge executes a program for all its inputs and keeps for each place
//! whether it has a value. It shares nothing with the product: it never sees the text, but the tree
//! from which the text is printed.

use crate::support::Random;
use crate::support::load::session_with;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use faultline::wire::report::ErrorKind;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Inputs, arrays' indices and bounds of loops are below this.
const SMALL: i32 = 4;

/// The width of `int`, so that sums of sums stay small for the product.
const BITS: u32 = 8;

/// A number of type `int`.
fn wrapped(number: i32) -> i32 {
    number << (32 - BITS) >> (32 - BITS)
}

#[derive(Clone, Debug)]
enum Place {
    Variable(&'static str),
    Element(&'static str, Box<Value>),
    Member(&'static str, &'static str),
}

#[derive(Clone, Debug)]
enum Value {
    Number(i32),
    Of(Place),
    Add(Box<Value>, Box<Value>),
    Subtract(Box<Value>, Box<Value>),
    Choose(Box<Truth>, Box<Value>, Box<Value>),
}

#[derive(Clone, Debug)]
enum Truth {
    Less(Value, Value),
    Equal(Value, Value),
    Both(Box<Truth>, Box<Truth>),
    Either(Box<Truth>, Box<Truth>),
    Not(Box<Truth>),
}

/// A statement, and the line of what it reads.
#[derive(Clone, Debug)]
struct Statement {
    kind: Kind,
    line: Cell<u32>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// `int w;`, in a block: no value, whenever a run comes here.
    Declare(&'static str),
    /// `int w = e;`.
    Begin(&'static str, Value),
    Assign(Place, Value),
    /// `x += e;`
    Increase(Place, Value),
    /// `p = q;`: members without values may be copied.
    Copy(&'static str, &'static str),
    /// `x = f(e);`, or `f(e);`.
    Call(Option<Place>, usize, Value),
    /// `set(&x, e);`: gives `x` the value if it is larger than 1.
    Set(Place, Value),
    /// `x = get(&y);`.
    Get(Place, Place),
    If(Truth, Vec<Statement>, Vec<Statement>),
    /// `for (int i = 0; i < …; i++)`.
    For(&'static str, i32, Vec<Statement>),
    /// Each case, and whether a `break` ends it; the last one is the default.
    Switch(Place, Vec<(Vec<Statement>, bool)>),
    Block(Vec<Statement>),
    Break,
    Return(Value),
}

/// `main` with its statements, and procedures of one parameter `k`.
#[derive(Debug)]
struct Program {
    body: Vec<Statement>,
    procedures: Vec<Vec<Statement>>,
    pointers: bool,
    get_line: Cell<u32>,
}

fn at(kind: Kind) -> Statement {
    Statement { kind, line: Cell::new(0) }
}

/// Names that statements may use.
#[derive(Clone)]
struct Scope {
    variables: Vec<&'static str>,
    /// Variables that are not assigned: inputs and counters.
    small: Vec<&'static str>,
    aggregates: bool,
    in_procedure: bool,
    in_loop: bool,
}

struct Writer {
    random: Random,
    procedures: usize,
    pointers: bool,
    left: u32,
}

impl Writer {
    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.among(of.len() as u32) as usize]
    }

    fn place(&mut self, scope: &Scope) -> Place {
        match self.random.among(if scope.aggregates { 5 } else { 2 }) {
            0..=1 => Place::Variable(self.one(&scope.variables)),
            2..=3 => {
                let index = match self.random.among(3) {
                    0 => Value::Number(self.random.among(SMALL as u32) as i32),
                    _ => Value::Of(Place::Variable(self.one(&scope.small))),
                };
                Place::Element("a", Box::new(index))
            }
            _ => Place::Member(self.one(&["p", "q"]), self.one(&["u", "v"])),
        }
    }

    /// A place to which a pointer leads. Not a member: a pointer to members and to variables makes
    /// them memory of bytes, which the check does not follow.
    fn pointed(&mut self, scope: &Scope) -> Place {
        match self.place(scope) {
            Place::Member(..) => Place::Variable(self.one(&scope.variables)),
            other => other,
        }
    }

    fn value(&mut self, scope: &Scope, depth: u32) -> Value {
        let deeper = |writer: &mut Writer| Box::new(writer.value(scope, depth - 1));
        match self.random.among(if depth == 0 { 6 } else { 9 }) {
            0..=1 => Value::Number(self.random.among(5) as i32 - 1),
            2..=3 => Value::Of(Place::Variable(self.one(&scope.small))),
            4..=5 => Value::Of(self.place(scope)),
            6 => Value::Add(deeper(self), deeper(self)),
            7 => Value::Subtract(deeper(self), deeper(self)),
            _ => Value::Choose(Box::new(self.truth(scope, 0)), deeper(self), deeper(self)),
        }
    }

    /// Often a condition over inputs alone, so that paths differ without a read that fails.
    fn truth(&mut self, scope: &Scope, depth: u32) -> Truth {
        let deeper = |writer: &mut Writer| Box::new(writer.truth(scope, depth - 1));
        match self.random.among(if depth == 0 { 6 } else { 9 }) {
            0..=3 => {
                let left = Value::Of(Place::Variable(self.one(&scope.small)));
                let right = Value::Number(self.random.among(SMALL as u32) as i32);
                match self.random.among(2) {
                    0 => Truth::Less(left, right),
                    _ => Truth::Equal(left, right),
                }
            }
            4 => Truth::Less(self.value(scope, 0), self.value(scope, 0)),
            5 => Truth::Equal(self.value(scope, 0), self.value(scope, 0)),
            6 => Truth::Both(deeper(self), deeper(self)),
            7 => Truth::Either(deeper(self), deeper(self)),
            _ => Truth::Not(deeper(self)),
        }
    }

    fn statements(&mut self, scope: &Scope, most: u32, depth: u32) -> Vec<Statement> {
        let count = 1 + self.random.among(most);
        (0..count).map_while(|_| self.statement(scope, depth)).collect()
    }

    fn statement(&mut self, scope: &Scope, depth: u32) -> Option<Statement> {
        self.left = self.left.checked_sub(1)?;
        let simple = if self.pointers && !scope.in_procedure { 10 } else { 8 };
        let draw = self.random.among(simple + if depth > 0 { 7 } else { 0 });
        let draw = if draw >= simple { draw - simple + 10 } else { draw };
        Some(at(match draw {
            0..=3 => Kind::Assign(self.place(scope), self.value(scope, 1)),
            4 => Kind::Increase(self.place(scope), self.value(scope, 0)),
            5 if scope.aggregates => match self.random.among(2) {
                0 => Kind::Copy("p", "q"),
                _ => Kind::Copy("q", "p"),
            },
            6 if !scope.in_procedure => {
                let to = (self.random.among(4) > 0).then(|| self.place(scope));
                let of = self.random.among(self.procedures as u32) as usize;
                Kind::Call(to, of, self.value(scope, 0))
            }
            7 if scope.in_loop && self.random.among(2) == 0 => Kind::Break,
            7 if scope.in_procedure => Kind::Return(self.value(scope, 1)),
            8 => Kind::Set(self.pointed(scope), self.value(scope, 0)),
            9 => Kind::Get(self.place(scope), self.pointed(scope)),
            10..=12 => {
                let condition = self.truth(scope, 1);
                let then = self.statements(scope, 2, depth - 1);
                let otherwise = match self.random.among(2) {
                    0 => Vec::new(),
                    _ => self.statements(scope, 2, depth - 1),
                };
                Kind::If(condition, then, otherwise)
            }
            13 => {
                let counter = if scope.in_loop { "j" } else { "i" };
                let mut inner = scope.clone();
                inner.in_loop = true;
                inner.small.push(counter);
                let rounds = 1 + self.random.among(SMALL as u32) as i32;
                Kind::For(counter, rounds, self.statements(&inner, 3, depth.min(2) - 1))
            }
            14 => {
                let inner = Scope { in_loop: false, ..scope.clone() };
                let place = match self.random.among(3) {
                    0 => self.place(scope),
                    _ => Place::Variable(self.one(&scope.small)),
                };
                let cases = 2 + self.random.among(2);
                let case = |writer: &mut Writer| {
                    (writer.statements(&inner, 2, depth - 1), writer.random.among(3) > 0)
                };
                Kind::Switch(place, (0..cases).map(|_| case(self)).collect())
            }
            15..=16 => {
                let mut inner = scope.clone();
                inner.variables.push("w");
                let begin = match self.random.among(3) {
                    0 => Kind::Begin("w", self.value(scope, 0)),
                    _ => Kind::Declare("w"),
                };
                // `int w = w;` would be another variable than the one that is read.
                let begin = match scope.variables.contains(&"w") {
                    true => Kind::Declare("w"),
                    false => begin,
                };
                let mut body = vec![at(begin)];
                body.extend(self.statements(&inner, 3, depth - 1));
                Kind::Block(body)
            }
            _ => Kind::Assign(Place::Variable(self.one(&scope.variables)), self.value(scope, 0)),
        }))
    }
}

fn program(seed: u64) -> Program {
    let pointers = seed.is_multiple_of(4);
    let procedures = 2;
    let mut writer =
        Writer { random: Random::new(seed), procedures, pointers, left: 3 + seed as u32 % 9 };
    let own = Scope {
        variables: vec!["x", "y", "z"],
        small: vec!["n", "m"],
        aggregates: true,
        in_procedure: false,
        in_loop: false,
    };
    let body = writer.statements(&own, 9, 3);
    let inner = Scope {
        variables: vec!["t", "g"],
        small: vec!["k"],
        aggregates: false,
        in_procedure: true,
        in_loop: false,
    };
    let procedure = |writer: &mut Writer| {
        writer.left = 5;
        writer.statements(&inner, 4, 2)
    };
    let procedures = (0..procedures).map(|_| procedure(&mut writer)).collect();
    Program { body, procedures, pointers, get_line: Cell::new(0) }
}

/// The text of a program. Notes the line of each statement.
struct Printer(Vec<String>);

impl Printer {
    fn line(&mut self, text: &str) -> u32 {
        self.0.push(text.to_string());
        self.0.len() as u32
    }

    fn program(program: &Program) -> String {
        let mut printer = Printer(Vec::new());
        printer.line("struct P { int u; int v; };");
        printer.line("int input(void);");
        printer.line("int g;");
        if program.pointers {
            printer.line("void set(int *to, int k) { if (k > 1) *to = k; }");
            program.get_line.set(printer.line("int get(int *from) { return *from; }"));
        }
        for (number, body) in program.procedures.iter().enumerate() {
            printer.line(&format!("int f{number}(int k) {{"));
            printer.line("int t;");
            printer.statements(body);
            printer.line("}");
        }
        printer.line("int main(void) {");
        printer.line("int n = input();");
        printer.line("int m = input();");
        printer.line(&format!("if (n < 0 || n >= {SMALL} || m < 0 || m >= {SMALL}) return 0;"));
        printer.line("int x, y, z = 0;");
        printer.line(&format!("int a[{SMALL}];"));
        printer.line("struct P p, q = { 1 };");
        printer.statements(&program.body);
        printer.line("return 0;");
        printer.line("}");
        printer.0.join("\n") + "\n"
    }

    fn statements(&mut self, all: &[Statement]) {
        all.iter().for_each(|one| self.statement(one));
    }

    fn block(&mut self, all: &[Statement]) {
        self.statements(all);
        self.line("}");
    }

    fn statement(&mut self, one: &Statement) {
        let text = match &one.kind {
            Kind::Declare(name) => format!("int {name};"),
            Kind::Begin(name, value) => format!("int {name} = {};", shown(value)),
            Kind::Assign(to, value) => format!("{} = {};", placed(to), shown(value)),
            Kind::Increase(to, value) => format!("{} += {};", placed(to), shown(value)),
            Kind::Copy(to, from) => format!("{to} = {from};"),
            Kind::Call(Some(to), of, value) => format!("{} = f{of}({});", placed(to), shown(value)),
            Kind::Call(None, of, value) => format!("f{of}({});", shown(value)),
            Kind::Set(to, value) => format!("set(&{}, {});", placed(to), shown(value)),
            Kind::Get(to, from) => format!("{} = get(&{});", placed(to), placed(from)),
            Kind::If(condition, ..) => format!("if ({}) {{", told(condition)),
            Kind::For(i, rounds, _) => format!("for (int {i} = 0; {i} < {rounds}; {i}++) {{"),
            Kind::Switch(of, _) => format!("switch ({}) {{", placed(of)),
            Kind::Block(_) => "{".to_string(),
            Kind::Break => "break;".to_string(),
            Kind::Return(value) => format!("return {};", shown(value)),
        };
        one.line.set(self.line(&text));
        match &one.kind {
            Kind::If(_, then, otherwise) => {
                self.statements(then);
                self.line("} else {");
                self.block(otherwise);
            }
            Kind::For(_, _, body) | Kind::Block(body) => self.block(body),
            Kind::Switch(_, cases) => {
                for (number, (body, breaks)) in cases.iter().enumerate() {
                    match number + 1 == cases.len() {
                        true => self.line("default: {"),
                        false => self.line(&format!("case {number}: {{")),
                    };
                    self.block(body);
                    if *breaks {
                        self.line("break;");
                    }
                }
                self.line("}");
            }
            _ => {}
        }
    }
}

fn placed(place: &Place) -> String {
    match place {
        Place::Variable(name) => name.to_string(),
        Place::Element(name, index) => format!("{name}[{}]", shown(index)),
        Place::Member(name, member) => format!("{name}.{member}"),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Of(place) => placed(place),
        Value::Add(left, right) => format!("({} + {})", shown(left), shown(right)),
        Value::Subtract(left, right) => format!("({} - ({}))", shown(left), shown(right)),
        Value::Choose(c, then, otherwise) => {
            format!("(({}) ? {} : {})", told(c), shown(then), shown(otherwise))
        }
    }
}

fn told(truth: &Truth) -> String {
    match truth {
        Truth::Less(left, right) => format!("{} < {}", shown(left), shown(right)),
        Truth::Equal(left, right) => format!("{} == {}", shown(left), shown(right)),
        Truth::Both(left, right) => format!("({}) && ({})", told(left), told(right)),
        Truth::Either(left, right) => format!("({}) || ({})", told(left), told(right)),
        Truth::Not(inner) => format!("!({})", told(inner)),
    }
}

/// What ends the execution of some statements before their end.
enum Leave {
    /// The line of a read of what has no value.
    Fails(u32),
    Breaks,
    Returns(i32),
}

/// By place, such as `x`, `a[2]` and `p.u`: its value, if it has one.
type Store = BTreeMap<String, Option<i32>>;

struct Judge<'p> {
    program: &'p Program,
    /// The local places of `main` or of the procedure that is called.
    store: Store,
    g: i32,
    line: u32,
}

impl Judge<'_> {
    /// The line of the read that fails with these inputs.
    fn run(program: &Program, n: i32, m: i32) -> Option<u32> {
        let mut store = Store::new();
        let mut put = |name: &str, value| store.insert(name.to_string(), value);
        put("n", Some(n));
        put("m", Some(m));
        for name in ["x", "y", "a[0]", "a[1]", "a[2]", "a[3]", "p.u", "p.v"] {
            put(name, None);
        }
        put("z", Some(0));
        put("q.u", Some(1));
        put("q.v", Some(0));
        let mut judge = Judge { program, store, g: 0, line: 0 };
        match judge.all(&program.body) {
            Err(Leave::Fails(line)) => Some(line),
            Ok(()) | Err(Leave::Breaks | Leave::Returns(_)) => None,
        }
    }

    fn name(&mut self, place: &Place) -> Result<String, Leave> {
        Ok(match place {
            Place::Element(name, index) => format!("{name}[{}]", self.value(index)?),
            _ => placed(place),
        })
    }

    fn read(&mut self, place: &Place) -> Result<i32, Leave> {
        let name = self.name(place)?;
        if name == "g" {
            return Ok(self.g);
        }
        self.store[&name].ok_or(Leave::Fails(self.line))
    }

    fn write(&mut self, place: &Place, value: i32) -> Result<(), Leave> {
        let name = self.name(place)?;
        match name.as_str() {
            "g" => self.g = value,
            _ => *self.store.get_mut(&name).expect("a place") = Some(value),
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<i32, Leave> {
        Ok(match value {
            Value::Number(number) => *number,
            Value::Of(place) => self.read(place)?,
            Value::Add(left, right) => wrapped(self.value(left)? + self.value(right)?),
            Value::Subtract(left, right) => wrapped(self.value(left)? - self.value(right)?),
            Value::Choose(c, then, otherwise) => match self.truth(c)? {
                true => self.value(then)?,
                false => self.value(otherwise)?,
            },
        })
    }

    fn truth(&mut self, truth: &Truth) -> Result<bool, Leave> {
        Ok(match truth {
            Truth::Less(left, right) => self.value(left)? < self.value(right)?,
            Truth::Equal(left, right) => self.value(left)? == self.value(right)?,
            Truth::Both(left, right) => self.truth(left)? && self.truth(right)?,
            Truth::Either(left, right) => self.truth(left)? || self.truth(right)?,
            Truth::Not(inner) => !self.truth(inner)?,
        })
    }

    fn all(&mut self, statements: &[Statement]) -> Result<(), Leave> {
        statements.iter().try_for_each(|one| self.statement(one))
    }

    /// What a procedure returns, if it does.
    fn call(&mut self, of: usize, k: i32) -> Result<Option<i32>, Leave> {
        let own = Store::from([("k".to_string(), Some(k)), ("t".to_string(), None)]);
        let store = std::mem::replace(&mut self.store, own);
        let program = self.program;
        let left = self.all(&program.procedures[of]);
        self.store = store;
        match left {
            Err(Leave::Returns(value)) => Ok(Some(value)),
            Err(other) => Err(other),
            Ok(()) => Ok(None),
        }
    }

    fn statement(&mut self, one: &Statement) -> Result<(), Leave> {
        self.line = one.line.get();
        match &one.kind {
            Kind::Declare(name) => {
                self.store.insert(name.to_string(), None);
            }
            Kind::Begin(name, value) => {
                let value = self.value(value)?;
                self.store.insert(name.to_string(), Some(value));
            }
            Kind::Assign(to, value) => {
                let value = self.value(value)?;
                self.write(to, value)?;
            }
            Kind::Increase(to, value) => {
                let sum = wrapped(self.read(to)? + self.value(value)?);
                self.write(to, sum)?;
            }
            Kind::Copy(to, from) => {
                for member in ["u", "v"] {
                    let value = self.store[&format!("{from}.{member}")];
                    self.store.insert(format!("{to}.{member}"), value);
                }
            }
            Kind::Call(to, of, value) => {
                let k = self.value(value)?;
                let returned = self.call(*of, k)?;
                if let Some(to) = to {
                    let value = returned.ok_or(Leave::Fails(one.line.get()))?;
                    self.write(to, value)?;
                }
            }
            Kind::Set(to, value) => {
                let value = self.value(value)?;
                if value > 1 {
                    self.write(to, value)?;
                }
            }
            Kind::Get(to, from) => {
                self.line = self.program.get_line.get();
                let value = self.read(from)?;
                self.write(to, value)?;
            }
            Kind::If(condition, then, otherwise) => match self.truth(condition)? {
                true => self.all(then)?,
                false => self.all(otherwise)?,
            },
            Kind::For(counter, rounds, body) => {
                for round in 0..*rounds {
                    self.store.insert(counter.to_string(), Some(round));
                    match self.all(body) {
                        Ok(()) => {}
                        Err(Leave::Breaks) => break,
                        Err(other) => return Err(other),
                    }
                }
            }
            Kind::Switch(of, cases) => {
                let value = self.read(of)?;
                let last = cases.len() - 1;
                let first = usize::try_from(value).map_or(last, |value| value.min(last));
                for (body, breaks) in &cases[first..] {
                    self.all(body)?;
                    if *breaks {
                        break;
                    }
                }
            }
            Kind::Block(body) => {
                // The inner variable hides an outer one of the same name.
                let hidden = self.store.get("w").copied();
                let left = self.all(body);
                if let Some(outer) = hidden {
                    self.store.insert("w".to_string(), outer);
                }
                left?;
            }
            Kind::Break => return Err(Leave::Breaks),
            Kind::Return(value) => return Err(Leave::Returns(self.value(value)?)),
        }
        Ok(())
    }
}

fn checked(source: &str) -> Session {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(BITS),
        checks: Some(Checks { initialised: true, ..Checks::NONE }),
        ..RequestedOptions::default()
    };
    let mut session = session_with(source, &requested);
    session.list_failures();
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

/// The verdict, and the lines of all reads that can fail, are those of the executions.
#[test]
fn reads_without_a_value_are_those_of_all_executions() {
    let (mut failing, mut passing, mut several, mut cut) = (0, 0, 0, 0);
    for seed in 0..240 {
        let program = program(seed);
        let source = Printer::program(&program);
        let inputs = (0..SMALL).flat_map(|n| (0..SMALL).map(move |m| (n, m)));
        let expected: BTreeSet<u32> =
            inputs.filter_map(|(n, m)| Judge::run(&program, n, m)).collect();
        let session = checked(&source);
        let verdict = if expected.is_empty() { Outcome::Safe } else { Outcome::Unsafe };
        assert_eq!(session.outcome(), verdict, "seed {seed}, lines {expected:?}\n{source}");
        let runs = session.failing_run().into_iter().chain(session.failures());
        let found: BTreeSet<u32> = runs
            .map(|run| {
                assert_eq!(run.check.kind, ErrorKind::Initialised, "seed {seed}\n{source}");
                run.check.line
            })
            .collect();
        // The list has a budget of its own.
        match session.failures_limit() {
            None => assert_eq!(found, expected, "seed {seed}\n{source}"),
            Some(_) => assert!(
                found.is_subset(&expected) && !found.is_empty(),
                "seed {seed}: {found:?} of {expected:?}\n{source}"
            ),
        }
        match expected.len() {
            _ if session.failures_limit().is_some() => cut += 1,
            0 => passing += 1,
            1 => failing += 1,
            _ => several += 1,
        }
    }
    assert!(
        failing > 30 && passing > 20 && several > 20 && cut < 30,
        "{failing}, {passing}, {several}, {cut}"
    );
}

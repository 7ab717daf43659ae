//! Names and types: from the syntax tree to the typed program.
//!
//! Only what can run from the start is resolved: a method that nothing calls says nothing about a
//! run. Which methods a virtual call leads to follows from the classes of which objects are made
//! (rapid type analysis: Bacon, Sweeney 1996).

mod body;
mod boxing;
mod calls;
mod classes;
mod constants;
mod conversions;
mod creation;
mod expressions;
mod generics;
mod instances;
mod iteration;
mod mentioned;
mod names;
mod operators;
mod statements;
mod switches;
mod types;

use crate::mistake::{Mistake, Read, Wrong, not_read, wrong};
use crate::parse;
use crate::span::Span;
use crate::tree::{self, Kind, Unit};
use crate::typed::{
    Class, ClassId, Constant, Expr, Field, FieldId, Generic, Local, LocalId, Method, MethodId,
    Program, Statement, Type,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// So many methods are read.
const MOST_METHODS: usize = 4000;

/// Reads a program that starts in its `main`, or in `Class.method`, for an analysis.
pub fn read(source: &str, start: Option<&str>) -> Result<Program, Mistake> {
    let library = parse::parse_library(include_str!("../library.java"))?;
    let unit = parse::parse(source)?;
    resolve(&[("", library)], &unit, start, false)
}

/// The library that is executed, with its packages.
const LIBRARY: [(&str, &str); 12] = [
    ("java.lang", include_str!("../library/lang/objects.java")),
    ("java.lang", include_str!("../library/lang/numbers.java")),
    ("java.lang", include_str!("../library/lang/text.java")),
    ("java.lang", include_str!("../library/lang/mathematics.java")),
    ("java.util", include_str!("../library/util/objects.java")),
    ("java.util", include_str!("../library/util/lists.java")),
    ("java.util", include_str!("../library/util/queues.java")),
    ("java.util", include_str!("../library/util/maps.java")),
    ("java.util", include_str!("../library/util/arrays.java")),
    ("java.util", include_str!("../library/util/collections.java")),
    ("java.util", include_str!("../library/util/reading.java")),
    ("java.util.function", include_str!("../library/function.java")),
];
const INPUT_AND_OUTPUT: (&str, &str) = ("java.io", include_str!("../library/io.java"));

/// Reads a program that starts in its `main`, for the machine: with the library that is executed.
pub fn read_exact(source: &str) -> Result<Program, Mistake> {
    let mut library = Vec::new();
    for (package, text) in LIBRARY.into_iter().chain([INPUT_AND_OUTPUT]) {
        library.push((package, parse::parse_library(text)?));
    }
    let unit = parse::parse(source)?;
    resolve(&library, &unit, None, true)
}

/// `is_exact`: for the machine.
fn resolve(
    library: &[(&'static str, Unit)],
    unit: &Unit,
    start: Option<&str>,
    is_exact: bool,
) -> Read<Program> {
    let mut resolver = Resolver { is_exact, ..Resolver::default() };
    for (package, unit) in library {
        let first = resolver.classes.len();
        for declaration in &unit.types {
            resolver.declare(declaration, None, true)?;
        }
        resolver.classes[first..].iter_mut().for_each(|class| class.package = package);
    }
    resolver.object = resolver.library_class("Object");
    resolver.string = resolver.library_class("String");
    resolver.throwable = resolver.library_class("Throwable");
    for declaration in &unit.types {
        resolver.declare(declaration, None, false)?;
    }
    resolver.static_imports = &unit.static_imports;
    resolver.headers()?;
    let start = resolver.find_start(start)?;
    resolver.request(start, resolver.methods[start.index()].span)?;
    let class = resolver.methods[start.index()].class;
    resolver.touch(class, Span::default())?;
    if !resolver.methods[start.index()].is_static {
        resolver.make(class);
    }
    if is_exact {
        resolver.make_thrown();
    }
    resolver.run()?;
    resolver.finish(start)
}

/// A class while names are resolved.
struct ClassInfo<'u> {
    name: String,
    simple: String,
    span: Span,
    kind: Kind,
    is_abstract: bool,
    declaration: Option<&'u tree::TypeDeclaration>,
    members: &'u [tree::Member],
    outer: Option<ClassId>,
    /// Do its objects stand in an object of the class around it?
    is_inner: bool,
    superclass: Option<ClassId>,
    interfaces: Vec<ClassId>,
    type_parameters: &'u [tree::TypeParameter],
    classes: FxHashMap<String, ClassId>,
    fields: Vec<FieldId>,
    methods: Vec<MethodId>,
    constants: Vec<String>,
    /// The object around an object of an inner class.
    around: Option<FieldId>,
    /// Is it made for a lambda?
    is_lambda: bool,
    /// The variables that a local class takes with it.
    captures: Vec<(String, FieldId)>,
    initializer: Option<MethodId>,
    is_made: bool,
    has_identity: bool,
    is_library: bool,
    package: &'static str,
}

struct FieldInfo<'u> {
    name: String,
    span: Span,
    class: ClassId,
    ty: Type,
    is_static: bool,
    /// Is its type a type parameter?
    is_erased: bool,
    /// Its type as it is spelt; else its arguments are known.
    spelt: Option<tree::TypeName>,
    arguments: Vec<Generic>,
    value: Option<&'u tree::Expr>,
    constant: ConstantState,
    is_used: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum ConstantState {
    Unknown,
    Reading,
    Known(Option<Constant>),
}

/// Where the body of a method comes from.
#[derive(Clone)]
enum Source<'u> {
    /// It has none.
    None,
    /// A block of the text.
    Written(&'u tree::Block),
    /// A constructor that the text does not write.
    Implicit,
    /// What runs when the class is first used.
    Static,
    /// The body of a lambda.
    Lambda(&'u tree::LambdaBody),
    /// It gives any value.
    Native,
}

/// Locals, parameters among them, statements, and where a body ends.
type ResolvedBody = (Vec<Local>, Vec<LocalId>, Vec<Statement>, Span);

struct MethodInfo<'u> {
    name: String,
    class: ClassId,
    span: Span,
    is_static: bool,
    is_private: bool,
    is_constructor: bool,
    is_synchronized: bool,
    is_variadic: bool,
    result: Type,
    is_erased: bool,
    parameters: Vec<Type>,
    erased_parameters: Vec<bool>,
    names: Vec<(String, Span)>,
    /// The types of the parameters and of the result, as they are spelt.
    spelt: Vec<tree::TypeName>,
    spelt_result: Option<tree::TypeName>,
    /// What the parameters of a lambda are.
    lambda_types: Vec<Generic>,
    /// What it gives.
    lambda_result: Option<Generic>,
    type_parameters: &'u [tree::TypeParameter],
    source: Source<'u>,
    is_requested: bool,
    resolved: Option<ResolvedBody>,
}

impl MethodInfo<'_> {
    fn is_concrete(&self) -> bool {
        !matches!(self.source, Source::None)
    }
}

#[derive(Default)]
struct Resolver<'u> {
    /// For the machine?
    is_exact: bool,
    classes: Vec<ClassInfo<'u>>,
    fields: Vec<FieldInfo<'u>>,
    methods: Vec<MethodInfo<'u>>,
    library: FxHashMap<String, ClassId>,
    written: FxHashMap<String, ClassId>,
    static_imports: &'u [(String, String)],
    /// Union-find over the families.
    family: Vec<u32>,
    object: ClassId,
    string: ClassId,
    throwable: ClassId,
    queue: VecDeque<MethodId>,
    virtual_calls: BTreeSet<MethodId>,
    computes_text: bool,
    /// Where texts are compared.
    compared_texts: Option<Span>,
}

impl<'u> Resolver<'u> {
    fn class(&self, id: ClassId) -> &ClassInfo<'u> {
        &self.classes[id.index()]
    }

    /// What the machine throws and gives can be there.
    fn make_thrown(&mut self) {
        let throwable = self.throwable;
        for class in (0..self.classes.len() as u32).map(ClassId) {
            let is_given = self.class(class).is_library
                && (self.is_subclass(class, throwable)
                    || class == self.string
                    || class == self.object
                    || self.class(class).simple == "Class");
            if is_given {
                self.make(class);
            }
        }
    }

    fn library_class(&self, name: &str) -> ClassId {
        self.library.get(name).copied().unwrap_or_default()
    }

    /// The representative of a class's family.
    fn family_of(&self, class: ClassId) -> ClassId {
        let mut at = class.0;
        while self.family[at as usize] != at {
            at = self.family[at as usize];
        }
        ClassId(at)
    }

    fn unify(&mut self, a: ClassId, b: ClassId) {
        let (a, b) = (self.family_of(a), self.family_of(b));
        self.family[a.0.max(b.0) as usize] = a.0.min(b.0);
    }

    /// There can be objects of this class.
    fn make(&mut self, class: ClassId) {
        self.classes[class.index()].is_made = true;
    }

    /// The method can run.
    fn request(&mut self, method: MethodId, span: Span) -> Read<()> {
        let info = &mut self.methods[method.index()];
        if info.is_requested {
            return Ok(());
        }
        if !info.is_concrete() {
            let name = format!("the method `{}` without a body", info.name);
            return not_read(span, name);
        }
        info.is_requested = true;
        self.queue.push_back(method);
        match self.methods.len() > MOST_METHODS {
            true => not_read(span, "a program with so many methods"),
            false => Ok(()),
        }
    }

    /// The class is used: what runs then can run.
    fn touch(&mut self, class: ClassId, span: Span) -> Read<()> {
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(initializer) = self.class(class).initializer {
                self.request(initializer, span)?;
            }
            next = self.class(class).superclass;
        }
        Ok(())
    }

    /// Resolves bodies until no more methods can run.
    fn run(&mut self) -> Read<()> {
        loop {
            while let Some(method) = self.queue.pop_front() {
                self.resolve_body(method)?;
            }
            for (_, target) in self.all_targets() {
                let span = self.methods[target.index()].span;
                self.request(target, span)?;
            }
            if self.queue.is_empty() {
                return Ok(());
            }
        }
    }

    fn all_targets(&self) -> Vec<(MethodId, MethodId)> {
        let mut found = Vec::new();
        for method in &self.virtual_calls {
            found.extend(self.targets(*method).into_iter().map(|(_, target)| (*method, target)));
        }
        found
    }

    /// What a virtual call can lead to, by the class of the object.
    fn targets(&self, method: MethodId) -> Vec<(ClassId, MethodId)> {
        let of = self.methods[method.index()].class;
        let mut found = Vec::new();
        for class in (0..self.classes.len() as u32).map(ClassId) {
            if self.class(class).is_made
                && self.is_subclass(class, of)
                && let Some(target) = self.implementation(class, method)
            {
                found.push((class, target));
            }
        }
        found
    }

    /// The method that runs for an object of this class (JLS 15.12.4.4).
    fn implementation(&self, class: ClassId, method: MethodId) -> Option<MethodId> {
        let mut next = Some(class);
        while let Some(at) = next {
            let own = self.class(at).methods.iter().copied();
            let found = own
                .filter(|m| self.methods[m.index()].is_concrete())
                .find(|m| self.overrides(*m, method));
            if found.is_some() {
                return found;
            }
            next = self.class(at).superclass;
        }
        // A default method: that of the most special interface.
        let mut best: Option<MethodId> = None;
        for interface in self.all_interfaces(class) {
            let own = self.class(interface).methods.iter().copied();
            let found = own
                .filter(|m| self.methods[m.index()].is_concrete())
                .find(|m| self.overrides(*m, method));
            if let Some(found) = found {
                let is_better = best.is_none_or(|best| {
                    self.is_subclass(interface, self.methods[best.index()].class)
                });
                best = if is_better { Some(found) } else { best };
            }
        }
        best
    }

    fn all_interfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = Vec::new();
        let mut stack = vec![class];
        while let Some(at) = stack.pop() {
            let info = self.class(at);
            stack.extend(info.superclass);
            for interface in &info.interfaces {
                if !found.contains(interface) {
                    found.push(*interface);
                    stack.push(*interface);
                }
            }
        }
        found
    }

    fn overrides(&self, one: MethodId, other: MethodId) -> bool {
        if one == other {
            return true;
        }
        let (one, other) = (&self.methods[one.index()], &self.methods[other.index()]);
        let same = |k: usize| {
            let (a, b) = (&one.parameters[k], &other.parameters[k]);
            a == b || other.erased_parameters[k] && a.is_reference()
        };
        one.name == other.name
            && !one.is_static
            && !one.is_constructor
            && !one.is_private
            && !other.is_private
            && one.parameters.len() == other.parameters.len()
            && (0..one.parameters.len()).all(same)
    }

    fn find_start(&mut self, start: Option<&str>) -> Read<MethodId> {
        let (class, name) = match start {
            Some(start) => {
                let start = start.split(':').next().unwrap_or(start);
                match start.rsplit_once('.') {
                    Some((class, name)) => (Some(class), name),
                    None => (Some(start), "main"),
                }
            }
            None => (None, "main"),
        };
        let is_wanted = |info: &ClassInfo<'_>| match class {
            Some(class) => {
                let class = class.replace('$', ".");
                info.name == class || class.ends_with(&format!(".{}", info.name))
            }
            None => true,
        };
        for info in self.classes.iter().filter(|info| !info.is_library && is_wanted(info)) {
            for method in &info.methods {
                let found = &self.methods[method.index()];
                let takes_texts = [Type::Array(Box::new(Type::String))];
                let is_main = found.is_static
                    && (found.parameters[..] == takes_texts || found.parameters.is_empty());
                if found.name == name && found.is_concrete() && (start.is_some() || is_main) {
                    return Ok(*method);
                }
            }
        }
        wrong(Span { start: 0, end: 0, line: 1 }, Wrong::NoMain)
    }

    /// The typed program.
    fn finish(self, start: MethodId) -> Read<Program> {
        if let (true, Some(span), false) = (self.computes_text, self.compared_texts, self.is_exact)
        {
            return not_read(span, "a comparison of texts that are computed");
        }
        let targets: Vec<Vec<(ClassId, MethodId)>> = (0..self.methods.len() as u32)
            .map(MethodId)
            .map(|m| match self.virtual_calls.contains(&m) {
                true => self.targets(m),
                false => Vec::new(),
            })
            .collect();
        let families: Vec<ClassId> =
            (0..self.classes.len() as u32).map(|k| self.family_of(ClassId(k))).collect();
        let classes = self.classes.into_iter().zip(&families).map(|(info, family)| Class {
            constants: (info.kind == Kind::Enumeration).then_some(info.constants),
            name: info.name,
            span: info.span,
            superclass: info.superclass,
            interfaces: info.interfaces,
            family: *family,
            fields: info.fields,
            initializer: info.initializer,
            is_made: info.is_made,
            has_identity: info.has_identity,
            is_library: info.is_library,
            package: info.package,
        });
        let mut classes: Vec<Class> = classes.collect();
        let fields: Vec<Field> = self
            .fields
            .into_iter()
            .map(|info| Field {
                name: info.name,
                span: info.span,
                class: info.class,
                ty: info.ty,
                is_static: info.is_static,
                constant: match info.constant {
                    ConstantState::Known(value) => value,
                    _ => None,
                },
                is_used: info.is_used,
            })
            .collect();
        for class in &mut classes {
            class.fields.retain(|f| !fields[f.index()].is_static);
        }
        let is_exact = self.is_exact;
        let methods = self.methods.into_iter().zip(targets).map(|(info, targets)| {
            let requested = info.is_requested;
            let is_native = is_exact && matches!(info.source, Source::Native);
            let (locals, parameters, body, end) = match info.resolved {
                Some((locals, parameters, body, end)) => (locals, parameters, Some(body), end),
                None => (Vec::new(), Vec::new(), None, info.span),
            };
            Method {
                name: info.name,
                class: info.class,
                is_static: info.is_static,
                is_constructor: info.is_constructor,
                is_synchronized: info.is_synchronized,
                result: info.result,
                parameters,
                locals,
                is_native,
                body: body.filter(|_| requested && !is_native),
                span: info.span,
                end,
                targets,
            }
        });
        let methods = methods.collect();
        let (object, computes_text) = (self.object, self.computes_text);
        Ok(Program { classes, fields, methods, start, object, computes_text })
    }
}

/// An expression of the typed tree.
fn expr(kind: crate::typed::ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, arguments: Vec::new(), span }
}

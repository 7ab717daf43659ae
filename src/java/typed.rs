//! The typed program: what can run from its start, with every name resolved and every conversion
//! written out.

use crate::span::Span;
pub use crate::tree::{Binary, Unary};
use std::collections::BTreeSet;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Program::classes`].
    ClassId
    /// Index into [`Program::fields`].
    FieldId
    /// Index into [`Program::methods`].
    MethodId
    /// Index into [`Method::locals`].
    LocalId
    /// What `break` and `continue` lead to: a number that one statement of the method has.
    LabelId
}

/// A type, erased.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `char`
    Char,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `void`
    Void,
    /// The type of `null`.
    Null,
    /// `String`
    String,
    /// A class, an interface or an enumeration.
    Class(ClassId),
    /// An array of these.
    Array(Box<Type>),
}

impl Type {
    /// Is it a number or `char`?
    pub fn is_numeric(&self) -> bool {
        self.is_integral() || self.is_floating()
    }

    /// Is it a whole number or `char`?
    pub fn is_integral(&self) -> bool {
        matches!(self, Type::Byte | Type::Short | Type::Char | Type::Int | Type::Long)
    }

    /// `float` or `double`?
    pub fn is_floating(&self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    /// Does it hold references?
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Null | Type::String | Type::Class(_) | Type::Array(_))
    }
}

/// What can run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The classes, those of the library before those of the program.
    pub classes: Vec<Class>,
    /// The fields.
    pub fields: Vec<Field>,
    /// The methods; those that cannot run have no body.
    pub methods: Vec<Method>,
    /// `main`, or the method that was asked for.
    pub start: MethodId,
    /// `Object`, which each class is, interfaces too.
    pub object: ClassId,
    /// Does some statement make a text that is no literal?
    pub computes_text: bool,
}

impl Program {
    /// Is a class this one, or below it?
    pub fn is_below(&self, class: ClassId, other: ClassId) -> bool {
        let above = |class: ClassId| {
            let Class { superclass, interfaces, .. } = &self.classes[class.index()];
            (*superclass, interfaces.as_slice())
        };
        other == self.object || leads_to(class, other, above)
    }
}

/// Does the way up from a class, over what is above each, lead to another one? A class that is
/// above itself ends no search.
pub(crate) fn leads_to<'c>(
    class: ClassId,
    other: ClassId,
    above: impl Fn(ClassId) -> (Option<ClassId>, &'c [ClassId]),
) -> bool {
    let (mut stack, mut seen) = (vec![class], BTreeSet::new());
    while let Some(at) = stack.pop() {
        if at == other {
            return true;
        }
        if seen.insert(at) {
            let (superclass, interfaces) = above(at);
            stack.extend(superclass);
            stack.extend(interfaces);
        }
    }
    false
}

/// A class, an interface or an enumeration.
#[derive(Clone, Debug)]
pub struct Class {
    /// `Outer.Inner`
    pub name: String,
    /// Where its name is declared.
    pub span: Span,
    /// `None` for `Object` and for interfaces.
    pub superclass: Option<ClassId>,
    /// The interfaces that it names.
    pub interfaces: Vec<ClassId>,
    /// The classes whose objects its variables may hold are of one family.
    pub family: ClassId,
    /// Is it an enumeration, with these constants?
    pub constants: Option<Vec<String>>,
    /// Its own fields that each object has.
    pub fields: Vec<FieldId>,
    /// What runs when it is first used, if that is more than constants.
    pub initializer: Option<MethodId>,
    /// Can there be objects whose class is this one?
    pub is_made: bool,
    /// Are two of its references compared, or is one a lock?
    pub has_identity: bool,
    /// Is it of the library?
    pub is_library: bool,
    /// The package of a class of the library; empty for others.
    pub package: &'static str,
}

impl Class {
    /// As `getClass().getName()` says it.
    pub fn full_name(&self) -> String {
        let name = self.name.replace('.', "$");
        match self.package {
            "" => name,
            package => format!("{package}.{name}"),
        }
    }

    /// As `getClass().getSimpleName()` says it.
    pub fn simple_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The class that declares it.
    pub class: ClassId,
    /// Its type.
    pub ty: Type,
    /// One for all objects?
    pub is_static: bool,
    /// The value of a constant.
    pub constant: Option<Constant>,
    /// Is it used?
    pub is_used: bool,
}

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Of a whole number or `char`.
    Integer(i64),
    /// Of `float` and `double`.
    Floating(f64),
    /// Of `boolean`.
    Truth(bool),
}

/// A method, a constructor, or what runs when a class is first used.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name; that of its class for a constructor.
    pub name: String,
    /// The class that declares it.
    pub class: ClassId,
    /// Without an object?
    pub is_static: bool,
    /// Is it a constructor?
    pub is_constructor: bool,
    /// `synchronized`?
    pub is_synchronized: bool,
    /// Does the machine itself do it?
    pub is_native: bool,
    /// What it returns.
    pub result: Type,
    /// Its parameters, without the object.
    pub parameters: Vec<LocalId>,
    /// Its variables, parameters first.
    pub locals: Vec<Local>,
    /// `None` if it cannot run.
    pub body: Option<Vec<Statement>>,
    /// The header.
    pub span: Span,
    /// The closing brace.
    pub end: Span,
    /// The methods that a call of it on an object leads to, by the class of the object. Empty if no
    /// call is virtual.
    pub targets: Vec<(ClassId, MethodId)>,
}

/// A variable of a method.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty if nobody wrote it.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Without `;`. Of a compound statement, its head.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Declares a variable.
    Local(LocalId, Option<Expr>),
    /// Evaluates.
    Expression(Expr),
    /// `if`
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `while`; `break` and `continue` name the label.
    While(LabelId, Expr, Box<Statement>),
    /// `do … while`, with the place of the condition's head.
    Do(LabelId, Box<Statement>, Expr, Span),
    /// `for`
    For {
        /// Its number.
        label: LabelId,
        /// What runs first.
        first: Vec<Statement>,
        /// None: for ever.
        condition: Option<Expr>,
        /// What runs after each turn.
        step: Vec<Expr>,
        /// The body.
        body: Box<Statement>,
    },
    /// `switch`: constants, or `default`.
    Switch(LabelId, Expr, Vec<Group>),
    /// What `break` with a label leads behind.
    Labelled(LabelId, Box<Statement>),
    /// Goes behind the statement with this number.
    Break(LabelId),
    /// Goes to the next turn.
    Continue(LabelId),
    /// `return`
    Return(Option<Expr>),
    /// `throw`
    Throw(Expr),
    /// `try`
    Try {
        /// What is tried.
        body: Vec<Statement>,
        /// What is caught.
        catches: Vec<Catch>,
        /// What runs in any case.
        finally: Option<Vec<Statement>>,
    },
    /// `assert`, with what its message evaluates.
    Assert(Expr, Option<Expr>),
    /// Statements in braces.
    Block(Vec<Statement>),
    /// Nothing.
    Empty,
}

/// Labels of `switch`, with what follows them.
#[derive(Clone, Debug)]
pub struct Group {
    /// `None` for `default`. Of an enumeration, the number of a constant from 1.
    pub labels: Vec<Option<i64>>,
    /// What follows; it falls into the next group.
    pub body: Vec<Statement>,
    /// The place of the labels.
    pub span: Span,
}

/// `catch`
#[derive(Clone, Debug)]
pub struct Catch {
    /// The classes that are caught.
    pub classes: Vec<ClassId>,
    /// The variable.
    pub local: LocalId,
    /// What runs.
    pub body: Vec<Statement>,
    /// The place of the variable.
    pub span: Span,
}

/// A type with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Generic {
    /// Erased.
    pub ty: Type,
    /// The arguments of it, or of the class of its elements; none if they are not known.
    pub arguments: Vec<Generic>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// The arguments of its type, where they are known. Only where a program is executed.
    pub arguments: Vec<Generic>,
    /// Its place.
    pub span: Span,
}

impl Expr {
    /// Its type with its arguments.
    pub fn generic(&self) -> Generic {
        Generic { ty: self.ty.clone(), arguments: self.arguments.clone() }
    }

    /// The expressions in it, in their order.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Null
            | ExprKind::Text(_)
            | ExprKind::This
            | ExprKind::Local(_)
            | ExprKind::Static(_)
            | ExprKind::Enumerated(..)
            | ExprKind::Constants(_)
            | ExprKind::Open
            | ExprKind::MayFail => Vec::new(),
            ExprKind::Texted(list)
            | ExprKind::NewArray(list)
            | ExprKind::ArrayOf(list)
            | ExprKind::Output(list)
            | ExprKind::Sequence(list) => list.iter().collect(),
            ExprKind::Shown(e, _)
            | ExprKind::Field(e, _)
            | ExprKind::Length(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Convert(e)
            | ExprKind::Cast(e)
            | ExprKind::InstanceOf(e, _)
            | ExprKind::Assume(e)
            | ExprKind::Exit(e)
            | ExprKind::Ordinal(e)
            | ExprKind::Position(e, _)
            | ExprKind::After(_, e) => vec![e],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) => {
                vec![a, b]
            }
            ExprKind::Update { place, value, .. } => vec![place, value],
            ExprKind::Call { receiver, arguments, .. } => {
                receiver.iter().map(|e| &**e).chain(arguments).collect()
            }
            ExprKind::New { presets, arguments, .. } => {
                presets.iter().map(|(_, e)| e).chain(arguments).collect()
            }
            ExprKind::Conditional(parts) => parts.iter().collect(),
        }
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Constant(Constant),
    /// `null`
    Null,
    /// A literal, by its characters.
    Text(String),
    /// A text that depends on these, which are evaluated in this order.
    Texted(Vec<Expr>),
    /// What `toString` says of an object; of `null` it says something, too.
    Shown(Box<Expr>, MethodId),
    /// The object of the method.
    This,
    /// A variable.
    Local(LocalId),
    /// A static field.
    Static(FieldId),
    /// A constant of an enumeration, from 1.
    Enumerated(ClassId, u32),
    /// A field of an object.
    Field(Box<Expr>, FieldId),
    /// The length of an array.
    Length(Box<Expr>),
    /// An element.
    Index(Box<Expr>, Box<Expr>),
    /// A call.
    Call {
        /// What is called.
        method: MethodId,
        /// The object.
        receiver: Option<Box<Expr>>,
        /// Does the class of the object decide what runs ([`Method::targets`])?
        is_virtual: bool,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// A new object.
    New {
        /// Its class.
        class: ClassId,
        /// What some of its fields hold before the constructor runs.
        presets: Vec<(FieldId, Expr)>,
        /// The constructor; none does nothing.
        constructor: Option<MethodId>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// A new array with these lengths; the type has all dimensions.
    NewArray(Vec<Expr>),
    /// A new array of these.
    ArrayOf(Vec<Expr>),
    /// The constants of an enumeration.
    Constants(ClassId),
    /// An operator; the operand has the type of the result.
    Unary(Unary, Box<Expr>),
    /// An operator. Both operands have one type, but for shifts.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `place = value`; the value has the type of the place.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`: the place is converted to the first type, the result back to its own.
    Update {
        /// The operator.
        operator: Binary,
        /// The type in which the operator works.
        ty: Type,
        /// The place.
        place: Box<Expr>,
        /// The other operand.
        value: Box<Expr>,
        /// Is the result the old value of the place (`x++`)?
        is_old: bool,
    },
    /// `a ? b : c`
    Conditional(Box<[Expr; 3]>),
    /// A number as one of another type.
    Convert(Box<Expr>),
    /// A reference of another type of the same family, which must be one.
    Cast(Box<Expr>),
    /// Is it an object of this class?
    InstanceOf(Box<Expr>, Type),
    /// Any value of the type.
    Open,
    /// May what the library does fail? Only where failures are caught.
    MayFail,
    /// Only runs in which this holds are looked at.
    Assume(Box<Expr>),
    /// Output of these.
    Output(Vec<Expr>),
    /// The run ends.
    Exit(Box<Expr>),
    /// The number of a constant of an enumeration, from 0.
    Ordinal(Box<Expr>),
    /// Evaluates all; the value is that of the last.
    Sequence(Vec<Expr>),
    /// The number of a text in a list, from 1; 0 if it is not there. `null` is no text. Only where
    /// a program is executed.
    Position(Box<Expr>, Vec<String>),
    /// What an expression is worth after these statements. Only where a program is executed.
    After(Vec<Statement>, Box<Expr>),
}

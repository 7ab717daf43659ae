//! From the typed program to the shared syntax tree.

use super::build::{
    Spelt, binary, call, declaration, effect, exactly, function, member, number, parameter,
    span_of, statement, table, truth, unsigned, width_of,
};
use super::objects::{ArrayStruct, CLASS, Family, Held, Refused, families, fields_of, held_type};
use super::survey::{Survey, expressions, is_closed, survey, throwing};
use super::writer::Writer;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Expr, Field, File, Initializer, Item, Parameter, Size, Statement, StatementKind,
    StructId, StructType, TypeName,
};
use faultline_java::{ClassId, ExprKind, FieldId, LocalId, Method, MethodId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The variable that holds what is thrown, until it is caught.
pub(super) const THROWN: &str = "thrown";
/// The object of a method.
pub(super) const THIS: &str = "this";
/// The elements of an array.
pub(super) const ELEMENTS: &str = "elements";
/// How many elements an array has.
pub(super) const LENGTH: &str = "length";
/// The text that is no literal.
pub(super) const SOME_TEXT: u64 = 1;

/// The exceptions of Java's own operators.
pub(super) const IMPLICIT: [&str; 5] = [
    "NullPointerException",
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "NegativeArraySizeException",
    "ClassCastException",
];

/// What all methods share.
pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) bits: u8,
    pub(super) survey: Survey,
    pub(super) families: BTreeMap<ClassId, Family>,
    arrays: BTreeMap<String, ArrayStruct>,
    /// The methods after whose calls something may be thrown.
    pub(super) throwing: BTreeSet<MethodId>,
    /// The exceptions of operators that are caught somewhere.
    pub(super) implicit: BTreeMap<&'static str, ClassId>,
    /// The classes that are initialised when they are first used.
    pub(super) lazy: BTreeSet<ClassId>,
    names: Vec<String>,
    field_names: Vec<String>,
    pub(super) throwable: ClassId,
    /// May the program catch something?
    pub(super) catches: bool,
}

/// The shared tree, and whether it has objects in memory.
pub(super) fn lower(program: &Program, bits: u32) -> Result<(File, bool), Refused> {
    let lowering = Lowering::new(program, bits)?;
    let structs = lowering.structs();
    let has_memory = !structs.is_empty();
    let mut items = Vec::new();
    lowering.globals(&mut items);
    for id in (0..program.methods.len() as u32).map(MethodId) {
        if program.methods[id.index()].body.is_some() {
            items.push(Writer::method(&lowering, id)?);
        }
    }
    if let Some(main) = lowering.separate_main()? {
        items.push(main);
    }
    Ok((File { items, structs, ..File::default() }, has_memory))
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program, bits: u32) -> Result<Self, Refused> {
        let mut survey = survey(program);
        let start = &program.methods[program.start.index()];
        for parameter in &start.parameters {
            // The arguments of `main`: any number of texts.
            let ty = &start.locals[parameter.index()].ty;
            if matches!(ty, Type::Array(_)) && mentions(start, *parameter) {
                survey.array(ty, None);
            }
        }
        let library = |name: &str| {
            let found = program.classes.iter().position(|c| c.is_library && c.name == name);
            ClassId(found.unwrap_or_default() as u32)
        };
        let throwable = library("Throwable");
        let caught = IMPLICIT
            .into_iter()
            .map(|name| (name, library(name)))
            .filter(|(_, class)| survey.is_caught(program, *class));
        let implicit: BTreeMap<&'static str, ClassId> = caught.collect();
        let catches = survey.has_finally || !survey.caught.is_empty();
        let throwing = match catches {
            true => throwing(program, !implicit.is_empty()),
            false => BTreeSet::new(),
        };
        let thrown: BTreeSet<ClassId> = implicit.values().copied().collect();
        let mut structure = 0;
        let mut arrays = BTreeMap::new();
        for (key, (element, lengths)) in survey.arrays.iter().filter(|(_, (_, l))| l.is_made) {
            let span = start_span(program);
            let (room, is_open) = (lengths.room(), lengths.is_open);
            let structure_id = StructId(structure);
            structure += 1;
            let element = element.clone();
            let made = ArrayStruct { structure: structure_id, element, room, is_open, span };
            arrays.insert(key.clone(), made);
        }
        let families = families(program, &thrown, structure)?;
        let ids = || (0..program.classes.len() as u32).map(ClassId);
        let lazy = ids()
            .filter(|id| {
                let initializer = program.classes[id.index()].initializer;
                let runs = initializer.is_some_and(|m| program.methods[m.index()].body.is_some());
                runs && !is_closed(program, *id)
            })
            .collect();
        let names = method_names(program);
        let field_names = field_names(program);
        let bits = bits.clamp(1, 32) as u8;
        Ok(Lowering {
            program,
            bits,
            survey,
            families,
            arrays,
            throwing,
            implicit,
            lazy,
            names,
            field_names,
            throwable,
            catches,
        })
    }

    /// The name of a method in the shared tree.
    pub(super) fn name_of(&self, method: MethodId) -> &str {
        &self.names[method.index()]
    }

    pub(super) fn field_name(&self, field: FieldId) -> &str {
        &self.field_names[field.index()]
    }

    pub(super) fn family(&self, class: ClassId) -> &Family {
        &self.families[&self.program.classes[class.index()].family]
    }

    /// The number of a class in its family, from 1; 0 if it has no objects.
    pub(super) fn number_of(&self, class: ClassId) -> u64 {
        let made = &self.family(class).made;
        made.iter().position(|other| *other == class).map_or(0, |k| k as u64 + 1)
    }

    pub(super) fn array(&self, ty: &Type) -> Option<&ArrayStruct> {
        let Type::Array(element) = ty else { return None };
        self.arrays.get(&format!("{element:?}"))
    }

    /// The texts' numbers: 0 is `null`, 1 a text that is computed.
    fn text_width(&self) -> u8 {
        width_of(self.survey.texts.len() as u64 + 1)
    }

    pub(super) fn text_number(&self, text: &str) -> u64 {
        let position = self.survey.texts.iter().position(|known| known == text);
        position.map_or(SOME_TEXT, |k| k as u64 + 2)
    }

    /// A type in the shared tree.
    pub(super) fn spelt(&self, ty: &Type) -> Spelt {
        let integer = |size, signed| (TypeName::Integer { size, signed }, 0);
        match ty {
            Type::Boolean => (TypeName::Bool, 0),
            Type::Byte => integer(Size::Char, true),
            Type::Short => integer(Size::Short, true),
            Type::Char => integer(Size::Short, false),
            Type::Int => integer(Size::Int, true),
            Type::Long => integer(Size::Long, true),
            Type::Float => (TypeName::Floating { width: 32 }, 0),
            Type::Double => (TypeName::Floating { width: 64 }, 0),
            Type::Void => (TypeName::Void, 0),
            Type::Null => (unsigned(1), 0),
            Type::String => (unsigned(self.text_width()), 0),
            Type::Class(class) => held_type(self.family(*class).held),
            Type::Array(_) => match self.array(ty) {
                Some(found) => (TypeName::Struct(found.structure), 1),
                None => (unsigned(1), 0),
            },
        }
    }

    /// The structs of arrays, then those of families.
    fn structs(&self) -> Vec<StructType> {
        let mut made: Vec<(u32, StructType)> = Vec::new();
        let field = |text: &str, spelt: Spelt, room: Option<u32>, span: Span| Field {
            name: super::build::name(text, span),
            unit: None,
            type_name: spelt.0,
            pointers: spelt.1,
            dimensions: room.map(|n| Some(number(i64::from(n), false, span))).into_iter().collect(),
            atomic: false,
            span,
        };
        for array in self.arrays.values() {
            let span = array.span;
            let length = field(LENGTH, self.spelt(&Type::Int), None, span);
            let element = self.spelt(&array.element);
            let elements = field(ELEMENTS, element, Some(array.room), span);
            let tag = tag_of(&array.element, self.program);
            let fields = Some(vec![length, elements]);
            made.push((array.structure.0, StructType { tag, fields, is_union: false }));
        }
        for (root, family) in &self.families {
            let Held::Pointer { structure, class } = family.held else { continue };
            let span = span_of(self.program.classes[root.index()].span);
            let mut fields = Vec::new();
            if let Some(width) = class {
                fields.push(field(CLASS, (unsigned(width), 0), None, span));
            }
            let mut list: Vec<FieldId> =
                family.made.iter().flat_map(|c| fields_of(self.program, *c)).collect();
            list.sort_unstable();
            list.dedup();
            for id in list {
                let info = &self.program.fields[id.index()];
                let spelt = self.spelt(&info.ty);
                fields.push(field(self.field_name(id), spelt, None, span_of(info.span)));
            }
            if fields.is_empty() {
                // A struct has a member.
                fields.push(field(CLASS, (unsigned(1), 0), None, span));
            }
            let tag = match &family.made[..] {
                [only] => plain(&self.program.classes[only.index()].name),
                _ => plain(&self.program.classes[root.index()].name),
            };
            let fields = Some(fields);
            made.push((structure.0, StructType { tag, fields, is_union: false }));
        }
        made.sort_by_key(|(number, _)| *number);
        made.into_iter().map(|(_, structure)| structure).collect()
    }

    pub(super) fn shown(&self, ty: &Type) -> String {
        match ty {
            Type::Class(class) => self.program.classes[class.index()].name.clone(),
            Type::Array(element) => format!("{}[]", self.shown(element)),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn globals(&self, items: &mut Vec<Item>) {
        for (k, info) in self.program.fields.iter().enumerate() {
            let span = span_of(info.span);
            let text = self.field_name(FieldId(k as u32));
            if !info.is_used || info.constant.is_some() {
                continue;
            }
            if info.is_static {
                let made = declaration(text, self.spelt(&info.ty), None, (span, span));
                items.push(Item::Declaration(made));
                continue;
            }
            // The constants of an enumeration are known: a field is an array by their number.
            if let Some(constants) = &self.program.classes[info.class.index()].constants {
                let count = constants.len() as u32 + 1;
                items.push(table(text, self.spelt(&info.ty), count, span));
            }
        }
        let start = start_span(self.program);
        for class in &self.lazy {
            let text = self.started(*class);
            let made = declaration(&text, (TypeName::Bool, 0), None, (start, start));
            items.push(Item::Declaration(made));
        }
        if self.catches {
            let spelt = self.spelt(&Type::Class(self.throwable));
            let made = declaration(THROWN, spelt, None, (start, start));
            items.push(Item::Declaration(made));
        }
    }

    /// The variable that says whether a class is initialised.
    pub(super) fn started(&self, class: ClassId) -> String {
        format!("{} is initialised", self.program.classes[class.index()].name)
    }

    /// Is the start a method that the program calls itself? Then `main` calls it, too.
    pub(super) fn is_called(&self) -> bool {
        self.survey.called.contains(&self.program.start)
    }

    fn separate_main(&self) -> Result<Option<Item>, Refused> {
        if !self.is_called() {
            return Ok(None);
        }
        Writer::main(self).map(Some)
    }

    /// The parameters of a method.
    pub(super) fn parameters(&self, id: MethodId, names: &[String]) -> Vec<Parameter> {
        let method = &self.program.methods[id.index()];
        let span = span_of(method.span);
        let mut made = Vec::new();
        if !method.is_static {
            made.push(parameter(THIS, self.spelt(&Type::Class(method.class)), span));
        }
        for local in &method.parameters {
            let info = &method.locals[local.index()];
            let spelt = self.spelt(&info.ty);
            made.push(parameter(&names[local.index()], spelt, span_of(info.span)));
        }
        made
    }

    /// Is the class of `object` one of these?
    pub(super) fn is_one_of(&self, object: &Expr, family: &Family, classes: &[ClassId]) -> Expr {
        let span = object.span;
        let tag = self.tag(object, family);
        let is = |class: &ClassId| match &tag {
            Some((tag, width)) => {
                let n = exactly(self.number_of(*class), unsigned(*width), span);
                binary(BinaryOp::Equal, tag.clone(), n)
            }
            None => self.not_null(object, family.held),
        };
        let mut tests = classes.iter().map(is);
        let first = tests.next().unwrap_or_else(|| truth(false, span));
        tests.fold(first, |all, test| binary(BinaryOp::LogicalOr, all, test))
    }

    /// The number of an object's class; `None` if there is only one class.
    pub(super) fn tag(&self, object: &Expr, family: &Family) -> Option<(Expr, u8)> {
        match family.held {
            Held::Number { .. } if family.enumeration.is_some() => None,
            Held::Number { width } => Some((object.clone(), width)),
            Held::Pointer { class, .. } => {
                let width = class?;
                Some((member(object.clone(), CLASS, object.span), width))
            }
        }
    }

    pub(super) fn not_null(&self, object: &Expr, held: Held) -> Expr {
        binary(BinaryOp::NotEqual, object.clone(), self.null(held, object.span))
    }

    pub(super) fn null(&self, held: Held, span: Span) -> Expr {
        match held {
            Held::Number { width } => exactly(0, unsigned(width), span),
            Held::Pointer { .. } => number(0, false, span),
        }
    }

    /// The classes of which objects of this type can be.
    pub(super) fn classes_below(&self, class: ClassId) -> Vec<ClassId> {
        let made = self.family(class).made.iter().copied();
        made.filter(|other| self.program.is_below(*other, class)).collect()
    }

    /// Runs what runs when classes are first used, as far as that can be done before `main`.
    pub(super) fn early(&self, span: Span) -> Vec<Statement> {
        let mut made = Vec::new();
        for (k, class) in self.program.classes.iter().enumerate() {
            if let Some(method) = class.initializer
                && self.program.methods[method.index()].body.is_some()
                && !self.lazy.contains(&ClassId(k as u32))
            {
                made.push(effect(call(self.name_of(method), Vec::new(), span)));
            }
        }
        made
    }
}

pub(super) fn start_span(program: &Program) -> Span {
    span_of(program.methods[program.start.index()].span)
}

/// Methods are named by their classes, and by their parameters where a name has several.
fn method_names(program: &Program) -> Vec<String> {
    let plain = |k: usize| {
        let method = &program.methods[k];
        format!("{}.{}", program.classes[method.class.index()].name, method.name)
    };
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    for (k, method) in program.methods.iter().enumerate() {
        if method.body.is_some() {
            *count.entry(plain(k)).or_default() += 1;
        }
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut name = |(k, method): (usize, &faultline_java::Method)| {
        if method.body.is_none() {
            return String::new();
        }
        let mut text = plain(k);
        if count.get(&text).is_some_and(|n| *n > 1) {
            let types =
                method.parameters.iter().map(|p| shown(program, &method.locals[p.index()].ty));
            text = format!("{text}({})", types.collect::<Vec<_>>().join(", "));
        }
        while !taken.insert(text.clone()) {
            text.push('\'');
        }
        text
    };
    program.methods.iter().enumerate().map(&mut name).collect()
}

fn shown(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Class(class) => program.classes[class.index()].name.clone(),
        Type::Array(element) => format!("{}[]", shown(program, element)),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// A field is named by itself in its object, or by its class where several have one name. Static
/// fields are named by their classes.
fn field_names(program: &Program) -> Vec<String> {
    let family = |class: ClassId| program.classes[class.index()].family;
    let mut count: BTreeMap<(ClassId, &str), u32> = BTreeMap::new();
    for field in program.fields.iter().filter(|field| field.is_used) {
        *count.entry((family(field.class), &field.name)).or_default() += 1;
    }
    let name = |field: &faultline_java::Field| {
        let class = &program.classes[field.class.index()];
        let alone = count.get(&(class.family, field.name.as_str())).is_none_or(|n| *n < 2);
        let in_object = !field.is_static && class.constants.is_none();
        match in_object && alone && field.name != CLASS {
            true => field.name.clone(),
            false => format!("{}.{}", class.name, field.name),
        }
    };
    program.fields.iter().map(name).collect()
}

/// The local variables' names; those that nobody wrote are numbered.
pub(super) fn local_names(program: &Program, id: MethodId) -> Vec<String> {
    let method = &program.methods[id.index()];
    let name = |(k, local): (usize, &faultline_java::Local)| match local.name.as_str() {
        "" => format!("hidden {}", k + 1),
        // The shared tree takes these for its own.
        text if text == THROWN || text == THIS || crate::lang::elaborate::is_known(text) => {
            format!("{text}'")
        }
        text => text.to_string(),
    };
    method.locals.iter().enumerate().map(name).collect()
}

/// A declaration of a variable.
pub(super) fn local_declaration(
    text: &str,
    spelt: Spelt,
    value: Option<Expr>,
    (name_span, span): (Span, Span),
) -> Statement {
    let made = declaration(text, spelt, None, (name_span, span));
    let mut made = made;
    made.declarators[0].initializer = value.map(Initializer::Value);
    statement(StatementKind::Declaration(made), span)
}

/// A procedure without parameters and result.
pub(super) fn plain_function(text: &str, statements: Vec<Statement>, span: Span) -> Item {
    function(text, (TypeName::Void, 0), Vec::new(), statements, (span, span, false))
}

/// Does a method read a variable of its own?
pub(super) fn mentions(method: &Method, local: LocalId) -> bool {
    let mut found = false;
    expressions(method.body.as_deref().unwrap_or_default(), &mut |e| {
        found |= matches!(e.kind, ExprKind::Local(other) if other == local);
    });
    found
}

/// The tag of a struct: points and brackets would be read as those of places.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// `int_array`, `A_array_array`
fn tag_of(element: &Type, program: &Program) -> String {
    match element {
        Type::Array(inner) => format!("{}_array", tag_of(inner, program)),
        other => format!("{}_array", plain(&shown(program, other))),
    }
}

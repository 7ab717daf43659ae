//! The arguments of a procedure that starts alone, as statements that make them.
//!
//! | what a parameter stands for | how it is made |
//! | --- | --- |
//! | a value | any, of an enumeration one of its constants |
//! | an array | as many elements as its length says, each any |
//! | a text | any characters but 0, then 0; nothing behind |
//! | an object | a local, or memory of `malloc` where the procedure frees it, filled |
//! | a list, a tree | objects of `malloc`, each hung to a free place of an earlier one |

use super::shapes::{Length, Shape, elements_of, leads_back, links, shapes};
use super::{AT_MOST, Bounds};
use crate::lang::contracts::{Formula, Promise};
use crate::lang::lowering::tidy::tidy_at;
use crate::lang::model::Span;
use crate::lang::rules::calls::each_expression;
use crate::lang::syntax::{
    BinaryOp, EnumId, Expr, ExprKind, Field, File, Function, Initializer, Item, Name, PointedType,
    Size, Statement, StatementKind, StructId, TypeName,
};
use crate::lang::tree::{
    array, assign, binary, call, closed, declared, effect, either, exactly, expr, mathematical,
    named, not, number, statement, variable, when,
};
use crate::wire::assumed::{Assumed, Shape as Told};

/// Why something cannot be made: its place, what it is, what to do.
type Refusal = (Span, String, String);

/// Deepest chain of pointers and structs.
const MOST_DEPTH: u32 = 6;
/// Most elements of an array inside of a struct.
const MOST_FILLED: i64 = 64;

/// An index of Faultline's own.
const INDEX: TypeName = TypeName::Exact { width: 9, signed: true };

const HINT: &str = "write a `main` that calls it";

pub(super) struct Opener<'f> {
    source: &'f str,
    file: &'f File,
    own: &'f Function,
    promise: Option<&'f Promise>,
    bounds: Bounds,
    /// Pointers that the procedure frees.
    freed: Vec<String>,
    /// The names of the arguments.
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Statement>,
    pub(super) assumed: Vec<Assumed>,
    /// Objects of the heap.
    pub(super) objects: u32,
    count: u32,
}

impl<'f> Opener<'f> {
    pub(super) fn new(
        source: &'f str,
        file: &'f File,
        own: &'f Function,
        promise: Option<&'f Promise>,
        bounds: Bounds,
    ) -> Opener<'f> {
        Opener {
            source,
            file,
            own,
            promise,
            bounds,
            freed: freed(own),
            parameters: Vec::new(),
            statements: Vec::new(),
            assumed: Vec::new(),
            objects: 0,
            count: 0,
        }
    }

    fn at(&self) -> Span {
        self.own.name.span
    }

    fn refuse<T>(&self, what: &str) -> Result<T, Refusal> {
        let what = format!("{what} of `{}`, which starts alone,", self.own.name.text);
        Err((self.at(), what, HINT.to_string()))
    }

    fn assume(&mut self, parameter: &str, shape: Told, length: Option<String>, most: Option<u32>) {
        let procedure = self.own.name.text.clone();
        self.assumed.push(Assumed {
            procedure,
            parameter: parameter.to_string(),
            shape,
            length,
            most,
        });
    }

    /// Does the shape of an argument say this already?
    pub(super) fn is_by_shape(&self, formula: &Formula) -> bool {
        self.parameters
            .iter()
            .zip(&self.own.parameters)
            .any(|(name, p)| p.pointers == 1 && elements_of(formula, name).is_some())
    }

    /// Declares a variable for each parameter, with its value.
    pub(super) fn arguments(&mut self) -> Result<(), Refusal> {
        let span = self.at();
        if self.bounds.any_globals {
            self.globals()?;
        }
        let shapes = shapes(self.own, self.promise);
        for (k, p) in self.own.parameters.iter().enumerate() {
            let by_contract = self.promise.and_then(|one| one.parameters.get(k)?.name.clone());
            let name = by_contract.or_else(|| p.name.clone());
            self.parameters.push(name.map_or_else(|| format!("argument {}", k + 1), |n| n.text));
        }
        // Numbers first: lengths are among them.
        let order = |is_value: bool| {
            let fits =
                move |(_, shape): &(usize, &Shape)| matches!(shape, Shape::Value) == is_value;
            shapes.iter().enumerate().filter(fits).collect::<Vec<_>>()
        };
        for (k, _) in order(true) {
            let p = &self.own.parameters[k];
            if !p.rows.is_empty() {
                return self.refuse("an array as a parameter");
            }
            let name = self.parameters[k].clone();
            self.value(&name, p.type_name, span)?;
        }
        let own = self.own;
        let lengths: Vec<String> = shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Array(Length::Parameter(n)) => Some(n.clone()),
                _ => None,
            })
            .collect();
        for n in lengths.iter().enumerate().filter(|(k, n)| !lengths[..*k].contains(n)) {
            self.length_within(n.1, span);
        }
        for (k, shape) in order(false) {
            let p = &own.parameters[k];
            let name = self.parameters[k].clone();
            if !p.rows.is_empty() {
                return self.refuse("an array of arrays as a parameter");
            }
            match shape {
                Shape::Value => {}
                Shape::Array(length) => self.elements(&name, p.type_name, length, span)?,
                Shape::Text => self.text(&name, p.type_name, span),
                Shape::Pointer => {
                    let ty = (p.type_name, p.pointers);
                    self.statements.push(declared(variable(&name, ty, None, span), span));
                    let freed = self.freed.contains(&name);
                    self.pointer(named(&name, span), ty, (&name, freed), 0)?;
                }
            }
        }
        Ok(())
    }

    /// Every global that is no constant has any value.
    fn globals(&mut self) -> Result<(), Refusal> {
        let span = self.at();
        let file = self.file;
        for item in &file.items {
            let Item::Declaration(declaration) = item else { continue };
            if declaration.constant || declaration.is_extern {
                continue;
            }
            for d in &declaration.declarators {
                let ty = (declaration.type_name, d.pointers);
                let place = named(&d.name.text, span);
                let made = self.filled(place, ty, &d.dimensions, (&d.name.text, false), 0)?;
                self.statements.extend(made);
            }
        }
        self.assume("", Told::Globals, None, None);
        Ok(())
    }

    /// A variable with any value that is no pointer.
    fn value(&mut self, name: &str, ty: TypeName, span: Span) -> Result<(), Refusal> {
        if let TypeName::Struct(_) = ty {
            self.statements.push(declared(variable(name, (ty, 0), None, span), span));
            let made = self.filled(named(name, span), (ty, 0), &[], (name, false), 0)?;
            self.statements.extend(made);
            return Ok(());
        }
        if matches!(ty, TypeName::Handle(_) | TypeName::Procedure(_) | TypeName::Array(_)) {
            return self.refuse("a parameter of this type");
        }
        let any = Some(Initializer::Value(expr(ExprKind::Choice, span)));
        self.statements.push(declared(variable(name, (ty, 0), any, span), span));
        if let TypeName::Enum { id, .. } = ty {
            let made = self.is_constant(named(name, span), id);
            if !made.is_empty() {
                self.assume(name, Told::Constant, None, None);
            }
            self.statements.extend(made);
        }
        Ok(())
    }

    /// The value is one of the constants of its enumeration.
    fn is_constant(&self, value: Expr, id: EnumId) -> Vec<Statement> {
        let span = value.span;
        let all = self.file.items.iter().filter_map(|item| match item {
            Item::Declaration(declaration) => Some(&declaration.enumerations),
            _ => None,
        });
        let own = all.flatten().filter(|one| one.id == id).flat_map(|one| &one.members);
        own.map(|one| binary(BinaryOp::Equal, value.clone(), named(&one.name.text, span)))
            .reduce(|one, other| binary(BinaryOp::LogicalOr, one, other))
            .map(|condition| assume(condition, span))
            .into_iter()
            .collect()
    }

    /// `0 <= n <= most`
    fn length_within(&mut self, name: &str, span: Span) {
        let n = || named(name, span);
        let most = exactly(i64::from(self.bounds.elements), span);
        let low = mathematical(BinaryOp::LessEqual, number(0, span), n(), span);
        let high = mathematical(BinaryOp::LessEqual, n(), most, span);
        self.statements.push(assume(low, span));
        self.statements.push(assume(high, span));
    }

    /// An array of numbers, or of structs of numbers.
    fn elements(
        &mut self,
        name: &str,
        ty: TypeName,
        length: &Length,
        span: Span,
    ) -> Result<(), Refusal> {
        if !self.is_plain(ty, 0) {
            return self.refuse("an array of what holds pointers");
        }
        let most = self.bounds.elements;
        let (length, told) = match length {
            Length::Parameter(n) => (named(n, span), Some(n.clone())),
            Length::Most => (number(u64::from(most), span), None),
            Length::Term(end) => {
                let told = tidy_at(self.source, end.span);
                let own = format!("length of {name} by contract");
                let within = mathematical(
                    BinaryOp::LessEqual,
                    end.clone(),
                    exactly(i64::from(most), span),
                    span,
                );
                self.statements.push(assume(within, span));
                // Of a negative length there are none.
                let none = mathematical(BinaryOp::Less, end.clone(), number(0, span), span);
                let parts = [none, number(0, span), end.clone()];
                let length = expr(ExprKind::Conditional(Box::new(parts)), span);
                let cast = expr(ExprKind::Cast(INDEX, Box::new(length)), span);
                let kept = variable(&own, (INDEX, 0), Some(Initializer::Value(cast)), span);
                self.statements.push(declared(kept, span));
                (named(&own, span), Some(told))
            }
        };
        let length = call(AT_MOST, vec![length, number(u64::from(most), span)], span);
        let own = array(name, (ty, 0), vec![Some(length)], None, span);
        self.statements.push(declared(own, span));
        self.assume(name, Told::Array, told, Some(most));
        Ok(())
    }

    /// Does the type hold numbers alone?
    fn is_plain(&self, ty: TypeName, depth: u32) -> bool {
        match ty {
            TypeName::Struct(id) => {
                let Some(one) = self.file.structs.get(id.0 as usize) else { return false };
                let Some(fields) = &one.fields else { return false };
                depth < MOST_DEPTH
                    && fields
                        .iter()
                        .all(|f| f.pointers == 0 && self.is_plain(f.type_name, depth + 1))
            }
            TypeName::Void
            | TypeName::Handle(_)
            | TypeName::Procedure(_)
            | TypeName::Array(_)
            | TypeName::Poisoned => false,
            _ => true,
        }
    }

    /// A string.
    fn text(&mut self, name: &str, ty: TypeName, span: Span) {
        let most = self.bounds.elements;
        let own = format!("characters of {name}");
        let any = Some(Initializer::Value(expr(ExprKind::Choice, span)));
        self.statements.push(declared(variable(&own, (INDEX, 0), any, span), span));
        self.length_within(&own, span);
        let length = || named(&own, span);
        let size = mathematical(BinaryOp::Add, length(), number(1, span), span);
        let size = call(AT_MOST, vec![size, number(u64::from(most) + 1, span)], span);
        let declaration = array(name, (ty, 0), vec![Some(size)], None, span);
        self.statements.push(declared(declaration, span));
        let element =
            |k: Expr| expr(ExprKind::Index(Box::new(named(name, span)), Box::new(k)), span);
        for k in 0..u64::from(most) {
            let inside = mathematical(BinaryOp::Less, number(k, span), length(), span);
            let some = binary(BinaryOp::NotEqual, element(number(k, span)), number(0, span));
            self.statements.push(when(inside, vec![assume(some, span)], span));
        }
        self.statements.push(effect(assign(element(length()), number(0, span))));
        self.assume(name, Told::Text, None, Some(most));
    }

    /// What a pointer points to. The variable or the place is declared.
    fn pointer(
        &mut self,
        place: Expr,
        (ty, stars): (TypeName, u32),
        (told, freed): (&str, bool),
        depth: u32,
    ) -> Result<(), Refusal> {
        let span = place.span;
        if depth >= MOST_DEPTH {
            return self.refuse("pointers behind pointers, this deep,");
        }
        if stars == 1 {
            match ty {
                TypeName::Void => return self.refuse("a pointer to `void`"),
                TypeName::Procedure(_) => return self.refuse("a pointer to a procedure"),
                TypeName::Array(_) | TypeName::Handle(_) => {
                    return self.refuse("a pointer to this type");
                }
                TypeName::Integer { size: Size::Char, .. } if depth > 0 => {
                    let name = self.fresh("text");
                    self.text(&name, ty, span);
                    if let Some(last) = self.assumed.last_mut() {
                        last.parameter = told.to_string();
                    }
                    self.statements.push(effect(assign(place, named(&name, span))));
                    return Ok(());
                }
                TypeName::Struct(id) if !links(self.file, id).is_empty() => {
                    return self.chain(place, id, told, depth);
                }
                TypeName::Struct(id) => {
                    let known = self.file.structs.get(id.0 as usize);
                    if known.is_none_or(|one| one.fields.is_none()) {
                        return self.refuse("a pointer to a struct that is not declared");
                    }
                }
                _ => {}
            }
        }
        let pointed = (ty, stars - 1);
        let target = match freed {
            true => {
                self.objects += 1;
                let taken = self.taken(pointed, span);
                self.statements.push(effect(assign(place.clone(), taken)));
                expr(ExprKind::Indirect(Box::new(place)), span)
            }
            false => {
                // It is told as what it is.
                let name = format!("*{told}");
                self.statements.push(declared(variable(&name, pointed, None, span), span));
                let address = expr(ExprKind::Address(Box::new(named(&name, span))), span);
                self.statements.push(effect(assign(place, address)));
                named(&name, span)
            }
        };
        self.assume(told, Told::Object, None, None);
        let made = self.filled(target, pointed, &[], (&format!("*{told}"), false), depth + 1)?;
        self.statements.extend(made);
        Ok(())
    }

    /// Memory for one object.
    fn taken(&self, (ty, stars): (TypeName, u32), span: Span) -> Expr {
        let size = match stars {
            0 => expr(ExprKind::SizeOfType(ty, Vec::new()), span),
            _ => expr(ExprKind::SizeOfPointer, span),
        };
        let to = PointedType { type_name: ty, pointers: stars + 1, other: false };
        expr(ExprKind::PointerCast(to, Box::new(call("malloc", vec![size], span))), span)
    }

    fn fresh(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what} {}", self.count)
    }

    /// Null, or a chain of objects: each hangs at a free place of an earlier one.
    fn chain(&mut self, place: Expr, id: StructId, told: &str, depth: u32) -> Result<(), Refusal> {
        let span = place.span;
        let links = links(self.file, id);
        let (back, forth): (Vec<String>, Vec<String>) =
            links.into_iter().partition(|name| leads_back(name));
        // A struct that only leads back is a list in that direction.
        let (back, forth) = if forth.is_empty() { (forth, back) } else { (back, forth) };
        let most = self.bounds.objects;
        self.objects += most;
        let names: Vec<String> = (0..most).map(|_| self.fresh("object")).collect();
        let ty = (TypeName::Struct(id), 1);
        for name in &names {
            let null = Some(Initializer::Value(number(0, span)));
            self.statements.push(declared(variable(name, ty, null, span), span));
        }
        let member = |name: &str, link: &str| {
            let object = expr(ExprKind::Indirect(Box::new(named(name, span))), span);
            let link = Name { text: link.to_string(), span };
            expr(ExprKind::Member(Box::new(object), link), span)
        };
        let null = || number(0, span);
        let mut inner: Vec<Statement> = Vec::new();
        for k in (0..names.len()).rev() {
            let name = &names[k];
            let mut made = vec![effect(assign(named(name, span), self.taken((ty.0, 0), span)))];
            let object = expr(ExprKind::Indirect(Box::new(named(name, span))), span);
            made.extend(self.members(object, id, (told, false), depth + 1)?);
            for link in back.iter().chain(&forth) {
                made.push(effect(assign(member(name, link), null())));
            }
            if k == 0 {
                made.push(effect(assign(place.clone(), named(name, span))));
            } else {
                let mut hung = assume(null(), span);
                let places = names[..k].iter().flat_map(|one| forth.iter().map(move |l| (one, l)));
                for (parent, link) in places {
                    let free = not(member(parent, link));
                    let chosen = expr(ExprKind::Choice, span);
                    let test = binary(BinaryOp::LogicalAnd, free, chosen);
                    let mut then = vec![effect(assign(member(parent, link), named(name, span)))];
                    for link in &back {
                        then.push(effect(assign(member(name, link), named(parent, span))));
                    }
                    hung = either(test, then, Some(hung), span);
                }
                made.push(hung);
            }
            made.append(&mut inner);
            inner = vec![when(expr(ExprKind::Choice, span), made, span)];
        }
        self.statements.push(effect(assign(place, null())));
        self.statements.append(&mut inner);
        let shape = if forth.len() == 1 { Told::List } else { Told::Tree };
        self.assume(told, shape, None, Some(most));
        Ok(())
    }

    /// The members of a struct, but for those that lead to such structs.
    fn members(
        &mut self,
        place: Expr,
        id: StructId,
        (told, _): (&str, bool),
        depth: u32,
    ) -> Result<Vec<Statement>, Refusal> {
        let file = self.file;
        let Some(one) = file.structs.get(id.0 as usize) else { return Ok(Vec::new()) };
        let Some(fields) = &one.fields else { return self.refuse("a struct without members") };
        if one.is_union {
            return self.refuse("a union");
        }
        let links = links(file, id);
        let mut made = Vec::new();
        for field in fields {
            let Field { name, type_name, pointers, dimensions, .. } = field;
            if links.contains(&name.text) {
                continue;
            }
            if name.text.is_empty() {
                match type_name {
                    TypeName::Struct(_) => return self.refuse("a member without a name"),
                    _ => continue,
                }
            }
            let member = ExprKind::Member(Box::new(place.clone()), name.clone());
            let member = expr(member, place.span);
            let told = format!("{told}->{}", name.text);
            let ty = (*type_name, *pointers);
            made.extend(self.filled(member, ty, dimensions, (&told, false), depth)?);
        }
        Ok(made)
    }

    /// Any value at a place.
    fn filled(
        &mut self,
        place: Expr,
        (ty, stars): (TypeName, u32),
        dimensions: &[Option<Expr>],
        (told, freed): (&str, bool),
        depth: u32,
    ) -> Result<Vec<Statement>, Refusal> {
        let span = place.span;
        if depth >= MOST_DEPTH {
            return self.refuse("objects inside of objects, this deep,");
        }
        if let Some((first, rest)) = dimensions.split_first() {
            let Some(count) = first else { return self.refuse("an array without a size") };
            if stars > 0 {
                return self.refuse("an array of pointers");
            }
            let index = self.fresh("index");
            let at = || named(&index, span);
            let element = ExprKind::Index(Box::new(place), Box::new(at()));
            let mut body =
                self.filled(expr(element, span), (ty, 0), rest, (told, false), depth + 1)?;
            let next = mathematical(BinaryOp::Add, at(), number(1, span), span);
            let next = expr(ExprKind::Cast(INDEX, Box::new(next)), span);
            body.push(effect(assign(at(), next)));
            let zero = Some(Initializer::Value(number(0, span)));
            let more =
                mathematical(BinaryOp::Less, exactly(MOST_FILLED, span), count.clone(), span);
            let condition = mathematical(BinaryOp::Less, at(), count.clone(), span);
            let body = Box::new(closed(body, span));
            return Ok(vec![closed(
                vec![
                    declared(variable(&index, (INDEX, 0), zero, span), span),
                    statement(StatementKind::CutOff(more), span),
                    statement(StatementKind::While { condition, body }, span),
                ],
                span,
            )]);
        }
        if stars > 0 {
            // What it points to is made before.
            let before = std::mem::take(&mut self.statements);
            let made = self.pointer(place, (ty, stars), (told, freed), depth);
            let own = std::mem::replace(&mut self.statements, before);
            made?;
            return Ok(own);
        }
        match ty {
            TypeName::Struct(id) => self.members(place, id, (told, freed), depth + 1),
            TypeName::Enum { id, .. } => {
                let any = effect(assign(place.clone(), expr(ExprKind::Choice, span)));
                let mut made = vec![any];
                made.extend(self.is_constant(place, id));
                Ok(made)
            }
            TypeName::Handle(_) | TypeName::Procedure(_) | TypeName::Array(_) => {
                self.refuse("a member of this type")
            }
            _ => Ok(vec![effect(assign(place, expr(ExprKind::Choice, span)))]),
        }
    }
}

fn assume(condition: Expr, span: Span) -> Statement {
    effect(call("__VERIFIER_assume", vec![condition], span))
}

/// The parameters that a procedure gives to `free` or `realloc` itself.
fn freed(own: &Function) -> Vec<String> {
    let mut found = Vec::new();
    let Some(mut body) = own.body.clone() else { return found };
    each_expression(&mut body, &mut |e| {
        if let ExprKind::Call(name, arguments) = &e.kind
            && matches!(name.text.as_str(), "free" | "realloc")
            && let Some(ExprKind::Name(first)) = arguments.first().map(|e| &e.kind)
        {
            found.push(first.clone());
        }
    });
    found
}

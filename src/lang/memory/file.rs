//! A whole file, in two passes.

use super::build::{expr, name, number};
use super::keys::keys_as_variables;
use super::layout::{Heap, Life, layout};
use super::library::with_library;
use super::lowerer::{Lowered, Lowerer, Refused, Scope, Signature, refuse};
use super::members::recover;
use super::summary::{BEFORE, LAST};
use super::thread_numbers::numbers_of_threads;
use super::threads::in_one_step;
use super::types::{Type, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{
    Block, Declaration, Declarator, Expr, ExprKind, File, Function, Initializer, Item, Statement,
    StatementKind, StructId, StructType, TypeName,
};
use crate::wire::options::EffectiveOptions;

/// Objects of each type that may be in use at once.
pub(in crate::lang) const HEAP: u32 = 3;

/// The file with its memory as arrays, for this width of `int` and these objects on the heap.
pub(in crate::lang) fn lower(
    source: &str,
    file: &File,
    options: &EffectiveOptions,
    heap: Heap,
) -> Result<File, Refused> {
    let defined = |item: &Item| match item {
        Item::Function(f) if f.body.is_some() => Some(f.name.text.clone()),
        _ => None,
    };
    let written = file.items.iter().filter_map(defined).collect();
    let mut file = with_library(file, options.model, options.error);
    recover(source, &mut file, options);
    keys_as_variables(&mut file, options.model);
    numbers_of_threads(&mut file, options.model);
    let file = &file;
    let mut lowerer = Lowerer::new(source, file, options);
    lowerer.written = written;
    let survey = lowerer.find_threads();
    lowerer.file()?;
    lowerer.join_calls()?;
    lowerer.find_left();
    lowerer.find_frames(&survey)?;
    let flats = lowerer.flats()?;
    let sizes: Vec<_> = lowerer.regions.roots().collect();
    let mut known = Vec::new();
    for root in sizes {
        let element = lowerer.regions.element(root).cloned();
        if lowerer.allocations.iter().any(|a| lowerer.regions.find(a.region) == root)
            && let Some(element) = element
        {
            known.push((format!("{element:?}"), lowerer.bytes(&element)));
        }
    }
    let size = |element: &Type| {
        if let Type::Scalar(TypeName::Exact { width, signed: false }) = element {
            return Some(u64::from(width.div_ceil(8)));
        }
        let spelt = format!("{element:?}");
        known.iter().find(|(name, _)| *name == spelt).and_then(|(_, bytes)| *bytes)
    };
    let word = |element: &Type| word(file, element);
    let (objects, allocations) = (&lowerer.objects, &lowerer.allocations);
    let found = layout(&lowerer.regions, objects, allocations, heap, &flats, size, word);
    match found {
        Ok(layout) => lowerer.restart(layout),
        Err(no) => return refuse(no.span, no.why),
    }
    let mut items = lowerer.file()?;
    if !lowerer.regions.is_complete() {
        return refuse(Span { start: 0, end: 0, line: 1 }, "this use of pointers");
    }
    lowerer.leaks()?;
    let mut made: Vec<Item> = std::mem::take(&mut lowerer.made).into_values().collect();
    if !lowerer.entries.is_empty() {
        made.iter_mut().for_each(in_one_step);
    }
    items.append(&mut made);
    lowerer.rooms(&mut items)?;
    if lowerer.layout.as_ref().is_some_and(|layout| layout.individuals > 0) {
        let ty = lowerer.number_of_object();
        let noted = [LAST, BEFORE].map(|name| array(name, ty, 0, None, Span::default()));
        items.splice(..0, noted);
    }
    let structs = lowerer.structs()?;
    Ok(File {
        items,
        structs,
        procedure_types: file.procedure_types.clone(),
        array_types: file.array_types.clone(),
        has_statement_expressions: file.has_statement_expressions,
        braced_values: file.braced_values.clone(),
        rooms: lowerer.named_rooms(),
        traits: file.traits,
    })
}

/// A word for what a region holds.
fn word(file: &File, element: &Type) -> String {
    use crate::lang::syntax::Size;
    match element {
        Type::Struct(id) => match file.structs.get(id.0 as usize).map(|s| s.tag.as_str()) {
            Some("") | None => "struct".to_string(),
            Some(tag) => tag.to_string(),
        },
        Type::Scalar(TypeName::Integer { size: Size::Char, .. }) => "char".to_string(),
        Type::Scalar(TypeName::Integer { size: Size::Short, .. }) => "short".to_string(),
        Type::Scalar(TypeName::Integer { size: Size::Long, .. }) => "long".to_string(),
        Type::Scalar(TypeName::Bool) => "bool".to_string(),
        Type::Scalar(_) => "int".to_string(),
        Type::Pointer(..) => "pointer".to_string(),
        Type::Procedure(_) => "procedure".to_string(),
        _ => "void".to_string(),
    }
}

impl Lowerer<'_> {
    /// One pass.
    fn file(&mut self) -> Lowered<Vec<Item>> {
        let mut items = Vec::new();
        let file = self.file;
        self.anything = self.regions.fresh();
        // Members get their regions here, in both passes: the second one asks for sizes earlier.
        for item in &file.items {
            if let Item::Declaration(declaration) = item {
                self.enumerators(declaration);
            }
        }
        for id in 0..file.structs.len() {
            let _ = self.members(StructId(id as u32), Span::default());
        }
        for item in &file.items {
            match item {
                Item::Declaration(declaration) => {
                    items.extend(self.global(declaration)?.into_iter().map(Item::Declaration));
                }
                Item::Function(function) => {
                    let made = self.head(function)?;
                    // A procedure is declared in the new tree where it is defined.
                    if function.body.is_some() || !self.is_defined(&function.name.text) {
                        items.push(Item::Function(made));
                    }
                }
                Item::Thread(thread) => {
                    return refuse(thread.span, "a pointer in a program with threads");
                }
            }
        }
        for item in &mut items {
            let Item::Function(made) = item else { continue };
            let original = file.items.iter().find_map(|item| match item {
                Item::Function(f) if f.body.is_some() && f.name.text == made.name.text => Some(f),
                _ => None,
            });
            if let Some(original) = original {
                self.body(original, made)?;
            }
        }
        Ok(items)
    }

    /// The types of a procedure; its head in the new tree.
    fn head(&mut self, function: &Function) -> Lowered<Function> {
        let result = self.declared(function.result, function.pointers, &[], function.span)?;
        self.hold_longer(&result);
        let mut parameters = Vec::with_capacity(function.parameters.len());
        for parameter in &function.parameters {
            if !parameter.rows.is_empty() && function.body.is_some() {
                return refuse(parameter.span, "an array of arrays as a parameter");
            }
            parameters.push(self.declared(
                parameter.type_name,
                parameter.pointers,
                &[],
                parameter.span,
            )?);
        }
        let text = &function.name.text;
        let has_body = function.body.is_some();
        let is_main = text == "main";
        if let Some(known) = self.signatures.get(text).cloned() {
            let same = self.regions.unify(&known.result, &result)
                && (known.parameters.len() == parameters.len())
                && known
                    .parameters
                    .iter()
                    .zip(&parameters)
                    .all(|(one, other)| self.regions.unify(one, other));
            if !same && !known.open_ended && !function.open_ended {
                return refuse(function.span, "a procedure that is declared with two types");
            }
        }
        let old = self.signatures.get(text).is_some_and(|s| s.has_body);
        if !old {
            let signature = Signature {
                result: result.clone(),
                parameters: parameters.clone(),
                has_body,
                open_ended: function.open_ended,
            };
            self.signatures.insert(text.clone(), signature);
        }
        if !self.procedures.contains_key(text) {
            let made = (self.key(), self.regions.fresh());
            self.procedures.insert(text.clone(), made);
        }
        if function.body.is_some() && !is_main {
            self.parameters_of_bytes(function, &parameters)?;
        }
        let file = self.file;
        let defined = file.items.iter().any(
            |item| matches!(item, Item::Function(f) if f.name.text == *text && f.body.is_some()),
        );
        let mut made = Function { body: None, ..function.clone() };
        let takes_procedure = parameters.iter().any(is_procedure);
        if is_main || (!defined && !takes_procedure) {
            return Ok(made);
        }
        made.result = self.written_type(&result);
        made.pointers = 0;
        for (parameter, ty) in made.parameters.iter_mut().zip(&parameters) {
            parameter.type_name = self.written_type(ty);
            if matches!(ty, Type::Pointer(..)) {
                parameter.constant = false;
            }
            parameter.pointers = 0;
            parameter.rows = Vec::new();
        }
        let mut position = 0;
        made.parameters.retain(|_| {
            position += 1;
            !self.by_bytes.contains_key(&(text.clone(), position - 1))
        });
        Ok(made)
    }

    fn body(&mut self, function: &Function, made: &mut Function) -> Lowered<()> {
        let Some(body) = &function.body else { return Ok(()) };
        let Some(signature) = self.signatures.get(&function.name.text).cloned() else {
            return Ok(());
        };
        self.owner = function.name.text.clone();
        self.result = signature.result.clone();
        self.has_goto = body.statements.iter().any(has_goto);
        self.passed_label = false;
        self.scopes.clear();
        self.scopes.push(Scope { is_body: true, ..Scope::default() });
        let is_main = function.name.text == "main";
        let mut first: Vec<Statement> = Vec::new();
        let parameters = function.parameters.iter().zip(&signature.parameters);
        for (position, (parameter, ty)) in parameters.enumerate() {
            let Some(text) = &parameter.name else { continue };
            let key = (function.name.text.clone(), position);
            if let Some(variable) = self.by_bytes.get(&key).cloned() {
                if let Some(placed) = self.placed(variable.key) {
                    self.begin_life(&variable, (placed.flag, true), &mut first, text.span)?;
                }
                self.bind(&text.text, variable);
                continue;
            }
            let mut variable = self.variable(ty, Life::Block, text.span, false, false);
            if is_main && parameter.pointers > 0 {
                if names_variable(body, &text.text) {
                    self.arguments(&variable, function, made, &mut first)?;
                } else {
                    variable.closed = true;
                }
            }
            if self.has_union(ty, 0) {
                self.regions.flatten(variable.region);
                self.address_variable(&text.text, &variable)?;
            }
            if let Some(placed) = self.placed(variable.key) {
                self.begin_life(&variable, (placed.flag, true), &mut first, text.span)?;
                let place = self.variable_place(&text.text, &variable, text.span);
                let value = super::build::named(&text.text, text.span);
                if matches!(ty, Type::Struct(_)) {
                    return refuse(text.span, "the address of a struct that is a parameter");
                }
                let mut changes = vec![(place.e.clone(), Some(value.clone()))];
                if let Some(spot) = &place.spot {
                    let mut pieces = Vec::new();
                    self.initial_pieces(spot, &place.ty, &value, &mut pieces)?;
                    changes = pieces.into_iter().map(|(e, value)| (e, Some(value))).collect();
                }
                let change = StatementKind::Forget(changes);
                first.push(super::build::statement(change, text.span));
            }
            self.bind(&text.text, variable);
        }
        let block = Block { statements: body.statements.clone(), end: body.end };
        let scope = self.scopes.pop().unwrap_or_default();
        let mut block = self.block(&block, scope)?;
        let returns = block.statements.last();
        if !returns.is_some_and(|last| matches!(last.kind, StatementKind::Return(_))) {
            block.statements.extend(self.end_of_main(body.end));
        }
        if !first.is_empty() {
            first.append(&mut block.statements);
            block.statements = first;
        }
        made.body = Some(block);
        Ok(())
    }

    /// The arrays of the regions that the new tree mentions.
    fn rooms(&mut self, items: &mut Vec<Item>) -> Lowered<()> {
        let Some(layout) = self.layout.take() else { return Ok(()) };
        let rooms: Vec<_> = layout.rooms.iter().map(|(id, room)| (*id, room.clone())).collect();
        self.layout = Some(layout);
        for (id, room) in rooms {
            if !self.used.contains(&id) || matches!(room.element, Type::Procedure(_)) {
                continue;
            }
            let span = room.span;
            let mut parts: Vec<(u32, Initializer)> = self.initial.remove(&id).unwrap_or_default();
            for (key, object) in &self.objects {
                if object.text.is_empty() || self.regions.find(object.region) != id {
                    continue;
                }
                let Some(placed) = self.placed(*key) else { continue };
                for (k, character) in object.text.iter().enumerate() {
                    let value = number(u64::from(*character), super::types::CHAR, span);
                    parts.push((placed.first + k as u32, Initializer::Value(value)));
                }
            }
            parts.sort_by_key(|(slot, _)| *slot);
            let parts: Vec<Initializer> = parts
                .into_iter()
                .map(|(slot, value)| {
                    Initializer::At(number(u64::from(slot), unsigned(32), span), Box::new(value))
                })
                .collect();
            let initializer = (!parts.is_empty()).then_some(Initializer::List(parts, span));
            let element = match room.element {
                Type::Void => unsigned(1),
                ref element => self.written_type(element),
            };
            items.push(array(&room.name, element, room.slots + 1, initializer, span));
            if room.flags > 0 {
                items.push(array(&room.flags_name(), TypeName::Bool, room.flags, None, span));
            }
            if room.summary {
                let count = room.individuals().len() as u32;
                items.push(array(&room.held_name(), TypeName::Bool, count, None, span));
            }
            if let Some(ty) = self.line_numbers(id).filter(|_| room.flags > 0) {
                items.push(array(&room.lines_name(), ty, room.flags, None, span));
            }
            if room.lengths > 0 {
                items.push(array(&room.lengths_name(), unsigned(16), room.lengths, None, span));
            }
            if !room.pools.is_empty() {
                items.push(array(&room.kept_name(), room.pointer(), 0, None, span));
            }
        }
        Ok(())
    }

    /// The structs, with their pointers as numbers.
    fn structs(&mut self) -> Lowered<Vec<StructType>> {
        let file = self.file;
        let mut structs = file.structs.clone();
        let ids: Vec<_> = self.fields.keys().copied().collect();
        for id in ids {
            let members = self.fields[&id].clone();
            let Some(structure) = structs.get_mut(id.0 as usize) else { continue };
            let fields = structure.fields.iter_mut().flatten();
            for (position, (field, (_, ty))) in fields.zip(&members).enumerate() {
                if field.name.text.is_empty() && field.unit.is_none() {
                    field.name.text = super::lowerer::unnamed(position);
                }
                if matches!(ty.element(), Type::Pointer(..)) {
                    field.type_name = self.written_type(ty);
                    field.pointers = 0;
                }
            }
        }
        Ok(structs)
    }
}

/// Is it a pointer to procedures?
pub(super) fn is_procedure(ty: &Type) -> bool {
    matches!(ty, Type::Pointer(to, _) if matches!(**to, Type::Procedure(_)))
}

/// Does a statement of the block name this variable?
fn names_variable(body: &Block, text: &str) -> bool {
    let mut found = false;
    let mut visit = |e: &Expr| {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            found |= matches!(&e.kind, ExprKind::Name(name) if name == text);
            if let ExprKind::SizeOf(inner) = &e.kind {
                stack.push(inner);
            }
            e.children(&mut stack);
        }
    };
    body.statements.iter().for_each(|s| super::library::each(s, &mut visit));
    found
}

fn has_goto(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Goto(_) => true,
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|b| has_goto(&b.then)) || otherwise.as_deref().is_some_and(has_goto)
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Switch { body, .. } => has_goto(body),
        StatementKind::Block(block) => block.statements.iter().any(has_goto),
        _ => false,
    }
}

/// A global array, or a scalar if there are no elements.
fn array(
    text: &str,
    type_name: TypeName,
    count: u32,
    initializer: Option<Initializer>,
    span: Span,
) -> Item {
    let extent = |n: u32| -> Option<Expr> { Some(number(u64::from(n), unsigned(32), span)) };
    let declarator = Declarator {
        name: name(text, span),
        pointers: 0,
        dimensions: if count == 0 { Vec::new() } else { vec![extent(count)] },
        initializer,
        span,
    };
    let mut declaration = Declaration::plain(type_name, vec![declarator]);
    if count == 0 {
        declaration.declarators[0].initializer = Some(Initializer::Value(expr(
            crate::lang::syntax::ExprKind::Exactly(0, type_name),
            span,
        )));
    }
    Item::Declaration(declaration)
}

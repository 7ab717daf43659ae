//! The arguments of the command line: an array of a few pointers to strings of a few characters.
//! Where a run reads more, it is cut off.

use super::build::{binary, conditional, forget, named, number, statement, wide};
use super::layout::{Life, Object};
use super::lowerer::{Lowered, Lowerer, Variable, refuse};
use super::regions::RegionId;
use super::types::{CHAR, INT, Type, WIDE, unsigned};
use crate::lang::syntax::{
    BinaryOp, Declaration, Declarator, Function, Initializer, Name, Statement, StatementKind,
};

/// Arguments that the model has.
const ARGUMENTS: u32 = 3;

/// Characters of each.
const CHARACTERS: u32 = 3;

impl Lowerer<'_> {
    /// `argv` of `main`: the statements that come first. The parameter itself gets another name.
    pub(super) fn arguments(
        &mut self,
        variable: &Variable,
        function: &Function,
        made: &mut Function,
        into: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let span = variable.span;
        let Type::Pointer(inner, region) = variable.ty.clone() else { return Ok(()) };
        let (Type::Pointer(character, strings), Some(count)) =
            (&*inner, function.parameters.first().and_then(|p| p.name.clone()))
        else {
            return refuse(span, "these parameters of `main`");
        };
        if !matches!(**character, Type::Scalar(CHAR)) || function.parameters.len() != 2 {
            return refuse(span, "these parameters of `main`");
        }
        let all = self.key();
        let each: Vec<u32> = (0..ARGUMENTS).map(|_| self.key()).collect();
        self.regions.walk(region);
        self.regions.walk(*strings);
        let pointer_bytes = self.pointer_bytes();
        let object =
            |region: RegionId, slots: u32, bytes: u64, name: String, varies: bool| Object {
                dimensions: Vec::new(),
                region,
                slots,
                bytes: Some(u64::from(slots) * bytes),
                varies,
                open: true,
                life: Life::Whole,
                in_frames: false,
                owner: None,
                depth: 0,
                name,
                span,
                text: Vec::new(),
            };
        let whole = object(region, ARGUMENTS, pointer_bytes, "arguments".to_string(), true);
        self.objects.entry(all).or_insert(whole);
        for (k, key) in each.iter().enumerate() {
            let string = object(*strings, CHARACTERS, 1, format!("argument {k}"), false);
            self.objects.entry(*key).or_insert(string);
        }
        let Some(name) = function.parameters[1].name.as_ref().map(|name| name.text.clone()) else {
            return Ok(());
        };
        if let Some(parameter) = made.parameters.get_mut(1) {
            parameter.name = Some(Name { text: "arguments of the program".to_string(), span });
        }
        let Some(room) = self.room(region).cloned() else { return Ok(()) };
        let argc = || named(&count.text, span);
        let first = self.first_slot(all, region, span);
        let declarator = Declarator {
            name: Name { text: name, span },
            pointers: 0,
            dimensions: Vec::new(),
            initializer: Some(Initializer::Value(first.clone())),
            span,
        };
        let declaration = Declaration::plain(self.written_type(&variable.ty), vec![declarator]);
        into.push(statement(StatementKind::Declaration(declaration), span));
        let mut changes = Vec::new();
        let null = match self.room(*strings) {
            Some(room) => number(0, room.pointer(), span),
            None => return Ok(()),
        };
        let element = self.written_type(&inner);
        for (k, key) in each.iter().enumerate() {
            let string = self.first_slot(*key, *strings, span);
            let given = binary(BinaryOp::Less, number(k as u64, INT, span), argc());
            let value = conditional(given, string.clone(), null.clone());
            let value = super::build::cast(element, value);
            if let Some(spot) = self.spot(&first, region, "argv") {
                let offset = k as u64 * pointer_bytes;
                let spot = super::flat::Spot { offset, trusted: true, ..spot };
                let mut pieces = Vec::new();
                self.initial_pieces(&spot, &inner, &value, &mut pieces)?;
                changes.extend(pieces.into_iter().map(|(place, value)| (place, Some(value))));
            } else {
                changes.push((self.slot_at(&room, &first, k as u64), Some(value)));
            }
            let Some(characters) = self.room(*strings).cloned() else { continue };
            for at in 0..u64::from(CHARACTERS).div_ceil(characters.unit()) {
                let place = self.slot_at(&characters, &string, at * characters.unit());
                changes.push((place, None));
            }
        }
        if let Some(length) = self.placed(all).and_then(|placed| placed.length) {
            let most = number(65_535 / 16, INT, span);
            let few = binary(BinaryOp::Less, argc(), most.clone());
            let slots = match room.cell {
                Some(cell) => pointer_bytes / cell,
                None => 1,
            };
            let count = binary(BinaryOp::Add, wide(argc()), number(1, WIDE, span));
            let count = conditional(few, count, wide(most));
            let count = binary(BinaryOp::Multiply, count, number(slots, WIDE, span));
            let at = number(u64::from(length), unsigned(16), span);
            let place = super::build::index(named(&room.lengths_name(), span), at);
            changes.push((place, Some(super::build::cast(unsigned(16), count))));
        }
        into.extend(forget(changes, span));
        Ok(())
    }
}

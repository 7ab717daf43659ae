//! Calls of the program's procedures and of the library's.

use super::build::{cast, expr, zero};
use super::input::reading_a_word;
use super::layout::Allocation;
use super::lowerer::{Lowered, Lowerer, refuse, refuse_procedure};
use super::pointers::Use;
use super::types::{INT, Type};
use crate::lang::contracts;
use crate::lang::java::REQUIRED;
use crate::lang::rules;
use crate::lang::syntax::{Expr, ExprKind, Name, TypeName};

/// Procedures that only write something for people to read: their arguments are not followed.
pub(super) fn is_output(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "puts"
            | "putchar"
            | "fputs"
            | "fputc"
            | "putc"
            | "perror"
            | "fflush"
            | "srand"
            | "exit"
            | "abort"
            | "err"
            | "errx"
            | "warn"
            | "warnx"
    )
}

/// Names whose argument is a condition.
pub(super) fn takes_condition(name: &str) -> bool {
    name == "assert"
        || name == "static_assert"
        || name == "__builtin_expect"
        || name.ends_with("_assert")
        || name.ends_with("_assume")
        || name.ends_with("VERIFIER_assert")
}

/// Is this a procedure of the library that the lowering reads?
pub(in crate::lang) fn reads(name: &str) -> bool {
    let name = plain_name(name).unwrap_or(name);
    matches!(name, rules::ANY_ADDRESS | rules::SAME_ADDRESS)
        || matches!(name, contracts::VALID | contracts::READABLE)
        || matches!(name, "malloc" | "calloc" | "realloc" | "free" | "memmove" | "NULL" | "atexit")
        || super::foreign::is_read(name)
        || super::verifiers::is_known(name)
        || super::library::defines(name)
}

/// Does it take memory from the heap, or give it back?
pub(in crate::lang) fn is_heap(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "free"
            | "kmalloc"
            | "kvmalloc"
            | "vmalloc"
            | "kzalloc"
            | "kvzalloc"
            | "vzalloc"
            | "kcalloc"
            | "kfree"
            | "kvfree"
            | "vfree"
    )
}

/// Linux's procedures for memory, as those of C: those that take memory may give a null pointer.
fn of_kernel<'a>(name: &str, arguments: &'a [Expr]) -> Option<(&'static str, &'a [Expr])> {
    Some(match (name, arguments) {
        ("kmalloc" | "kvmalloc", [_, _]) | ("vmalloc", [_]) => ("malloc", &arguments[..1]),
        ("kzalloc" | "kvzalloc", [_, _]) => ("calloc of bytes", &arguments[..1]),
        ("vzalloc", [_]) => ("calloc of bytes", arguments),
        ("kcalloc", [_, _, _]) => ("calloc", &arguments[..2]),
        _ => return None,
    })
}

/// The library's name of what a compiler has built in.
pub(super) fn plain_name(name: &str) -> Option<&str> {
    name.strip_prefix("__builtin_").filter(|name| {
        matches!(
            *name,
            "malloc"
                | "calloc"
                | "realloc"
                | "free"
                | "memset"
                | "memcpy"
                | "memmove"
                | "memcmp"
                | "strlen"
                | "strcpy"
                | "strncpy"
                | "strcat"
                | "strcmp"
                | "strncmp"
                | "strchr"
        )
    })
}

/// No object is larger than half of the addresses: to ask for more gives a null pointer.
fn is_too_large(bytes: i128) -> bool {
    bytes < 0 || bytes > i128::from(i64::MAX)
}

impl Lowerer<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        e: &Expr,
    ) -> Lowered<(Expr, Type)> {
        if self.find(&name.text).is_some() {
            let pointer = expr(ExprKind::Name(name.text.clone()), name.span);
            return self.call_through(&pointer, arguments, e.span);
        }
        match (name.text.as_str(), arguments) {
            (rules::ANY_ADDRESS, []) => return self.any_address(e.span),
            (rules::SAME_ADDRESS, [one, other]) => return self.same_address(one, other, e.span),
            (rules::BROKEN, _) => return Ok((e.clone(), Type::Void)),
            (REQUIRED, [condition, text]) => {
                let given = vec![self.condition(condition)?, text.clone()];
                return Ok((expr(ExprKind::Call(name.clone(), given), e.span), Type::Void));
            }
            (contracts::CLAUSE, _) => return self.clause(name, arguments, e.span),
            (contracts::VALID, [pointer, low, end]) => {
                return self.valid(pointer, (low, end), Use::Write, e.span);
            }
            (contracts::READABLE, [pointer, low, end]) => {
                return self.valid(pointer, (low, end), Use::Read, e.span);
            }
            _ => {}
        }
        let known = self.signatures.get(&name.text).cloned();
        let has_body = known.as_ref().is_some_and(|s| s.has_body);
        if let (false, Some(plain)) = (has_body, plain_name(&name.text)) {
            let name = Name { text: plain.to_string(), span: name.span };
            return self.call(&name, arguments, e);
        }
        if let (false, Some(done)) = (has_body, self.heap_call(name, arguments, e)?) {
            return Ok(done);
        }
        let of_library = !self.is_written(&name.text);
        if let (false, Some(done)) = (has_body, self.verifier_call(&name.text, arguments, e.span)?)
        {
            return Ok(done);
        }
        if let (false, Some(done)) = (has_body, self.number_of_text(&name.text, arguments, e.span)?)
        {
            return Ok(done);
        }
        if let (false, Some((library, given))) = (has_body, reading_a_word(&name.text, arguments)) {
            self.is_short_word(&given, e.span)?;
            let name = Name { text: library.to_string(), span: name.span };
            return self.call(&name, &given, e);
        }
        // The stream from which it reads has no value.
        let arguments = match (of_library, name.text.as_str(), arguments) {
            (true, "fgets", [to, count, _]) => &[to.clone(), count.clone()][..],
            _ => arguments,
        };
        if let (true, Some(done)) = (of_library, self.block_call(name, arguments, e.span)?) {
            return Ok(done);
        }
        let leaving = std::mem::take(&mut self.leaving);
        if name.text == "exit" && of_library && !leaving && self.at_exit(e.span).is_some() {
            return refuse(e.span, "`exit` inside an expression, beside `atexit`,");
        }
        let of_line = self.error.filter(|line| *line == e.span.line && of_library);
        let of_line = of_line.map(|line| super::library::in_line(&name.text, line));
        let of_line = of_line.filter(|text| self.signatures.contains_key(text));
        let known = of_line.as_ref().map_or(known, |text| self.signatures.get(text).cloned());
        let name = &of_line.map_or(name.clone(), |text| Name { text, span: name.span });
        let owner = self.owner.clone();
        self.calls.entry(owner).or_default().insert(name.text.clone());
        let call = |arguments| expr(ExprKind::Call(name.clone(), arguments), e.span);
        if let (true, Some(signature)) = (has_body && !takes_condition(&name.text), &known) {
            let mut given = Vec::with_capacity(arguments.len());
            let mut copies = Vec::new();
            for (index, argument) in arguments.iter().enumerate() {
                if let Some(copied) = self.copied_argument(&name.text, index, arguments)? {
                    copies.push(copied);
                    continue;
                }
                match signature.parameters.get(index) {
                    Some(ty) => given.push(self.converted(argument, ty)?),
                    None if signature.open_ended => given.push(self.scalar(argument)?.0),
                    None => return refuse(argument.span, "one argument too many"),
                }
            }
            let result = signature.result.clone();
            if copies.is_empty() {
                return Ok((call(given), result));
            }
            if matches!(result, Type::Struct(_)) {
                return refuse(e.span, "a struct as a result");
            }
            copies.push(call(given));
            return Ok((expr(ExprKind::Comma(copies), e.span), result));
        }
        if matches!(name.text.as_str(), "scanf" | "fscanf") {
            return self.input(name, arguments, e);
        }
        if let (false, Some(done)) = (has_body, self.thread_call(name, arguments, e.span)?) {
            return Ok(done);
        }
        if let Some(done) = self.foreign_call(name, arguments, known.as_ref(), e.span)? {
            return Ok(done);
        }
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(self.library_argument(&name.text, argument)?);
        }
        let result = match known {
            Some(signature) if signature.result.is_pointer() => {
                return refuse_procedure(e.span, &name.text);
            }
            Some(signature) => signature.result,
            None => Type::Scalar(INT),
        };
        Ok((call(given), result))
    }

    /// An argument of a procedure without a body.
    fn library_argument(&mut self, name: &str, argument: &Expr) -> Lowered<Expr> {
        if takes_condition(name) && !matches!(argument.kind, ExprKind::Text(_)) {
            return self.condition(argument);
        }
        if matches!(argument.kind, ExprKind::Text(_)) || self.is_zero(argument) {
            return Ok(argument.clone());
        }
        let (value, ty) = self.value(argument)?;
        match ty {
            Type::Pointer(..) if is_output(name) => Ok(value),
            Type::Null => Ok(argument.clone()),
            // It does nothing: it calls no procedure that it is given.
            ref ty if super::file::is_procedure(ty) => Ok(value),
            Type::Pointer(..) => refuse_procedure(argument.span, name),
            _ => Ok(value),
        }
    }

    /// `malloc`, `calloc`, `free`; `None` for other names.
    fn heap_call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        e: &Expr,
    ) -> Lowered<Option<(Expr, Type)>> {
        let kernel = of_kernel(&name.text, arguments);
        let may_fail = kernel.is_some();
        let (text, arguments) = kernel.unwrap_or((&name.text, arguments));
        let (bytes, asked) = match (text, arguments) {
            ("malloc", [size]) => (self.constant(size), Some(size.clone())),
            ("calloc", [count, size]) => {
                let (one, other) = (self.constant(count), self.constant(size));
                let bytes = one.zip(other).and_then(|(count, size)| count.checked_mul(size));
                (bytes, None)
            }
            ("calloc of bytes", [size]) => (self.constant(size), None),
            ("kfree" | "kvfree" | "vfree", [pointer]) => return self.free(pointer, e).map(Some),
            ("realloc", [pointer, size]) => return self.resized(pointer, size, e).map(Some),
            ("free", [pointer]) => return self.free(pointer, e).map(Some),
            ("malloc" | "calloc" | "free" | "realloc" | "alloca" | "strdup", _) => {
                return refuse(e.span, format!("`{}` with these arguments", name.text));
            }
            _ => return Ok(None),
        };
        if bytes.is_some_and(is_too_large) {
            return Ok(Some((zero(e.span), Type::Null)));
        }
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        if bytes.is_none() && asked.is_none() {
            return refuse(e.span, "`calloc` with a size that is not constant");
        }
        let ty = self.pointer_to(Type::Void);
        let Type::Pointer(_, region) = ty else { return refuse(e.span, "this pointer") };
        if self.layout.is_none() {
            self.allocations.push(Allocation { region, bytes, span: e.span });
        }
        let given = match (bytes, asked) {
            (None, Some(asked)) => vec![super::build::wide(self.scalar(&asked)?.0)],
            _ => Vec::new(),
        };
        let made = self.allocator(region, bytes, text.starts_with("calloc"), e.span)?;
        let callee = Name { text: made, span: name.span };
        let mut call = expr(ExprKind::Call(callee, given), e.span);
        let ty = Type::Pointer(Box::new(Type::Void), region);
        if may_fail {
            let written = self.written_type(&ty);
            let fails = expr(ExprKind::Choice, e.span);
            let null = super::build::number(0, written, e.span);
            call = cast(written, super::build::conditional(fails, null, cast(written, call)));
        }
        Ok(Some((call, ty)))
    }

    /// `realloc`: other memory with what was there.
    fn resized(&mut self, pointer: &Expr, size: &Expr, e: &Expr) -> Lowered<(Expr, Type)> {
        let bytes = self.constant(size);
        let fails = bytes.is_some_and(is_too_large);
        let bytes = bytes.filter(|_| !fails).and_then(|bytes| u64::try_from(bytes).ok());
        let Some(bytes) = bytes.or(fails.then_some(0)) else {
            return refuse(e.span, "`realloc` with a size that is not constant");
        };
        let ty = self.pointer_to(Type::Void);
        let Type::Pointer(_, region) = ty else { return refuse(e.span, "this pointer") };
        let (value, old) = match self.is_zero(pointer) {
            true => (None, Type::Null),
            false => {
                let (value, ty) = self.value(pointer)?;
                (Some(value), ty)
            }
        };
        let result = Type::Pointer(Box::new(Type::Void), region);
        if !self.regions.unify(&result, &old) {
            return refuse(e.span, "a value that is used as a pointer");
        }
        self.regions.walk(region);
        if bytes > 0 && self.layout.is_none() {
            self.allocations.push(Allocation { region, bytes: Some(bytes), span: e.span });
        }
        let made = match fails {
            true => String::new(),
            false => self.reallocator(region, bytes, e.span)?,
        };
        let value = match (value, self.room(region)) {
            (Some(value), _) => value,
            (None, Some(room)) => super::build::number(0, room.pointer(), e.span),
            (None, None) => zero(e.span),
        };
        let callee = Name { text: made, span: e.span };
        let given = self.returned_memory(value, region, pointer.span)?;
        if fails {
            let null = self
                .room(region)
                .map_or(zero(e.span), |room| super::build::number(0, room.pointer(), e.span));
            let value = super::build::checked(given.0, given.1, null, e.span);
            return Ok((self.led_to(value, region, &given.2), result));
        }
        let call = expr(ExprKind::Call(callee, vec![given.2.clone()]), e.span);
        let value = super::build::checked(given.0, given.1, call, e.span);
        Ok((self.led_to(value, region, &given.2), result))
    }

    fn free(&mut self, pointer: &Expr, e: &Expr) -> Lowered<(Expr, Type)> {
        if self.is_zero(pointer) {
            return Ok((cast(TypeName::Void, zero(e.span)), Type::Void));
        }
        let (value, ty) = self.value(pointer)?;
        let Type::Pointer(_, region) = ty else {
            return refuse(e.span, "a value that is used as a pointer");
        };
        let call = self.freed(value, region, pointer.span, e.span)?;
        Ok((call, Type::Void))
    }
}

//! Declaration specifiers: storage, base types, structs, unions, enumerations (C11 6.7.1, 6.7.2).

use super::{Meaning, Parser, Result, Tag};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::Kind;
use crate::types::{INT, Integer, Member, Record, RecordId, Type};
use std::rc::Rc;

/// What a declaration says before its declarators.
pub(super) struct Specifiers {
    pub(super) ty: Type,
    pub(super) is_typedef: bool,
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    pub(super) span: Span,
}

const KEYWORDS: [&str; 54] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "__CPROVER_thread_local",
    "__attribute__",
    "__extension__",
    "__inline",
    "__inline__",
    "__restrict",
    "__const",
    "__thread",
    "__typeof__",
    "typeof",
    "__volatile__",
];

/// Words of types, storage classes and qualifiers.
const SPECIFIERS: [&str; 39] = [
    "auto",
    "char",
    "const",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "short",
    "signed",
    "static",
    "struct",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "_Alignas",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Noreturn",
    "_Thread_local",
    "__CPROVER_thread_local",
    "__attribute__",
    "__extension__",
    "__inline",
    "__inline__",
    "__restrict",
    "__const",
    "__thread",
    "__typeof__",
    "typeof",
    "__volatile__",
    "__signed__",
];

pub(super) fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

/// Attributes that change sizes and places.
const LAYOUT: [&str; 6] =
    ["packed", "__packed__", "aligned", "__aligned__", "vector_size", "__vector_size__"];

impl Parser {
    /// Does a declaration or a type's name begin at this token?
    pub(super) fn begins_type(&self, ahead: usize) -> bool {
        let token = self.peek_at(ahead);
        token.kind == Kind::Word
            && (SPECIFIERS.contains(&&*token.text)
                || matches!(self.meaning(&token.text), Some(Meaning::Type(_))))
    }

    /// GNU's `__attribute__((…))` is read over, apart from what changes where members are.
    pub(super) fn attributes(&mut self) -> Result<()> {
        while self.is("__attribute__") || self.is("__asm__") || self.is("_Alignas") {
            self.next();
            self.brackets()?;
        }
        Ok(())
    }

    /// Reads over a pair of brackets and what is in it.
    fn brackets(&mut self) -> Result<()> {
        self.expect("(")?;
        let mut depth = 1;
        while depth > 0 {
            if self.peek().kind == Kind::End {
                return Err(self.expected("`)`"));
            }
            let token = self.next();
            if LAYOUT.iter().any(|word| token.is(word)) {
                let kind = MistakeKind::NotExecuted(format!("the attribute `{}`", token.text));
                return Err(Mistake::new(kind, token.span));
            }
            depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        }
        Ok(())
    }

    pub(super) fn specifiers(&mut self) -> Result<Specifiers> {
        let start = self.peek().span;
        let (mut is_typedef, mut is_static, mut is_extern) = (false, false, false);
        let mut ty: Option<Type> = None;
        let (mut signed, mut unsigned, mut short, mut long) = (false, false, false, 0u32);
        let mut basic: Option<&'static str> = None;
        loop {
            let token = self.peek().clone();
            if token.kind != Kind::Word {
                break;
            }
            match &*token.text {
                "typedef" => is_typedef = true,
                "static" => is_static = true,
                "extern" => is_extern = true,
                "auto" | "register" | "const" | "volatile" | "restrict" | "inline" | "__inline"
                | "__inline__" | "__restrict" | "__const" | "__volatile__" | "_Noreturn"
                | "__extension__" => {}
                // There is one thread.
                "_Thread_local" | "__thread" | "__CPROVER_thread_local" => {}
                "_Complex" | "_Atomic" => {
                    let kind = MistakeKind::NotExecuted(format!("`{}`", token.text));
                    return Err(Mistake::new(kind, token.span));
                }
                "__attribute__" | "_Alignas" => {
                    self.attributes()?;
                    continue;
                }
                "signed" | "__signed__" => signed = true,
                "unsigned" => unsigned = true,
                "short" => short = true,
                "long" => long += 1,
                "void" => basic = Some("void"),
                "char" => basic = Some("char"),
                "int" => basic = basic.or(Some("int")),
                "float" => basic = Some("float"),
                "double" => basic = Some("double"),
                "_Bool" => basic = Some("_Bool"),
                "struct" | "union" => {
                    self.next();
                    ty = Some(self.nested(|parser| parser.record(&token.text))?);
                    continue;
                }
                "enum" => {
                    self.next();
                    ty = Some(self.enumeration()?);
                    continue;
                }
                "typeof" | "__typeof__" => {
                    self.next();
                    self.expect("(")?;
                    ty = Some(if self.begins_type(0) {
                        self.type_name()?
                    } else {
                        self.expression()?.ty
                    });
                    self.expect(")")?;
                    continue;
                }
                name => {
                    let free = ty.is_none()
                        && basic.is_none()
                        && !(signed || unsigned || short || long > 0);
                    match self.meaning(name) {
                        Some(Meaning::Type(named)) if free => ty = Some(named.clone()),
                        _ => break,
                    }
                }
            }
            self.next();
        }
        let named = ty.is_some() || basic.is_some() || signed || unsigned || short || long > 0;
        // C89: a declaration without a type is one of `int`.
        let implicit = is_static || is_extern;
        if !named && !implicit {
            return Err(self.expected("a type"));
        }
        let pick = |signed: Integer| if unsigned { signed.unsigned() } else { signed };
        let ty = match (ty, basic) {
            (Some(ty), _) => ty,
            (None, Some("void")) => Type::Void,
            (None, Some("float")) => Type::Float,
            (None, Some("double")) if long > 0 => Type::LongDouble,
            (None, Some("double")) => Type::Double,
            (None, Some("_Bool")) => Type::Integer(Integer::Bool),
            (None, Some("char")) if signed => Type::Integer(Integer::SignedChar),
            (None, Some("char")) => Type::Integer(pick(Integer::Char)),
            _ if short => Type::Integer(pick(Integer::Short)),
            _ if long > 1 => Type::Integer(pick(Integer::LongLong)),
            _ if long == 1 => Type::Integer(pick(Integer::Long)),
            _ => Type::Integer(pick(Integer::Int)),
        };
        Ok(Specifiers { ty, is_typedef, is_static, is_extern, span: start.to(self.last_span()) })
    }

    /// A struct or union behind its keyword.
    fn record(&mut self, keyword: &str) -> Result<Type> {
        self.attributes()?;
        let tag = if self.peek().kind == Kind::Word { Some(self.next()) } else { None };
        self.attributes()?;
        let opens = self.is("{");
        let known = tag.as_ref().and_then(|tag| {
            if opens || self.is(";") {
                self.scopes.last().and_then(|scope| scope.tags.get(&tag.text)).copied()
            } else {
                self.scopes.iter().rev().find_map(|scope| scope.tags.get(&tag.text)).copied()
            }
        });
        let id = match known {
            Some(Tag::Record(id)) => id,
            _ => {
                let id = RecordId(self.tree.records.len() as u32);
                let name = tag.as_ref().map(|tag| tag.text.to_string()).unwrap_or_default();
                let union = keyword == "union";
                self.tree.records.push(Record {
                    name,
                    union,
                    members: None,
                    size: 0,
                    alignment: 1,
                });
                if let Some(tag) = &tag {
                    self.scope().tags.insert(tag.text.clone(), Tag::Record(id));
                }
                id
            }
        };
        if !opens {
            if tag.is_none() {
                return Err(self.expected("a name or `{`"));
            }
            return Ok(Type::Record(id));
        }
        let span = self.next().span;
        if self.tree.records[id.0 as usize].members.is_some() {
            let name = self.tree.records[id.0 as usize].name.clone();
            return Err(Mistake::new(MistakeKind::Twice(name), span));
        }
        self.members(id)?;
        Ok(Type::Record(id))
    }

    /// The members of a struct, and where each stands.
    fn members(&mut self, id: RecordId) -> Result<()> {
        let union = self.tree.records[id.0 as usize].union;
        let mut members: Vec<Member> = Vec::new();
        // The next free bit, and the alignment so far in bytes.
        let (mut bit, mut size, mut alignment) = (0u64, 0u64, 1u64);
        while !self.takes("}") {
            if self.takes(";") {
                continue;
            }
            let specifiers = self.specifiers()?;
            loop {
                let mut ty = specifiers.ty.clone();
                let mut name = String::new();
                let mut at = self.peek().span;
                if !self.is(":") && !self.is(";") {
                    let (token, declared) = self.declarator(ty)?;
                    ty = declared;
                    if let Some(token) = token {
                        at = token.span;
                        name = token.text.to_string();
                    }
                }
                if let Type::Array(element, crate::types::Length::Open) = &ty {
                    ty = Type::Array(Rc::clone(element), crate::types::Length::Known(0));
                }
                let bytes = ty.size(&self.tree.records).ok_or_else(|| {
                    let kind = MistakeKind::Incomplete(ty.name(&self.tree.records));
                    Mistake::new(kind, at)
                })?;
                let align = ty.alignment(&self.tree.records);
                if self.takes(":") {
                    let width = self.constant()?;
                    let most = (bytes * 8) as i64;
                    if !(0..=most).contains(&width) {
                        return Err(Mistake::new(MistakeKind::NotConstant, at));
                    }
                    let (width, unit) = (width as u64, bytes * 8);
                    if union {
                        bit = 0;
                    }
                    if width == 0 {
                        bit = bit.next_multiple_of(unit);
                    } else {
                        if bit / unit != (bit + width - 1) / unit {
                            bit = bit.next_multiple_of(unit);
                        }
                        let offset = bit / unit * bytes;
                        let first = (bit - offset * 8) as u8;
                        alignment = alignment.max(align);
                        if !name.is_empty() {
                            members.push(Member {
                                name,
                                ty,
                                offset,
                                bits: Some((first, width as u8)),
                            });
                        }
                        bit += width;
                        size = size.max(bit.div_ceil(8));
                    }
                } else {
                    let offset = if union { 0 } else { bit.div_ceil(8).next_multiple_of(align) };
                    alignment = alignment.max(align);
                    let nameless = name.is_empty();
                    if !nameless || matches!(ty, Type::Record(_)) {
                        members.push(Member { name, ty, offset, bits: None });
                    }
                    bit = (offset + bytes) * 8;
                    size = size.max(offset + bytes);
                }
                self.attributes()?;
                if !self.takes(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        self.attributes()?;
        let record = &mut self.tree.records[id.0 as usize];
        record.members = Some(members);
        record.alignment = alignment;
        record.size = size.next_multiple_of(alignment);
        Ok(())
    }

    /// An enumeration behind its keyword. It is an `int` here, as its constants are, unless it
    /// names its type (C23 6.7.3.3).
    // gcc makes it `unsigned` where no constant is negative.
    fn enumeration(&mut self) -> Result<Type> {
        self.attributes()?;
        let tag = if self.peek().kind == Kind::Word { Some(self.next()) } else { None };
        let mut ty = None;
        if self.is(":") && self.begins_type(1) {
            self.next();
            let span = self.peek().span;
            let integer = self.specifiers()?.ty.integer();
            ty = Some(integer.ok_or(Mistake::new(MistakeKind::NotConstant, span))?);
        }
        if let Some(tag) = &tag {
            let known = self.scopes.iter().rev().find_map(|scope| scope.tags.get(&tag.text));
            if let (None, Some(Tag::Enumeration(known)), false) = (ty, known, self.is("{")) {
                ty = Some(*known);
            }
            let tags = &mut self.scope().tags;
            let integer = ty.unwrap_or(Integer::Int);
            tags.entry(tag.text.clone()).or_insert(Tag::Enumeration(integer));
        }
        let ty = ty.map_or(INT, Type::Integer);
        if !self.takes("{") {
            if tag.is_none() {
                return Err(self.expected("a name or `{`"));
            }
            return Ok(ty);
        }
        let mut value = 0i64;
        while !self.takes("}") {
            let name = self.name("the name of a constant")?;
            if self.takes("=") {
                value = self.constant()?;
            }
            self.scope().names.insert(name.text.clone(), Meaning::Constant(value));
            value = value.wrapping_add(1);
            if !self.takes(",") && !self.is("}") {
                return Err(self.expected("`,` or `}`"));
            }
        }
        Ok(ty)
    }
}

//! C's type names: typedefs in their scopes, structs, attributes, and the types that headers
//! declare.

use super::types::Specifiers;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::{What, are, is};
use crate::lang::syntax::{
    BinaryOp, EnumId, Enumeration, Expr, ExprKind, Field, Name, Size, StructId, StructType,
    TypeName, join,
};
use rustc_hash::FxHashMap;

/// Most members of one struct.
const MOST_FIELDS: usize = 256;

/// `long double` and others.
pub(super) const OTHER_FLOATING: What<'_> = is("floating point of other than 32 or 64 bits");

/// What a `typedef` names.
#[derive(Clone, Debug)]
pub(super) struct TypeAlias {
    pub(super) type_name: TypeName,
    pub(super) pointers: u32,
    pub(super) dimensions: Vec<Option<Expr>>,
    /// `_Atomic`.
    pub(super) atomic: bool,
}

impl TypeAlias {
    /// A type as it is.
    fn plain(type_name: TypeName) -> TypeAlias {
        TypeAlias { type_name, pointers: 0, dimensions: Vec::new(), atomic: false }
    }
}

/// The types that are declared in one block.
#[derive(Default)]
pub(super) struct TypeScope {
    /// `None`: a variable's name, which hides a type's.
    aliases: FxHashMap<String, Option<TypeAlias>>,
    tags: FxHashMap<String, Tag>,
}

#[derive(Clone, Copy)]
enum Tag {
    Struct(StructId),
    Enum(EnumId),
}

/// A word that belongs to a type, or that can come before or after one.
enum Word {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Signed(bool),
    Const,
    Static,
    Extern,
    Typedef,
    Atomic,
    PerThread,
    Ignored,
    Attribute,
    Struct,
    Union,
    Floating(u8),
    Refused(What<'static>),
}

fn word(text: &str) -> Option<Word> {
    Some(match text {
        "void" => Word::Void,
        "_Bool" => Word::Bool,
        "char" => Word::Char,
        "short" => Word::Short,
        "int" => Word::Int,
        "long" => Word::Long,
        "signed" | "__signed__" | "__signed" => Word::Signed(true),
        "unsigned" => Word::Signed(false),
        "const" | "__const" => Word::Const,
        "static" => Word::Static,
        "extern" => Word::Extern,
        "typedef" => Word::Typedef,
        "_Atomic" => Word::Atomic,
        "_Thread_local" | "__thread" | "__CPROVER_thread_local" => Word::PerThread,
        "inline" | "__inline" | "__inline__" | "register" | "auto" | "volatile"
        | "__volatile__" | "_Noreturn" | "__extension__" | "restrict" | "__restrict"
        | "__restrict__" | "noreturn" => Word::Ignored,
        "__attribute__" | "__attribute" | "_Alignas" | "__declspec" => Word::Attribute,
        "struct" => Word::Struct,
        "union" => Word::Union,
        "float" | "_Float32" => Word::Floating(32),
        "double" | "_Float64" => Word::Floating(64),
        "_Float16" | "_Float128" | "__float128" => Word::Refused(OTHER_FLOATING),
        "__CPROVER_bitvector" | "__CPROVER_fixedbv" | "__CPROVER_floatbv" => {
            Word::Refused(are("numbers of any width"))
        }
        "__CPROVER_integer" | "__CPROVER_rational" | "__CPROVER_real" => {
            Word::Refused(are("numbers without bounds"))
        }
        "_Complex" | "__complex__" => Word::Refused(are("complex numbers")),
        "__int128" | "__int128_t" | "__uint128_t" => Word::Refused(are("integers of 128 bits")),
        "typeof" | "__typeof__" | "__typeof" => Word::Refused(is("`typeof`")),
        "va_list" | "__builtin_va_list" => Word::Refused(are("variadic procedures")),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A typedef's or a header's type of this name.
    fn alias(&self, name: &str) -> Option<TypeAlias> {
        for scope in self.scopes.iter().rev() {
            if let Some(found) = scope.aliases.get(name) {
                return found
                    .clone()
                    .filter(|_| !matches!(name, "pthread_t" | "pthread_mutex_t" | "pthread_attr_t"))
                    .or_else(|| {
                        let handle = self
                            .header_type(name)
                            .filter(|t| found.is_some() && matches!(t, TypeName::Handle(_)))?;
                        Some(TypeAlias::plain(handle))
                    });
            }
        }
        let atomic = name.starts_with("atomic_");
        self.header_type(name).map(|type_name| TypeAlias { atomic, ..TypeAlias::plain(type_name) })
    }

    pub(super) fn c_type_starts_at(&self, ahead: usize) -> bool {
        let text = self.word_at(ahead);
        match self.peek_at(ahead) {
            Token::Enum => true,
            // A name before a label's colon or an operator is not a type.
            Token::Identifier => match word(text) {
                Some(_) => true,
                None => self.alias(text).is_some() && self.peek_at(ahead + 1) != Token::Colon,
            },
            _ => false,
        }
    }

    /// A variable's (or procedure's) name hides a type's.
    pub(super) fn hide_type(&mut self, name: &str) {
        if self.c
            && self.alias(name).is_some()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.aliases.insert(name.to_string(), None);
        }
    }

    pub(super) fn add_alias(&mut self, name: String, alias: TypeAlias) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.aliases.insert(name, Some(alias));
        }
    }

    fn find_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    /// C's words before the declarators.
    pub(super) fn c_specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.span();
        let mut found = Specifiers::new(start);
        let mut base: Option<TypeName> = None;
        let mut size: Option<Size> = None;
        let mut signed: Option<bool> = None;
        let mut plain = false;
        loop {
            let span = self.span();
            if self.peek() == Token::Enum {
                self.bump();
                self.skip_attribute();
                let id = self.enumeration(&mut found.enumerations)?;
                base = Some(TypeName::Enum { id, width: None });
                continue;
            }
            if self.peek() != Token::Identifier {
                break;
            }
            let text = self.word_at(0);
            let Some(word) = word(text) else {
                if base.is_some() || size.is_some() || signed.is_some() || plain {
                    break;
                }
                let Some(alias) = self.alias(text) else { break };
                found.atomic |= alias.atomic;
                base = Some(alias.type_name);
                found.pointers = alias.pointers;
                found.dimensions = alias.dimensions;
                self.bump();
                continue;
            };
            match word {
                Word::Const => found.constant = true,
                Word::Static => found.is_static = true,
                Word::Extern => found.is_extern = true,
                Word::Typedef => found.is_typedef = true,
                Word::Atomic => {
                    found.atomic = true;
                    if self.peek_at(1) == Token::OpenParen {
                        self.atomic_type(&mut found, &mut base)?;
                        continue;
                    }
                }
                Word::PerThread => found.per_thread = true,
                Word::Ignored => {}
                Word::Void => base = Some(TypeName::Void),
                Word::Bool => base = Some(TypeName::Bool),
                Word::Char => size = Some(Size::Char),
                Word::Short => size = Some(Size::Short),
                Word::Long => {
                    size = match size {
                        // `long long`.
                        Some(Size::Int | Size::Long) => Some(Size::Long),
                        _ => Some(self.long()),
                    }
                }
                Word::Int => plain = true,
                Word::Signed(yes) => signed = Some(yes),
                Word::Attribute => {
                    self.skip_attribute();
                    continue;
                }
                Word::Struct | Word::Union => {
                    self.bump();
                    let is_union = matches!(word, Word::Union);
                    base = Some(self.structure(is_union, &mut found.enumerations)?);
                    continue;
                }
                Word::Floating(width) => base = Some(TypeName::Floating { width }),
                Word::Refused(what) => {
                    self.refuse(what, span, "use an integer of at most 64 bits");
                    base = Some(TypeName::Poisoned);
                    self.bump();
                    if self.peek() == Token::OpenParen && text.contains("typeof") {
                        self.skip_parentheses();
                    }
                    continue;
                }
            }
            self.bump();
        }
        found.span = join(start, self.previous_span());
        if matches!((base, size), (Some(TypeName::Floating { .. }), Some(Size::Long))) {
            self.refuse(OTHER_FLOATING, found.span, "use `double`");
            base = Some(TypeName::Poisoned);
        }
        found.type_name = base.unwrap_or(TypeName::Integer {
            size: size.unwrap_or(Size::Int),
            signed: signed.unwrap_or(true),
        });
        // A pointer to a type that is an array.
        if self.peek() == Token::Star && !found.dimensions.is_empty() {
            let dimensions = std::mem::take(&mut found.dimensions);
            let pointers = std::mem::take(&mut found.pointers);
            found.type_name = self.array_type_of(found.type_name, pointers, dimensions);
        }
        Ok(found)
    }

    /// `_Atomic(int)`; the current token is `_Atomic`.
    fn atomic_type(&mut self, found: &mut Specifiers, base: &mut Option<TypeName>) -> Parsed<()> {
        self.bump();
        self.bump();
        let (type_name, pointers, dimensions) = self.type_in_parentheses()?;
        self.expect(Token::CloseParen, "`)`")?;
        *base = Some(type_name);
        found.pointers = pointers;
        found.dimensions = dimensions;
        // An atomic pointer is no pointer to something atomic.
        found.atomic &= pointers == 0;
        Ok(())
    }

    /// After `struct` or `union`: its tag, its members, or both. Enumerations that are declared
    /// among the members are added to `declared`.
    fn structure(&mut self, is_union: bool, declared: &mut Vec<Enumeration>) -> Parsed<TypeName> {
        self.skip_attribute();
        let tag = if self.peek() == Token::Identifier { Some(self.name("a name")?) } else { None };
        self.skip_attribute();
        let opens = self.peek() == Token::OpenBrace;
        let name = tag.as_ref().map_or(String::new(), |t| t.text.clone());
        // A definition or a bare declaration makes a new type in this scope; a use finds the
        // nearest.
        let known = match (opens || self.peek() == Token::Semicolon, &tag) {
            (true, Some(tag)) => {
                self.scopes.last().and_then(|scope| scope.tags.get(&tag.text).copied())
            }
            (false, Some(tag)) => self.find_tag(&tag.text),
            (_, None) => None,
        };
        let id = match known {
            Some(Tag::Struct(id)) => id,
            _ => {
                let id = StructId(self.structs.len() as u32);
                self.structs.push(StructType { tag: name.clone(), fields: None, is_union });
                if let (Some(scope), false) = (self.scopes.last_mut(), name.is_empty()) {
                    scope.tags.insert(name, Tag::Struct(id));
                }
                id
            }
        };
        if !opens {
            if tag.is_none() {
                self.unexpected("the struct's name or `{`");
                return Err(Recover);
            }
            return Ok(TypeName::Struct(id));
        }
        let start = self.bump().span;
        let fields = self.nested(|parser| parser.fields(declared))?;
        self.expect(Token::CloseBrace, "`}`")?;
        let whole = join(start, self.previous_span());
        self.skip_attribute();
        self.define_struct(id, fields, whole);
        Ok(TypeName::Struct(id))
    }

    fn fields(&mut self, declared: &mut Vec<Enumeration>) -> Parsed<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        while self.peek() != Token::CloseBrace {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if !self.type_starts_at(0) {
                self.unexpected("a member's type or `}`");
                return Err(Recover);
            }
            let mut specifiers = self.c_specifiers()?;
            declared.append(&mut specifiers.enumerations);
            if self.peek() == Token::Semicolon {
                // The members of a struct without a name are members of this one.
                if let TypeName::Struct(id) = specifiers.type_name
                    && self.structs[id].tag.is_empty()
                    && specifiers.pointers == 0
                {
                    fields.push(self.unnamed(&specifiers, specifiers.type_name));
                }
                self.bump();
                continue;
            }
            loop {
                let pointers = specifiers.pointers + self.stars();
                if self.peek() == Token::OpenParen {
                    let at = self.span();
                    let found = self.procedure_pointer(specifiers.type_name, pointers)?;
                    let Some(name) = found.name else {
                        let hint = "give the procedure's type a name by `typedef`";
                        self.refuse_whole(are("function pointers").of_memory(), at, hint);
                        return Err(Recover);
                    };
                    let span = join(specifiers.span, self.previous_span());
                    fields.push(Field {
                        name,
                        type_name: found.type_name,
                        pointers: found.stars,
                        dimensions: found.dimensions,
                        atomic: false,
                        span,
                        unit: None,
                    });
                } else if self.eat(Token::Colon) {
                    // An unnamed bit-field has no value.
                    let width = self.conditional()?;
                    let n = known(&width).filter(|n| *n <= 64).unwrap_or(0);
                    let type_name = TypeName::Exact { width: n as u8, signed: false };
                    fields.push(self.unnamed(&specifiers, type_name));
                } else {
                    let name = self.name("a member's name")?;
                    let mut dimensions = self.extents()?;
                    dimensions.extend(specifiers.dimensions.iter().cloned());
                    let mut type_name = specifiers.type_name;
                    let mut unit = None;
                    if self.eat(Token::Colon) {
                        unit = Some(type_name);
                        type_name = self.bit_field(type_name)?;
                    }
                    self.skip_attribute();
                    let span = join(specifiers.span, self.previous_span());
                    let atomic = specifiers.atomic;
                    fields.push(Field {
                        name,
                        unit,
                        type_name,
                        pointers,
                        dimensions,
                        atomic,
                        span,
                    });
                }
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            if self.peek() == Token::CloseBrace {
                // Compilers of C read this, too.
                let message = "no semicolon at the end of the members";
                self.diagnostics.warning(self.span(), message, "add `;`");
            } else {
                self.semicolon()?;
            }
            if fields.len() > MOST_FIELDS {
                self.give_up(
                    format!("more than {MOST_FIELDS} members in one struct"),
                    "use several structs",
                );
                return Err(Recover);
            }
        }
        Ok(fields)
    }

    /// A member without a name.
    fn unnamed(&self, specifiers: &Specifiers, type_name: TypeName) -> Field {
        let span = specifiers.span;
        let unit = match type_name {
            TypeName::Struct(_) => None,
            _ => Some(specifiers.type_name),
        };
        Field {
            name: Name { text: String::new(), span },
            unit,
            type_name,
            pointers: 0,
            dimensions: Vec::new(),
            atomic: false,
            span,
        }
    }

    /// After the `:` of a bit-field.
    fn bit_field(&mut self, type_name: TypeName) -> Parsed<TypeName> {
        let span = self.span();
        let width = self.conditional()?;
        let signed = match type_name {
            TypeName::Bool => return Ok(TypeName::Bool),
            TypeName::Integer { signed, .. } | TypeName::Exact { signed, .. } => Some(signed),
            TypeName::Enum { .. } => None,
            other => return Ok(other),
        };
        match (known(&width), type_name, signed) {
            (Some(n @ 1..=64), TypeName::Enum { id, .. }, _) => {
                Ok(TypeName::Enum { id, width: Some(n as u8) })
            }
            (Some(n @ 1..=64), _, Some(signed)) => Ok(TypeName::Exact { width: n as u8, signed }),
            _ => {
                self.refuse(
                    is("a bit-field whose width is no plain number"),
                    span,
                    "write its width as a number from 1 to 64",
                );
                Ok(TypeName::Poisoned)
            }
        }
    }

    pub(super) fn find_enum(&self, tag: &str) -> Option<EnumId> {
        match self.find_tag(tag) {
            Some(Tag::Enum(id)) => Some(id),
            _ => None,
        }
    }

    pub(super) fn add_enum(&mut self, tag: String, id: EnumId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag, Tag::Enum(id));
        }
    }

    /// `*`s of a declarator, with their qualifiers.
    pub(super) fn stars(&mut self) -> u32 {
        let mut stars = 0;
        loop {
            match self.peek() {
                Token::Star => stars += 1,
                Token::Identifier
                    if matches!(
                        self.word_at(0),
                        "const"
                            | "volatile"
                            | "restrict"
                            | "__restrict"
                            | "__restrict__"
                            | "__const"
                            | "_Atomic"
                    ) => {}
                Token::Identifier if self.word_at(0).starts_with("__attribute") => {
                    self.skip_attribute();
                    continue;
                }
                _ => return stars,
            }
            self.bump();
        }
    }

    /// `[n][m]`, as often as they come.
    pub(super) fn extents(&mut self) -> Parsed<Vec<Option<Expr>>> {
        let mut dimensions = Vec::new();
        while self.eat(Token::OpenBracket) {
            while self.c
                && self.peek() == Token::Identifier
                && matches!(self.word_at(0), "static" | "const" | "restrict")
            {
                self.bump();
            }
            dimensions.push(if self.peek() == Token::CloseBracket {
                None
            } else {
                Some(self.nested(Self::conditional)?)
            });
            self.expect(Token::CloseBracket, "`]`")?;
        }
        Ok(dimensions)
    }

    /// The type inside parentheses (`(unsigned long)`, `sizeof(int[4])`), with stars and extents.
    /// The current token starts it.
    pub(super) fn type_in_parentheses(&mut self) -> Parsed<(TypeName, u32, Vec<Option<Expr>>)> {
        let specifiers = self.specifiers()?;
        let mut pointers = specifiers.pointers + self.stars();
        self.procedure_type = self.peek() == Token::OpenParen;
        if self.peek() == Token::OpenParen {
            // `int (*)(int)`: a function pointer's type.
            self.skip_parentheses();
            if self.peek() == Token::OpenParen {
                self.skip_parentheses();
            }
            pointers += 1;
        }
        let mut dimensions = self.extents()?;
        dimensions.extend(specifiers.dimensions);
        Ok((specifiers.type_name, pointers, dimensions))
    }

    /// Skips a balanced `( … )`; the current token is the `(`.
    pub(super) fn skip_parentheses(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.bump().token {
                Token::OpenParen => depth += 1,
                Token::CloseParen => depth = depth.saturating_sub(1),
                Token::End => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips `__attribute__((…))`, `_Alignas(…)` and `__asm__(…)` after a declarator. They have no
    /// effect on values.
    pub(super) fn skip_attribute(&mut self) {
        while self.peek() == Token::Identifier
            && matches!(
                self.word_at(0),
                "__attribute__"
                    | "__attribute"
                    | "_Alignas"
                    | "__declspec"
                    | "__asm__"
                    | "__extension__"
            )
        {
            self.bump();
            if self.peek() == Token::OpenParen {
                self.skip_parentheses();
            }
        }
    }
}

/// The value of an expression that is made of numbers.
fn known(e: &Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Number(n, _) => Some(*n),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (known(left)?, known(right)?);
            match operator {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Subtract => left.checked_sub(right),
                BinaryOp::Multiply => left.checked_mul(right),
                BinaryOp::Divide => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}

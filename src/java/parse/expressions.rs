//! Expressions.

use super::types::primitive;
use super::{MOST_EXPRESSION, Parser};
use crate::mistake::{Read, Wrong, wrong};
use crate::span::Span;
use crate::token::Token;
use crate::tree::{Binary, Expr, ExprKind, LambdaBody, Name, TypeName, Unary};

impl Parser<'_> {
    fn node(&self, kind: ExprKind, start: Span) -> Read<Expr> {
        let e = Expr::new(kind, self.from(start));
        match e.depth > MOST_EXPRESSION {
            true => wrong(e.span, Wrong::TooDeep),
            false => Ok(e),
        }
    }

    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.deeper(Self::assignment)
    }

    /// An initial value: `{ 1, 2 }` or an expression.
    pub(super) fn value(&mut self) -> Read<Expr> {
        match self.is("{") {
            true => self.deeper(Self::values),
            false => self.expression(),
        }
    }

    fn values(&mut self) -> Read<Expr> {
        let start = self.expect("{")?;
        let mut list = Vec::new();
        while !self.accept("}") {
            list.push(self.value()?);
            if !self.accept(",") && !self.is("}") {
                return self.expected("`}`");
            }
        }
        self.node(ExprKind::Values(list), start)
    }

    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let mut list = Vec::new();
        while !self.accept(")") {
            list.push(self.expression()?);
            if !self.accept(",") && !self.is(")") {
                return self.expected("`)`");
            }
        }
        Ok(list)
    }

    fn assignment(&mut self) -> Read<Expr> {
        if self.begins_lambda() {
            return self.lambda();
        }
        let start = self.span();
        let place = self.conditional()?;
        let operator = match self.spelt(0) {
            "=" => None,
            "+=" => Some(Binary::Add),
            "-=" => Some(Binary::Subtract),
            "*=" => Some(Binary::Multiply),
            "/=" => Some(Binary::Divide),
            "%=" => Some(Binary::Remainder),
            "&=" => Some(Binary::And),
            "|=" => Some(Binary::Or),
            "^=" => Some(Binary::Xor),
            "<<=" => Some(Binary::ShiftLeft),
            _ if self.is_joined(&[">", ">", ">", "="]) => {
                self.at += 3;
                Some(Binary::ShiftRightUnsigned)
            }
            _ if self.is_joined(&[">", ">", "="]) => {
                self.at += 2;
                Some(Binary::ShiftRight)
            }
            _ => return Ok(place),
        };
        self.bump();
        let value = self.expression()?;
        self.node(ExprKind::Assign(operator, Box::new(place), Box::new(value)), start)
    }

    /// `x ->`, or `(…) ->`.
    fn begins_lambda(&self) -> bool {
        if self.is_name(0) && self.spelt(1) == "->" {
            return true;
        }
        if !self.is("(") {
            return false;
        }
        let mut open = 0_u32;
        for ahead in 0.. {
            match self.spelt(ahead) {
                "(" => open += 1,
                ")" => open -= 1,
                _ if self.lexeme(ahead).token == Token::End => return false,
                ";" | "{" => return false,
                _ => {}
            }
            if open == 0 {
                return self.spelt(ahead + 1) == "->";
            }
        }
        false
    }

    fn lambda(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut parameters = Vec::new();
        if self.is_name(0) {
            parameters.push((None, self.name()?));
        } else {
            self.expect("(")?;
            while !self.accept(")") {
                self.modifiers()?;
                match self.is_name(0) && matches!(self.spelt(1), "," | ")") {
                    true => parameters.push((None, self.name()?)),
                    false => {
                        let type_name = self.type_name()?;
                        parameters.push((Some(type_name), self.name()?));
                    }
                }
                if !self.accept(",") && !self.is(")") {
                    return self.expected("`)`");
                }
            }
        }
        self.expect("->")?;
        let body = match self.is("{") {
            true => LambdaBody::Block(self.deeper(Self::block)?),
            false => LambdaBody::Value(self.expression()?),
        };
        self.node(ExprKind::Lambda(parameters, Box::new(body)), start)
    }

    pub(super) fn conditional(&mut self) -> Read<Expr> {
        let start = self.span();
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = match self.begins_lambda() {
            true => self.lambda()?,
            false => self.deeper(Self::conditional)?,
        };
        self.node(ExprKind::Conditional(Box::new([condition, then, otherwise])), start)
    }

    /// The operator that stands here, with its strength and its number of tokens.
    fn operator(&self) -> Option<(Binary, u8, usize)> {
        let (operator, strength) = match self.spelt(0) {
            "||" => (Binary::OrElse, 1),
            "&&" => (Binary::AndThen, 2),
            "|" => (Binary::Or, 3),
            "^" => (Binary::Xor, 4),
            "&" => (Binary::And, 5),
            "==" => (Binary::Equal, 6),
            "!=" => (Binary::NotEqual, 6),
            "<" => (Binary::Less, 7),
            "<=" => (Binary::LessEqual, 7),
            "<<" => (Binary::ShiftLeft, 8),
            "+" => (Binary::Add, 9),
            "-" => (Binary::Subtract, 9),
            "*" => (Binary::Multiply, 10),
            "/" => (Binary::Divide, 10),
            "%" => (Binary::Remainder, 10),
            ">" => {
                let assigns = |signs: &[&str]| self.is_joined(signs);
                if assigns(&[">", ">", ">", "="]) || assigns(&[">", ">", "="]) {
                    return None;
                }
                return Some(match () {
                    _ if self.is_joined(&[">", ">", ">"]) => (Binary::ShiftRightUnsigned, 8, 3),
                    _ if self.is_joined(&[">", ">"]) => (Binary::ShiftRight, 8, 2),
                    _ if self.is_joined(&[">", "="]) => (Binary::GreaterEqual, 7, 2),
                    _ => (Binary::Greater, 7, 1),
                });
            }
            _ => return None,
        };
        Some((operator, strength, 1))
    }

    /// Operators at least this strong.
    fn binary(&mut self, least: u8) -> Read<Expr> {
        let start = self.span();
        let mut left = self.unary()?;
        loop {
            if self.is("instanceof") && least <= 7 {
                self.bump();
                self.accept("final");
                let type_name = self.type_name()?;
                let name = if self.is_name(0) { Some(self.name()?) } else { None };
                let kind = ExprKind::InstanceOf(Box::new(left), type_name, name);
                left = self.node(kind, start)?;
                continue;
            }
            let Some((operator, strength, tokens)) = self.operator() else { return Ok(left) };
            if strength < least.max(1) {
                return Ok(left);
            }
            for _ in 0..tokens {
                self.bump();
            }
            let right = self.deeper(|parser| parser.binary(strength + 1))?;
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.node(kind, start)?;
        }
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        let operator = match self.spelt(0) {
            "+" => Unary::Plus,
            "-" => Unary::Minus,
            "~" => Unary::Tilde,
            "!" => Unary::Not,
            sign @ ("++" | "--") => {
                self.bump();
                let place = Box::new(self.deeper(Self::unary)?);
                return self.node(ExprKind::Step { up: sign == "++", prefix: true, place }, start);
            }
            "(" if self.begins_cast() => {
                self.bump();
                let type_name = self.type_name()?;
                while self.accept("&") {
                    self.type_name()?;
                }
                self.expect(")")?;
                let inner = match self.begins_lambda() {
                    true => self.lambda()?,
                    false => self.deeper(Self::unary)?,
                };
                return self.node(ExprKind::Cast(type_name, Box::new(inner)), start);
            }
            _ => return self.postfix(),
        };
        self.bump();
        let inner = self.deeper(Self::unary)?;
        self.node(ExprKind::Unary(operator, Box::new(inner)), start)
    }

    /// Is the parenthesis here that of a cast?
    fn begins_cast(&mut self) -> bool {
        if primitive(self.spelt(1)).is_some() {
            return true;
        }
        let (at, depth) = (self.at, self.depth);
        self.bump();
        let mut is_type = self.type_name().is_ok();
        while is_type && self.accept("&") {
            is_type = self.type_name().is_ok();
        }
        let closes = is_type && self.accept(")");
        let begins = match self.lexeme(0).token {
            Token::Word => !self.is("instanceof") && (self.is_name(0) || self.begins_primary()),
            Token::Sign => matches!(self.spelt(0), "(" | "!" | "~"),
            Token::End => false,
            _ => true,
        };
        (self.at, self.depth) = (at, depth);
        closes && begins
    }

    fn begins_primary(&self) -> bool {
        matches!(self.spelt(0), "this" | "super" | "new" | "true" | "false" | "null" | "switch")
    }

    fn postfix(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut e = self.primary()?;
        loop {
            e = match self.spelt(0) {
                "." => self.selected(e, start)?,
                "[" => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect("]")?;
                    self.node(ExprKind::Index(Box::new(e), Box::new(index)), start)?
                }
                sign @ ("++" | "--") => {
                    self.bump();
                    let place = Box::new(e);
                    self.node(ExprKind::Step { up: sign == "++", prefix: false, place }, start)?
                }
                "::" => {
                    self.bump();
                    self.reference(Some(e), None, start)?
                }
                _ => return Ok(e),
            };
        }
    }

    fn selected(&mut self, e: Expr, start: Span) -> Read<Expr> {
        self.expect(".")?;
        if self.accept("class") {
            return self.node(ExprKind::ClassLiteral, start);
        }
        if self.accept("this") {
            // The instance around this one: resolved by the name of its class.
            let name = Name { text: "this".to_string(), span: self.last() };
            return self.node(ExprKind::Member(Box::new(e), name), start);
        }
        if self.is("new") {
            return self.new_object(Some(Box::new(e)), start);
        }
        if self.accept("super") {
            return self.node(ExprKind::Super, start);
        }
        self.type_arguments()?;
        let name = self.name()?;
        if self.is("(") {
            let arguments = self.arguments()?;
            let target = Some(Box::new(e));
            return self.node(ExprKind::Call { target, name, arguments }, start);
        }
        self.node(ExprKind::Member(Box::new(e), name), start)
    }

    fn primary(&mut self) -> Read<Expr> {
        let start = self.span();
        let kind = match self.lexeme(0).token.clone() {
            Token::Integer { value, long, decimal } => ExprKind::Integer { value, long, decimal },
            Token::Floating { value, single } => ExprKind::Floating { value, single },
            Token::Character(c) => ExprKind::Character(c),
            Token::Text(text) => ExprKind::Text(text),
            Token::End => return self.expected("an expression"),
            Token::Word | Token::Sign => return self.word(start),
        };
        self.bump();
        self.node(kind, start)
    }

    fn word(&mut self, start: Span) -> Read<Expr> {
        let kind = match self.spelt(0) {
            "(" => return self.parenthesized(),
            "true" => ExprKind::Truth(true),
            "false" => ExprKind::Truth(false),
            "null" => ExprKind::Null,
            word @ ("this" | "super") => {
                self.bump();
                if self.is("(") {
                    let of_super = word == "super";
                    let arguments = self.arguments()?;
                    return self.node(ExprKind::Construct { of_super, arguments }, start);
                }
                let kind = if word == "this" { ExprKind::This } else { ExprKind::Super };
                return self.node(kind, start);
            }
            "new" => return self.new_object(None, start),
            "switch" => {
                self.bump();
                let value = Box::new(self.parenthesized_value()?);
                let groups = self.groups()?;
                return self.node(ExprKind::Switch(value, groups), start);
            }
            word if primitive(word).is_some() || word == "void" => {
                let ty = self.type_name()?;
                if self.accept("::") {
                    return self.reference(None, Some(ty), start);
                }
                self.expect(".")?;
                self.expect("class")?;
                return self.node(ExprKind::ClassLiteral, start);
            }
            _ if self.is_name(0) => {
                if self.begins_generic_reference() {
                    let ty = self.type_name()?;
                    self.expect("::")?;
                    return self.reference(None, Some(ty), start);
                }
                if self.spelt(1) == "[" && self.spelt(2) == "]" {
                    // `A[].class`
                    let ty = self.type_name()?;
                    if self.accept("::") {
                        return self.reference(None, Some(ty), start);
                    }
                    self.expect(".")?;
                    self.expect("class")?;
                    return self.node(ExprKind::ClassLiteral, start);
                }
                let name = self.name()?;
                if self.is("(") {
                    let arguments = self.arguments()?;
                    let kind = ExprKind::Call { target: None, name, arguments };
                    return self.node(kind, start);
                }
                return self.node(ExprKind::Name(name.text), start);
            }
            _ => return self.expected("an expression"),
        };
        self.bump();
        self.node(kind, start)
    }

    fn parenthesized_value(&mut self) -> Read<Expr> {
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        Ok(e)
    }

    /// `List<A>::m`
    fn begins_generic_reference(&mut self) -> bool {
        if self.spelt(1) != "<" {
            return false;
        }
        let (at, depth) = (self.at, self.depth);
        let found = self.type_name().is_ok() && self.is("::");
        (self.at, self.depth) = (at, depth);
        found
    }

    fn new_object(&mut self, outer: Option<Box<Expr>>, start: Span) -> Read<Expr> {
        self.expect("new")?;
        let mut type_name: TypeName = self.element_type()?;
        if self.is("(") {
            let arguments = self.arguments()?;
            let body = match self.accept("{") {
                true => Some(self.deeper(|parser| parser.members(false))?),
                false => None,
            };
            return self.node(ExprKind::New { outer, type_name, arguments, body }, start);
        }
        let mut lengths = Vec::new();
        while self.accept("[") {
            type_name.dimensions += 1;
            if self.accept("]") {
                continue;
            }
            lengths.push(self.expression()?);
            self.expect("]")?;
        }
        if type_name.dimensions == 0 {
            return self.expected("`(` or `[`");
        }
        let values = match self.is("{") && lengths.is_empty() {
            true => Some(Box::new(self.deeper(Self::values)?)),
            false => None,
        };
        if lengths.is_empty() && values.is_none() {
            return self.expected("the length of the array");
        }
        self.node(ExprKind::NewArray { type_name, lengths, values }, start)
    }
}

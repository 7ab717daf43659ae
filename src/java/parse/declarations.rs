//! Files, types and their members.

use super::Parser;
use crate::mistake::Read;
use crate::span::Span;
use crate::token::Token;
use crate::tree::{
    Constant, Declarator, Kind, Member, Method, Modifiers, Parameter, TypeDeclaration, TypeName,
    Unit,
};

impl Parser<'_> {
    /// Files one behind the other: each may begin with `package` and `import`.
    pub(super) fn unit(&mut self) -> Read<Unit> {
        let mut unit = Unit::default();
        while self.lexeme(0).token != Token::End {
            if self.accept(";") {
                continue;
            }
            if self.accept("import") {
                let is_static = self.accept("static");
                let mut parts = vec![self.name()?.text];
                while self.accept(".") {
                    match self.accept("*") {
                        true => parts.push("*".to_string()),
                        false => parts.push(self.name()?.text),
                    }
                }
                self.expect(";")?;
                if let (true, [.., class, member]) = (is_static, &parts[..]) {
                    unit.static_imports.push((class.clone(), member.clone()));
                }
                continue;
            }
            let modifiers = self.modifiers()?;
            if self.accept("package") {
                self.name()?;
                while self.accept(".") {
                    self.name()?;
                }
                self.expect(";")?;
                continue;
            }
            match self.type_declaration(modifiers)? {
                Some(found) => unit.types.push(found),
                None => return self.expected("a class"),
            }
        }
        Ok(unit)
    }

    /// Annotations say nothing about a run.
    pub(super) fn annotations(&mut self) -> Read<()> {
        while self.is("@") && self.spelt(1) != "interface" {
            self.bump();
            self.name()?;
            while self.accept(".") {
                self.name()?;
            }
            if self.is("(") {
                self.skip_parentheses()?;
            }
        }
        Ok(())
    }

    fn skip_parentheses(&mut self) -> Read<()> {
        let mut open = 0_u32;
        loop {
            match self.spelt(0) {
                "(" => open += 1,
                ")" => open -= 1,
                _ if self.lexeme(0).token == Token::End => return self.expected("`)`"),
                _ => {}
            }
            self.bump();
            if open == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn modifiers(&mut self) -> Read<Modifiers> {
        let mut modifiers = Modifiers::default();
        loop {
            self.annotations()?;
            match self.spelt(0) {
                "static" => modifiers.is_static = true,
                "abstract" => modifiers.is_abstract = true,
                "final" => modifiers.is_final = true,
                "native" => modifiers.is_native = true,
                "synchronized" if self.spelt(1) != "(" => modifiers.is_synchronized = true,
                "private" => modifiers.is_private = true,
                "default" if self.spelt(1) != ":" && self.spelt(1) != "->" => {
                    modifiers.is_default = true
                }
                "public" | "protected" | "transient" | "volatile" | "strictfp" => {}
                "sealed"
                    if matches!(self.spelt(1), "class" | "interface" | "abstract" | "public") => {}
                _ => return Ok(modifiers),
            }
            self.bump();
        }
    }

    /// A class, if one begins here.
    pub(super) fn type_declaration(
        &mut self,
        modifiers: Modifiers,
    ) -> Read<Option<TypeDeclaration>> {
        let kind = match self.spelt(0) {
            "class" => Kind::Class,
            "interface" => Kind::Interface,
            "enum" => Kind::Enumeration,
            "record" if self.is_name(1) && matches!(self.spelt(2), "(" | "<") => Kind::Record,
            "@" => {
                self.bump();
                Kind::Annotation
            }
            _ => return Ok(None),
        };
        self.bump();
        let name = self.name()?;
        let mut found = TypeDeclaration {
            kind,
            modifiers,
            name,
            parameters: self.type_parameters()?,
            extends: Vec::new(),
            implements: Vec::new(),
            constants: Vec::new(),
            members: Vec::new(),
        };
        let components = match kind {
            Kind::Record => self.components()?,
            _ => Vec::new(),
        };
        if self.accept("extends") {
            found.extends = self.type_list()?;
        }
        if self.accept("implements") {
            found.implements = self.type_list()?;
        }
        if self.accept("permits") {
            self.type_list()?;
        }
        self.expect("{")?;
        if kind == Kind::Enumeration {
            found.constants = self.constants()?;
        }
        found.members = self.deeper(|parser| parser.members(kind == Kind::Annotation))?;
        if kind == Kind::Record {
            super::records::complete(&mut found, components);
        }
        Ok(Some(found))
    }

    fn constants(&mut self) -> Read<Vec<Constant>> {
        let mut list = Vec::new();
        loop {
            self.annotations()?;
            if !self.is_name(0) {
                break;
            }
            let name = self.name()?;
            let arguments = if self.is("(") { self.arguments()? } else { Vec::new() };
            let body = match self.accept("{") {
                true => Some(self.deeper(|parser| parser.members(false))?),
                false => None,
            };
            list.push(Constant { name, arguments, body });
            if !self.accept(",") {
                break;
            }
        }
        if !self.is("}") {
            self.expect(";")?;
        }
        Ok(list)
    }

    /// The members up to the closing brace.
    pub(super) fn members(&mut self, of_annotation: bool) -> Read<Vec<Member>> {
        let mut list = Vec::new();
        while !self.accept("}") {
            if self.accept(";") {
                continue;
            }
            if self.lexeme(0).token == Token::End {
                return self.expected("`}`");
            }
            self.member(of_annotation, &mut list)?;
        }
        Ok(list)
    }

    fn member(&mut self, of_annotation: bool, list: &mut Vec<Member>) -> Read<()> {
        let modifiers = self.modifiers()?;
        if self.is("{") {
            let body = self.block()?;
            list.push(Member::Initializer { is_static: modifiers.is_static, body });
            return Ok(());
        }
        if let Some(found) = self.type_declaration(modifiers)? {
            list.push(Member::Type(found));
            return Ok(());
        }
        let start = self.span();
        let type_parameters = self.type_parameters()?;
        if self.is_name(0) && self.spelt(1) == "{" {
            // The constructor of a record, without its parameters.
            let name = self.name()?;
            let body = Some(self.block()?);
            let (parameters, result) = (Vec::new(), None);
            let (is_variadic, is_compact) = (false, true);
            let span = self.from(start);
            list.push(Member::Method(Method {
                modifiers,
                type_parameters,
                result,
                name,
                parameters,
                is_variadic,
                is_compact,
                body,
                span,
            }));
            return Ok(());
        }
        if self.is_name(0) && self.spelt(1) == "(" {
            let method = self.method(modifiers, type_parameters, None, start)?;
            list.push(Member::Method(method));
            return Ok(());
        }
        let type_name = self.type_name()?;
        if self.is_name(0) && self.spelt(1) == "(" {
            let method = self.method(modifiers, type_parameters, Some(type_name), start)?;
            if !of_annotation {
                list.push(Member::Method(method));
            }
            return Ok(());
        }
        let declarators = self.declarators(start)?;
        self.expect(";")?;
        list.push(Member::Field(modifiers, type_name, declarators));
        Ok(())
    }

    fn method(
        &mut self,
        modifiers: Modifiers,
        type_parameters: Vec<crate::tree::TypeParameter>,
        result: Option<TypeName>,
        start: Span,
    ) -> Read<Method> {
        let mut result = result;
        let name = self.name()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        while !self.accept(")") {
            self.modifiers()?;
            let mut type_name = self.type_name()?;
            if self.accept("...") {
                is_variadic = true;
                type_name.dimensions += 1;
            }
            let name = self.name()?;
            type_name.dimensions += self.brackets()?;
            parameters.push(Parameter { type_name, name });
            if !self.accept(",") && !self.is(")") {
                return self.expected("`)`");
            }
        }
        let behind = self.brackets()?;
        if let Some(result) = &mut result {
            result.dimensions += behind;
        }
        if self.accept("throws") {
            self.type_list()?;
        }
        let span = self.from(start);
        if self.accept("default") {
            self.expression()?;
        }
        let body = match self.is("{") {
            true => Some(self.block()?),
            false => {
                self.expect(";")?;
                None
            }
        };
        let is_compact = false;
        Ok(Method {
            modifiers,
            type_parameters,
            result,
            name,
            parameters,
            is_variadic,
            is_compact,
            body,
            span,
        })
    }

    /// The components of a record.
    fn components(&mut self) -> Read<Vec<Parameter>> {
        self.expect("(")?;
        let mut list = Vec::new();
        while !self.accept(")") {
            self.modifiers()?;
            let type_name = self.type_name()?;
            let name = self.name()?;
            list.push(Parameter { type_name, name });
            if !self.accept(",") && !self.is(")") {
                return self.expected("`)`");
            }
        }
        Ok(list)
    }

    /// The number of `[]`.
    fn brackets(&mut self) -> Read<u32> {
        let mut count = 0;
        while self.accept("[") {
            self.expect("]")?;
            count += 1;
        }
        Ok(count)
    }

    /// `a = 1, b[] = { 2 }`; the first place begins at `start`.
    pub(super) fn declarators(&mut self, start: Span) -> Read<Vec<Declarator>> {
        let mut list = Vec::new();
        let mut start = start;
        loop {
            let name = self.name()?;
            let dimensions = self.brackets()?;
            let value = match self.accept("=") {
                true => Some(self.value()?),
                false => None,
            };
            list.push(Declarator { name, dimensions, value, span: self.from(start) });
            if !self.accept(",") {
                return Ok(list);
            }
            start = self.span();
        }
    }
}

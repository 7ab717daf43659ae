//! From tokens to the typed tree: C11 by recursive descent, with GNU's common extensions.

mod atomics;
mod builtins;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
pub(crate) mod literal;
mod old_style;
mod primary;
mod quantifiers;
mod specifiers;
mod statements;
mod typing;

use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::{Kind, Token};
use crate::tree::{Point, PointId, Procedure, ProcedureId, Statement, Tree, Variable, VariableId};
use crate::types::{Integer, RecordId, Signature, Type};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep statements, expressions and declarators nest.
const DEEPEST: u32 = 180;

/// What stands between the library's declarations and the program.
pub(crate) const LIBRARY_END: &str = "__library_end";

type Result<T> = std::result::Result<T, Mistake>;

/// What a name means.
#[derive(Clone, Debug)]
enum Meaning {
    Type(Type),
    Variable(VariableId),
    Procedure(ProcedureId),
    Constant(i64),
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
enum Tag {
    Record(RecordId),
    Enumeration(Integer),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<Rc<str>, Meaning>,
    tags: FxHashMap<Rc<str>, Tag>,
}

/// A parameter of the procedure whose declarator was read last.
struct Parameter {
    variable: VariableId,
    ty: Type,
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    tree: Tree,
    /// The library's, the file's, then one for each open block.
    scopes: Vec<Scope>,
    /// The parameters of the declarator that was read last, and the names that they bring.
    parameters: Option<(Vec<Parameter>, Scope)>,
    /// What must be evaluated before the declaration that is being read: lengths of arrays.
    pending: Vec<Statement>,
    /// The procedure that is being read.
    current: ProcedureId,
    /// Its variables.
    locals: Vec<VariableId>,
    /// Loops and switches around, and switches alone.
    loops: u32,
    breakable: u32,
    switches: u32,
    /// Variables at the file's level whose type may be completed behind them.
    tentative: Vec<VariableId>,
    /// Quantifiers around.
    quantified: u32,
    /// The value of an initialiser that was read before it was known to what it belongs.
    held: Option<crate::tree::Expr>,
}

/// The typed tree of these tokens.
pub(crate) fn parse(tokens: Vec<Token>) -> Result<Tree> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        tree: Tree::default(),
        scopes: vec![Scope::default(), Scope::default()],
        parameters: None,
        pending: Vec::new(),
        current: ProcedureId(0),
        locals: Vec::new(),
        loops: 0,
        breakable: 0,
        switches: 0,
        tentative: Vec::new(),
        quantified: 0,
        held: None,
    };
    // Initial values of global variables belong to it.
    parser.procedure(
        "",
        Signature { result: Type::Void, parameters: vec![], variadic: false, open: false },
        Span::default(),
        Span::default(),
    );
    while parser.peek().kind != Kind::End {
        if parser.takes(LIBRARY_END) {
            // What was read so far moves into the scope around the file's.
            let scope = std::mem::take(parser.scope());
            parser.scopes[0] = scope;
            parser.tree.library = parser.tree.procedures.len() as u32;
            continue;
        }
        parser.external()?;
    }
    parser.finish()
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// The span of the token before.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn expect(&mut self, text: &str) -> Result<Span> {
        if self.is(text) {
            return Ok(self.next().span);
        }
        Err(self.expected(&format!("`{text}`")))
    }

    fn expected(&self, what: &str) -> Mistake {
        let token = self.peek();
        let found = if token.kind == Kind::End {
            token.text.to_string()
        } else {
            format!("`{}`", token.text)
        };
        Mistake::new(MistakeKind::Expected(what.to_string(), found), token.span)
    }

    fn name(&mut self, what: &str) -> Result<Token> {
        if self.peek().kind == Kind::Word && !specifiers::is_keyword(&self.peek().text) {
            return Ok(self.next());
        }
        Err(self.expected(what))
    }

    /// Runs one level deeper; too many levels are refused, so that the stack is never too small.
    fn nested<T>(&mut self, run: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err(Mistake::new(MistakeKind::TooLarge, self.peek().span));
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the library's scope is never closed")
    }

    fn is_local(&self) -> bool {
        self.scopes.len() > 2
    }

    fn variable(&mut self, name: &str, ty: Type, span: Span, global: bool) -> VariableId {
        let id = VariableId(self.tree.variables.len() as u32);
        let addressed = !ty.is_scalar();
        self.tree.variables.push(Variable {
            name: name.to_string(),
            ty,
            span,
            global,
            used: false,
            addressed,
        });
        if !global {
            self.locals.push(id);
        }
        id
    }

    fn procedure(
        &mut self,
        name: &str,
        signature: Signature,
        span: Span,
        specifiers: Span,
    ) -> ProcedureId {
        let id = ProcedureId(self.tree.procedures.len() as u32);
        self.tree.procedures.push(Procedure {
            name: name.to_string(),
            signature,
            parameters: Vec::new(),
            locals: Vec::new(),
            body: None,
            span,
            specifiers,
        });
        id
    }

    fn point(&mut self, span: Span) -> PointId {
        let id = PointId(self.tree.points.len() as u32);
        self.tree.points.push(Point { span, procedure: self.current });
        id
    }

    /// What can only be said when all is read: `main`, and names that nobody defines.
    fn finish(mut self) -> Result<Tree> {
        let Some(Meaning::Procedure(main)) = self.meaning("main").cloned() else {
            return Err(Mistake::new(MistakeKind::NoMain, self.peek().span));
        };
        if self.tree.procedures[main.index()].body.is_none() {
            return Err(Mistake::new(MistakeKind::NoMain, self.peek().span));
        }
        for id in &self.tentative {
            let variable = &self.tree.variables[id.index()];
            if variable.ty.size(&self.tree.records).is_none() {
                let kind = MistakeKind::Incomplete(variable.ty.name(&self.tree.records));
                return Err(Mistake::new(kind, variable.span));
            }
        }
        self.tree.main = Some(main);
        Ok(self.tree)
    }
}

//! What a program needs around it to be compiled and to run as it did: declarations and definitions
//! of what it calls and does not define, and a `main`.

use super::Refusal;
use super::given::{Given, Literal};
use crate::draw::harness::{Body, Definition, PROGRAM_MAIN, Parts};
use faultline_c::mistake::{Mistake, MistakeKind};
use faultline_c::span::Span;
use faultline_c::tree::{ProcedureId, Tree};
use faultline_c::types::{Signature, Type};

/// So many names may be missing.
const MOST_NAMES: usize = 64;
/// So many strings may be given to `main`.
const MOST_ARGUMENTS: i128 = 1000;

/// What stands around the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Needed {
    /// In front of it, a line each.
    pub(super) before: Vec<String>,
    /// Behind it.
    pub(super) definitions: Vec<Definition>,
    /// The statements that start it.
    pub(super) call: Vec<String>,
    /// Does its own `main` do so?
    pub(super) is_plain: bool,
}

/// Procedures of the library whose results are part of a run: under another name the program has
/// its own. With their types and parameters, and whether they store what they give.
const REPLACED: [(&str, &str, &str, bool); 4] = [
    ("rand", "int", "void", false),
    ("random", "long", "void", false),
    ("time", "long", "long *to", true),
    ("clock", "long", "void", false),
];

/// What verifiers' names mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Assume,
    Assert,
    Fails,
    Value,
}

/// The names of the competition on software verification, of CBMC and of ESBMC.
fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" => Meaning::Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" | "assert" => Meaning::Assert,
        "__VERIFIER_error" | "reach_error" => Meaning::Fails,
        _ if nondeterministic(name).is_some() => Meaning::Value,
        _ => return None,
    })
}

/// The type that such a name says.
fn nondeterministic(name: &str) -> Option<&'static str> {
    let ty = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"))?;
    Some(match ty {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "schar" | "int8_t" => "signed char",
        "uchar" | "unchar" | "u8" | "uint8_t" => "unsigned char",
        "short" | "int16_t" => "short",
        "ushort" | "u16" | "uint16_t" => "unsigned short",
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32_t" => "unsigned",
        "long" | "int64_t" => "long",
        "ulong" | "size_t" | "u64" | "uint64_t" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        _ => "int",
    })
}

/// What a program needs.
pub(super) fn needed(parts: &Parts<'_>, given: &Given) -> Result<Needed, Refusal> {
    let mut needed = Needed::default();
    // Where another procedure starts, there may be no `main`.
    let main = given.start.iter().map(|_| String::from(";")).collect();
    let parts = &Parts { main, ..parts.clone() };
    let (tree, _) = needed.read(parts)?;
    for (name, ty, parameters, stores) in REPLACED {
        let is_given = given.results.iter().any(|(by, _)| by == name);
        if is_given && !defines(&tree, name) {
            let own = format!("program_{name}");
            let head = format!("{ty} {own}({parameters})");
            needed.before.push(format!("#define {name} {own}"));
            needed.before.push(format!("{head};"));
            let values = values(given, name);
            let body = match stores {
                true => Body::Stores(ty.into(), values),
                false => Body::Values(ty.into(), values),
            };
            needed.definitions.push(Definition { head, body });
        }
    }
    let (tree, _) = needed.read(parts)?;
    for (k, procedure) in tree.procedures.iter().enumerate() {
        // What is called before it is declared has no specifiers.
        let is_implicit = procedure.specifiers == Span::default() && procedure.body.is_none();
        if is_implicit && !tree.is_library(ProcedureId(k as u32)) {
            needed.before.push(declaration(&procedure.name));
        }
    }
    let (tree, text) = needed.read(parts)?;
    for procedure in &tree.procedures {
        if meaning(&procedure.name).is_some() && !defines(&tree, &procedure.name) {
            needed.define((&tree, &text), &procedure.name, given)?;
        }
    }
    for _ in 0..MOST_NAMES {
        let (tree, text) = needed.read(parts)?;
        match faultline_c::compile(&tree) {
            Ok(_) => {
                needed.start(&tree, given)?;
                return Ok(needed);
            }
            Err(Mistake { kind: MistakeKind::UnknownName(name), .. }) if !defines(&tree, &name) => {
                needed.define((&tree, &text), &name, given)?;
            }
            Err(mistake) => return Err(Refusal::Unread(mistake.to_string())),
        }
    }
    Err(Refusal::TooLong)
}

/// Does the program say what a procedure does?
fn defines(tree: &Tree, name: &str) -> bool {
    let is_own = |k: usize| !tree.is_library(ProcedureId(k as u32));
    let mut all = tree.procedures.iter().enumerate();
    all.any(|(k, one)| one.name == name && one.body.is_some() && is_own(k))
}

fn values(given: &Given, name: &str) -> Vec<String> {
    let own = given.results.iter().filter(|(by, _)| by == name);
    own.map(|(_, value)| value.written()).collect()
}

/// A number's type in C.
fn number(tree: &Tree, ty: &Type) -> Option<String> {
    ty.is_arithmetic().then(|| ty.name(&tree.records))
}

impl Needed {
    /// The program with what was found so far, as a tree and as a text; declares what nobody
    /// declares.
    fn read(&mut self, parts: &Parts<'_>) -> Result<(Tree, String), Refusal> {
        for _ in 0..MOST_NAMES {
            let parts = Parts {
                before: self.before.clone(),
                definitions: self.definitions.clone(),
                ..parts.clone()
            };
            let text = parts.render().0;
            match faultline_c::parse(&text, &|_| None) {
                Ok(tree) => return Ok((tree, text)),
                Err(Mistake { kind: MistakeKind::UnknownName(name), .. }) => {
                    let line = declaration(&name);
                    if self.before.contains(&line) {
                        let again = MistakeKind::UnknownName(name);
                        let again = Mistake::new(again, Span::default());
                        return Err(Refusal::Unread(again.to_string()));
                    }
                    self.before.push(line);
                }
                Err(mistake) => return Err(Refusal::Unread(mistake.to_string())),
            }
        }
        Err(Refusal::TooLong)
    }

    /// Says what a procedure does that the program only declares.
    fn define(
        &mut self,
        (tree, text): (&Tree, &str),
        name: &str,
        given: &Given,
    ) -> Result<(), Refusal> {
        let refused = || Refusal::NoNumber(name.to_string());
        let procedure = tree.procedures.iter().find(|one| one.name == name).ok_or_else(refused)?;
        let Signature { result, parameters, variadic, open } = &procedure.signature;
        let meaning = meaning(name).unwrap_or(Meaning::Value);
        let asks = matches!(meaning, Meaning::Assume | Meaning::Assert);
        let own = |k: usize| if k == 0 { "holds".to_string() } else { format!("other_{k}") };
        let mut list = Vec::new();
        for (k, ty) in parameters.iter().enumerate() {
            // `__CPROVER_assert(condition, "why")`
            let ty = match (number(tree, ty), ty) {
                (Some(number), _) => number,
                (None, Type::Pointer(_)) if asks && k > 0 => "const char *".to_string(),
                (None, _) => return Err(refused()),
            };
            list.push(format!("{ty} {}", own(k)));
        }
        if *open && asks {
            list.push("int holds".into());
        }
        if *variadic || asks && list.is_empty() {
            return Err(refused());
        }
        let list = match (list.is_empty(), open) {
            (true, true) => String::new(),
            (true, false) => "void".into(),
            (false, _) => list.join(", "),
        };
        let ty = match (result, number(tree, result)) {
            (Type::Void, _) => "void".to_string(),
            (_, Some(ty)) => ty,
            (_, None) => return Err(refused()),
        };
        let body = match meaning {
            Meaning::Assume => Body::Assume,
            Meaning::Assert => Body::Assert,
            Meaning::Fails => Body::Fails,
            Meaning::Value if *result == Type::Void => Body::Nothing,
            Meaning::Value => Body::Values(ty.clone(), values(given, name)),
        };
        // As the program has it: the tree does not know the names of enumerations.
        let said = procedure.specifiers;
        let said = text.get(said.start as usize..said.end as usize).filter(|_| !said.foreign);
        let said = said.map(|said| said.split_whitespace().collect::<Vec<_>>().join(" "));
        let said = said.filter(|said| !said.is_empty()).unwrap_or(ty);
        self.definitions.push(Definition { head: format!("{said} {name}({list})"), body });
        Ok(())
    }

    /// How the program is started.
    fn start(&mut self, tree: &Tree, given: &Given) -> Result<(), Refusal> {
        let name = given.start.as_deref().unwrap_or("main");
        let refused = || Refusal::NoNumber(name.to_string());
        let found = tree.procedures.iter().find(|one| one.name == name && one.body.is_some());
        let procedure = found.ok_or_else(refused)?;
        for (place, value) in &given.globals {
            self.call.push(format!("{place} = {};", value.written()));
        }
        let types = &procedure.signature.parameters;
        self.is_plain = given.globals.is_empty() && given.start.is_none() && types.is_empty();
        let of = |name: &str| given.arguments.iter().find(|(of, _)| of == name);
        let mut list = Vec::new();
        for (k, (ty, id)) in types.iter().zip(&procedure.parameters).enumerate() {
            let known = of(&tree.variables[id.index()].name).map(|(_, value)| *value);
            let is_of_main = given.start.is_none();
            list.push(match (ty, known) {
                (Type::Pointer(_), _) if is_of_main && k == 1 => "arguments".to_string(),
                (Type::Pointer(_), None | Some(Literal::Integer(0))) if !is_of_main => "0".into(),
                (ty, known) if ty.is_arithmetic() => known.unwrap_or(Literal::Integer(0)).written(),
                _ => return Err(refused()),
            });
        }
        if given.start.is_none() && types.len() > 1 {
            let count = match given.arguments.first() {
                Some((_, Literal::Integer(n))) => (*n).clamp(0, MOST_ARGUMENTS),
                _ => 1,
            };
            let texts = (0..count).map(|k| if k == 0 { "\"program\", " } else { "\"\", " });
            let texts: String = texts.collect();
            self.call.push(format!("static char *arguments[] = {{ {texts}0 }};"));
        }
        let name = if name == "main" { PROGRAM_MAIN } else { name };
        self.call.push(format!("(void){name}({});", list.join(", ")));
        Ok(())
    }
}

/// The declaration of a name that a program calls and nobody declares.
fn declaration(name: &str) -> String {
    match (meaning(name), nondeterministic(name)) {
        (Some(Meaning::Assert), _) if name == "assert" => "#include <assert.h>".into(),
        // CBMC's and ESBMC's say why.
        (Some(Meaning::Assert), _) if name != "__VERIFIER_assert" => {
            format!("void {name}(int, const char *);")
        }
        (Some(Meaning::Assume | Meaning::Assert), _) => format!("void {name}(int);"),
        (Some(Meaning::Fails), _) => format!("void {name}(void);"),
        (_, Some(ty)) => format!("{ty} {name}(void);"),
        _ => format!("int {name}();"),
    }
}

#[cfg(test)]
mod tests {
    use super::declaration;

    #[test]
    fn what_nobody_declares_is_declared() {
        let declared = [
            ("assert", "#include <assert.h>"),
            ("__VERIFIER_assume", "void __VERIFIER_assume(int);"),
            ("__VERIFIER_assert", "void __VERIFIER_assert(int);"),
            ("__ESBMC_assert", "void __ESBMC_assert(int, const char *);"),
            ("reach_error", "void reach_error(void);"),
            ("nondet_uchar", "unsigned char nondet_uchar(void);"),
            ("read_number", "int read_number();"),
        ];
        for (name, line) in declared {
            assert_eq!(declaration(name), line);
        }
    }
}

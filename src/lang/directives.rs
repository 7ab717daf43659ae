//! `//! key = value`: options in the text of a program. Options that the user requests come before
//! them, and defaults come after them.

use crate::lang::alone::MOST_ELEMENTS;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::DirectiveText;
use crate::lang::model::Span;
use crate::wire::options::{
    C_BITS, CIMPLE_BITS, Checks, DataModel, Dialect, EffectiveOptions, Globals, RequestedOptions,
};

/// Most objects of each type on the heap.
const MOST_OBJECTS: u32 = 64;

/// The options in force, and the `error` directive's text with its position.
pub(crate) fn effective(
    dialect: Dialect,
    directives: &[DirectiveText],
    requested: &RequestedOptions,
    diagnostics: &mut Diagnostics,
) -> (EffectiveOptions, Option<(String, Span)>) {
    let Given { bits, globals, checks, error, switches, heap, model, function, array } =
        read(directives, diagnostics);
    let place = bits.map_or(Span { start: 0, end: 0, line: 1 }, |(_, span)| span);
    let given = requested.bits.or(bits.map(|(n, _)| n));
    let is_c = dialect == Dialect::C;
    let is_wide = is_c || dialect == Dialect::Java;
    let names_rule = |d: &&DirectiveText| d.text.split('=').next().map(str::trim) == Some("rule");
    let named = directives.iter().find(names_rule).map(|d| d.span);
    let asked = (!requested.rules.is_empty()).then_some(Span { start: 0, end: 0, line: 1 });
    if let (false, Some(span)) = (is_c, named.or(asked)) {
        no_rules(span, diagnostics);
    }
    let first = Span { start: 0, end: 0, line: 1 };
    if let (false, Some(_)) = (is_c, requested.function.as_ref().or(function.as_ref())) {
        let place = place_of(directives, "function").unwrap_or(first);
        diagnostics.error(place, "a procedure starts alone in C only", "call it from the start");
    }
    let asked = given.unwrap_or(if is_wide { C_BITS } else { CIMPLE_BITS });
    if !(1..=32).contains(&asked) {
        diagnostics.error(
            place,
            format!("bits = {asked}: int can be 1 to 32 bits wide"),
            "choose a width from 1 to 32",
        );
    }
    let options = EffectiveOptions {
        dialect,
        bits: asked,
        open_width: is_wide && given.is_none(),
        globals: requested.globals.or(globals).unwrap_or(if is_wide {
            Globals::Zero
        } else {
            Globals::Any
        }),
        checks: requested.checks.or(checks).unwrap_or_default(),
        error: requested.error,
        reach: None,
        label: requested.label.clone(),
        switches,
        heap: requested.heap.map(|n| n.clamp(1, MOST_OBJECTS)).or(heap),
        model: requested.model.or(model).filter(|_| is_c).unwrap_or_default(),
        rules: Vec::new(),
        function: requested.function.clone().or(function),
        array: requested.array.map(|n| n.clamp(1, MOST_ELEMENTS)).or(array),
    };
    (options, error)
}

/// Where a directive stands.
pub(crate) fn place_of(directives: &[DirectiveText], key: &str) -> Option<Span> {
    let is_it = |d: &&DirectiveText| d.text.split('=').next().map(str::trim) == Some(key);
    directives.iter().find(is_it).map(|d| d.span)
}

/// Refuses a rule beside a program of another language than C.
pub(crate) fn no_rules(span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.error(span, "rules are read beside C programs only", "use assertions");
}

/// The values that directives give.
#[derive(Default)]
struct Given {
    bits: Option<(u32, Span)>,
    globals: Option<Globals>,
    checks: Option<Checks>,
    error: Option<(String, Span)>,
    /// The bound of the threads' analysis.
    switches: Option<u32>,
    /// Most objects of each type on the heap at once.
    heap: Option<u32>,
    model: Option<DataModel>,
    /// The procedure that starts alone.
    function: Option<String>,
    /// Most elements of an array that it is given.
    array: Option<u32>,
}

fn read(directives: &[DirectiveText], diagnostics: &mut Diagnostics) -> Given {
    let mut given = Given::default();
    for directive in directives {
        // Read by the analysis that they are about (see `wire::liveness`).
        if matches!(directive.text.trim(), "terminates" | "fair") {
            continue;
        }
        let Some((key, value)) = directive.text.split_once('=') else {
            diagnostics.warning(
                directive.span,
                format!("directive `{}` is not understood", shown(&directive.text)),
                "write `//! key = value`",
            );
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "bits" => match value.parse::<u32>() {
                Ok(n) => given.bits = Some((n, directive.span)),
                Err(_) => diagnostics.error(
                    directive.span,
                    format!("bits = {}: not a number", shown(value)),
                    "int can be 1 to 32 bits wide",
                ),
            },
            "globals" => match value {
                "any" => given.globals = Some(Globals::Any),
                "zero" => given.globals = Some(Globals::Zero),
                _ => diagnostics.error(
                    directive.span,
                    format!("globals = {}: unknown", shown(value)),
                    "write `any` or `zero`",
                ),
            },
            "check" | "checks" => match Checks::parse(value) {
                Ok(parsed) => given.checks = Some(parsed),
                Err(word) => diagnostics.error(
                    directive.span,
                    format!("check = {}: unknown", shown(&word)),
                    format!("write `none`, or some of {}", Checks::NAMES),
                ),
            },
            // Read by the analysis that it asks for (see `wire::liveness`).
            "ltl" => {}
            // Read with the texts of the rules (see `lang::rules::asked`).
            "rule" => {}
            // Read by the front end of Java.
            "start" => {}
            "error" => given.error = Some((value.to_string(), directive.span)),
            "switches" => match value.parse::<u32>() {
                Ok(n) => given.switches = Some(n),
                Err(_) => diagnostics.error(
                    directive.span,
                    format!("switches = {}: not a number", shown(value)),
                    "write how many context switches",
                ),
            },
            "heap" => match value.parse::<u32>() {
                Ok(n @ 1..=MOST_OBJECTS) => given.heap = Some(n),
                _ => diagnostics.error(
                    directive.span,
                    format!("heap = {}: not a number from 1 to {MOST_OBJECTS}", shown(value)),
                    "write how many objects of each type may be in use at once",
                ),
            },
            "function" => given.function = Some(value.to_string()),
            "array" => match value.parse::<u32>() {
                Ok(n @ 1..=MOST_ELEMENTS) => given.array = Some(n),
                _ => diagnostics.error(
                    directive.span,
                    format!("array = {}: not a number from 1 to {MOST_ELEMENTS}", shown(value)),
                    "write how many elements an array of the start has at most",
                ),
            },
            "model" => match DataModel::from_word(value) {
                Some(model) => given.model = Some(model),
                None => diagnostics.error(
                    directive.span,
                    format!("model = {}: unknown", shown(value)),
                    "write `lp64` or `ilp32`",
                ),
            },
            _ => diagnostics.warning(
                directive.span,
                format!("unknown directive `{}`", shown(key)),
                "known are bits, globals, check, switches, heap, model, start, function, array, error, rule, ltl, terminates and fair",
            ),
        }
    }
    given
}

/// Does a directive or the user say how wide `long` and pointers are?
pub(crate) fn gives_model(directives: &[DirectiveText], requested: &RequestedOptions) -> bool {
    let mut keys = directives.iter().filter_map(|d| d.text.split_once('='));
    requested.model.is_some() || keys.any(|(key, _)| key.trim() == "model")
}

/// Does a directive or the user say which checks are on?
pub(crate) fn gives_checks(directives: &[DirectiveText], requested: &RequestedOptions) -> bool {
    let is_check = |key: &str| matches!(key.trim(), "check" | "checks");
    let mut keys = directives.iter().filter_map(|d| d.text.split_once('='));
    requested.checks.is_some() || keys.any(|(key, _)| is_check(key))
}

/// The method in which a Java program starts, as `//! start = Main.run` names it.
pub(crate) fn start(directives: &[DirectiveText]) -> Option<&str> {
    let mut keys = directives.iter().filter_map(|d| d.text.split_once('='));
    keys.find(|(key, _)| key.trim() == "start").map(|(_, value)| value.trim())
}

/// The keys of a text's directives, as `bits` of `//! bits = 8`, in order.
pub fn keys(source: &str) -> Vec<String> {
    let lexed = super::lexer::lex(source, &mut Diagnostics::default());
    let key = |text: &str| Some(text.split_once('=')?.0.trim().to_string());
    lexed.directives.iter().filter_map(|directive| key(&directive.text)).collect()
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

//! Procedure summaries of the search for focus-statement sequences, on random programs with calls:
//! against the search that walks every call again, statement by statement, and against the explicit
//! oracle, which says from which stores a run can fail.

use crate::explicit::{Settings, explore};
use crate::load;
use crate::support::Random;
use crate::support::generate;
use crate::support::shrink::each;
use crate::support::tree::Program as Tree;
use faultline::analysis::focus::{FocusAnalysis, FocusSequence, Question};
use faultline::bdd::{Bdd, KernelLimits, Var};
use faultline::lang::model::{Expression, Operation, Program, VariableId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

const LIMITS: KernelLimits = KernelLimits { max_nodes: 300_000, max_steps: 3_000_000 };

/// A program of globals and three procedures that call each other, many times.
///
/// Not by `support::generate`: its programs call too seldom for a summary to be used again.
fn callers(seed: u64) -> Tree {
    let mut random = Random::new(seed + 1_000_000);
    let mut text = "//! bits = 2\nint g, h; int a[2]; bool b;\n".to_string();
    for procedure in 0..3 {
        let (result, parameter) = if procedure == 1 { ("int", "int v") } else { ("void", "") };
        let _ = writeln!(text, "{result} p{procedure}({parameter}) {{");
        let statements = 2 + random.among(3);
        for _ in 0..statements {
            statement(&mut random, procedure, 2, &mut text);
        }
        if procedure == 1 {
            text += "return v + g;\n";
        }
        text += "}\n";
    }
    text += "void main() {\n";
    let statements = 3 + random.among(4);
    for _ in 0..statements {
        statement(&mut random, 3, 1, &mut text);
    }
    let question =
        *random.pick(&["g != 1", "h < 1 || g == 0", "a[0] != a[1]", "b || g != h", "a[1] < 1"]);
    let _ = writeln!(text, "assert({question});\n}}");
    Tree::of_text(&text)
}

/// Every second program is one of [`callers`], the others have everything.
fn callers_or_any(seed: u64) -> Tree {
    if seed.is_multiple_of(2) { callers(seed) } else { generate::sequential(seed) }
}

/// Calls go to procedures before this one; rarely to itself, where a choice may end it.
fn statement(random: &mut Random, procedure: u32, depth: u32, text: &mut String) {
    let condition =
        |random: &mut Random| *random.pick(&["*", "g > 0", "h == g", "b", "a[1] < h", "h > 0"]);
    let simple = |random: &mut Random| {
        *random.pick(&[
            "g = g + 1;",
            "h = g;",
            "a[0] = h;",
            "a[1] = 1;",
            "b = !b;",
            "g = a[0];",
            "h = h - 1;",
            "a[h & 1] = g;",
            "b = g < h;",
        ])
    };
    match random.among(10) {
        0..4 if procedure > 0 => {
            let callee = random.among(procedure);
            let _ = match callee {
                1 => writeln!(
                    text,
                    "{} = p1({});",
                    random.pick(&["g", "h"]),
                    random.pick(&["g", "h + 1", "a[0]"])
                ),
                _ => writeln!(text, "p{callee}();"),
            };
        }
        4..7 if depth > 0 => {
            let _ = writeln!(text, "if ({}) {{", condition(random));
            statement(random, procedure, depth - 1, text);
            text.push_str("} else {\n");
            statement(random, procedure, depth - 1, text);
            text.push_str("}\n");
        }
        7 if procedure == 2 && random.percent(40) => text.push_str("if (*) {\np2();\n}\n"),
        8 if random.percent(30) => text.push_str("while (h > 0) {\nh = h - 1;\n}\n"),
        _ => {
            let _ = writeln!(text, "{}", simple(random));
        }
    }
}

/// The sequences, if the search ends within small budgets.
fn sequences(program: &Rc<Program>, summaries: bool) -> Option<FocusAnalysis> {
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 60 };
    let mut analysis = FocusAnalysis::new(Rc::clone(program), question, LIMITS).ok()?;
    if !summaries {
        analysis.walk_every_call();
    }
    for _ in 0..2_500 {
        match analysis.step() {
            Ok(true) => return analysis.is_complete().then_some(analysis),
            Ok(false) => {}
            Err(_) => return None,
        }
    }
    None
}

/// An expression with inputs by what they are, not by their number.
fn written(analysis: &FocusAnalysis, e: &Expression) -> String {
    let variable = |id: VariableId| match analysis.inputs_ref().input(id) {
        Some(input) => format!("{input:?}"),
        None => format!("{id:?}"),
    };
    match e {
        Expression::Constant(bits, _) => bits.to_string(),
        Expression::Choice(..) => "?".to_string(),
        Expression::Variable(id, _) => variable(*id),
        Expression::Element(id, index, _) => {
            format!("{}[{}]", variable(*id), written(analysis, index))
        }
        Expression::Unary(operator, e) => format!("{operator:?}({})", written(analysis, e)),
        Expression::Cast(to, e) => format!("{}({})", to.width, written(analysis, e)),
        Expression::Binary(operator, a, b) => {
            format!("{operator:?}({}, {})", written(analysis, a), written(analysis, b))
        }
        Expression::Conditional(a, b, c) => {
            format!(
                "if {} then {} else {}",
                written(analysis, a),
                written(analysis, b),
                written(analysis, c)
            )
        }
    }
}

fn all_of(analysis: &FocusAnalysis, sequence: &FocusSequence) -> String {
    let assumed: Vec<String> = sequence
        .assumptions
        .iter()
        .map(|a| format!("{:?} {} {}", a.edge, written(analysis, &a.expression), a.deleted))
        .collect();
    let FocusSequence { entries, lines, length, variables, rank, nest, same_as, .. } = sequence;
    format!("{entries:?} {lines:?} {length} {variables} {rank} {nest:?} {same_as:?} {assumed:?}")
}

fn is_call(operation: &Operation) -> bool {
    matches!(operation, Operation::Call { .. })
}

/// Entries, lines, ranks, assumptions, what Reduce deleted, and NEST.
#[test]
fn summaries_find_what_walking_every_call_finds() {
    let (mut compared, mut listed, mut with_calls) = (0, 0, 0);
    each(0..190, callers_or_any, |seed, source| {
        let program = Rc::new(
            load(source).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{source}")),
        );
        let (Some(modular), Some(walked)) = (sequences(&program, true), sequences(&program, false))
        else {
            return;
        };
        let of = |analysis: &FocusAnalysis| -> Vec<String> {
            analysis.sequences().iter().map(|s| all_of(analysis, s)).collect()
        };
        assert_eq!(of(&modular), of(&walked), "seed {seed}\n{source}");
        compared += 1;
        listed += modular.sequences().len();
        let called =
            |s: &&FocusSequence| s.entries.iter().any(|id| is_call(&program.edge(*id).operation));
        with_calls += modular.sequences().iter().filter(called).count();
    });
    assert!(
        compared > 150 && listed > 200 && with_calls > 60,
        "{compared} programs, {listed} sequences, {with_calls} of them with calls"
    );
}

/// Every store from which some run fails is one that some sequence assumes.
#[test]
fn no_failing_start_is_lost() {
    let (mut starts, mut programs) = (0, 0);
    each(
        0..60,
        |seed| callers(seed * 2),
        |seed, source| {
            let program = Rc::new(load(source).expect("a good program"));
            let Some(mut analysis) = sequences(&program, true) else { return };
            let settings = Settings { keep_dead: true, ..Settings::default() };
            let Some(explicit) = explore(&program, settings) else { return };
            let entry = program.procedure(program.main_id()).entry;
            if program.edge_ids().any(|id| program.edge(id).to == entry) {
                return;
            }
            // By sequence: what it assumes of the start.
            let mut assumed: Vec<Bdd> = Vec::new();
            for sequence in analysis.sequences().to_vec() {
                let truths: Vec<Bdd> =
                    sequence.assumptions.iter().map(|assumption| assumption.truth).collect();
                let inputs = analysis.inputs();
                let all = inputs.kernel.and_all(&truths).expect("no limit");
                let later = |level: &Var| {
                    inputs
                        .at_level(*level)
                        .is_some_and(|((variable, _), _)| inputs.input(variable).is_some())
                };
                let later: Vec<Var> =
                    inputs.kernel.support(all).into_iter().filter(later).collect();
                let later = inputs.kernel.var_set(&later);
                assumed.push(inputs.kernel.exists(all, later).expect("no limit"));
            }
            programs += 1;
            for id in program.edge_ids().filter(|id| program.edge(*id).from == entry) {
                let scope = &program.scope(program.edge(id).scope).variables;
                for store in &explicit.failing[id.0 as usize] {
                    let places = scope.iter().flat_map(|id| {
                        (0..program.variable(*id).elements()).map(|element| (*id, element))
                    });
                    let values: BTreeMap<(VariableId, u32), u64> =
                        places.zip(store.iter().copied()).collect();
                    let inputs = analysis.inputs_ref();
                    let value = |level| {
                        let (place, bit) = inputs.at_level(level).expect("a level in use");
                        values.get(&place).is_some_and(|bits| bits >> bit & 1 == 1)
                    };
                    assert!(
                        assumed.iter().any(|f| inputs.kernel.eval(*f, &value)),
                        "seed {seed}: {values:?}\n{source}"
                    );
                    starts += 1;
                }
            }
        },
    );
    assert!(programs > 15 && starts > 1_000, "{programs} programs, {starts} failing starts");
}

//! What a person types about a program: conditions (`--where`), predicates (`--predicate`), error
//! states (`--error-state`). Any text is read, or refused with a reason; a predicate that is
//! printed is read as the same predicate.
#![no_main]

use faultline::bdd::{KernelLimits, Manager, Var};
use faultline::lang::error_states;
use faultline::lang::model::{Program, Scalar};
use faultline::lang::{load, parse_condition};
use faultline::readable::predicate::parse;
use faultline::readable::{NamedScalar, readable};
use faultline::wire::options::RequestedOptions;
use fuzz::{mutate, stack, tally};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};

const PROGRAM: &str = "//! bits = 4
int x; unsigned y; bool b; int a[2]; bool c;
int f(int z) { x = z; return x + 1; }
void main() { int i = 0; x = f(i); assert(x > 0); }
";

/// Longest formula.
const LONGEST: usize = 200;

const LIMITS: KernelLimits = KernelLimits { max_nodes: 20_000, max_steps: 200_000 };

fn scalars() -> Vec<NamedScalar> {
    let int = Scalar::int(4, true);
    let types =
        [("x", int), ("y", Scalar::int(4, false)), ("i", int), ("a[0]", int), ("a[1]", int)];
    let bools = [("b", Scalar::BOOL), ("c", Scalar::BOOL)];
    let all = types.into_iter().chain(bools).enumerate();
    all.map(|(k, (name, scalar))| NamedScalar {
        name: name.to_string(),
        scalar,
        bits: (0..u32::from(scalar.width)).map(|bit| Var(bit * 7 + k as u32)).collect(),
        values: None,
        wraps: false,
    })
    .collect()
}

fn predicate(text: &str) -> bool {
    let scalars = scalars();
    let mut manager = Manager::new(7 * 64, LIMITS).expect("seven numbers fit");
    let Ok(read) = parse(&mut manager, text, &scalars) else { return false };
    let shown = readable(&mut manager, read, &scalars, &[]);
    if shown.exact {
        manager.set_limits(KernelLimits::NONE);
        assert_eq!(parse(&mut manager, &shown.text, &scalars), Ok(read), "{}", shown.text);
    }
    true
}

fn condition(program: &Program, text: &str) -> bool {
    let scopes: Vec<_> = program.edges.iter().map(|edge| edge.scope).collect();
    scopes.iter().fold(false, |any, scope| match parse_condition(program, *scope, text) {
        Ok(_) => true,
        Err(diagnostic) => {
            assert!(!diagnostic.message.is_empty());
            any
        }
    })
}

thread_local! {
    static LOADED: Program =
        load(PROGRAM, &RequestedOptions::default()).program.expect("a good program");
}

fuzz_target!(init: stack::for_signals(), |data: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else {
        tally::count(false);
        return Corpus::Reject;
    };
    let accepted = LOADED.with(|program| {
        let state = error_states::parse(program, text).is_ok();
        condition(program, text) | predicate(text) | state
    });
    tally::count(accepted);
    if accepted { Corpus::Keep } else { Corpus::Reject }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let gentle = seed % 5 > 0;
    if let Some(text) = mutate::gently(&data[..size], seed).filter(|_| gentle)
        && text.len() <= max_size.min(LONGEST)
    {
        data[..text.len()].copy_from_slice(text.as_bytes());
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
});

use faultline::analysis::cegar::heuristic::Heuristic;
use faultline::analysis::cegar::refinement::Cegar;
use faultline::analysis::cegar::round::{CegarOptions, Ending};
use faultline::bdd::KernelLimits;
use faultline::lang::options::RequestedOptions;
use std::rc::Rc;

pub fn load(name: &str, bits: Option<u32>) -> String {
    let _ = bits;
    std::fs::read_to_string(format!("{}/tests/golden/cegar/{name}.cimple", env!("CARGO_MANIFEST_DIR"))).expect("the figure's program")
}

pub fn cegar(source: &str, bits: Option<u32>, options: CegarOptions) -> Cegar {
    let requested = RequestedOptions { bits, ..RequestedOptions::default() };
    let loaded = faultline::lang::load(source, &requested);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = Rc::new(loaded.program.expect("a program"));
    let limits = KernelLimits { max_nodes: 4_000_000, max_steps: 400_000_000 };
    Cegar::new(program, loaded.options.error, limits, options).expect("within the limits")
}

pub fn run(source: &str, bits: Option<u32>, heuristic: Heuristic) -> Cegar {
    let mut cegar = cegar(source, bits, CegarOptions { heuristic, ..CegarOptions::default() });
    cegar.run();
    assert_eq!(cegar.fault(), None);
    cegar
}

pub fn describe(cegar: &Cegar) -> String {
    let last = cegar.rounds().last().expect("a round");
    let nodes: Vec<usize> = cegar.rounds().iter().filter_map(|r| r.extracted.as_ref()).map(|e| e.dag.node_count()).collect();
    let ending = match cegar.ending() {
        Some(Ending::Safe(Ok(()))) => "safe".to_string(),
        other => format!("{other:?}"),
    };
    let _ = last;
    let longest = cegar.abstract_program().predicates.longest();
    let steps = cegar.abstract_program().domain.kernel.steps();
    format!("{ending}: {} rounds, {longest} predicates, {steps} steps, nodes {nodes:?}", cegar.refinements())
}

//! The workload with Faultline's kernel, for the native binary and as an export of a WebAssembly
//! module.

#[path = "../../../support/reachable_squares.rs"]
mod reachable_squares;

/// Images and peak nodes.
pub fn faultline(bits: u32) -> (u64, u64) {
    let run = reachable_squares::run(bits);
    assert!(run.states.to_string().parse::<u64>().is_ok_and(|states| states > 2 && run.steps > 0 && run.bytes > 0));
    (run.images, run.peak_nodes)
}

/// The number of images.
#[unsafe(no_mangle)]
pub extern "C" fn images(bits: u32) -> u32 {
    faultline(bits).0 as u32
}

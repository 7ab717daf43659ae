//! The kernel's workload: `cargo bench --bench kernel -- 14` prints time, images and peak nodes.

#[path = "../support/reachable_squares.rs"]
mod reachable_squares;

fn main() {
    let sizes: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for bits in if sizes.is_empty() { vec![12, 14] } else { sizes } {
        let start = std::time::Instant::now();
        let run = reachable_squares::run(bits);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "n = {bits}: {seconds:.3} s, {} images, {} states, {} peak nodes, {} steps, {} MB",
            run.images,
            run.states,
            run.peak_nodes,
            run.steps,
            run.bytes >> 20
        );
    }
}

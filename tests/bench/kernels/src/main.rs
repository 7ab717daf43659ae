//! `kernels faultline|oxidd BITS`: two runs in one process, on one line: seconds of processor time
//! of the first and of the second, images, nodes.

#[path = "../../clock.rs"]
mod clock;
mod oxidd;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, bits] = &arguments[..] else { panic!("usage: kernels faultline|oxidd BITS") };
    let bits = bits.parse().expect("a number of bits");
    let clock = clock::Clock::new();
    let run = || {
        let start = clock.seconds();
        let (images, nodes) = match kernel.as_str() {
            "faultline" => kernels::faultline(bits),
            _ => oxidd::run(bits),
        };
        (clock.seconds() - start, images, nodes)
    };
    let (first, ..) = run();
    let (second, images, nodes) = run();
    println!("{first:.6} {second:.6} {images} {nodes}");
}

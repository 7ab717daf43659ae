//! `kernels faultline|oxidd BITS`: one run, on one line: seconds of processor time, images, nodes.

#[path = "../../clock.rs"]
mod clock;
mod oxidd;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, bits] = &arguments[..] else { panic!("usage: kernels faultline|oxidd BITS") };
    let bits = bits.parse().expect("a number of bits");
    let clock = clock::Clock::new();
    let start = clock.seconds();
    let (images, nodes) = match kernel.as_str() {
        "faultline" => kernels::faultline(bits),
        _ => oxidd::run(bits),
    };
    println!("{:.6} {images} {nodes}", clock.seconds() - start);
}

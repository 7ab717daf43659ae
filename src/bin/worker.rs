//! The Web Worker: the engine behind messages.

fn main() {
    faultline::worker::start();
}

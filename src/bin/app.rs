//! The page.

fn main() {
    faultline::ui::start();
}

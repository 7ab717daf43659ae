//! The page.

fn main() {
    yew::Renderer::<faultline::ui::App>::new().render();
}

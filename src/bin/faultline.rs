//! tmp
fn main() {
    let f = std::env::args().nth(1).unwrap();
    let src = std::fs::read_to_string(f).unwrap();
    let (mut s, d) = faultline::session::Session::load(&src, &Default::default());
    for d in d {
        println!("{:?}", d);
    }
    let method = if std::env::args().nth(2).is_some() { faultline::analysis::error_projection::Method::Naive } else { Default::default() };
    let mut b = faultline::session::Budgets::default();
    b.collect_every_step = std::env::var("GC").is_ok();
    s.start(faultline::session::Task::Projection(method), b);
    let t = std::time::Instant::now();
    s.run();
    println!("{:?} {:?} items {}", t.elapsed(), s.outcome(), s.items());
    let r = faultline::view::report(&s);
    for t in r.trace.iter().flatten() {
        println!(
            "{:3} {}{} {:?} {:?}",
            t.line,
            " ".repeat(t.depth as usize),
            t.procedure,
            t.statement,
            t.values.0.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>()
        );
    }
    println!("{:?} {:?} {:?}", r.error, r.projection, r.statistics);
}

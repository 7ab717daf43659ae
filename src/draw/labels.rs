//! Labels of arrows, put where no other arrow crosses them and no box covers them.
//!
//! The layout reserves a place for each label on its own arrow, but arrows that it has led around
//! boxes, and calls, may pass there. Such a label moves along its arrow, or to one side of it.

use crate::wire::graph::{Graph, Point, Rectangle};

/// The text of a statement in at most `limit` characters. What is cut off is the end of the
/// condition, never its outcome, which tells the arrows out of it apart: `while (x < limit…: true`.
/// `outcome` is what the text ends with behind a colon; empty for other statements.
pub fn shortened(text: &str, outcome: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_string();
    }
    let tail = match outcome {
        "" => String::new(),
        outcome => format!(": {outcome}"),
    };
    let room = limit.saturating_sub(1 + tail.chars().count());
    let head: String = text.strip_suffix(&tail).unwrap_or(text).chars().take(room).collect();
    format!("{head}…{tail}")
}

/// Height of a label.
const HEIGHT: f64 = 15.0;
/// Width of a character.
const CHARACTER: f64 = 6.8;
/// Points on each piece of an arrow's curve.
const PIECES: usize = 6;

/// The space that a label takes, with a little air.
pub fn label_place(label: &str, at: Point) -> Rectangle {
    let width = label.chars().count() as f64 * CHARACTER + 4.0;
    Rectangle { x: at.x - width / 2.0, y: at.y - HEIGHT / 2.0, width, height: HEIGHT }
}

/// The numbers of the arrows whose label another arrow crosses: not its air, but its letters.
pub fn crossed(graph: &Graph) -> Vec<usize> {
    let lines = Lines::of(graph);
    let letters = |place: Rectangle| Rectangle {
        x: place.x + 4.0,
        y: place.y + 2.5,
        width: place.width - 8.0,
        height: place.height - 5.0,
    };
    (0..graph.arrows.len())
        .filter(|i| {
            let arrow = &graph.arrows[*i];
            let place = label_place(&arrow.label, arrow.label_at);
            !arrow.label.is_empty() && lines.crossing(*i, &letters(place)) > 0
        })
        .collect()
}

/// Moves the labels that something crosses or covers, as little as possible.
pub(crate) fn place_labels(graph: &mut Graph) {
    let lines = Lines::of(graph);
    let mut taken: Vec<Rectangle> = Vec::new();
    for i in 0..graph.arrows.len() {
        let arrow = &graph.arrows[i];
        if arrow.label.is_empty() || arrow.points.is_empty() {
            continue;
        }
        let first = arrow.label_at;
        let cost = |at: Point| {
            let place = label_place(&arrow.label, at);
            let covered = graph.boxes.iter().filter(|b| overlap(&b.place, &place)).count()
                + taken.iter().filter(|other| overlap(other, &place)).count();
            let moved = (at.x - first.x).abs() + (at.y - first.y).abs();
            1_000.0 * covered as f64 + 300.0 * lines.crossing(i, &place) as f64 + moved
        };
        let mut best = (cost(first), first);
        if best.0 > 0.0 {
            let aside = label_place(&arrow.label, first).width / 2.0 + 5.0;
            let curve = &lines.0[i].0;
            for at in &curve[curve.len() / 8..] {
                for shift in [0.0, aside, -aside] {
                    let at = Point { x: at.x + shift, y: at.y };
                    let found = (cost(at), at);
                    if found.0 < best.0 {
                        best = found;
                    }
                }
            }
        }
        taken.push(label_place(&graph.arrows[i].label, best.1));
        graph.arrows[i].label_at = best.1;
    }
}

/// Each arrow as points on its curve, and what they span.
struct Lines(Vec<(Vec<Point>, Rectangle)>);

impl Lines {
    fn of(graph: &Graph) -> Lines {
        let line = |points: &[Point]| {
            let curve = flatten(points);
            let span = span(&curve);
            (curve, span)
        };
        Lines(graph.arrows.iter().map(|arrow| line(&arrow.points)).collect())
    }

    /// How many arrows other than `own` pass through a place.
    fn crossing(&self, own: usize, place: &Rectangle) -> usize {
        let passes = |(curve, span): &(Vec<Point>, Rectangle)| {
            overlap(span, place) && curve.windows(2).any(|w| meets(&w[0], &w[1], place))
        };
        self.0.iter().enumerate().filter(|(i, line)| *i != own && passes(line)).count()
    }
}

/// Points on the curve that pictures draw through control points: a uniform cubic B-spline.
fn flatten(points: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut curve = vec![*first];
    let between =
        |p: &Point, q: &Point, t: f64| Point { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t };
    let mut start = *first;
    if points.len() > 2 {
        start = between(first, &points[1], 1.0 / 6.0);
        for i in 0..points.len() - 1 {
            let (p, q) = (&points[i], &points[i + 1]);
            let r = points.get(i + 2).unwrap_or(q);
            let (c, d) = (between(p, q, 1.0 / 3.0), between(p, q, 2.0 / 3.0));
            let end = Point { x: (p.x + 4.0 * q.x + r.x) / 6.0, y: (p.y + 4.0 * q.y + r.y) / 6.0 };
            for k in 1..=PIECES {
                curve.push(cubic(&start, &c, &d, &end, k as f64 / PIECES as f64));
            }
            start = end;
        }
    }
    for k in 1..=PIECES {
        curve.push(between(&start, last, k as f64 / PIECES as f64));
    }
    curve
}

fn cubic(a: &Point, b: &Point, c: &Point, d: &Point, t: f64) -> Point {
    let s = 1.0 - t;
    let mix = |a: f64, b: f64, c: f64, d: f64| {
        s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
    };
    Point { x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y) }
}

/// The least rectangle around points.
pub(crate) fn span(points: &[Point]) -> Rectangle {
    let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for p in points {
        (x0, y0, x1, y1) = (x0.min(p.x), y0.min(p.y), x1.max(p.x), y1.max(p.y));
    }
    Rectangle { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
}

/// Also true where one of them has no width or no height.
fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height
}

/// Does a line from `p` to `q` meet a rectangle? Liang and Barsky's clipping (1984).
fn meets(p: &Point, q: &Point, place: &Rectangle) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let (dx, dy) = (q.x - p.x, q.y - p.y);
    let sides = [
        (-dx, p.x - place.x),
        (dx, place.x + place.width - p.x),
        (-dy, p.y - place.y),
        (dy, place.y + place.height - p.y),
    ];
    for (step, room) in sides {
        if step == 0.0 {
            if room < 0.0 {
                return false;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    enter <= leave
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::graph::GraphArrow;

    fn arrow(label: &str, at: (f64, f64), points: &[(f64, f64)]) -> GraphArrow {
        GraphArrow {
            label: label.into(),
            label_at: Point { x: at.0, y: at.1 },
            points: points.iter().map(|(x, y)| Point { x: *x, y: *y }).collect(),
            from: 0,
            to: 1,
            statement: 0,
            also: Vec::new(),
            call: false,
        }
    }

    #[test]
    fn an_outcome_is_never_cut_off() {
        let condition = "while (first < last_of_all)";
        let of = |outcome| shortened(&format!("{condition}: {outcome}"), outcome, 20);
        assert_eq!([of("true"), of("false")], ["while (first …: true", "while (first…: false"]);
        assert_eq!(shortened("i <= 3: true", "true", 20), "i <= 3: true");
        assert_eq!(shortened("total = total + price * count", "", 12), "total = tot…");
        assert_eq!(shortened("long enough: default", "default", 4), "…: default");
    }

    #[test]
    fn a_label_moves_off_an_arrow_that_crosses_it() {
        let own = [(0.0, 0.0), (0.0, 60.0), (0.0, 120.0)];
        let mut graph = Graph {
            arrows: vec![
                arrow("true", (0.0, 60.0), &own),
                arrow("", (0.0, 0.0), &[(-50.0, 60.0), (50.0, 60.0)]),
            ],
            ..Graph::default()
        };
        assert_eq!(crossed(&graph), [0]);
        place_labels(&mut graph);
        assert_eq!(crossed(&graph), [] as [usize; 0]);
        let at = graph.arrows[0].label_at;
        assert!(at.x.abs() < 40.0 && (0.0..=120.0).contains(&at.y), "{at:?}: still at its arrow");
    }

    #[test]
    fn a_label_that_nothing_crosses_stays() {
        let mut graph = Graph {
            arrows: vec![
                arrow("false", (3.0, 40.0), &[(0.0, 0.0), (3.0, 40.0), (0.0, 80.0)]),
                arrow("", (0.0, 0.0), &[(60.0, 0.0), (60.0, 80.0)]),
            ],
            ..Graph::default()
        };
        let before = graph.clone();
        place_labels(&mut graph);
        assert_eq!(graph, before);
    }

    #[test]
    fn a_line_meets_a_rectangle_that_it_only_passes_through() {
        let place = Rectangle { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        let line = |a: (f64, f64), b: (f64, f64)| {
            meets(&Point { x: a.0, y: a.1 }, &Point { x: b.0, y: b.1 }, &place)
        };
        assert!(line((-5.0, 5.0), (15.0, 5.0)) && line((2.0, 2.0), (3.0, 3.0)));
        assert!(!line((-5.0, 11.0), (15.0, 11.0)) && !line((-5.0, 4.0), (4.0, 16.0)));
    }
}

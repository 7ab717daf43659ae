//! The explanation of a failing interleaving as a piece of the page: what a correct schedule would
//! be, its lanes, and the statements of each thread that take part. Made beside the engine, so a
//! first visit does not fetch it. It has the classes of the failing run's lanes.

use crate::draw::lanes::{LaneRow, Lanes, lanes};
use crate::draw::svg::escape;
use crate::draw::words::{limit_sentence, lines};
use crate::wire::report::TraceEntry;
use crate::wire::threads::{ThreadsExplained, ThreadsReport};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The piece. `correct`: the report with the correct run, if there is one.
pub fn explained_html(
    report: &ThreadsReport,
    explained: &ThreadsExplained,
    correct: Option<&ThreadsReport>,
) -> String {
    let mut out = String::from("<section class=\"explained\" aria-label=\"Why it fails\">");
    if let Some(fault) = &explained.fault {
        let _ = write!(out, "<p>A defect of Faultline: {}</p></section>", escape(fault));
        return out;
    }
    let _ = write!(out, "<h2>The closest correct schedule</h2><p>{}</p>", told(&explained.told));
    if let (Some(correct), Some(found)) = (correct, &explained.correct) {
        still(&mut out, correct, found.common as usize);
    }
    out.push_str("<h2>Statements that take part</h2>");
    if let Some(limit) = explained.limit {
        let _ = write!(out, "<p>Not known: {}.</p>", limit_sentence(limit));
    } else {
        let _ = write!(
            out,
            "<p>Some run that fails with at most {} switches executes them; they are lit in the \
             source.</p><ul class=\"added\">",
            explained.bound
        );
        for one in &explained.statements {
            let name = report.threads.get(one.thread as usize).map_or("", |one| &one.name);
            let mut all: Vec<u32> = one.statements.iter().map(|lit| lit.line).collect();
            all.dedup();
            let _ = write!(out, "<li><b>{}</b>&nbsp;{}</li>", escape(name), lines(&all));
        }
        out.push_str("</ul>");
    }
    out.push_str("</section>");
    out
}

/// A sentence with code between backquotes.
fn told(text: &str) -> String {
    let mut out = String::new();
    for (k, part) in text.split('`').enumerate() {
        let part = escape(part);
        let _ = if k % 2 == 1 { write!(out, "<code>{part}</code>") } else { write!(out, "{part}") };
    }
    out
}

/// The lanes of a run that is not stepped through. So many entries are those of the failing run.
fn still(out: &mut String, report: &ThreadsReport, common: usize) {
    let Lanes { lanes, rows, .. } =
        lanes(report, &(0..).take(report.bound as usize + 64).collect::<BTreeSet<_>>());
    let trace: &[TraceEntry] = report.trace.as_deref().unwrap_or_default();
    let count = lanes.len().max(1);
    let columns = format!("grid-template-columns:46px repeat({count},minmax(128px,1fr))");
    let _ = write!(out, "<ol class=\"lanes-rows\" style=\"min-width:{}px\">", 46 + 128 * count);
    for row in &rows {
        let (active, line, body) = match row {
            LaneRow::Context { context, from, to, globals } => {
                let name = |lane: usize| escape(lanes.get(lane).map_or("", |one| &one.name));
                let label = match from {
                    Some(from) => format!("Switch {context}: {} → {}", name(*from), name(*to)),
                    None => format!("{} begins", name(*to)),
                };
                let values: String = globals
                    .iter()
                    .map(|one| {
                        let class = if one.changed { " changed" } else { "" };
                        let value = escape(&format!("{} = {}", one.name, one.value));
                        format!("<span class=\"lane-value{class}\"><code>{value}</code></span>")
                    })
                    .collect();
                let crossing = from.map_or(String::new(), |from| crossing(from, *to));
                let body = format!(
                    "{crossing}<span class=\"switch-told\" style=\"grid-column:2/span {count}\">\
                     <b>{label}</b>{values}</span>"
                );
                (None, String::new(), body)
            }
            LaneRow::Step { step, lane, part, .. } => {
                let Some(entry) = trace.get(*step) else { continue };
                let class = if *step == common { " turn" } else { "" };
                let part = part.as_ref().map_or(String::new(), |part| {
                    format!("<span class=\"lane-part\">{}</span>", escape(part))
                });
                let body = format!(
                    "<span class=\"lane-step{class}\" style=\"grid-column:{}\"><i \
                     class=\"stop\"></i><code>{}</code>{part}</span>",
                    lane + 2,
                    escape(&entry.statement)
                );
                (Some(*lane), entry.line.to_string(), body)
            }
            LaneRow::Fold { .. } | LaneRow::Blocked { .. } => continue,
        };
        let class = if active.is_none() { " lane-switch" } else { "" };
        let _ = write!(out, "<li class=\"lane-row{class}\" style=\"{columns}\">");
        let _ = write!(out, "<span class=\"lane-line\">{line}</span>");
        for lane in 0..count {
            let class = if active == Some(lane) { " active" } else { "" };
            let _ = write!(out, "<i class=\"rail{class}\" style=\"grid-column:{}\"></i>", lane + 2);
        }
        let _ = write!(out, "{body}</li>");
    }
    out.push_str("</ol>");
}

/// From the rail of one lane down to the rail of another.
fn crossing(from: usize, to: usize) -> String {
    let (left, right) = (from.min(to) + 2, from.max(to) + 2);
    let path = if from < to { "M0,0 C0,26 100,4 100,30" } else { "M100,0 C100,26 0,4 0,30" };
    format!(
        "<svg class=\"crossing\" style=\"grid-column:{left}/{right}\" viewBox=\"0 0 100 30\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"{path}\" \
         vector-effect=\"non-scaling-stroke\"/></svg>"
    )
}

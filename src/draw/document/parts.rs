//! The parts of the document.

use super::Document;
use crate::draw::paint::{graph_marks, line_marks};
use crate::draw::steps::effects;
use crate::draw::svg::{Painting, escape, inline};
use crate::draw::words::{capitalised, counted, listed};
use crate::draw::{failure, memory, widths, words};
use crate::util::Limit;
use crate::wire::graph::Graph;
use crate::wire::report::{Report, TraceEntry, Verdict};
use std::fmt::Write;

/// The run that is shown, if it has statements.
fn trace(report: &Report) -> Option<&[TraceEntry]> {
    report.trace.as_deref().filter(|trace| !trace.is_empty())
}

fn paragraph(out: &mut String, text: &str) {
    let _ = writeln!(out, "<p>{}</p>", escape(text));
}

/// The file's name, the verdict, and what it holds for.
pub(super) fn verdict(out: &mut String, document: &Document) {
    let report = document.report;
    let _ = writeln!(
        out,
        "<header class=\"{}\">\n<p class=\"file\">{}</p>\n<h1>{}</h1>",
        report.shown_verdict(),
        escape(document.name),
        escape(&words::headline(report))
    );
    if let Some(error) = &report.error {
        paragraph(out, &failure::sentence(error));
    }
    let mut more = vec![format!("{}.", capitalised(&words::holds_for(&report.options)))];
    more.extend(report.widths.as_ref().map(widths::detail));
    more.extend(words::proved(report).map(|proof| format!("{}.", capitalised(&proof))));
    more.extend(report.fault.clone());
    if report.limit == Some(Limit::Threads) && report.verdict == Verdict::Unknown {
        more.push(format!("{}.", capitalised(words::limit_sentence(Limit::Threads))));
    }
    more.iter().for_each(|sentence| {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escape(sentence));
    });
    out.push_str("</header>\n");
}

/// The source with its lit lines.
pub(super) fn program(out: &mut String, document: &Document) {
    let report = document.report;
    let marks = line_marks(document.statements, Some(report));
    let fails = report.error.as_ref().map(|error| error.line);
    let (title, fails_here) = match report.pushdown {
        Some(_) => ("The system", "<span class=\"note\">reached</span>"),
        None => ("The program", "<span class=\"note\">fails here</span>"),
    };
    let _ = writeln!(out, "<section>\n<h2>{title}</h2>");
    paragraph(out, &lit_words(report));
    let lit = report.projection.as_ref().filter(|projection| projection.nodes > 0);
    if let Some(sentence) = lit.and_then(words::slice_sentence) {
        paragraph(out, &format!("{}.", sentence.trim_end_matches('.')));
    }
    let lit_mark = match lit.is_some_and(|found| found.overestimate) {
        true => "<span class=\"mark\" title=\"perhaps on a failing run\">|</span>",
        false => "<span class=\"mark\" title=\"on a failing run\">|</span>",
    };
    out.push_str("<ol class=\"source\">\n");
    for (number, text) in (1u32..).zip(document.source.lines()) {
        let is = |lines: &[u32]| lines.binary_search(&number).is_ok();
        let (class, told) = match () {
            () if is(&marks.lit) => ("lit", lit_mark),
            () if is(&marks.dim) => {
                ("dim", "<span class=\"mark\" title=\"on no failing run\">·</span>")
            }
            () => ("", "<span class=\"mark\"></span>"),
        };
        let fails =
            fails.filter(|line| *line == number && report.shown_verdict() == Verdict::Unsafe);
        let note = fails.map_or("", |_| fails_here);
        // A tab is a control character, which `escape` would drop.
        let text = escape(&text.replace('\t', "    "));
        let _ = writeln!(
            out,
            "<li id=\"L{number}\" class=\"{class}\"><span class=\"number\">{number}</span>{told}<code>{text}</code>{note}</li>"
        );
    }
    out.push_str("</ol>\n</section>\n");
}

/// What the lit lines mean here.
fn lit_words(report: &Report) -> String {
    let Some(projection) = &report.projection else {
        let limit = report.limit.map_or("there is no projection", words::limit_sentence);
        return format!("No line is lit: {limit}.");
    };
    let what = if report.pushdown.is_some() { "rule" } else { "reachable statement" };
    let of = counted(projection.of.into(), what);
    let runs = match report.pushdown {
        Some(_) => "a run into the target",
        None => "a failing run",
    };
    let with = projection.bits.map_or(String::new(), |bits| format!(" with {bits}-bit integers"));
    let naive = match projection.overestimate {
        true => " The naive method keeps too much: some lit statements may be on none.",
        false => "",
    };
    match projection.nodes {
        0 => format!("None of the {of} is on {runs}{with}.{naive}"),
        lit => format!(
            "{lit} of {of} can be on {runs}{with}. Their lines are lit and marked with a bar; lines \
             with a dot are on none.{naive}"
        ),
    }
}

/// The failing run, one row for each step.
pub(super) fn run(out: &mut String, document: &Document) {
    let report = document.report;
    let Some(trace) = trace(report) else { return };
    let headline = match report.pushdown {
        Some(_) => words::pushdown_run(report),
        None => words::run_headline(trace.len(), report.shortest, report.options.reach),
    };
    let _ = writeln!(out, "<section class=\"run\">\n<h2>{}</h2>", escape(&headline));
    let start = listed(&trace[0].values.0);
    if !start.is_empty() {
        paragraph(out, &format!("It starts with {start}."));
    }
    let first = document.step.map_or(String::new(), |step| format!(" data-step=\"{step}\""));
    let _ = write!(
        out,
        "<p class=\"stepping\" hidden=\"\"{first}><button type=\"button\" data-by=\"-1\">← Back</button> \
         <button type=\"button\" data-by=\"1\">Next →</button> <span role=\"status\"></span></p>\n\
         <div class=\"wide\"><table>\n<thead><tr><th>step</th><th>line</th><th>procedure</th>\
         <th>statement</th><th>then</th></tr></thead>\n<tbody>\n",
    );
    let last = trace.len() - 1;
    for (step, (entry, effect)) in trace.iter().zip(effects(trace)).enumerate() {
        let ends = if report.pushdown.is_some() { "reached" } else { "fails" };
        let (class, effect) =
            if step == last { (" class=\"fails\"", ends) } else { ("", &effect[..]) };
        let line = entry.line;
        let at = document.graph.zip(entry.edge).and_then(|(graph, edge)| box_of(graph, edge));
        let at = at.map_or(String::new(), |at| format!(" data-box=\"{at}\""));
        let _ = writeln!(
            out,
            "<tr{class} data-line=\"{line}\"{at}><td>{}</td><td><a href=\"#L{line}\">{line}</a></td>\
             <td style=\"padding-left: {}ch\">{}</td><td><code>{}</code></td><td>{}</td></tr>",
            step + 1,
            1 + 2 * entry.depth.min(12),
            escape(&entry.procedure),
            escape(&entry.statement),
            escape(effect)
        );
    }
    out.push_str("</tbody>\n</table></div>\n");
    let told = match report.pushdown {
        Some(_) => Vec::new(),
        None => memory::described(trace, last),
    };
    if !told.is_empty() {
        let told = told.iter().map(|line| escape(line)).collect::<Vec<_>>().join("\n");
        let _ = writeln!(out, "<h3>Memory before the last statement</h3>\n<pre>{told}</pre>");
    }
    out.push_str("</section>\n");
}

/// What the failing run does that no correct run does.
pub(super) fn causes(out: &mut String, document: &Document) {
    if document.causes.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>Where to look</h2>\n");
    for cause in document.causes {
        let lines = match cause.lines.is_empty() {
            true => "No statement of this run is missing from all correct runs".to_string(),
            false => {
                format!("No correct run does what this run does at {}", words::lines(&cause.lines))
            }
        };
        paragraph(out, &format!("{lines}."));
        paragraph(out, &format!("{}.", capitalised(cause.reason.trim_end_matches('.'))));
    }
    out.push_str("</section>\n");
}

/// What always holds, of a program that is safe.
pub(super) fn invariant(out: &mut String, document: &Document) {
    let Some(all) = document.report.invariant.as_ref().filter(|all| !all.is_empty()) else {
        return;
    };
    out.push_str(
        "<section>\n<h2>Why no run fails: what holds before each line</h2>\n\
         <div class=\"wide\"><table>\n<thead><tr><th>line</th><th>procedure</th><th>whenever a run is \
         here</th></tr></thead>\n<tbody>\n",
    );
    for one in all {
        let formula = match one.formula.as_str() {
            "false" => "no run comes here".to_string(),
            "true" => "anything".to_string(),
            formula => format!("<code>{}</code>", escape(formula)),
        };
        let weaker = if one.exact { "" } else { " (and more than that)" };
        let line = one.line;
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#L{line}\">{line}</a></td><td>{}</td><td>{formula}{weaker}</td></tr>",
            escape(&one.procedure)
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

/// The box of a statement, by its number in the picture.
fn box_of(graph: &Graph, edge: u32) -> Option<usize> {
    graph.boxes.iter().position(|b| b.statements.contains(&edge))
}

/// The control-flow graph.
pub(super) fn picture(out: &mut String, document: &Document) {
    out.push_str("<section class=\"picture\">\n<h2>The control flow</h2>\n");
    match document.graph {
        Some(graph) => {
            let marks = graph_marks(graph, document.statements, Some(document.report));
            let last = trace(document.report).and_then(|trace| trace.last()?.edge);
            let fails = last.and_then(|edge| box_of(graph, edge));
            let painting = Painting { marks: Some(&marks), fails, ..Painting::default() };
            let _ = writeln!(out, "<div class=\"wide\">{}</div>", inline(graph, &painting));
        }
        None => paragraph(out, "The graph is too large to be read on a page."),
    }
    out.push_str("</section>\n");
}

/// Who made it.
pub(super) fn footer(out: &mut String, document: &Document) {
    let used = &document.report.statistics;
    let unit = match document.report.pushdown {
        Some(_) => "transition",
        None => "decision-diagram node",
    };
    let replayed = match document.report.pushdown {
        None if trace(document.report).is_some() => {
            " An interpreter that shares no code with the engine executed the failing run again."
        }
        _ => "",
    };
    let _ = writeln!(
        out,
        "<footer>Made by Faultline {}, with at most {} at once and {}.{replayed}</footer>",
        env!("CARGO_PKG_VERSION"),
        counted(used.peak_nodes, unit),
        counted(used.steps, "step")
    );
}

//! The reference of the command line, as Markdown: what `--help` says of every analysis, on one
//! page. A test keeps `docs/command-line.md` equal to it.

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command};

/// Most columns of a line.
const WIDTH: usize = 100;

/// The reference of a command whose subcommands are analyses. Options that all of them take are
/// listed once.
pub fn reference(mut command: Command) -> String {
    command.build();
    let analyses: Vec<&Command> =
        command.get_subcommands().filter(|analysis| analysis.get_name() != "help").collect();
    // A server takes no program, and tests run one without a model: neither has these options.
    let takes_program = |one: &&&Command| options(one).any(|option| option.get_id() == "bits");
    let programs: Vec<&&Command> = analyses.iter().filter(takes_program).collect();
    let programs = if programs.is_empty() { analyses.iter().collect() } else { programs };
    let shared = |option: &Arg| programs.iter().all(|analysis| has(analysis, option));
    let mut page = Page::default();
    page.heading("#", "The command line");
    page.paragraph(&sentence(command.get_about()));
    page.code(&usage(&command));
    page.paragraphs(command.get_after_help());
    for analysis in &analyses {
        page.heading("##", &format!("`{} {}`", command.get_name(), analysis.get_name()));
        page.paragraph(&sentence(analysis.get_about()));
        page.code(&usage(analysis));
        let own: Vec<&Arg> = options(analysis).filter(|option| !shared(option)).collect();
        page.options(&own);
        page.paragraphs(analysis.get_after_help());
    }
    page.heading("##", "Options of every analysis of a model");
    let all = programs.first().map(|first| options(first).filter(|option| shared(option)));
    page.options(&all.into_iter().flatten().collect::<Vec<_>>());
    page.text.trim_end().to_string() + "\n"
}

/// The options of an analysis and its file, without `--help`.
fn options(analysis: &Command) -> impl Iterator<Item = &Arg> {
    analysis.get_arguments().filter(|option| option.get_id() != "help")
}

fn has(analysis: &Command, option: &Arg) -> bool {
    options(analysis).any(|other| other.get_id() == option.get_id() && help(other) == help(option))
}

fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let lines: Vec<&str> = usage.trim_start_matches("Usage:").lines().map(str::trim).collect();
    lines.join("\n").trim().to_string()
}

fn help(option: &Arg) -> String {
    option.get_help().map(StyledStr::to_string).unwrap_or_default()
}

fn sentence(about: Option<&StyledStr>) -> String {
    let text = about.map(StyledStr::to_string).unwrap_or_default();
    if text.is_empty() || text.ends_with(['.', '?', '!']) { text } else { text + "." }
}

/// Markdown under construction.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn heading(&mut self, level: &str, title: &str) {
        self.text.push_str(&format!("{level} {title}\n\n"));
    }

    fn paragraph(&mut self, text: &str) {
        self.item("", text);
        self.text.push('\n');
    }

    fn paragraphs(&mut self, text: Option<&StyledStr>) {
        let text = text.map(StyledStr::to_string).unwrap_or_default();
        for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            self.paragraph(paragraph);
        }
    }

    fn code(&mut self, line: &str) {
        self.text.push_str(&format!("```sh\n{line}\n```\n\n"));
    }

    fn options(&mut self, options: &[&Arg]) {
        for option in options {
            self.option(option);
        }
        if !options.is_empty() {
            self.text.push('\n');
        }
    }

    /// One option: how it is written, what it does, its default and its values.
    fn option(&mut self, option: &Arg) {
        let values = if is_flag(option) { Vec::new() } else { option.get_possible_values() };
        let values: Vec<&PossibleValue> =
            values.iter().filter(|value| !value.is_hide_set()).collect();
        let defaults = option.get_default_values();
        let default = match defaults.first() {
            Some(value) if !is_flag(option) => format!(" [default: {}]", value.to_string_lossy()),
            _ => String::new(),
        };
        let colon = if values.is_empty() { "" } else { ":" };
        self.item("- ", &format!("`{}`: {}{default}{colon}", written(option), help(option)));
        for value in values {
            let help = value.get_help().map(StyledStr::to_string).unwrap_or_default();
            self.item("  - ", format!("`{}`: {help}", value.get_name()).trim_end_matches(": "));
        }
    }

    /// Text with a mark before its first line, wrapped; the next lines are indented as far.
    fn item(&mut self, mark: &str, text: &str) {
        let mut line = mark.to_string();
        for word in escaped(text).split_whitespace() {
            let is_first = line.len() == mark.len();
            if !is_first && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.text.push_str(&line);
                self.text.push('\n');
                line = " ".repeat(mark.len());
            } else if !is_first {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// The text with its asterisks escaped, but for those of code.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let escape = |(at, part): (usize, &str)| match at % 2 {
        0 => part.replace('*', "\\*"),
        _ => part.to_string(),
    };
    parts.map(escape).collect::<Vec<_>>().join("`")
}

fn is_flag(option: &Arg) -> bool {
    !option.get_action().takes_values()
}

/// `-D, --define <NAME[=VALUE]>`, or `<FILE>`.
fn written(option: &Arg) -> String {
    let names = option.get_value_names().unwrap_or_default();
    let values: Vec<String> = names.iter().map(|name| format!("<{name}>")).collect();
    let mut parts = Vec::new();
    if let Some(short) = option.get_short() {
        parts.push(format!("-{short}"));
    }
    if let Some(long) = option.get_long() {
        parts.push(format!("--{long}"));
    }
    let name = parts.join(", ");
    match (name.is_empty(), is_flag(option)) {
        (true, _) => values.join(" "),
        (_, true) => name,
        (_, false) => format!("{name} {}", values.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_options_are_listed_once_and_lines_are_wrapped() {
        let shared = || Arg::new("bits").long("bits").value_name("N").help("Width of int");
        let long = "a word ".repeat(30);
        let own = Arg::new("method")
            .long("method")
            .value_name("METHOD")
            .value_parser(["fast", "slow"])
            .default_value("fast")
            .help(format!("a* `b*` {long}"));
        let command = Command::new("tool")
            .about("Does it")
            .subcommand(Command::new("one").about("The first").arg(shared()).arg(own))
            .subcommand(Command::new("two").about("The second").arg(shared()));
        let page = reference(command);
        assert_eq!(page.matches("`--bits <N>`: Width of int").count(), 1, "{page}");
        assert!(page.contains("## `tool one`\n\nThe first.\n\n```sh\ntool one"), "{page}");
        assert!(page.contains("- `--method <METHOD>`: a\\* `b*` a word"), "{page}");
        assert!(page.contains("a word [default: fast]:\n  - `fast`\n  - `slow`\n"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
    }
}

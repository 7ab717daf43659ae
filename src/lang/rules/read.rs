//! The text of rules.
//!
//! ```text
//! rule "lock, then unlock, never twice" for m
//!   start free
//!   free: lock(m)                    -> held
//!   free: r = trylock(m) if r != 0   -> held
//!   held: lock(m)                    -> error "locked twice"
//!   held: unlock(m)                  -> free
//!   held: at exit                    -> error "never unlocked"
//! ```

use super::{Arguments, Counter, Ending, Event, Moment, Rule, RuleMistake, Transition, Update};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token, lex};
use crate::lang::lowering::suggestion::similar;
use crate::lang::parser::parse_c_expression;
use crate::lang::syntax::{Expr, ExprKind, TypeName};

/// The longest text, in tokens.
const MOST_TOKENS: usize = 20_000;
/// Most states of a rule, counters, transitions, and rules of a text.
const MOST_STATES: usize = 64;
const MOST_COUNTERS: usize = 8;
const MOST_TRANSITIONS: usize = 512;
const MOST_RULES: usize = 16;
/// How far a counter counts if the rule does not say it.
const USUAL_MOST: u32 = 255;
/// How far it may count.
const MOST_COUNT: u32 = 1_000_000;
/// The deepest condition.
const MOST_DEPTH: u16 = 24;

type Read<T> = Result<T, RuleMistake>;

/// The rules of a text. `name` is what the only rule of a text is called by; several are called by
/// their titles. `before`: lines of another text that stand before it.
pub(in crate::lang) fn read_rules(name: &str, text: &str, before: u32) -> Read<Vec<Rule>> {
    let mut diagnostics = Diagnostics::default();
    let lexed = lex(text, &mut diagnostics);
    if let Some(first) = diagnostics.finish().first() {
        return Err(RuleMistake {
            line: before + first.span.line,
            message: first.message.clone(),
            hint: first.hint.clone(),
        });
    }
    // A line that starts with `#` is a comment.
    let is_comment = |lexeme: &Lexeme| lexeme.token == Token::Preprocessor;
    let tokens = lexed.tokens.into_iter().filter(|lexeme| !is_comment(lexeme)).collect();
    let mut reader = Reader { text, tokens, position: 0, before };
    if reader.tokens.len() > MOST_TOKENS {
        return Err(reader.mistake("this text is too long for a rule", "split it"));
    }
    let mut rules = Vec::new();
    while reader.token() != Token::End {
        if rules.len() == MOST_RULES {
            return Err(reader.mistake("too many rules in one text", "split the text"));
        }
        rules.push(reader.rule()?);
    }
    match &mut rules[..] {
        [] => return Err(reader.mistake("no rule stands here", "write `rule \"…\"`")),
        [only] => only.name = name.to_string(),
        _ => {}
    }
    Ok(rules)
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Lexeme>,
    position: usize,
    before: u32,
}

/// Names of a rule that are collected while it is read.
#[derive(Default)]
struct Names {
    states: Vec<String>,
    counters: Vec<Counter>,
}

impl<'t> Reader<'t> {
    fn lexeme(&self) -> Lexeme {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> Lexeme {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + count).min(last)]
    }

    fn token(&self) -> Token {
        self.lexeme().token
    }

    fn word(&self) -> &'t str {
        self.lexeme().spelt_in(self.text)
    }

    fn line(&self) -> u32 {
        self.before + self.lexeme().span.line
    }

    fn bump(&mut self) -> Lexeme {
        let lexeme = self.lexeme();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        lexeme
    }

    fn mistake(&self, message: impl Into<String>, hint: impl Into<String>) -> RuleMistake {
        RuleMistake { line: self.line(), message: message.into(), hint: hint.into() }
    }

    /// What stands here, for a message.
    fn found(&self) -> String {
        match self.token() {
            Token::End => "the end".to_string(),
            _ => format!("`{}`", self.word().chars().take(24).collect::<String>()),
        }
    }

    fn expected<T>(&self, what: &str, hint: &str) -> Read<T> {
        Err(self.mistake(format!("expected {what}, found {}", self.found()), hint))
    }

    fn expect(&mut self, token: Token, what: &str, hint: &str) -> Read<Lexeme> {
        match self.token() == token {
            true => Ok(self.bump()),
            false => self.expected(what, hint),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.token() == Token::Identifier && self.word() == word
    }

    fn name(&mut self, what: &str, hint: &str) -> Read<String> {
        let lexeme = self.expect(Token::Identifier, what, hint)?;
        Ok(lexeme.spelt_in(self.text).to_string())
    }

    fn quoted(&mut self) -> Read<String> {
        let hint = "write it between quotes: `\"never unlocked\"`";
        let lexeme = self.expect(Token::Text, "a text", hint)?;
        let spelt = lexeme.spelt_in(self.text);
        let inner = spelt.strip_prefix('"').and_then(|spelt| spelt.strip_suffix('"'));
        let inner = inner.unwrap_or(spelt).replace('\\', "");
        match inner.trim().is_empty() {
            true => Err(self.mistake("this text is empty", "say what is wrong")),
            false => Ok(inner.trim().to_string()),
        }
    }

    fn rule(&mut self) -> Read<Rule> {
        let hint = "a rule starts with `rule \"what it says\"`";
        if !self.is_word("rule") {
            return self.expected("`rule`", hint);
        }
        self.bump();
        let title = self.quoted()?;
        let object = match self.token() {
            Token::For => {
                self.bump();
                Some(self.name("the name of an object", "write `for m`")?)
            }
            _ => None,
        };
        if !self.is_word("start") {
            return self.expected("`start`", "say where it starts: `start free`");
        }
        self.bump();
        let mut names = Names::default();
        names.states.push(self.name("the name of a state", "write `start free`")?);
        self.declare_states(&mut names)?;
        let mut transitions = Vec::new();
        while !matches!(self.token(), Token::End) && !self.starts_rule() {
            if self.is_word("state") && self.ahead(1).token == Token::Identifier {
                self.bump();
                self.bump();
                continue;
            }
            if transitions.len() == MOST_TRANSITIONS {
                return Err(self.mistake("this rule has too many lines", "split it"));
            }
            transitions.push(self.transition(object.as_deref(), &mut names)?);
        }
        if transitions.is_empty() {
            return self.expected("a line `free: lock(m) -> held`", "say what it looks at");
        }
        let mut rule = Rule {
            name: title,
            object,
            states: names.states,
            counters: names.counters,
            transitions,
        };
        self.check_conditions(&mut rule)?;
        Ok(rule)
    }

    fn starts_rule(&self) -> bool {
        self.is_word("rule") && self.ahead(1).token == Token::Text
    }

    /// The states of this rule: those before a `:`, and those that `state` declares.
    fn declare_states(&mut self, names: &mut Names) -> Read<()> {
        let start = self.position;
        while self.token() != Token::End && !self.starts_rule() {
            if self.token() == Token::If {
                while !matches!(self.token(), Token::Arrow | Token::End) {
                    self.bump();
                }
                continue;
            }
            let declared = match (self.token(), self.ahead(1).token) {
                (Token::Identifier, Token::Identifier) if self.word() == "state" => {
                    self.bump();
                    true
                }
                (Token::Identifier, Token::Colon) => true,
                // One of several before a `:`. Behind an arrow stand no states with a comma
                // between them that are followed by a `:`.
                (Token::Identifier, Token::Comma) => self.is_in_list(),
                _ => false,
            };
            let word = self.word().to_string();
            if declared && word != "_" && !names.states.contains(&word) {
                if names.states.len() == MOST_STATES {
                    return Err(self.mistake("this rule has too many states", "use a counter"));
                }
                names.states.push(word);
            }
            self.bump();
        }
        self.position = start;
        Ok(())
    }

    /// Is this name one of a list `a, b:`?
    fn is_in_list(&self) -> bool {
        let mut at = 0;
        while self.ahead(at).token == Token::Identifier && self.ahead(at + 1).token == Token::Comma
        {
            at += 2;
        }
        self.ahead(at).token == Token::Identifier && self.ahead(at + 1).token == Token::Colon
    }

    fn state(&mut self, names: &Names) -> Read<usize> {
        let hint = "write a state, `error \"…\"`, `stop` or `depth = depth + 1`";
        if self.token() != Token::Identifier {
            return self.expected("a state", hint);
        }
        let word = self.word();
        match names.states.iter().position(|state| state == word) {
            Some(state) => {
                self.bump();
                Ok(state)
            }
            None => {
                let meant = similar(word, names.states.iter().map(String::as_str));
                let hint = match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("a state that nothing leaves is declared: `state {word}`"),
                };
                Err(self.mistake(format!("unknown state `{word}`"), hint))
            }
        }
    }

    fn transition(&mut self, object: Option<&str>, names: &mut Names) -> Read<Transition> {
        let line = self.line();
        let mut states = Vec::new();
        loop {
            if self.is_word("_") {
                self.bump();
                states.extend(0..names.states.len());
            } else {
                states.push(self.state(names)?);
            }
            match self.token() {
                Token::Comma => self.bump(),
                _ => break,
            };
        }
        states.sort_unstable();
        states.dedup();
        self.expect(Token::Colon, "`:` behind the state", "write `free: lock(m) -> held`")?;
        let event = self.event()?;
        if let Some(object) = object
            && event.result.as_deref() == Some(object)
            && event.position(object).is_some()
        {
            return Err(self.mistake(format!("`{object}` is named twice"), "rename one of them"));
        }
        let condition = match self.token() {
            Token::If => {
                self.bump();
                Some(self.condition()?)
            }
            _ => None,
        };
        self.expect(Token::Arrow, "`if` or `->`", "say what happens: `-> held`")?;
        let mut updates = Vec::new();
        let mut ending = None;
        loop {
            if self.ahead(1).token == Token::Assign {
                updates.push(self.update(names)?);
            } else if ending.is_some() {
                return self.expected("the end of this line", "one state is enough");
            } else {
                ending = Some(self.ending(names)?);
            }
            match self.token() {
                Token::Comma => self.bump(),
                _ => break,
            };
        }
        let ending = ending.unwrap_or(Ending::Stay);
        Ok(Transition { states, event, condition, updates, ending, line })
    }

    fn ending(&mut self, names: &Names) -> Read<Ending> {
        let next = self.ahead(1).token;
        if self.is_word("error") && next == Token::Text {
            self.bump();
            return Ok(Ending::Error(self.quoted()?));
        }
        if self.is_word("stop") && !names.states.iter().any(|state| state == "stop") {
            self.bump();
            return Ok(Ending::Stop);
        }
        Ok(Ending::State(self.state(names)?))
    }

    /// `depth = depth + 1 up to 7`, `depth = 0`.
    fn update(&mut self, names: &mut Names) -> Read<Update> {
        let hint = "write `depth = depth + 1`, `depth = depth - 1` or `depth = 0`";
        let name = self.name("the name of a counter", hint)?;
        if names.states.contains(&name) {
            return Err(self.mistake(format!("`{name}` is a state"), "rename the counter"));
        }
        self.bump();
        let counter = match names.counters.iter().position(|counter| counter.name == name) {
            Some(counter) => counter,
            None if names.counters.len() == MOST_COUNTERS => {
                return Err(self.mistake("this rule has too many counters", "use states"));
            }
            None => {
                names.counters.push(Counter { name: name.clone(), most: 0 });
                names.counters.len() - 1
            }
        };
        let adds = self.is_word(&name);
        let mut sign = 1;
        if adds {
            self.bump();
            sign = match self.bump().token {
                Token::Plus => 1,
                Token::Minus => -1,
                _ => return self.expected("`+` or `-`", hint),
            };
        }
        let value = sign * i64::from(self.number(hint)?);
        if self.is_word("up") {
            self.bump();
            if !self.is_word("to") {
                return self.expected("`to`", "write `up to 7`");
            }
            self.bump();
            let most = self.number("write `up to 7`")?;
            let known = &mut names.counters[counter].most;
            *known = (*known).max(most);
        }
        Ok(Update { counter, adds, value })
    }

    fn number(&mut self, hint: &str) -> Read<u32> {
        let found = self.token() == Token::Number;
        match self.word().parse::<u32>() {
            Ok(n) if found && n <= MOST_COUNT => {
                self.bump();
                Ok(n)
            }
            _ => self.expected(&format!("a number up to {MOST_COUNT}"), hint),
        }
    }

    fn event(&mut self) -> Read<Event> {
        let hint = "write `lock(m)`, `r = trylock(m)`, `enter f`, `leave f` or `at exit`";
        let follows = self.ahead(1);
        let follows_name = follows.token == Token::Identifier;
        let whole = |moment, procedure| Event {
            moment,
            procedure,
            arguments: Arguments::Any,
            result: None,
        };
        if self.is_word("at") && follows_name && follows.spelt_in(self.text) == "exit" {
            self.bump();
            self.bump();
            return Ok(whole(Moment::Exit, String::new()));
        }
        for (word, moment) in [("enter", Moment::Call), ("leave", Moment::Return)] {
            if self.is_word(word) && follows_name {
                self.bump();
                let procedure = self.name("the name of a procedure", hint)?;
                self.is_no_main(&procedure)?;
                return Ok(whole(moment, procedure));
            }
        }
        if self.is_word("write") && follows_name {
            return Err(self.mistake("rules do not look at writes", hint));
        }
        let first = self.name("an event", hint)?;
        let (result, procedure) = match self.token() {
            Token::Assign => {
                self.bump();
                (Some(first), self.name("the name of a procedure", hint)?)
            }
            _ => (None, first),
        };
        self.expect(Token::OpenParen, "`(`", hint)?;
        let mut list = Vec::new();
        let mut arguments = None;
        if self.token() == Token::Ellipsis {
            self.bump();
            arguments = Some(Arguments::Any);
        } else {
            while self.token() != Token::CloseParen {
                let name = self.name("a name for an argument, or `_`", hint)?;
                if name != "_" && (list.contains(&Some(name.clone()))) {
                    let message = format!("two arguments have the name `{name}`");
                    return Err(self.mistake(message, "compare them by `if a == b`"));
                }
                list.push(Some(name).filter(|name| name != "_"));
                if self.token() != Token::Comma {
                    break;
                }
                self.bump();
            }
        }
        self.expect(Token::CloseParen, "`)`", "`...` stands for any arguments")?;
        let moment = if result.is_some() { Moment::Return } else { Moment::Call };
        let arguments = arguments.unwrap_or(Arguments::These(list));
        let result = result.filter(|name| name != "_");
        self.is_no_main(&procedure)?;
        Ok(Event { moment, procedure, arguments, result })
    }

    fn is_no_main(&self, procedure: &str) -> Read<()> {
        match procedure {
            "main" => Err(self.mistake("rules do not look at calls of `main`", "use `at exit`")),
            _ => Ok(()),
        }
    }

    /// The tokens up to the `->`.
    fn condition(&mut self) -> Read<Expr> {
        let start = self.position;
        while !matches!(self.token(), Token::Arrow | Token::End) {
            self.bump();
        }
        let mut tokens = self.tokens[start..self.position].to_vec();
        tokens.push(Lexeme::new(Token::End, self.lexeme().span));
        let mut diagnostics = Diagnostics::default();
        let parsed = parse_c_expression(self.text, &tokens, &mut diagnostics);
        let said = diagnostics.finish();
        match (parsed, said.first()) {
            (Some(e), None) => Ok(e),
            (_, first) => Err(RuleMistake {
                line: self.before + first.map_or(self.lexeme().span, |first| first.span).line,
                message: first.map_or("this is no condition".into(), |one| one.message.clone()),
                hint: first.map_or(String::new(), |one| one.hint.clone()),
            }),
        }
    }

    /// Conditions have operators, numbers and names only; counters get their bounds.
    fn check_conditions(&self, rule: &mut Rule) -> Read<()> {
        for counter in &mut rule.counters {
            if counter.most == 0 {
                counter.most = USUAL_MOST;
            }
        }
        for transition in &rule.transitions {
            let Some(condition) = &transition.condition else { continue };
            let wrong = |message: String, hint: &str| {
                Err(RuleMistake { line: transition.line, message, hint: hint.to_string() })
            };
            if condition.depth > MOST_DEPTH {
                return wrong("this condition nests too deeply".into(), "split it");
            }
            let mut stack = vec![condition];
            while let Some(e) = stack.pop() {
                let plain = match &e.kind {
                    ExprKind::Cast(name, _) => is_number(*name),
                    ExprKind::Number(..)
                    | ExprKind::Truth(_)
                    | ExprKind::Name(_)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Conditional(_) => true,
                    _ => false,
                };
                if !plain {
                    return wrong(
                        "a condition has operators, numbers and names only".into(),
                        "name the argument in the event, and compare that",
                    );
                }
                e.children(&mut stack);
            }
        }
        Ok(())
    }
}

fn is_number(name: TypeName) -> bool {
    matches!(name, TypeName::Bool | TypeName::Integer { .. } | TypeName::Exact { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Rule>, (u32, String)> {
        read_rules("r", text, 0).map_err(|mistake| (mistake.line, mistake.message))
    }

    #[test]
    fn a_rule_has_states_events_and_outcomes() {
        let text = "// locks\nrule \"lock\" for m\n  start free\n  free: lock(m) -> held\n\
            free: r = trylock(m, _) if r != 0 -> held\n  free, held: at exit -> stop\n\
            held: enter f -> depth = depth + 1 up to 7, free\n  _: lock(...) -> error \"twice\"";
        let rules = read(text).expect("a rule");
        let [rule] = &rules[..] else { panic!("one rule") };
        assert_eq!((rule.name.as_str(), rule.object.as_deref()), ("r", Some("m")));
        assert_eq!(rule.states, ["free", "held"]);
        assert_eq!(
            rule.counters.iter().map(|c| (&c.name[..], c.most)).collect::<Vec<_>>(),
            [("depth", 7)]
        );
        let moments: Vec<Moment> = rule.transitions.iter().map(|t| t.event.moment).collect();
        use Moment::*;
        assert_eq!(moments, [Call, Return, Exit, Call, Call]);
        assert_eq!(rule.transitions[1].event.position("m"), Some(0));
        assert_eq!(rule.transitions[2].states, [0, 1]);
        assert_eq!(rule.transitions[3].ending, Ending::State(0));
        assert_eq!(rule.transitions[4].ending, Ending::Error("twice".into()));
        assert_eq!(rule.transitions[4].event.arguments, Arguments::Any);
    }

    #[test]
    fn several_rules_have_their_titles_as_names() {
        let one = "rule \"a\" start s s: f() -> s\n";
        let rules = read(&format!("{one}{}", one.replace("\"a\"", "\"b\""))).expect("two rules");
        assert_eq!(rules.iter().map(|rule| &rule.name[..]).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        let rule = |line: &str| format!("rule \"r\" for m\nstart free\n{line}\n");
        for (text, line, message) in [
            (String::new(), 1, "no rule stands here"),
            ("lock".into(), 1, "expected `rule`, found `lock`"),
            ("rule \"r\" free".into(), 1, "expected `start`, found `free`"),
            (rule(""), 4, "expected a line `free: lock(m) -> held`, found the end"),
            (rule("free: lock(m) -> hold"), 3, "unknown state `hold`"),
            (rule("free lock(m) -> free"), 3, "expected `:` behind the state, found `lock`"),
            (rule("free: lock(m -> free"), 3, "expected `)`, found `->`"),
            (rule("free: lock(m, m) -> free"), 3, "two arguments have the name `m`"),
            (rule("free: lock(m) free"), 3, "expected `if` or `->`, found `free`"),
            (rule("free: lock(m) -> error"), 3, "unknown state `error`"),
            (
                rule("free: lock(m) if f(m) -> free"),
                3,
                "a condition has operators, numbers and names only",
            ),
            (rule("free: lock(m) -> n = n * 2"), 3, "expected `+` or `-`, found `2`"),
            (rule("free: write x -> free"), 3, "rules do not look at writes"),
            (rule("free: main() -> free"), 3, "rules do not look at calls of `main`"),
        ] {
            assert_eq!(read(&text).err(), Some((line, message.to_string())), "{text}");
        }
        let deep = format!("free: lock(m) if {}1 -> free", "-".repeat(100_000));
        assert!(read(&rule(&deep)).is_err());
        let long = "free: lock(m) -> free\n".repeat(10_000);
        assert!(read(&rule(&long)).is_err());
    }
}

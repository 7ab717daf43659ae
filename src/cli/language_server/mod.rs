//! `faultline lsp`: a language server (Language Server Protocol 3.17, Microsoft 2022) on standard
//! input and output. It gives diagnostics, lit lines as semantic tokens, what holds on a line as
//! hover text, and repairs as code actions. The request `faultline/link` is its own: a link that
//! opens a text in the page.
//!
//! This thread only passes messages on. Each open text has a thread that analyses its newest
//! version under budgets and a clock; a request is answered when the verdict is known. What is
//! still open when a newer version comes is answered with "content modified".

mod analysis;
mod answers;
mod text;

use super::arguments::Lsp;
use super::console;
use super::link::addressed;
use crate::session::Budgets;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::permalink::Permalink;
use analysis::{Analysis, Order, Question, Told};
use answers::TOKENS;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The error of a request whose text has changed (`ContentModified`).
const CONTENT_MODIFIED: i32 = ErrorCode::ContentModified as i32;
/// The error of a request that the client gave up (`RequestCanceled`).
const CANCELLED: i32 = ErrorCode::RequestCanceled as i32;

/// What happens to the server.
enum Event {
    /// A message of the client.
    Client(Message),
    /// The client has gone away.
    Gone,
    /// A thread tells something about the text of this name, in this generation.
    Told(String, u64, Told),
}

/// An open text.
struct Open {
    version: Value,
    dialect: Option<Dialect>,
    /// Which of all analyses it is.
    generation: u64,
    analysis: Analysis,
    /// Requests without an answer.
    waiting: Vec<RequestId>,
}

struct Server<'a> {
    arguments: &'a Lsp,
    connection: Connection,
    events: Sender<Event>,
    with_run: bool,
    generations: u64,
    open: BTreeMap<String, Open>,
    is_shut_down: bool,
}

/// Serves one client. Exit codes, as the protocol says: 0 after `shutdown` and `exit`, else 1; 2 if
/// what comes in is no such protocol.
pub(super) fn serve(arguments: &Lsp) -> ExitCode {
    let (connection, threads) = Connection::stdio();
    let (events, happened) = channel();
    let with_run = match initialize(&connection) {
        Ok(with_run) => with_run,
        Err(complaint) => {
            console::tell(&complaint);
            return ExitCode::from(2);
        }
    };
    let (receiver, forwarded) = (connection.receiver.clone(), events.clone());
    thread::spawn(move || {
        for message in receiver {
            if forwarded.send(Event::Client(message)).is_err() {
                return;
            }
        }
        let _ = forwarded.send(Event::Gone);
    });
    let (generations, open) = (0, BTreeMap::new());
    let mut server =
        Server { arguments, connection, events, with_run, generations, open, is_shut_down: false };
    for event in happened {
        if server.handle(event) {
            break;
        }
    }
    let is_shut_down = server.is_shut_down;
    // The thread that writes ends when nobody can send any more.
    drop(server);
    match threads.join() {
        Err(error) => {
            console::tell(&format!("faultline: lost the client: {error}\n"));
            ExitCode::from(2)
        }
        Ok(()) => ExitCode::from(u8::from(!is_shut_down)),
    }
}

/// Agrees with the client on what the server does; does the client show related places?
fn initialize(connection: &Connection) -> Result<bool, String> {
    let failed =
        |error| format!("faultline: the client does not begin as the protocol says: {error}\n");
    let (id, params) = connection.initialize_start().map_err(failed)?;
    let answer = json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": 1 },
            "hoverProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TOKENS, "tokenModifiers": [] },
                "full": true,
            },
        },
        "serverInfo": { "name": "faultline", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(failed)?;
    let related = "/capabilities/textDocument/publishDiagnostics/relatedInformation";
    Ok(params.pointer(related).and_then(Value::as_bool) == Some(true))
}

impl Server<'_> {
    /// Handles an event; is it the last one?
    fn handle(&mut self, event: Event) -> bool {
        match event {
            Event::Gone => return true,
            Event::Client(Message::Notification(told)) => return self.notified(&told),
            Event::Client(Message::Request(request)) => self.asked(request),
            Event::Client(Message::Response(_)) => {}
            Event::Told(uri, generation, told) => self.told(&uri, generation, told),
        }
        false
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that has gone away is noticed by what it does not send.
        let _ = self.connection.sender.send(message.into());
    }

    fn notified(&mut self, told: &Notification) -> bool {
        let params = &told.params;
        match told.method.as_str() {
            "exit" => return true,
            "textDocument/didOpen" => {
                let document = &params["textDocument"];
                let language = document["languageId"].as_str().unwrap_or_default();
                if let (Some(uri), Some(text)) =
                    (document["uri"].as_str(), document["text"].as_str())
                {
                    let version = document["version"].clone();
                    self.analyse(uri, version, dialect(uri, language), text);
                }
            }
            "textDocument/didChange" => {
                let document = &params["textDocument"];
                // Each change is the whole text, as the server asked for; the last one counts.
                let changes = params["contentChanges"].as_array().and_then(|all| all.last());
                let text = changes.and_then(|change| change["text"].as_str());
                if let (Some(uri), Some(text)) = (document["uri"].as_str(), text) {
                    let known = self.open.get(uri).map(|open| open.dialect);
                    let dialect = known.unwrap_or_else(|| dialect(uri, ""));
                    self.analyse(uri, document["version"].clone(), dialect, text);
                }
            }
            "textDocument/didClose" => {
                if let Some(uri) = params["textDocument"]["uri"].as_str() {
                    self.give_up(uri);
                    self.publish(uri, &Value::Null, &[]);
                }
            }
            "$/cancelRequest" => {
                let given_up: Option<RequestId> = serde_json::from_value(params["id"].clone()).ok();
                if let Some(request) = given_up {
                    self.cancel(&request);
                }
            }
            _ => {}
        }
        false
    }

    fn asked(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let line = |place: &Value| place["line"].as_u64().and_then(|n| u32::try_from(n + 1).ok());
        let question = match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                self.open.clear();
                return self.send(Response::new_ok(id, ()));
            }
            "faultline/link" => return self.send(linked(id, &params)),
            "textDocument/semanticTokens/full" => Some(Question::Tokens),
            "textDocument/hover" => line(&params["position"]).map(Question::Hover),
            "textDocument/codeAction" => {
                let only = params["context"]["only"].as_array();
                let wanted = only.is_none_or(|kinds| kinds.iter().any(|kind| kind == "quickfix"));
                let (start, end) = (&params["range"]["start"], &params["range"]["end"]);
                match (wanted, line(start), line(end)) {
                    (true, Some(from), Some(to)) => Some(Question::Actions((from, to))),
                    (false, Some(_), Some(_)) => return self.send(Response::new_ok(id, json!([]))),
                    _ => None,
                }
            }
            _ => {
                let message = format!("there is no request {method}");
                let code = ErrorCode::MethodNotFound as i32;
                return self.send(Response::new_err(id, code, message));
            }
        };
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match (self.open.get_mut(uri), question) {
            (Some(open), Some(question)) => {
                open.waiting.push(id.clone());
                open.analysis.ask(id, question);
            }
            _ => {
                let message = "no text of this name is open, or no place was given".to_string();
                self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, message));
            }
        }
    }

    fn told(&mut self, uri: &str, generation: u64, told: Told) {
        let Some(open) = self.open.get_mut(uri).filter(|open| open.generation == generation) else {
            return;
        };
        match told {
            Told::Diagnostics(all) => {
                let version = open.version.clone();
                self.publish(uri, &version, &all);
            }
            Told::Answer(request, answer) => {
                let before = open.waiting.len();
                open.waiting.retain(|waiting| *waiting != request);
                if open.waiting.len() < before {
                    self.send(Response::new_ok(request, answer));
                }
            }
        }
    }

    /// Begins the analysis of a text, which takes the place of an older one.
    fn analyse(&mut self, uri: &str, version: Value, dialect: Option<Dialect>, text: &str) {
        self.give_up(uri);
        if text.len() as u64 > console::MOST_BYTES {
            let message = "The text is longer than the 16 MB that a program may have.";
            let place = json!({ "line": 0, "character": 0 });
            let range = json!({ "start": place, "end": place });
            let told =
                json!({ "range": range, "severity": 1, "source": "faultline", "message": message });
            return self.publish(uri, &version, &[told]);
        }
        self.generations += 1;
        let generation = self.generations;
        let Lsp { timeout, max_nodes, max_steps } = *self.arguments;
        let order = Order {
            uri: uri.to_string(),
            source: text.to_string(),
            requested: RequestedOptions { dialect, ..RequestedOptions::default() },
            budgets: Budgets { max_nodes, max_steps, ..Budgets::default() },
            seconds: timeout,
            with_run: self.with_run,
        };
        let (events, name) = (self.events.clone(), uri.to_string());
        let analysis = Analysis::start(order, move |told| {
            // The server has ended if it does not listen.
            let _ = events.send(Event::Told(name.clone(), generation, told));
        });
        let open = Open { version, dialect, generation, analysis, waiting: Vec::new() };
        self.open.insert(uri.to_string(), open);
    }

    /// Stops the analysis of a text, and answers what waits for it.
    fn give_up(&mut self, uri: &str) {
        let waiting = self.open.remove(uri).map(|open| open.waiting).unwrap_or_default();
        for request in waiting {
            let message = "the text has changed".to_string();
            self.send(Response::new_err(request, CONTENT_MODIFIED, message));
        }
    }

    fn cancel(&mut self, request: &RequestId) {
        for open in self.open.values_mut() {
            let before = open.waiting.len();
            open.waiting.retain(|waiting| waiting != request);
            if open.waiting.len() < before {
                let message = "given up by the client".to_string();
                return self.send(Response::new_err(request.clone(), CANCELLED, message));
            }
        }
    }

    fn publish(&self, uri: &str, version: &Value, diagnostics: &[Value]) {
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if !version.is_null() {
            params["version"] = version.clone();
        }
        self.send(Notification::new("textDocument/publishDiagnostics".to_string(), params));
    }
}

/// Answers `faultline/link`: the link that opens a text (`text`, of `uri` and `languageId`) in the
/// page at an `address`.
fn linked(id: RequestId, params: &Value) -> Response {
    let given = |name: &str| params[name].as_str().unwrap_or_default();
    if given("address").is_empty() || params["text"].as_str().is_none() {
        let message = "`address` and `text` are needed for a link".to_string();
        return Response::new_err(id, ErrorCode::InvalidParams as i32, message);
    }
    let dialect = dialect(given("uri"), given("languageId"));
    let link = Permalink {
        source: given("text").to_string(),
        options: RequestedOptions { dialect, ..RequestedOptions::default() },
        ..Permalink::default()
    };
    match addressed(given("address"), &link) {
        Ok(link) => Response::new_ok(id, link),
        Err(_) => {
            let message = "the program is too long for a link".to_string();
            Response::new_err(id, ErrorCode::RequestFailed as i32, message)
        }
    }
}

/// The language of a text: by its name's extension, or by what the client calls it (`c`, `cimple`,
/// `bp`, `rem`, `pds`).
fn dialect(uri: &str, language: &str) -> Option<Dialect> {
    let name = uri.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let by_name = extension.and_then(Dialect::of_extension);
    by_name.or_else(|| Dialect::of_extension(language))
}

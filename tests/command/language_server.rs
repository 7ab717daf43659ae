//! `faultline lsp`, spoken to by a client: a whole session as a recorded text, and what a client
//! does that is in a hurry or out of order.

use expect_test::expect_file;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any answer takes. Only a server that says nothing is waited for as long.
const PATIENCE: Duration = Duration::from_secs(240);

/// A server and its client's ends of the pipes.
struct Client {
    server: Child,
    messages: Receiver<Value>,
}

impl Client {
    fn start(arguments: &[&str]) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_faultline"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut out) {
                sender.send(message).unwrap();
            }
        });
        Client { server, messages }
    }

    fn send(&mut self, message: &Value) {
        let mut whole = json!({ "jsonrpc": "2.0" });
        whole.as_object_mut().unwrap().extend(message.as_object().unwrap().clone());
        let text = whole.to_string();
        let input = self.server.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn receive(&self) -> Value {
        let mut message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
        assert_eq!(message.as_object_mut().unwrap().remove("jsonrpc"), Some("2.0".into()));
        message
    }

    fn initialize(&mut self) {
        let capabilities = json!({ "capabilities": {} });
        self.send(&json!({ "id": 0, "method": "initialize", "params": capabilities }));
        assert_eq!(self.receive()["id"], 0);
        self.send(&json!({ "method": "initialized", "params": {} }));
    }

    fn open(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": name, "languageId": "c", "version": 1, "text": text });
        let params = json!({ "textDocument": document });
        self.send(&json!({ "method": "textDocument/didOpen", "params": params }));
    }

    /// The exit code, and what was written to standard error.
    fn end(mut self) -> (i32, String) {
        drop(self.server.stdin.take());
        let mut errors = String::new();
        self.server.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.server.wait().unwrap().code().expect("it was not killed"), errors)
    }
}

/// The next message; `None` at the end.
fn read(out: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length?];
    out.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The session of `session.txt`: lines with `→` are sent, and each answer stands behind `←`. A
/// message about a text is followed by its diagnostics, a request by its answer.
#[test]
fn a_session() {
    let golden = expect_file!["../golden/lsp/session.txt"];
    let mut client = Client::start(&["--timeout", "200"]);
    let mut told = String::new();
    for line in golden.data().lines().filter(|line| line.starts_with('→') || line.starts_with('#'))
    {
        let Some(message) = line.strip_prefix("→ ") else {
            told.push_str(&format!("{line}\n\n"));
            continue;
        };
        told.push_str(&format!("{line}\n"));
        let message: Value = serde_json::from_str(message).expect("JSON");
        client.send(&message);
        let is_about_text = message["method"].as_str().unwrap().starts_with("textDocument/did");
        if message.get("id").is_some() || is_about_text {
            let answer = client.receive();
            assert_eq!(answer.get("id"), message.get("id"), "{answer}");
            told.push_str(&format!("← {}\n", serde_json::to_string_pretty(&answer).unwrap()));
        }
        told.push('\n');
    }
    let (code, errors) = client.end();
    assert_eq!(errors, "");
    told.push_str(&format!("[exit {code}]\n"));
    golden.assert_eq(&told);
}

/// A 32-bit product takes much longer than the next message.
const LONG: &str = "int main(void) {
  unsigned int a = __VERIFIER_nondet_uint();
  unsigned int b = __VERIFIER_nondet_uint();
  unsigned int c = a * b;
  if (a > 1 && b > 1 && c == 4292870399u) { __VERIFIER_error(); }
  return 0;
}
";

#[test]
fn a_newer_text_stops_what_is_asked_about_the_older_one() {
    let mut client = Client::start(&["--timeout", "10000", "--max-nodes", "100000000"]);
    client.initialize();
    client.open("file:///long.c", LONG);
    let document = json!({ "uri": "file:///long.c", "version": 2 });
    for id in [1, 2] {
        let place = json!({ "line": 4, "character": 3 });
        let params = json!({ "textDocument": document, "position": place });
        client.send(&json!({ "id": id, "method": "textDocument/hover", "params": params }));
    }
    client.send(&json!({ "method": "$/cancelRequest", "params": { "id": 2 } }));
    let answer = client.receive();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&2.into(), &(-32800).into()));
    let text = "int main(void) { return 0; }";
    let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
    client.send(&json!({ "method": "textDocument/didChange", "params": params }));
    let answer = client.receive();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&1.into(), &(-32801).into()));
    let answer = client.receive();
    assert_eq!(answer["method"], "textDocument/publishDiagnostics");
    assert_eq!(answer["params"]["version"], 2);
    assert_eq!(answer["params"]["diagnostics"], json!([]));
    // The server ends although something is being analysed, and notices that it was not told to.
    client.open("file:///again.c", LONG);
    client.send(&json!({ "method": "exit" }));
    assert_eq!(client.end(), (1, String::new()));
}

#[test]
fn a_limit_is_information_and_no_error() {
    let mut client = Client::start(&["--max-steps", "1"]);
    client.initialize();
    client.open("file:///a.cimple", super::calling::UNSAFE);
    let answer = client.receive();
    let told = &answer["params"]["diagnostics"][0];
    assert_eq!((&told["severity"], &told["code"]), (&3.into(), &"steps".into()));
    assert_eq!(told["range"]["start"], json!({ "line": 0, "character": 0 }));
    client.send(&json!({ "id": 7, "method": "shutdown" }));
    assert_eq!(client.receive(), json!({ "id": 7, "result": null }));
    client.send(&json!({ "method": "exit" }));
    assert_eq!(client.end(), (0, String::new()));
}

#[test]
fn what_is_not_the_protocol_is_refused() {
    for nonsense in
        ["Content-Length: 2\r\n\r\n{}", "hello\r\n\r\n", "Content-Length: 9\r\n\r\n\"\u{1}"]
    {
        let mut client = Client::start(&[]);
        client.server.stdin.as_mut().unwrap().write_all(nonsense.as_bytes()).unwrap();
        let (code, errors) = client.end();
        assert_eq!(code, 2, "{nonsense:?}: {errors}");
        assert!(errors.starts_with("faultline: "), "{nonsense:?}: {errors}");
    }
}

#[test]
fn a_text_is_linked_into_the_page() {
    let mut client = Client::start(&[]);
    client.initialize();
    let (address, text) = ("https://page.example/", "int main(void) { return 0; }\n");
    let params =
        json!({ "address": address, "uri": "file:///a.c", "languageId": "c", "text": text });
    client.send(&json!({ "id": 1, "method": "faultline/link", "params": params }));
    let link = client.receive()["result"].as_str().unwrap().to_string();
    let (page, fragment) = link.split_once('#').unwrap();
    assert_eq!(page, address);
    let opened = faultline::wire::permalink::decode(fragment).unwrap();
    assert_eq!(opened.source, text);
    client.send(&json!({ "id": 2, "method": "faultline/link", "params": { "text": text } }));
    assert!(client.receive()["error"]["message"].as_str().unwrap().contains("`address`"));
}

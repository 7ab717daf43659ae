//! All submissions, several at once. No submission stops the others.
//!
//! Workers take the next submission from a shared counter. Each is judged in a thread of its own:
//! a panic ends that thread and becomes a row, and one that does not hear that its time is up is
//! left behind.

use crate::judge::Judge;
use crate::kept;
use crate::row::{Row, Verdict};
use crate::submissions::{Class, Source, Submission};
use std::any::Any;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The name of threads that judge.
const NAME: &str = "faultline-submission";
/// Their stack: programs nest, and what nests too deeply must be refused before it ends.
const STACK: usize = 64 << 20;

/// How a class is judged.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many at once.
    pub jobs: usize,
    /// Time for each.
    pub timeout: Duration,
    /// How much longer a judge may take to notice that the time is up.
    pub patience: Duration,
    /// A folder for answers; what is there is taken.
    pub kept: Option<PathBuf>,
}

/// Judges all submissions, in their order. `done` is called after each, with how many there are so
/// far. The error is the first answer that could not be kept.
pub fn grade(
    class: &Class,
    judge: &Arc<dyn Judge>,
    options: &Options,
    done: &(dyn Fn(usize) + Sync),
) -> io::Result<Vec<Row>> {
    quiet();
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rows: Mutex<Vec<Option<io::Result<Row>>>> =
        Mutex::new(class.submissions.iter().map(|_| None).collect());
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(submission) = class.submissions.get(k) else { return };
            let row = one(submission, &class.headers, judge, options);
            rows.lock().unwrap_or_else(PoisonError::into_inner)[k] = Some(row);
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, class.submissions.len().max(1)) {
            scope.spawn(work);
        }
    });
    let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.into_iter().flatten().collect()
}

fn one(
    submission: &Submission,
    headers: &[(String, String)],
    judge: &Arc<dyn Judge>,
    options: &Options,
) -> io::Result<Row> {
    let source = match submission.read(headers) {
        Ok(source) => source,
        Err(error) => {
            let row = Row::new(Verdict::Refused, error.to_string());
            return Ok(named(row, submission, &submission.file, 0.0));
        }
    };
    let file = options.kept.as_ref().map(|folder| kept::file(folder, &**judge, submission));
    let fingerprint = kept::fingerprint(&**judge, &source);
    if let Some(row) = file.as_ref().and_then(|file| kept::load(file, &fingerprint)) {
        // A copy of what another one handed in, or a file that was renamed.
        let seconds = row.seconds;
        return Ok(named(row, submission, &source.file, seconds));
    }
    let path = source.file.clone();
    let begin = Instant::now();
    let row = judged(source, judge, options);
    let seconds = (begin.elapsed().as_secs_f64() * 100.0).round() / 100.0;
    let row = named(row, submission, &path, seconds);
    if let Some(file) = file {
        kept::save(&file, fingerprint, &row)?;
    }
    Ok(row)
}

fn named(row: Row, submission: &Submission, file: &str, seconds: f64) -> Row {
    Row { name: submission.name.clone(), file: file.to_string(), seconds, ..row }
}

/// Judges one in a thread of its own.
fn judged(source: Source, judge: &Arc<dyn Judge>, options: &Options) -> Row {
    let (sender, receiver) = channel();
    let judge = judge.clone();
    let end = Instant::now() + options.timeout;
    let work = move || {
        let row = judge.judge(&source, &|| Instant::now() >= end);
        // Nobody listens if it took too long.
        let _ = sender.send(row);
    };
    let thread = match thread::Builder::new().name(NAME.into()).stack_size(STACK).spawn(work) {
        Ok(thread) => thread,
        Err(error) => {
            return Row::new(Verdict::Unknown, format!("No thread could be made: {error}."));
        }
    };
    match receiver.recv_timeout(options.timeout + options.patience) {
        Ok(row) => row,
        Err(RecvTimeoutError::Timeout) => {
            Row::new(Verdict::Unknown, "No answer came within the time limit.".to_string())
        }
        Err(RecvTimeoutError::Disconnected) => {
            let message = match thread.join() {
                Err(panic) => format!(": {}", words(&*panic)),
                Ok(()) => String::new(),
            };
            Row::new(Verdict::Unknown, format!("Faultline itself failed on this program{message}."))
        }
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Panics of threads that judge print nothing: they become rows.
fn quiet() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let other = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(NAME) {
                other(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Passes what is `good`; counts how often it is asked.
    #[derive(Default)]
    struct Simple {
        asked: AtomicUsize,
        basis: Vec<u8>,
    }

    impl Judge for Simple {
        fn judge(&self, source: &Source, stop: &dyn Fn() -> bool) -> Row {
            self.asked.fetch_add(1, Ordering::Relaxed);
            match source.text.as_str() {
                "good" => Row::new(Verdict::Passes, String::new()),
                "panic" => panic!("what nobody thought of"),
                "deaf" => loop {
                    thread::sleep(Duration::from_secs(1));
                },
                _ => {
                    while !stop() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    Row::new(Verdict::Unknown, "stopped".into())
                }
            }
        }

        fn basis(&self) -> &[u8] {
            &self.basis
        }

        /// Without collisions, as it is the bytes themselves.
        fn digest(&self, bytes: &[u8]) -> String {
            bytes.iter().map(|byte| format!("{byte:02x}")).rev().collect()
        }
    }

    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("faultline-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("kept")).expect("a place for files");
        for (path, text) in files {
            fs::write(folder.join(path), text).expect("a file");
        }
        folder
    }

    fn graded(folder: &Path, judge: &Arc<dyn Judge>, jobs: usize) -> Vec<Row> {
        let class = crate::submissions::class(folder, &[folder.join("kept")]).expect("a class");
        let (timeout, patience) = (Duration::from_millis(60), Duration::from_millis(200));
        let options = Options { jobs, timeout, patience, kept: Some(folder.join("kept")) };
        grade(&class, judge, &options, &|_| {}).expect("answers are kept")
    }

    #[test]
    fn no_submission_stops_the_others() {
        let files =
            [("a.c", "panic"), ("b.c", "deaf"), ("c.c", "slow"), ("d.c", "good"), ("e.c", "\0")];
        let folder = folder("broken", &files);
        for jobs in [1, 4] {
            let judge: Arc<dyn Judge> =
                Arc::new(Simple { basis: vec![jobs as u8], ..Simple::default() });
            let rows = graded(&folder, &judge, jobs);
            let told: Vec<(&str, &str, &str)> = rows
                .iter()
                .map(|row| (row.name.as_str(), row.verdict.word(), row.message.as_str()))
                .collect();
            let panic = "Faultline itself failed on this program: what nobody thought of.";
            let expected = [
                ("a", "unknown", panic),
                ("b", "unknown", "No answer came within the time limit."),
                ("c", "unknown", "stopped"),
                ("d", "passes", ""),
                ("e", "refused", "The file is no text."),
            ];
            assert_eq!(told, expected);
        }
        fs::remove_dir_all(folder).expect("it was made here");
    }

    #[test]
    fn what_is_kept_is_not_judged_again() {
        let folder = folder("kept", &[("a.c", "good"), ("b.c", "good")]);
        let simple = Arc::new(Simple::default());
        let judge: Arc<dyn Judge> = simple.clone();
        let first = graded(&folder, &judge, 2);
        assert_eq!(simple.asked.load(Ordering::Relaxed), 2);
        assert_eq!(graded(&folder, &judge, 2), first);
        assert_eq!(simple.asked.load(Ordering::Relaxed), 2);
        // What the file says is the answer.
        for entry in fs::read_dir(folder.join("kept")).expect("a folder").flatten() {
            let text = fs::read_to_string(entry.path()).expect("an answer");
            let changed = text.replace("\"message\": \"\"", "\"message\": \"from the file\"");
            fs::write(entry.path(), changed).expect("a file");
        }
        assert!(graded(&folder, &judge, 2).iter().all(|row| row.message == "from the file"));
        // Another program, a damaged file, or another basis is judged anew.
        fs::write(folder.join("a.c"), "slow").expect("a file");
        assert_eq!(graded(&folder, &judge, 2)[0].message, "stopped");
        assert_eq!(simple.asked.load(Ordering::Relaxed), 3);
        for entry in fs::read_dir(folder.join("kept")).expect("a folder").flatten() {
            fs::write(entry.path(), "{").expect("a file");
        }
        graded(&folder, &judge, 2);
        assert_eq!(simple.asked.load(Ordering::Relaxed), 5);
        let other = Arc::new(Simple { basis: vec![1], ..Simple::default() });
        graded(&folder, &(other.clone() as Arc<dyn Judge>), 2);
        assert_eq!(other.asked.load(Ordering::Relaxed), 2);
        fs::remove_dir_all(folder).expect("it was made here");
    }
}

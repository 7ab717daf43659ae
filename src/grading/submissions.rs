//! The submissions of a class: a file or a folder for each student, or an archive instead of it.

use crate::archive::{self, ArchiveError, Entry, Kind};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes of a program or header.
const MOST_BYTES: u64 = 1 << 20;
/// How deep folders of a student are searched.
const MOST_DEPTH: u32 = 8;
/// How many files of a student are looked at.
const MOST_FILES: usize = 2000;

/// What a student handed in; it is not read yet.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Whose it is: the name of the file, folder or archive.
    pub name: String,
    /// Its path in the folder.
    pub file: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Folder(PathBuf),
    Archive(PathBuf, Kind),
    /// Files of the archive that the class is.
    Memory(Arc<Vec<Entry>>),
}

/// A program that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path in the folder.
    pub file: String,
    /// The program. Bytes that are no UTF-8 (in comments of old programs) are replaced.
    pub text: String,
    /// Names and texts of what it may include.
    pub headers: Vec<(String, String)>,
}

/// Why a submission is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The disk says so.
    Disk(String),
    /// No C file.
    Nothing,
    /// Several C files.
    Several(Vec<String>),
    /// A file is too large.
    TooLarge,
    /// Bytes that are no text.
    NoText,
    /// An archive.
    Archive(ArchiveError),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unread::Disk(message) => write!(out, "It cannot be read: {message}."),
            Unread::Nothing => out.write_str("There is no file in C or Java."),
            Unread::Several(files) => {
                let some: Vec<&str> = files.iter().take(4).map(String::as_str).collect();
                let more = if files.len() > some.len() { ", …" } else { "" };
                write!(out, "There are several C files: {}{more}.", some.join(", "))
            }
            Unread::TooLarge => write!(out, "The file has more than {} MB.", MOST_BYTES >> 20),
            Unread::NoText => out.write_str("The file is no text."),
            Unread::Archive(error) => write!(out, "It is not opened: {error}."),
        }
    }
}

/// A class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// By name.
    pub submissions: Vec<Submission>,
    /// Headers beside the submissions, which each may include.
    pub headers: Vec<(String, String)>,
}

/// The class in a folder, or in an archive; or one program, which is a class of one. Paths in
/// `except` (the reference, the tests, the report) are no submissions.
pub fn class(folder: &Path, except: &[PathBuf]) -> io::Result<Class> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut class = if fs::metadata(folder)?.is_dir() {
        in_folder(folder, except)?
    } else if archive::is_program(&name) {
        let beside = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut class = in_folder(beside.unwrap_or(Path::new(".")), &[])?;
        class.submissions.retain(|one| one.file == name);
        class
    } else {
        in_archive(folder)?
    };
    class.submissions.sort_by(|a, b| (natural(&a.name), &a.file).cmp(&(natural(&b.name), &b.file)));
    Ok(class)
}

fn in_folder(folder: &Path, except: &[PathBuf]) -> io::Result<Class> {
    let except: Vec<PathBuf> =
        except.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let mut class = Class::default();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let excepted = || fs::canonicalize(&path).is_ok_and(|path| except.contains(&path));
        if archive::is_hidden(&file) || excepted() {
            continue;
        }
        let (name, place) = if path.is_dir() {
            (file.clone(), Place::Folder(path))
        } else if let Some((kind, stem)) = archive::kind(&file) {
            (stem.to_string(), Place::Archive(path, kind))
        } else if archive::is_program(&file) {
            (archive::stem(&file).to_string(), Place::File(path))
        } else {
            if archive::is_header(&file)
                && let Ok(bytes) = read(&path, MOST_BYTES)
            {
                class.headers.push((file, lossy(&bytes)));
            }
            continue;
        };
        class.submissions.push(Submission { name, file, place });
    }
    class.headers.sort();
    Ok(class)
}

fn in_archive(file: &Path) -> io::Result<Class> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let broken = |error: ArchiveError| io::Error::other(error.to_string());
    let Some((kind, _)) = archive::kind(&name) else {
        return Err(io::Error::other("it is neither a folder nor an archive nor a C file"));
    };
    let bytes = read(file, archive::MOST_PACKED).map_err(|error| match error {
        Unread::Disk(message) => io::Error::other(message),
        _ => broken(ArchiveError::TooLarge),
    })?;
    let mut list = archive::entries(&bytes, kind).map_err(broken)?;
    // One folder around all of the class says nothing.
    if let Some(around) = folder_around(&list) {
        for (path, _) in &mut list {
            *path = path[around.len() + 1..].to_string();
        }
    }
    let mut class = Class::default();
    let mut students: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for (path, bytes) in list {
        let first = path.split('/').next().unwrap_or_default().to_string();
        if first == path && archive::is_header(&path) {
            class.headers.push((path, lossy(&bytes)));
        } else {
            students.entry(first).or_default().push((path, bytes));
        }
    }
    for (file, entries) in students {
        let stem = match archive::kind(&file) {
            Some((_, stem)) => stem,
            None if archive::is_program(&file) => archive::stem(&file),
            None => &file,
        };
        let place = Place::Memory(Arc::new(entries));
        class.submissions.push(Submission { name: stem.to_string(), file, place });
    }
    Ok(class)
}

/// The folder that all entries are in, if more than one student is in it.
fn folder_around(list: &[Entry]) -> Option<String> {
    let (around, _) = list.first()?.0.split_once('/')?;
    let mut students = Vec::new();
    for (path, _) in list {
        let (first, rest) = path.split_once('/')?;
        if first != around {
            return None;
        }
        students.push(rest.split('/').next().unwrap_or_default());
    }
    students.dedup();
    (students.len() > 1).then(|| around.to_string())
}

/// Numbers in names by value, so that `student 10` comes behind `student 9`.
fn natural(name: &str) -> Vec<(u128, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(letters);
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        let (number, behind) = behind.split_at(digits);
        // The text first: a number belongs to what stands before it.
        parts.push((0, text.to_lowercase()));
        parts.push((number.parse().unwrap_or(u128::MAX), String::new()));
        rest = behind;
    }
    parts
}

impl Submission {
    /// Reads it. `headers`: those of the class.
    pub fn read(&self, headers: &[(String, String)]) -> Result<Source, Unread> {
        let mut source = match &self.place {
            Place::File(path) => {
                let text = program(&read(path, MOST_BYTES)?)?;
                Source { file: self.file.clone(), text, headers: Vec::new() }
            }
            Place::Folder(path) => {
                let mut list = Vec::new();
                walk(path, &self.file, MOST_DEPTH, &mut list)?;
                only(archive::flattened(list).map_err(Unread::Archive)?)?
            }
            Place::Archive(path, kind) => {
                let bytes = read(path, archive::MOST_PACKED)?;
                let mut list = archive::files(&bytes, *kind).map_err(Unread::Archive)?;
                list.iter_mut().for_each(|(path, _)| *path = format!("{}/{path}", self.file));
                only(list)?
            }
            Place::Memory(list) => {
                only(archive::flattened(list.to_vec()).map_err(Unread::Archive)?)?
            }
        };
        source.headers.extend_from_slice(headers);
        Ok(source)
    }
}

/// The one program of some files, and the headers among them.
fn only(list: Vec<Entry>) -> Result<Source, Unread> {
    let (mut programs, headers): (Vec<Entry>, Vec<Entry>) =
        list.into_iter().partition(|(path, _)| archive::is_program(path));
    if programs.len() > 1 && programs.iter().all(|(path, _)| archive::is_java(path)) {
        return joined(programs);
    }
    if programs.len() > 1 {
        return Err(Unread::Several(programs.into_iter().map(|(path, _)| path).collect()));
    }
    let (file, bytes) = programs.pop().ok_or(Unread::Nothing)?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
    let headers = headers.iter().map(|(path, bytes)| (name(path), lossy(bytes))).collect();
    Ok(Source { file, text: program(&bytes)?, headers })
}

/// Several files in Java are one text, one behind the other.
fn joined(programs: Vec<Entry>) -> Result<Source, Unread> {
    let mut text = String::new();
    for (_, bytes) in &programs {
        text.push_str(&program(bytes)?);
        text.push('\n');
    }
    let file = programs.into_iter().next().map(|(path, _)| path).unwrap_or_default();
    Ok(Source { file, text, headers: Vec::new() })
}

fn program(bytes: &[u8]) -> Result<String, Unread> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Unread::TooLarge);
    }
    if bytes.contains(&0) {
        return Err(Unread::NoText);
    }
    Ok(lossy(bytes))
}

fn lossy(bytes: &[u8]) -> String {
    // A mark of the order of bytes belongs to the file, not to the program.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    let disk = |error: io::Error| Unread::Disk(error.to_string());
    // Opening a pipe would wait for ever.
    if !fs::metadata(path).map_err(disk)?.is_file() {
        return Err(Unread::Disk("it is no file".to_string()));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(disk)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(disk)?;
    if bytes.len() as u64 > most { Err(Unread::TooLarge) } else { Ok(bytes) }
}

/// The C files, headers and archives below a folder. Links to folders are not followed.
fn walk(folder: &Path, shown: &str, depth: u32, list: &mut Vec<Entry>) -> Result<(), Unread> {
    let disk = |error: io::Error| Unread::Disk(error.to_string());
    for entry in fs::read_dir(folder).map_err(disk)? {
        let entry = entry.map_err(disk)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().map_err(disk)?;
        if archive::is_hidden(&name) {
            continue;
        }
        let shown = format!("{shown}/{name}");
        if kind.is_dir() {
            if depth > 0 {
                walk(&entry.path(), &shown, depth - 1, list)?;
            }
            continue;
        }
        let most = match archive::kind(&name) {
            Some(_) => archive::MOST_PACKED,
            None if archive::is_program(&name) || archive::is_header(&name) => MOST_BYTES,
            None => continue,
        };
        if list.len() >= MOST_FILES {
            return Err(Unread::TooLarge);
        }
        list.push((shown, read(&entry.path(), most)?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::zipped;

    /// A folder of its own with these files.
    fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("faultline-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a place for files");
        for (path, bytes) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, bytes).expect("a file");
        }
        folder
    }

    /// A name, and either path and text or a message.
    type Told = (String, Result<(String, String), String>);

    fn read(class: &Class) -> Vec<Told> {
        let read = |one: &Submission| match one.read(&class.headers) {
            Ok(source) => Ok((source.file, source.text)),
            Err(error) => Err(error.to_string()),
        };
        class.submissions.iter().map(|one| (one.name.clone(), read(one))).collect()
    }

    fn good(name: &str, file: &str, text: &str) -> Told {
        (name.into(), Ok((file.into(), text.into())))
    }

    #[test]
    fn files_folders_and_archives_of_students() {
        let zip = zipped(&[("work/main.c", b"zip"), ("__MACOSX/work/._main.c", b"x")]);
        let folder = folder(
            "class",
            &[
                ("student 10.c", b"ten"),
                ("student 9.c", b"nine"),
                ("ben/src/prog.c", b"ben"),
                ("ben/src/list.h", b"h"),
                ("cleo/a.c", b"a"),
                ("cleo/b.c", b"b"),
                ("dora/notes.txt", b""),
                ("eva.zip", &zip),
                ("fred/hand-in.zip", &zip),
                ("gus.c", b"\xe9t\xe9"),
                ("hal.c", b"\x7fELF\0"),
                ("ida.rar", b""),
                ("reference.c", b""),
                ("tests/1.in", b""),
                ("common.h", b"common"),
                (".git/x.c", b""),
            ],
        );
        let except = [folder.join("reference.c"), folder.join("tests")];
        let class = class(&folder, &except).expect("a class");
        assert_eq!(class.headers, [("common.h".to_string(), "common".to_string())]);
        // One file is a class of one.
        let one = super::class(&folder.join("student 9.c"), &[]).expect("a class");
        let names: Vec<&str> = one.submissions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((names, &one.headers), (vec!["student 9"], &class.headers));
        let bad = |name: &str, message: &str| (name.to_string(), Err(message.to_string()));
        let expected = [
            good("ben", "ben/src/prog.c", "ben"),
            bad("cleo", "There are several C files: cleo/a.c, cleo/b.c."),
            bad("dora", "There is no file in C or Java."),
            good("eva", "eva.zip/work/main.c", "zip"),
            good("fred", "fred/hand-in.zip/work/main.c", "zip"),
            good("gus", "gus.c", "\u{fffd}t\u{fffd}"),
            bad("hal", "The file is no text."),
            bad("ida", "It is not opened: archives are opened if they are zip, tar, tar.gz."),
            good("student 9", "student 9.c", "nine"),
            good("student 10", "student 10.c", "ten"),
        ];
        assert_eq!(read(&class), expected);
        let ben = class.submissions[0].read(&class.headers).expect("it is read");
        assert_eq!(
            ben.headers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["list.h", "common.h"]
        );
        fs::remove_dir_all(folder).expect("it was made here");
    }

    #[test]
    fn an_archive_that_is_the_class() {
        let eva = zipped(&[("main.c", b"eva")]);
        let files: &[(&str, &[u8])] =
            &[("class/anna.c", b"anna"), ("class/ben/x.c", b"ben"), ("class/eva.zip", &eva)];
        let folder = folder("archive", &[("class.zip", &zipped(files))]);
        let class = class(&folder.join("class.zip"), &[]).expect("a class");
        let expected = [
            good("anna", "anna.c", "anna"),
            good("ben", "ben/x.c", "ben"),
            good("eva", "eva.zip/main.c", "eva"),
        ];
        assert_eq!(read(&class), expected);
        fs::write(folder.join("x.zip"), b"no archive").expect("a file");
        assert!(super::class(&folder.join("x.zip"), &[]).is_err());
        assert!(super::class(&folder.join("nothing"), &[]).is_err());
        fs::remove_dir_all(folder).expect("it was made here");
    }
}

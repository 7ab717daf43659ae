//! Archives: `.zip`, `.tar`, `.tar.gz`, unpacked into memory under limits.
//!
//! Only C and Java files, headers and archives are unpacked; nothing is written to the disk. The
//! limits count what comes out, whatever an archive says of itself, so that a small file that
//! unpacks to gigabytes ends as `ArchiveError::TooLarge`.

use std::fmt;
use std::io::{Cursor, Read};

/// The most bytes of an archive as it lies on the disk.
pub const MOST_PACKED: u64 = 64 << 20;
/// The most bytes that come out of one archive, with the archives in it.
pub const MOST_UNPACKED: u64 = 64 << 20;
/// The most entries of one archive, with the archives in it.
const MOST_ENTRIES: usize = 20_000;

/// A file of an archive: its path there, and its bytes.
pub type Entry = (String, Vec<u8>);

/// Kinds of archives, by the name of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz`, `.tgz`.
    TarGz,
    /// An archive that is not opened.
    Other,
}

/// Why an archive is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// Of a kind that is not known.
    Kind,
    /// It is damaged, or needs a password.
    Broken,
    /// More than `MOST_PACKED` or `MOST_UNPACKED` bytes, or too many entries.
    TooLarge,
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Kind => out.write_str("archives are opened if they are zip, tar, tar.gz"),
            ArchiveError::Broken => out.write_str("the archive is damaged or needs a password"),
            ArchiveError::TooLarge => {
                write!(out, "the archive has more than {} MB", MOST_UNPACKED >> 20)
            }
        }
    }
}

/// The kind of archive that a name says, and the name without it. `None`: no archive.
pub fn kind(name: &str) -> Option<(Kind, &str)> {
    const ENDS: [(&str, Kind); 10] = [
        (".zip", Kind::Zip),
        (".tar", Kind::Tar),
        (".tar.gz", Kind::TarGz),
        (".tgz", Kind::TarGz),
        (".tar.xz", Kind::Other),
        (".tar.bz2", Kind::Other),
        (".tar.zst", Kind::Other),
        (".rar", Kind::Other),
        (".7z", Kind::Other),
        (".gz", Kind::Other),
    ];
    ENDS.iter().find_map(|(end, kind)| {
        let at = name.len().checked_sub(end.len()).filter(|at| *at > 0)?;
        let (stem, found) = (name.get(..at)?, name.get(at..)?);
        found.eq_ignore_ascii_case(end).then_some((*kind, stem))
    })
}

/// Is it a file in C or Java?
pub fn is_program(name: &str) -> bool {
    ends_with(name, ".c") || is_java(name)
}

/// The name of a program without its end.
pub fn stem(name: &str) -> &str {
    match is_program(name) {
        true => name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        false => name,
    }
}

/// Is it a file in Java?
pub fn is_java(name: &str) -> bool {
    ends_with(name, ".java")
}

/// Is it a header?
pub fn is_header(name: &str) -> bool {
    ends_with(name, ".h")
}

fn ends_with(name: &str, end: &str) -> bool {
    let at = name.len().checked_sub(end.len()).filter(|at| *at > 0);
    at.and_then(|at| name.get(at..)).is_some_and(|found| found.eq_ignore_ascii_case(end))
}

/// Is a path what systems leave behind, and not what somebody hands in?
pub fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}

/// The C and Java files, headers and archives in an archive, by path.
pub fn entries(bytes: &[u8], kind: Kind) -> Result<Vec<Entry>, ArchiveError> {
    let mut room = Room { bytes: MOST_UNPACKED, entries: MOST_ENTRIES };
    let mut list = unpacked(bytes, kind, &mut room)?;
    list.sort();
    Ok(list)
}

/// The C files and headers in an archive; archives in it are opened, too, and are folders of their
/// name in the paths.
pub fn files(bytes: &[u8], kind: Kind) -> Result<Vec<Entry>, ArchiveError> {
    let mut room = Room { bytes: MOST_UNPACKED, entries: MOST_ENTRIES };
    let list = unpacked(bytes, kind, &mut room)?;
    opened(list, &mut room)
}

/// Files with the archives among them replaced by what is in them (one archive in another, no
/// deeper).
pub fn flattened(list: Vec<Entry>) -> Result<Vec<Entry>, ArchiveError> {
    opened(list, &mut Room { bytes: MOST_UNPACKED, entries: MOST_ENTRIES })
}

fn opened(list: Vec<Entry>, room: &mut Room) -> Result<Vec<Entry>, ArchiveError> {
    let mut files = Vec::new();
    for (path, bytes) in list {
        match self::kind(&path) {
            None => files.push((path, bytes)),
            Some((kind, _)) => {
                for (inner, bytes) in unpacked(&bytes, kind, room)? {
                    if self::kind(&inner).is_none() {
                        files.push((format!("{path}/{inner}"), bytes));
                    }
                }
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What may still come out.
struct Room {
    bytes: u64,
    entries: usize,
}

impl Room {
    fn entry(&mut self) -> Result<(), ArchiveError> {
        self.entries = self.entries.checked_sub(1).ok_or(ArchiveError::TooLarge)?;
        Ok(())
    }

    /// All of a reader.
    fn read(&mut self, reader: impl Read) -> Result<Vec<u8>, ArchiveError> {
        let mut bytes = Vec::new();
        let read = reader.take(self.bytes + 1).read_to_end(&mut bytes);
        self.bytes = self.bytes.checked_sub(bytes.len() as u64).ok_or(ArchiveError::TooLarge)?;
        read.map_err(|_| ArchiveError::Broken)?;
        Ok(bytes)
    }
}

fn unpacked(bytes: &[u8], kind: Kind, room: &mut Room) -> Result<Vec<Entry>, ArchiveError> {
    if bytes.len() as u64 > MOST_PACKED {
        return Err(ArchiveError::TooLarge);
    }
    match kind {
        Kind::Zip => zip(bytes, room),
        Kind::Tar => tar(bytes, room),
        Kind::TarGz => {
            // All that is decompressed counts: the tar reader holds long names in memory.
            let mut stream = flate2::read::MultiGzDecoder::new(bytes).take(room.bytes + 1);
            let list = tar(&mut stream, room);
            if stream.limit() == 0 { Err(ArchiveError::TooLarge) } else { list }
        }
        Kind::Other => Err(ArchiveError::Kind),
    }
}

fn wanted(path: &str) -> bool {
    !is_hidden(path) && (is_program(path) || is_header(path) || kind(path).is_some())
}

fn zip(bytes: &[u8], room: &mut Room) -> Result<Vec<Entry>, ArchiveError> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| ArchiveError::Broken)?;
    let mut list = Vec::new();
    for k in 0..archive.len() {
        room.entry()?;
        let Some(Ok(name)) = archive.name_for_index(k) else { continue };
        let path = plain(&name);
        if !wanted(&path) {
            continue;
        }
        let file = archive.by_index(k).map_err(|_| ArchiveError::Broken)?;
        if file.is_file() {
            list.push((path, room.read(file)?));
        }
    }
    Ok(list)
}

fn tar(stream: impl Read, room: &mut Room) -> Result<Vec<Entry>, ArchiveError> {
    let mut archive = tar::Archive::new(stream);
    let mut list = Vec::new();
    for entry in archive.entries().map_err(|_| ArchiveError::Broken)? {
        room.entry()?;
        let entry = entry.map_err(|_| ArchiveError::Broken)?;
        let path = plain(&String::from_utf8_lossy(&entry.path_bytes()));
        if entry.header().entry_type().is_file() && wanted(&path) {
            list.push((path, room.read(entry)?));
        }
    }
    Ok(list)
}

/// A path with `/` between its parts, and without those that lead nowhere or upwards.
fn plain(path: &str) -> String {
    let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::io::Write;

    /// A zip with these files.
    pub(crate) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in files {
            writer.start_file(*path, zip::write::SimpleFileOptions::default()).expect("a file");
            writer.write_all(bytes).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    /// A tar, compressed.
    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let bytes = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut builder = tar::Builder::new(bytes);
        for (path, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, *bytes).expect("memory");
        }
        builder.into_inner().expect("memory").finish().expect("memory")
    }

    #[test]
    fn names_of_archives() {
        assert_eq!(kind("anna.zip"), Some((Kind::Zip, "anna")));
        assert_eq!(kind("anna.TAR.GZ"), Some((Kind::TarGz, "anna")));
        assert_eq!(kind("anna.rar"), Some((Kind::Other, "anna")));
        assert_eq!(kind("anna.c"), None);
        assert_eq!(kind(".zip"), None);
        assert_eq!(kind("ü"), None);
        assert!(is_program("a/B.C") && !is_program(".c") && is_header("x.h"));
        assert!(is_program("a/B.java") && is_java("B.java") && !is_java("B.c"));
        assert_eq!([stem("anna.java"), stem("b.c"), stem("c")], ["anna", "b", "c"]);
        assert!(is_hidden("a/__MACOSX/x.c") && is_hidden("a/._x.c") && !is_hidden("a/x.c"));
    }

    #[test]
    fn files_of_archives_by_path() {
        let inner = packed(&[("x/deep.c", b"deep"), ("again.zip", b"no matter")]);
        let bytes = zipped(&[("b/main.c", b"main"), ("b/inner.tgz", &inner), ("readme.txt", b"")]);
        let expected =
            [("b/inner.tgz/x/deep.c".into(), b"deep".into()), ("b/main.c".into(), b"main".into())];
        assert_eq!(files(&bytes, Kind::Zip), Ok(Vec::from(expected)));
        assert_eq!(entries(&bytes, Kind::Zip).map(|list| list.len()), Ok(2));
        assert_eq!(plain("/../a\\..//b.c"), "a/b.c");
    }

    #[test]
    fn what_unpacks_to_too_much_or_is_broken() {
        let zeros = vec![0; (MOST_UNPACKED + 1) as usize];
        let bomb = zipped(&[("a.c", &zeros)]);
        assert!(bomb.len() < 1 << 20);
        assert_eq!(files(&bomb, Kind::Zip), Err(ArchiveError::TooLarge));
        let bomb = packed(&[("a.txt", &zeros)]);
        assert_eq!(files(&bomb, Kind::TarGz), Err(ArchiveError::TooLarge));
        // Many archives in one share the room.
        let half = zipped(&[("a.c", &zeros[..zeros.len() / 2])]);
        let many = zipped(&[("1.zip", &half), ("2.zip", &half), ("3.zip", &half)]);
        assert_eq!(files(&many, Kind::Zip), Err(ArchiveError::TooLarge));
        let whole = zipped(&[("a.c", b"int main(void) { return 0; }")]);
        for cut in 0..whole.len() {
            assert!(files(&whole[..cut], Kind::Zip).is_err(), "{cut}");
        }
        assert_eq!(files(b"no archive", Kind::TarGz), Err(ArchiveError::Broken));
        assert_eq!(files(b"", Kind::Other), Err(ArchiveError::Kind));
    }
}

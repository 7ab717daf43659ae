//! The language that is guessed from a text alone, for every program of the gallery.

use faultline::wire::options::Dialect;
use std::path::Path;

/// Programs of Cimple without a word that C has not: read as C, they are programs as well.
const ALSO_C: [&str; 1] = ["table-1.cimple"];

#[test]
fn each_example_of_the_gallery_is_guessed_by_its_text() {
    let folder = Path::new("static/examples");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the gallery is there") {
        let path = entry.expect("it can be listed").path();
        let (Some(name), Some(extension)) = (path.file_name(), path.extension()) else { continue };
        let (name, extension) = (name.to_string_lossy(), extension.to_string_lossy());
        let Some(dialect) = Dialect::of_extension(&extension) else { continue };
        if ["index.json", "pictures.json"].contains(&&*name) {
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let guessed = Dialect::guess(&text);
        if guessed != dialect && !ALSO_C.contains(&&*name) {
            wrong.push(format!("{name}: {}", guessed.name()));
        }
    }
    assert!(seen > 90, "{seen} examples");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

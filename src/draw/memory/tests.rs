use super::*;
use crate::draw::svg::Theme;
use crate::wire::report::{Value, Values};
use crate::wire::step::{Change, Element};

fn pointer(to: &str) -> Value {
    Value::Name(to.to_string())
}

fn entry(globals: &[(&str, Value)], locals: &[(&str, Value)], changes: Vec<Change>) -> TraceEntry {
    let values = globals.iter().chain(locals).map(|(n, v)| (n.to_string(), v.clone())).collect();
    TraceEntry {
        procedure: "main".into(),
        line: 7,
        globals: globals.len() as u32,
        values: Values(values),
        changes,
        ..TraceEntry::default()
    }
}

fn change(place: &str, before: Option<Value>, after: Value, frame: Option<u32>) -> Change {
    let element = Element { place: place.into(), variable: place.into(), indices: Vec::new() };
    Change { element, before, after, frame, character: false }
}

/// `head` leads to two nodes; then it moves on, the first one is freed, and nothing is left of it.
fn list() -> Vec<TraceEntry> {
    let nodes = |one: bool| {
        let mut all = vec![("node#1.key", Value::Number(4)), ("node#1.next", pointer("node#2"))];
        if !one {
            all.clear();
        }
        all.extend([("node#2.key", Value::Number(5)), ("node#2.next", pointer("NULL"))]);
        all
    };
    let head = |to: &str| vec![("head", pointer(to)), ("old", pointer("node#1"))];
    vec![
        entry(
            &nodes(true),
            &head("node#1"),
            vec![change("head", Some(pointer("node#1")), pointer("node#2"), Some(0))],
        ),
        entry(&nodes(true), &head("node#2"), Vec::new()),
        entry(&nodes(false), &head("node#2"), Vec::new()),
    ]
}

fn block<'p>(picture: &'p Picture, title: &str) -> &'p Block {
    picture.blocks.iter().find(|block| block.title == title).expect("it is drawn")
}

#[test]
fn a_list_is_a_row_and_keeps_its_places() {
    let trace = list();
    let memory = Memory::of(&trace);
    assert!(memory.is_worth_a_picture());
    let pictures: Vec<Picture> = (0..trace.len()).map(|step| memory.at(&trace, step)).collect();
    for picture in &pictures {
        let (first, second) = (block(picture, "node#1"), block(picture, "node#2"));
        assert_eq!(first.place, block(&pictures[0], "node#1").place);
        assert_eq!(second.place, block(&pictures[0], "node#2").place);
        assert_eq!(first.place.y, second.place.y);
        assert!(second.place.x > first.place.x + first.place.width);
        assert!(block(picture, "main").place.x < first.place.x);
    }
}

#[test]
fn what_changes_and_what_is_freed_is_marked() {
    let trace = list();
    let memory = Memory::of(&trace);
    let first = memory.at(&trace, 0);
    let times: Vec<Time> = first.arrows.iter().map(|arrow| arrow.time).collect();
    // The old and the new arrow of `head`, that of `old`, and that between the nodes.
    assert_eq!(times, [Time::Before, Time::After, Time::Always, Time::Always]);
    assert!(block(&first, "main").rows[0].cells[0].changed);
    assert_eq!(block(&first, "node#1").kind, Kind::Object);
    // The statement of the second step frees it; afterwards `old` still leads there.
    assert_eq!(block(&memory.at(&trace, 1), "node#1").kind, Kind::Gone);
    let last = memory.at(&trace, 2);
    assert_eq!(block(&last, "node#1").kind, Kind::Gone);
    assert_eq!(block(&last, "node#1").rows[0].cells[0].text, "4");
    assert_eq!(block(&last, "node#2").rows[1].cells[0].text, "NULL");
}

#[test]
fn a_pointer_into_an_array_leads_to_its_cell() {
    let array = Value::List([7, 8, 9].map(Value::Number).to_vec());
    let locals = [("p", pointer("&a[1]")), ("q", pointer("the end of a"))];
    let trace = vec![entry(&[("a", array), ("count", Value::Number(3))], &locals, Vec::new())];
    let picture = Memory::of(&trace).at(&trace, 0);
    let cells = &block(&picture, "a").rows[0].cells;
    assert_eq!(cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(), ["7", "8", "9"]);
    let ends = |x: f64| format!(" L{x:.1} {:.1}", cells[1].place.y - 1.0);
    let middle = cells[1].place.x + cells[1].place.width / 2.0;
    assert!(picture.arrows[0].path.ends_with(&ends(middle)), "{:?}", picture.arrows[0]);
    let behind = cells[2].place.x + cells[2].place.width;
    assert!(picture.arrows[1].path.ends_with(&ends(behind)), "{:?}", picture.arrows[1]);
    assert_eq!(block(&picture, "globals").rows[0].name, "count");
}

#[test]
fn objects_stand_apart() {
    // A tree: two children beside each other, and one pointer back.
    let node = |k: u32, left: &str, right: &str| {
        vec![(format!("node#{k}.left"), pointer(left)), (format!("node#{k}.right"), pointer(right))]
    };
    let all = [node(1, "node#2", "node#3"), node(2, "node#1", "NULL"), node(3, "NULL", "node#3")];
    let globals: Vec<(String, Value)> = all.concat();
    let globals: Vec<(&str, Value)> =
        globals.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
    let trace = vec![entry(&globals, &[("root", pointer("node#1"))], Vec::new())];
    let picture = Memory::of(&trace).at(&trace, 0);
    let (two, three) = (block(&picture, "node#2").place, block(&picture, "node#3").place);
    assert_eq!(two.x, three.x);
    assert!(three.y > two.y + two.height);
    assert_eq!(picture.arrows.len(), 5);
    for block in &picture.blocks {
        assert!(block.place.x + block.place.width <= picture.size.x);
        assert!(block.place.y + block.place.height <= picture.size.y);
        for other in picture.blocks.iter().filter(|other| other.title != block.title) {
            let (a, b) = (&block.place, &other.place);
            let apart = a.x + a.width <= b.x
                || b.x + b.width <= a.x
                || a.y + a.height <= b.y
                || b.y + b.height <= a.y;
            assert!(apart, "{} covers {}", block.title, other.title);
        }
    }
}

#[test]
fn memory_is_told_in_words() {
    let trace = list();
    let lines = described(&trace, 0);
    assert_eq!(
        lines,
        ["head → node#1 {key = 4, next → node#2 {key = 5, next = NULL}}", "old → node#1"]
    );
    assert_eq!(described(&trace, 2)[1], "old → node#1 (freed) {key = 4, next → node#2}");
    let plain = vec![entry(&[("x", Value::Number(1))], &[], Vec::new())];
    assert!(described(&plain, 0).is_empty() && !Memory::of(&plain).is_worth_a_picture());
}

#[test]
fn literals_are_drawn_with_their_characters() {
    let trace = vec![entry(&[], &[("s", pointer("&\"a\\n<\"[2]"))], Vec::new())];
    let picture = Memory::of(&trace).at(&trace, 0);
    let cells = &block(&picture, "\"a\\n<\"").rows[0].cells;
    let texts: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(texts, ["'a'", "'\\n'", "'<'", "'\\0'"]);
    let svg = standalone(&picture, Theme::Dark);
    assert!(svg.contains("&#39;&lt;&#39;") || svg.contains("'&lt;'"));
    assert!(!svg.contains("'<'") && markup(&picture).starts_with("<svg class=\"world memory\""));
}

#[test]
fn a_deep_stack_and_many_objects_stay_small() {
    let names: Vec<String> = (1..200).map(|k| format!("node#{k}.key")).collect();
    let globals: Vec<(&str, Value)> =
        names.iter().map(|n| (n.as_str(), Value::Number(1))).collect();
    let mut trace: Vec<TraceEntry> =
        (0..40).map(|depth| TraceEntry { depth, ..entry(&globals, &[], Vec::new()) }).collect();
    trace[39].values.0.push(("p".into(), pointer("node#7")));
    let picture = Memory::of(&trace).at(&trace, 39);
    assert!(picture.blocks.len() <= 70, "{}", picture.blocks.len());
    assert_eq!(picture.arrows.len(), 1);
}

//! What is in memory at a step of a run: from names and values to frames and objects.

use super::Kind;
use super::names::{Target, characters, is_literal, is_on_the_heap, object, part, target};
use crate::draw::steps::{StepValue, StepView, elements, step_view};
use crate::wire::report::{TraceEntry, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Frames in the picture; of a deeper stack those at either end.
const MOST_FRAMES: usize = 8;
/// Objects in the picture.
const MOST_OBJECTS: usize = 60;
/// Elements of an array in the picture.
pub(super) const MOST_CELLS: usize = 24;

/// What is known of a run's objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lives {
    /// Each object, in the order in which it first exists, with the last step at which it does.
    pub(super) objects: Vec<(String, usize)>,
    /// What some pointer points to.
    targets: BTreeSet<String>,
    /// Does any variable hold a pointer?
    pub(super) has_pointers: bool,
}

impl Lives {
    pub(super) fn of(trace: &[TraceEntry]) -> Lives {
        let mut lives = Lives::default();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (step, entry) in trace.iter().enumerate() {
            for (name, value) in &entry.values.0 {
                lives.point(value);
                if is_on_the_heap(object(name)) || !part(name).is_empty() {
                    lives.meet(&mut known, object(name), step);
                }
            }
            for change in &entry.changes {
                lives.point(&change.after);
            }
        }
        // Variables that something points to are objects as well.
        let targets: Vec<String> = lives.targets.iter().cloned().collect();
        for (step, entry) in trace.iter().enumerate() {
            for (name, _) in &entry.values.0[..globals_of(entry)] {
                if targets.binary_search_by(|target| target.as_str().cmp(object(name))).is_ok() {
                    lives.meet(&mut known, object(name), step);
                }
            }
        }
        for target in targets.iter().filter(|target| is_literal(target)) {
            lives.meet(&mut known, target, trace.len());
        }
        lives
    }

    fn meet(&mut self, known: &mut BTreeMap<String, usize>, object: &str, step: usize) {
        if let Some(&at) = known.get(object) {
            let last = &mut self.objects[at].1;
            *last = (*last).max(step);
        } else if self.objects.len() < MOST_OBJECTS {
            known.insert(object.to_string(), self.objects.len());
            self.objects.push((object.to_string(), step));
        }
    }

    fn point(&mut self, value: &Value) {
        match value {
            Value::Name(name) => {
                self.has_pointers = true;
                if let Target::Object(object, _) | Target::Behind(object) = target(name) {
                    self.targets.insert(object.to_string());
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.point(item)),
            Value::Truth(_) | Value::Number(_) | Value::Character(_) | Value::Decimal(_) => {}
        }
    }

    fn is_object(&self, name: &str) -> bool {
        !part(name).is_empty() || is_on_the_heap(name) || self.targets.contains(name)
    }
}

/// Memory at a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// The globals first, then the frames, outermost first.
    pub(super) frames: Vec<Group>,
    /// The objects.
    pub(super) objects: Vec<Group>,
}

/// A frame or an object.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The same at all steps.
    pub(super) key: String,
    pub(super) title: String,
    pub(super) kind: Kind,
    pub(super) members: Vec<Member>,
}

/// A variable, a member, or a row of an array.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// One, or one for each element.
    pub(super) values: Vec<Held>,
    pub(super) is_array: bool,
    /// Elements that are left out.
    pub(super) more: usize,
}

/// A value before the step's statement, and after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// `None` if it does not exist before.
    pub(super) before: Option<Value>,
    /// `None` if the statement does not change it.
    pub(super) after: Option<Value>,
}

impl Contents {
    pub(super) fn at(trace: &[TraceEntry], step: usize, lives: &Lives) -> Contents {
        let Some(entry) = trace.get(step) else { return Contents::default() };
        let view = step_view(trace, step);
        let frames = frames(&view, lives);
        let next = trace.get(step + 1).map(|next| present(next));
        let mut objects: Vec<Group> = Vec::new();
        for value in view.globals.iter().filter(|value| is_object(value, lives)) {
            let name = object(&value.name);
            let group = match objects.iter_mut().rposition(|group| group.title == name) {
                Some(at) => &mut objects[at],
                None => {
                    if objects.len() == MOST_OBJECTS {
                        continue;
                    }
                    objects.push(group(name, Kind::Object));
                    objects.last_mut().expect("one was pushed")
                }
            };
            group.members.extend(members(part(&value.name), value));
        }
        let now = present(entry);
        for group in &mut objects {
            let freed = next.as_ref().is_some_and(|next| !next.contains(group.title.as_str()));
            group.kind = match now.contains(group.title.as_str()) {
                true if freed && is_on_the_heap(&group.title) => Kind::Gone,
                true => Kind::Object,
                false => Kind::New,
            };
        }
        let mut contents = Contents { frames, objects };
        contents.add_gone(trace, step, lives);
        contents
    }

    /// Objects that existed before, and literals: where a pointer leads there, and all of the heap.
    fn add_gone(&mut self, trace: &[TraceEntry], step: usize, lives: &Lives) {
        let targets: BTreeSet<String> = self.groups().flat_map(pointed).collect();
        for (name, last) in &lives.objects {
            let shown = self.objects.iter().any(|group| group.title == *name);
            let wanted = targets.contains(name) || is_on_the_heap(name);
            if shown || !wanted || self.objects.len() >= MOST_OBJECTS {
                continue;
            }
            if is_literal(name) {
                let mut literal = group(name, Kind::Object);
                literal.members = vec![row_of_characters(name)];
                self.objects.push(literal);
                continue;
            }
            // The latest step before this one at which it existed.
            let until = step.min(*last + 1);
            let existed = (0..until).rev().find(|k| present(&trace[*k]).contains(name.as_str()));
            let Some(existed) = existed else { continue };
            let mut gone = group(name, Kind::Gone);
            let values = trace[existed].values.0.iter().filter(|(n, _)| object(n) == name);
            for (name, value) in values {
                let value = StepValue {
                    name: name.clone(),
                    before: Some(value.clone()),
                    after: None,
                    touched: Vec::new(),
                };
                gone.members.extend(members(part(name), &value));
            }
            self.objects.push(gone);
        }
    }

    /// Frames and objects.
    pub(super) fn groups(&self) -> impl Iterator<Item = &Group> {
        self.frames.iter().chain(&self.objects)
    }
}

/// The objects to which the pointers of a group lead, before the statement or after it.
pub(super) fn pointed(group: &Group) -> Vec<String> {
    let values = group.members.iter().flat_map(|member| &member.values);
    let each = values.flat_map(|held| [&held.before, &held.after]).flatten();
    each.filter_map(|value| match value {
        Value::Name(name) => match target(name) {
            Target::Object(object, _) | Target::Behind(object) => Some(object.to_string()),
            Target::Nothing => None,
        },
        _ => None,
    })
    .collect()
}

fn group(name: &str, kind: Kind) -> Group {
    Group { key: name.to_string(), title: name.to_string(), kind, members: Vec::new() }
}

fn globals_of(entry: &TraceEntry) -> usize {
    (entry.globals as usize).min(entry.values.0.len())
}

/// The objects that exist before an entry.
fn present(entry: &TraceEntry) -> BTreeSet<&str> {
    entry.values.0[..globals_of(entry)].iter().map(|(name, _)| object(name)).collect()
}

fn is_object(value: &StepValue, lives: &Lives) -> bool {
    lives.is_object(&value.name) || matches!(value.before, Some(Value::List(_)))
}

/// The globals that are no objects, and the active calls, outermost first.
fn frames(view: &StepView, lives: &Lives) -> Vec<Group> {
    let mut groups = Vec::new();
    let globals: Vec<_> = view.globals.iter().filter(|value| !is_object(value, lives)).collect();
    if !globals.is_empty() {
        groups.push(Group {
            key: "globals".to_string(),
            title: "globals".to_string(),
            kind: Kind::Globals,
            members: globals.iter().flat_map(|value| members(&value.name, value)).collect(),
        });
    }
    let count = view.frames.len();
    for (k, frame) in view.frames.iter().enumerate().rev() {
        let left_out = count > MOST_FRAMES && k >= MOST_FRAMES / 2 && k < count - MOST_FRAMES / 2;
        if left_out {
            continue;
        }
        groups.push(Group {
            key: format!("frame {} {}", frame.level, frame.procedure),
            title: frame.procedure.clone(),
            kind: if k == 0 { Kind::Current } else { Kind::Frame },
            members: frame.values.iter().flat_map(|value| members(&value.name, value)).collect(),
        });
    }
    groups
}

/// The rows of a variable: one, or one for each row of an array of two dimensions.
fn members(name: &str, value: &StepValue) -> Vec<Member> {
    let changed = |indices: &[u32]| {
        let touched = value.touched.iter().find(|touched| touched.indices == indices);
        touched.and_then(|touched| touched.after.clone())
    };
    let Some(array @ Value::List(items)) = &value.before else {
        let held = Held { before: value.before.clone(), after: value.after.clone() };
        let scalar = |name: &str, held: Held| Member {
            name: name.to_string(),
            values: vec![held],
            is_array: false,
            more: 0,
        };
        if value.touched.is_empty() {
            return vec![scalar(name, held)];
        }
        // It comes into scope with the statement: only what is written is known.
        let touched = value.touched.iter().map(|touched| {
            let indices: String = touched.indices.iter().map(|k| format!("[{k}]")).collect();
            let held = Held { before: touched.before.clone(), after: touched.after.clone() };
            scalar(&format!("{name}{indices}"), held)
        });
        return touched.take(MOST_CELLS).collect();
    };
    let held = |(indices, before): (Vec<u32>, &Value)| Held {
        before: Some(before.clone()),
        after: changed(&indices),
    };
    let row = |name: String, cells: Vec<Held>| Member {
        name,
        is_array: true,
        more: cells.len().saturating_sub(MOST_CELLS),
        values: cells.into_iter().take(MOST_CELLS).collect(),
    };
    if !items.iter().any(|item| matches!(item, Value::List(_))) {
        return vec![row(name.to_string(), elements(array).into_iter().map(held).collect())];
    }
    let rows = (0u32..).zip(items).take(MOST_CELLS).map(|(k, item)| {
        let inner = elements(item).into_iter();
        let cells = inner.map(|(at, value)| held(([vec![k], at].concat(), value))).collect();
        row(format!("{name}[{k}]"), cells)
    });
    rows.collect()
}

fn row_of_characters(literal: &str) -> Member {
    let all = characters(literal);
    let cell = |text: &String| Held { before: Some(Value::Name(format!("'{text}'"))), after: None };
    Member {
        name: String::new(),
        values: all.iter().take(MOST_CELLS).map(cell).collect(),
        is_array: true,
        more: all.len().saturating_sub(MOST_CELLS),
    }
}

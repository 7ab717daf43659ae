//! Memory in words: `head → node#1 {key = 3, next → node#2 {…}}`.

use super::Kind;
use super::contents::{Contents, Group, Member};
use super::names::{Target, gone, target};
use crate::wire::report::Value;
use std::collections::BTreeSet;

/// Objects inside one another that are written out.
const NESTED: usize = 4;

/// A line for each variable that holds a pointer, as it is before the step's statement; each object
/// is written out once.
pub(super) fn sentences(contents: &Contents) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut lines = Vec::new();
    for group in &contents.frames {
        for member in &group.members {
            let name = member.name.as_str();
            let pointers = member.values.iter().filter_map(|held| held.before.as_ref());
            for (k, value) in pointers.enumerate() {
                let Value::Name(value) = value else { continue };
                let place = if member.is_array { format!("{name}[{k}]") } else { name.to_string() };
                lines.push(format!("{place}{}", led(value, contents, &mut told, NESTED)));
            }
        }
    }
    for object in &contents.objects {
        if !told.contains(&object.title) && has_pointers(object) {
            lines.push(written(object, contents, &mut told, NESTED));
        }
    }
    lines
}

fn has_pointers(group: &Group) -> bool {
    let values = group.members.iter().flat_map(|member| &member.values);
    let mut before = values.filter_map(|held| held.before.as_ref());
    before.any(|value| matches!(value, Value::Name(name) if !name.starts_with('\'')))
}

/// ` → node#1 {…}` behind the name of a pointer.
fn led(value: &str, contents: &Contents, told: &mut BTreeSet<String>, deep: usize) -> String {
    let found = match target(value) {
        Target::Object(name, None) => {
            contents.objects.iter().find(|group| group.title == name && !name.starts_with('"'))
        }
        _ => None,
    };
    match found {
        Some(object) => format!(" → {}", written(object, contents, told, deep)),
        None if matches!(value, "NULL" | "null" | "no value") => format!(" = {value}"),
        None => format!(" → {}", value.strip_prefix('&').unwrap_or(value)),
    }
}

/// `node#1 {key = 3, next → …}`; without its members if they were written before.
fn written(
    object: &Group,
    contents: &Contents,
    told: &mut BTreeSet<String>,
    deep: usize,
) -> String {
    let title = &object.title;
    let gone = match object.kind {
        Kind::Gone => format!(" ({})", gone(title)),
        _ => String::new(),
    };
    if !told.insert(title.clone()) {
        return format!("{title}{gone}");
    }
    if deep == 0 {
        told.remove(title);
        return format!("{title}{gone} {{…}}");
    }
    let parts: Vec<String> =
        object.members.iter().filter_map(|member| one(member, contents, told, deep - 1)).collect();
    match &parts[..] {
        [one] if object.members[0].name.is_empty() => format!("{title}{gone}{one}"),
        parts => format!("{title}{gone} {{{}}}", parts.join(", ")),
    }
}

fn one(
    member: &Member,
    contents: &Contents,
    told: &mut BTreeSet<String>,
    deep: usize,
) -> Option<String> {
    let name = &member.name;
    let values: Vec<&Value> =
        member.values.iter().filter_map(|held| held.before.as_ref()).collect();
    if member.is_array {
        let all: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        let more = if member.more > 0 { ", …" } else { "" };
        return Some(format!("{name} = [{}{more}]", all.join(", ")));
    }
    match values.first()? {
        Value::Name(value) => Some(format!("{name}{}", led(value, contents, told, deep))),
        value => Some(format!("{name} = {value}")),
    }
}

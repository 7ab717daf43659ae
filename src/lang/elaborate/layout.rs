//! The layout of C's structs: which scalars and arrays are in them.

use super::elaborator::Elaborator;
use super::structs::{Layout, Leaf, Member};
use crate::lang::message::{Message, are, at_line, is};
use crate::lang::model::{Scalar, Span};
use crate::lang::syntax::{Field, Handle, StructId, TypeName};

/// Most scalars and arrays in one struct.
const MOST_LEAVES: usize = 512;

impl Elaborator<'_> {
    /// The layout of a struct; `None` if it cannot be modelled, which is reported at `span`.
    pub(super) fn layout(&mut self, id: StructId, span: Span) -> Option<Layout> {
        self.layout_within(id, span, 0)
    }

    fn layout_within(&mut self, id: StructId, span: Span, depth: u32) -> Option<Layout> {
        if let Some(known) = self.layouts.get(&id) {
            return Some(known.clone());
        }
        let structure = self.structs.get(id.0 as usize).cloned()?;
        let Some(fields) = structure.fields else {
            self.refuse_incomplete(&structure.tag, span);
            return None;
        };
        if structure.is_union {
            let message = are("unions").of_memory();
            let hint = "use plain variables: one for each of its members";
            self.diagnostics.error(span, message, hint);
            return None;
        }
        if depth > 32 {
            self.diagnostics.error(span, "structs nest too deeply", "use fewer levels");
            return None;
        }
        let mut layout = Layout::default();
        for field in fields.iter().filter(|f| f.unit.is_none() || !f.name.text.is_empty()) {
            if field.name.text.is_empty() {
                let message = are("members without a name").of_memory();
                self.diagnostics.error(field.span, message, "name them");
                return None;
            }
            let dimensions = self.field_dimensions(field)?;
            let first = layout.leaves.len();
            layout.leaves.extend(self.field_leaves(field, &dimensions, depth)?);
            if layout.leaves.len() > MOST_LEAVES {
                self.diagnostics.error(
                    field.span,
                    format!("more than {MOST_LEAVES} members in one struct"),
                    "use several structs",
                );
                return None;
            }
            let leaves = layout.leaves.len() - first;
            layout.members.push(Member {
                name: field.name.text.clone(),
                type_name: field.type_name,
                dimensions,
                first,
                leaves,
            });
        }
        self.layouts.insert(id, layout.clone());
        Some(layout)
    }

    /// Refuses a struct whose members are not declared, perhaps because it belongs to the library.
    fn refuse_incomplete(&mut self, tag: &str, span: Span) {
        let of_library = matches!(
            tag,
            "tm" | "timespec" | "timeval" | "stat" | "sigaction" | "rusage" | "dirent"
        );
        if of_library {
            let message = Message::from(is(&format!("the library's struct `{tag}`")));
            self.diagnostics.error(span, message, "declare a struct of your own");
        } else {
            let message = Message::from(at_line(&format!("struct `{tag}` has no members here")));
            self.diagnostics.error(span, message, "declare its members before it is used");
        }
    }

    /// The extents of a field; `None` if it cannot be modelled, which is reported.
    fn field_dimensions(&mut self, field: &Field) -> Option<Vec<u32>> {
        if field.pointers > 0 {
            self.diagnostics.error(
                field.span,
                are("pointers in structs").of_memory(),
                "use an index into an array",
            );
            return None;
        }
        let mut dimensions = Vec::new();
        for extent in &field.dimensions {
            let size = match extent {
                Some(e) => self.constant(e, "an array's size")?,
                None => 0,
            };
            if !(1..=4096).contains(&size) {
                let message = format!("array `{}` cannot have {size} elements", field.name.text);
                self.diagnostics.error(field.span, message, "1 to 4096 can be modelled");
                return None;
            }
            dimensions.push(size as u32);
        }
        Some(dimensions)
    }

    /// The leaves that a field with these extents adds; `None` if that was reported.
    fn field_leaves(&mut self, field: &Field, dimensions: &[u32], depth: u32) -> Option<Vec<Leaf>> {
        let name = &field.name.text;
        let scalar = match field.type_name {
            TypeName::Struct(inner) => {
                let inner = self.layout_within(inner, field.span, depth + 1)?;
                let leaf = |leaf: &Leaf| Leaf {
                    path: format!("{name}.{}", leaf.path),
                    scalar: leaf.scalar,
                    dimensions: dimensions.iter().chain(&leaf.dimensions).copied().collect(),
                    room: leaf.room,
                    atomic: leaf.atomic,
                };
                return Some(inner.leaves.iter().map(leaf).collect());
            }
            TypeName::Handle(Handle::Mutex) => Scalar::BOOL,
            TypeName::Poisoned => return None,
            other => match self.scalar(other) {
                Some(scalar) => scalar,
                None => {
                    let message = Message::from(is(&format!("member `{name}` has a type that")));
                    self.diagnostics.error(
                        field.span,
                        message,
                        "members are integers, arrays of them, and structs",
                    );
                    return None;
                }
            },
        };
        let (path, dimensions) = (name.clone(), dimensions.to_vec());
        let room = match field.type_name {
            TypeName::Slot { room, .. } => Some(room),
            _ => None,
        };
        Some(vec![Leaf { path, scalar, dimensions, room, atomic: field.atomic }])
    }
}

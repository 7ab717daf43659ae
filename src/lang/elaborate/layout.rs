//! The layout of C's structs: which scalars and arrays are in them.

use super::elaborator::Elaborator;
use super::structs::{Layout, Leaf, Member};
use crate::lang::model::{Scalar, Span};
use crate::lang::syntax::{Handle, StructId, TypeName};

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
            if matches!(
                structure.tag.as_str(),
                "tm" | "timespec" | "timeval" | "stat" | "sigaction" | "rusage" | "dirent"
            ) {
                let message = format!(
                    "the library's struct `{}` is not modelled: line {}",
                    structure.tag, span.line
                );
                self.diagnostics.error(span, message, "declare a struct of your own");
                return None;
            }
            let message =
                format!("struct `{}` has no members here: line {}", structure.tag, span.line);
            self.diagnostics.error(span, message, "declare its members before it is used");
            return None;
        };
        if depth > 32 {
            self.diagnostics.error(span, "structs nest too deeply", "use fewer levels");
            return None;
        }
        let mut layout = Layout::default();
        for field in &fields {
            if field.pointers > 0 {
                self.diagnostics.error(
                    field.span,
                    format!("pointers in structs are not modelled: line {}", field.span.line),
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
                    let message =
                        format!("array `{}` cannot have {size} elements", field.name.text);
                    self.diagnostics.error(field.span, message, "1 to 4096 can be modelled");
                    return None;
                }
                dimensions.push(size as u32);
            }
            let first = layout.leaves.len();
            match field.type_name {
                TypeName::Struct(inner) => {
                    let inner = self.layout_within(inner, field.span, depth + 1)?;
                    for leaf in &inner.leaves {
                        let extents = dimensions.iter().chain(&leaf.dimensions).copied().collect();
                        let path = format!("{}.{}", field.name.text, leaf.path);
                        layout.leaves.push(Leaf { path, scalar: leaf.scalar, dimensions: extents });
                    }
                }
                TypeName::Handle(Handle::Mutex) => {
                    layout.leaves.push(Leaf {
                        path: field.name.text.clone(),
                        scalar: Scalar::BOOL,
                        dimensions: dimensions.clone(),
                    });
                }
                TypeName::Poisoned => return None,
                other => match self.scalar(other) {
                    Some(scalar) => layout.leaves.push(Leaf {
                        path: field.name.text.clone(),
                        scalar,
                        dimensions: dimensions.clone(),
                    }),
                    None => {
                        let message = format!(
                            "member `{}` has a type that is not modelled: line {}",
                            field.name.text, field.span.line
                        );
                        self.diagnostics.error(
                            field.span,
                            message,
                            "members are integers, arrays of them, and structs",
                        );
                        return None;
                    }
                },
            }
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
}

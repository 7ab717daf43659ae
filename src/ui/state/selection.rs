//! What is selected in source, picture and inspector.

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// 1-based; 0 is none.
    pub(crate) line: u32,
    /// Boxes, by location.
    pub(crate) locations: Vec<u32>,
    /// The statement that the inspector shows.
    pub(crate) statement: Option<u32>,
}

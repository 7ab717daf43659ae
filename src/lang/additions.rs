//! Locations, edges and variables that an analysis adds to a program in order to ask a question
//! about it. All ids of the program stay.

use super::model::{
    Edge, EdgeId, Initial, LocationId, Operation, Origin, Program, Scalar, ScopeId, Span,
    StatementKind, Variable, VariableId, VariableKind,
};

impl Program {
    /// Adds a location of the same procedure, on the same line, as the given one.
    pub fn add_location(&mut self, like: LocationId) -> LocationId {
        self.locations.push(*self.location(like));
        LocationId(self.locations.len() as u32 - 1)
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        self.edges.push(edge);
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Adds a scalar global that starts with 0.
    pub fn add_global(&mut self, name: String, scalar: Scalar) -> VariableId {
        self.variables.push(Variable {
            name,
            scalar,
            dimensions: Vec::new(),
            kind: VariableKind::Global,
            owner: None,
            span: Span::default(),
            initial: Initial::Exactly(vec![0]),
            origin: Origin::Written,
        });
        VariableId(self.variables.len() as u32 - 1)
    }
}

impl Edge {
    /// An edge that is not in the source, has no checks and no choices.
    pub fn added(from: LocationId, to: LocationId, operation: Operation) -> Edge {
        Edge {
            from,
            to,
            checks: Vec::new(),
            operation,
            choices: Vec::new(),
            kind: StatementKind::Hidden,
            outcome: String::new(),
            span: Span::default(),
            text: String::new(),
            scope: ScopeId(0),
        }
    }
}

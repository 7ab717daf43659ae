//! What was answered about statements: which stores reach one, why one is innocent, whether a
//! condition can hold there, which equalities hold; and the naive projection, for comparison.

use crate::ui::state::lookup::Lookup;
use crate::ui::state::shared::Shared;
use crate::util::Limit;
use crate::wire::affine::AffineReport;
use crate::wire::protocol::Inspection;
use crate::wire::stores::QueryAnswer;
use crate::wire::why_not::Why;

/// What was answered about statements.
#[derive(Default)]
pub(crate) struct Questions {
    /// The stores that reach a statement; `None`: nothing is known of them.
    pub(crate) inspections: Lookup<u32, Option<Inspection>>,
    /// Why a statement is innocent, or which limit kept the answer.
    pub(crate) whys: Lookup<u32, Result<Why, Option<Limit>>>,
    /// Can a condition hold at a statement?
    pub(crate) queries: Lookup<(u32, String), QueryAnswer>,
    /// Statements that only the naive projection keeps; `None`: a limit was hit.
    pub(crate) naive: Lookup<(), Option<Vec<u32>>>,
    /// Affine equalities, modulo 2^w or over the integers; `None`: nothing could be asked.
    pub(crate) equalities: Lookup<Option<u32>, Option<Shared<AffineReport>>>,
}

impl Questions {
    /// Nothing that is known holds any more.
    pub(super) fn forget(&mut self) {
        *self = Questions::default();
    }

    /// The worker is gone, or reads the program anew.
    pub(super) fn lose_worker(&mut self) {
        self.inspections.lose_worker();
        self.whys.lose_worker();
        self.queries.lose_worker();
        self.naive.lose_worker();
        self.equalities.forget();
    }

    /// Is the worker perhaps busy with an answer that needs the projection?
    pub(super) fn compares(&self) -> bool {
        self.whys.is_busy() || self.naive.is_busy() || self.queries.is_busy()
    }
}

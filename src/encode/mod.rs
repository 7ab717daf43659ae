//! Programs as weighted pushdown systems over decision diagrams.
//!
//! There is one control location, one stack symbol for each program location, and one for each
//! error. All data is in the weights. Every bit of every variable has three decision levels, next
//! to each other:
//!
//! | copy | in post\* weights | in pre\* weights |
//! | --- | --- | --- |
//! | [`Copy::Entry`] | the store in which the frame was entered | the store now |
//! | [`Copy::Middle`] | between two extends | between two extends |
//! | [`Copy::Now`] | the store now | the store in which the frame is left |
//!
//! A frame keeps an entry copy only of what its procedure may change (`Frame::tracked`): for the
//! rest, entry and now are the same.

mod acceleration;
pub mod affine;
mod affinity;
mod arrangement;
mod call;
mod concretize;
mod contexts;
mod effect;
mod expression;
mod frame;
mod history;
mod layout;
mod meeting;
mod on_demand;
mod program_domain;
mod program_system;
mod raw_question;
mod raw_system;
mod raw_weights;
mod relations;
mod shared;
mod stored;

pub use crate::util::AccelerateLoops;
pub use call::CallSite;
pub use concretize::Valuation;
pub use expression::Encoder;
pub use frame::Frame;
pub use history::{History, shared_globals};
pub use layout::{Cell, Copy, Layout};
pub use program_domain::ProgramDomain;
pub use program_system::{CONTROL, ErrorSite, ProgramSystem, RuleRole, symbol};
pub use raw_question::{RawQuestion, RawRole};
pub use raw_system::{configurations, pushdown_system};
pub use raw_weights::{
    RawAffine, RawConstants, RawDomain, RawRelations, RawStores, copied, raw_domain,
};
pub use relations::{CallRelation, Relations, StepRelation};
pub use shared::Shared;
pub use stored::Stored;

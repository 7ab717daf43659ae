//! Weighted pushdown systems: rules, automata over configurations, pre\* and post\*.
//!
//! | notation | here |
//! | --- | --- |
//! | ⟨p, γ⟩ ↪ ⟨p', w⟩ | [`Rule`] with [`Right`] |
//! | p, γ | [`ControlLocation`], [`StackSymbol`] |
//! | automaton over configurations | [`PAutomaton`]; its first states are the control locations |
//! | post\*(S), pre\*(T) | [`PostStar`], [`PreStar`]; the textbook versions are in [`textbook`] |
//! | post\* in the order of lengths | [`RankedPostStar`] |
//! | A_b ⊓ A_f, by functional weights | [`FunctionalSummary`] |
//! | runs read off unweighted saturations | [`derive_forward`], [`derive_backward`]; a shortest one: [`derive_shortest`] |
//! | configurations that two unweighted automata have in common | [`Product`] |
//! | derivations of a transition's weight | [`Recording`] of a watched saturation ([`Observer`]), [`Witness`] |
//! | A1(c) ⊗ A2(c), by tensors | [`sequential_product`] |
//! | the direction in which weights are extended | [`Read`] in [`Forward`] or [`Backward`] |
//! | A(C) with paths | [`read_set`] |
//! | weights, merge for callers' locals | [`Weights`] with [`ForwardWeights`] and [`BackwardWeights`]; [`Plain`] has those of any semiring, [`Locals`] of any with merge |

mod automaton;
mod derivation;
mod direction;
mod grouped;
mod history;
mod intersection;
mod locals;
mod observer;
mod plain;
mod poststar;
mod prestar;
mod product;
mod ranked;
mod reading;
mod recording;
mod regular;
mod saturation;
mod sequential;
mod shortest_derivation;
mod system;
pub mod textbook;
pub mod transducer;
mod weights;
mod witness;
mod worklist;

pub use automaton::{PAutomaton, State, Transition};
pub use derivation::{Derived, derive_backward, derive_forward};
pub use direction::{Backward, Forward, Read};
pub use history::{Entry, History};
pub use intersection::{FunctionalSummary, Functionals};
pub use locals::Locals;
pub use observer::{Derivation, Observer, Premise};
pub use plain::Plain;
pub use poststar::PostStar;
pub use prestar::PreStar;
pub use product::{Common, Product};
pub use ranked::{
    Caller, EntrySets, FrameMove, FramePosition, Layer, PendingCall, RankedFrame, RankedPostStar,
    RankedPostStarBuilder, RequiredMove, SearchGoal, SearchNode, Summary,
};
pub use reading::{ReadPath, SetReading, read_set};
pub use recording::{Part, RecordedStep, Recording, Star, Version};
pub use regular::{StackAutomaton, path_summary, read_backward, read_forward};
pub use saturation::Saturation;
pub use sequential::sequential_product;
pub use shortest_derivation::derive_shortest;
pub use system::{ControlLocation, Pds, Right, Rule, RuleId, StackSymbol};
pub use weights::{BackwardWeights, Compose, ForwardWeights, Weights};
pub use witness::{RuleSequence, Witness, WitnessNode};

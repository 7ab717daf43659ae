//! A run, of either machine: points of Java are numbered as those of C are.

use faultline_c::machine::{Fault, Limit, Piece, Remark};
use faultline_c::tree::PointId;
use faultline_java::machine as java;
pub use faultline_java::machine::Uncaught;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exited(i32),
    /// By a fault at this point.
    Fault(Fault, PointId),
    /// By an exception that nothing caught, thrown at this point.
    Uncaught(Uncaught, PointId),
    /// Never: a state came back in which nothing was read since. The loop is at this point.
    Endless(PointId),
    /// Not within the limits.
    Limit(Limit, PointId),
    /// What the library does at this point is not known: its name.
    NotKnown(&'static str, PointId),
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub output: Vec<u8>,
    /// Who printed what.
    pub pieces: Vec<Piece>,
    /// How often each point was passed.
    pub passed: Vec<u32>,
    /// The point that was passed last.
    pub last: PointId,
    /// Remarks, each kind at a point once, in order.
    pub remarks: Vec<(Remark, PointId)>,
    /// How many bytes of the input were read.
    pub read: u32,
    /// Operations.
    pub steps: u64,
}

impl Run {
    /// The point that printed the byte at this place of the output.
    pub fn printed(&self, byte: usize) -> Option<PointId> {
        let k = self.pieces.partition_point(|piece| piece.end as usize <= byte);
        self.pieces.get(k).map(|piece| piece.point)
    }
}

impl From<faultline_c::machine::Run> for Run {
    fn from(run: faultline_c::machine::Run) -> Run {
        use faultline_c::machine::End as Own;
        Run {
            end: match run.end {
                Own::Exited(code) => End::Exited(code),
                Own::Fault(fault, point) => End::Fault(fault, point),
                Own::Endless(point) => End::Endless(point),
                Own::Limit(limit, point) => End::Limit(limit, point),
            },
            output: run.output,
            pieces: run.pieces,
            passed: run.passed,
            last: run.last,
            remarks: run.remarks,
            read: run.read,
            steps: run.steps,
        }
    }
}

fn point(point: java::PointId) -> PointId {
    PointId(point.0)
}

impl From<java::Run> for Run {
    fn from(run: java::Run) -> Run {
        let limit = |limit| match limit {
            java::Limit::Steps => Limit::Steps,
            java::Limit::Memory => Limit::Memory,
            java::Limit::Output => Limit::Output,
        };
        let piece = |piece: &java::Piece| Piece { end: piece.end, point: point(piece.point) };
        Run {
            end: match run.end {
                java::End::Exited(code) => End::Exited(code),
                java::End::Uncaught(what, at) => End::Uncaught(what, point(at)),
                java::End::Endless(at) => End::Endless(point(at)),
                java::End::Limit(which, at) => End::Limit(limit(which), point(at)),
                java::End::NotKnown(what, at) => End::NotKnown(what, point(at)),
            },
            output: run.output,
            pieces: run.pieces.iter().map(piece).collect(),
            passed: run.passed,
            last: point(run.last),
            remarks: Vec::new(),
            read: run.read,
            steps: run.steps,
        }
    }
}

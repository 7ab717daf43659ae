//! What of a large graph is shown: procedures and straight chains fold into one box each.
//!
//! A *chain* is a longest row of at least three plain statements or assertions in which each is the
//! only one before the next. Calls and conditions stay visible: they are the shape of the program.
//! Folding is plain data on plain data, so the page folds by itself and has laid out only what is
//! shown.

use crate::wire::graph::{BoxKind, Graph, GraphBox};
use crate::wire::graph::{Folding, Scope};
use std::collections::{BTreeMap, BTreeSet};

/// Above so many boxes, the call graph comes first and chains are folded.
pub const LARGE: usize = 300;
/// Above so many boxes, the whole program is not offered in one picture if it has several
/// procedures.
pub const WHOLE: usize = 1_000;
/// Fewest boxes that are worth a fold.
const LEAST_CHAIN: usize = 3;

impl Folding {
    /// How a program is shown at first.
    pub fn of(graph: &Graph) -> Folding {
        let large = graph.boxes.len() > LARGE;
        let scope = if large && graph.clusters.len() > 1 { Scope::Calls } else { Scope::Program };
        Folding { scope, chains: large, ..Folding::default() }
    }

    /// The same for a program that was edited: what no longer makes sense is dropped.
    pub fn after_edit(self, old: &Graph, new: &Graph) -> Folding {
        let large = |graph: &Graph| graph.boxes.len() > LARGE;
        let gone = matches!(&self.scope, Scope::Procedure(name) if new.clusters.iter().all(|c| c.name != *name));
        if old.boxes.is_empty() || large(old) != large(new) || gone {
            return Folding::of(new);
        }
        Folding { exceptions: BTreeSet::new(), ..self }
    }

    /// Folds a chain that is unfolded, or the other way round.
    pub fn toggle_chain(&mut self, head: u32) {
        if !self.exceptions.remove(&head) {
            self.exceptions.insert(head);
        }
    }

    fn folds_chain(&self, head: u32) -> bool {
        self.chains != self.exceptions.contains(&head)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Open,
    Folded,
    Hidden,
}

/// The graph that is shown, without places. Its clusters are all of the graph's, those without a
/// frame marked so.
pub fn fold(graph: &Graph, folding: &Folding) -> Graph {
    let shown = shown(graph, folding);
    // By position: the number of the box that stands for it.
    let mut stand_in: Vec<Option<u32>> = vec![None; graph.boxes.len()];
    let mut boxes: BTreeMap<u32, GraphBox> = BTreeMap::new();
    for chain in chains(graph) {
        let head = &graph.boxes[chain[0]];
        if shown[head.cluster as usize] != Shown::Open {
            continue;
        }
        if folding.folds_chain(head.id) {
            chain.iter().for_each(|i| stand_in[*i] = Some(head.id));
            boxes.insert(head.id, chain_box(graph, &chain));
        } else {
            stand_in[chain[0]] = Some(head.id);
            boxes.insert(head.id, GraphBox { heads_chain: true, ..head.clone() });
        }
    }
    let mut first_of: BTreeMap<u32, u32> = BTreeMap::new();
    for (i, b) in graph.boxes.iter().enumerate() {
        match shown[b.cluster as usize] {
            Shown::Hidden => {}
            Shown::Open if stand_in[i].is_some() => {}
            Shown::Open => {
                stand_in[i] = Some(b.id);
                boxes.insert(b.id, b.clone());
            }
            Shown::Folded => {
                let first = *first_of.entry(b.cluster).or_insert(b.id);
                stand_in[i] = Some(first);
                let folded = boxes.entry(first).or_insert_with(|| procedure_box(graph, b));
                folded.statements.extend(&b.statements);
                folded.stands_for.push(b.id);
            }
        }
    }
    let mut picture = Graph {
        clusters: graph.clusters.clone(),
        boxes: boxes.into_values().collect(),
        ..Graph::default()
    };
    for (cluster, shown) in picture.clusters.iter_mut().zip(&shown) {
        cluster.frameless = *shown != Shown::Open;
    }
    arrows(graph, folding, &stand_in, &mut picture);
    picture
}

fn arrows(graph: &Graph, folding: &Folding, stand_in: &[Option<u32>], picture: &mut Graph) {
    let whole = BoxPositions::new(graph);
    let small = BoxPositions::new(picture);
    let mut merged: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for arrow in &graph.arrows {
        let (Some(from), Some(to)) = (whole.find(arrow.from), whole.find(arrow.to)) else {
            continue;
        };
        let (Some(source), Some(target)) = (stand_in[from], stand_in[to]) else { continue };
        let kind = |id: u32| small.find(id).map(|i| picture.boxes[i].kind);
        let (source_kind, target_kind) = (kind(source), kind(target));
        let procedure =
            source_kind == Some(BoxKind::Procedure) || target_kind == Some(BoxKind::Procedure);
        // Inside a folded box nothing is drawn, except a loop from a chain's last box to its first,
        // and recursion.
        let inside = match source_kind {
            Some(BoxKind::Chain) => arrow.to != source,
            Some(BoxKind::Procedure) => !arrow.call,
            _ => false,
        };
        if source == target && inside {
            continue;
        }
        // Beside one open procedure, its callers and callees: what they call among themselves would
        // be noise.
        let open = |kind: Option<BoxKind>| kind != Some(BoxKind::Procedure);
        if matches!(folding.scope, Scope::Procedure(_)) && !open(source_kind) && !open(target_kind)
        {
            continue;
        }
        let mut drawn = arrow.clone();
        (drawn.from, drawn.to) = (source, target);
        if !procedure {
            picture.arrows.push(drawn);
            continue;
        }
        match merged.get(&(source, target)) {
            Some(first) => picture.arrows[*first].also.push(arrow.statement),
            None => {
                merged.insert((source, target), picture.arrows.len());
                picture.arrows.push(drawn);
            }
        }
    }
}

/// Position of each box by its number.
struct BoxPositions(Vec<Option<u32>>);

impl BoxPositions {
    fn new(graph: &Graph) -> BoxPositions {
        let mut positions =
            vec![None; graph.boxes.iter().map(|b| b.id as usize + 1).max().unwrap_or(0)];
        for (i, b) in graph.boxes.iter().enumerate() {
            positions[b.id as usize] = Some(i as u32);
        }
        BoxPositions(positions)
    }
    fn find(&self, id: u32) -> Option<usize> {
        self.0.get(id as usize).copied().flatten().map(|i| i as usize)
    }
}

fn shown(graph: &Graph, folding: &Folding) -> Vec<Shown> {
    let focus = match &folding.scope {
        Scope::Calls => return vec![Shown::Folded; graph.clusters.len()],
        Scope::Program => {
            let folded = |name: &String| {
                if folding.procedures.contains(name) { Shown::Folded } else { Shown::Open }
            };
            return graph.clusters.iter().map(|c| folded(&c.name)).collect();
        }
        Scope::Procedure(name) => graph.clusters.iter().position(|c| c.name == *name),
    };
    let Some(focus) = focus else { return vec![Shown::Open; graph.clusters.len()] };
    let mut shown = vec![Shown::Hidden; graph.clusters.len()];
    let positions = BoxPositions::new(graph);
    for arrow in graph.arrows.iter().filter(|a| a.call) {
        let owner = |id| positions.find(id).map(|i| graph.boxes[i].cluster as usize);
        if let (Some(caller), Some(callee)) = (owner(arrow.from), owner(arrow.to))
            && (caller == focus || callee == focus)
        {
            (shown[caller], shown[callee]) = (Shown::Folded, Shown::Folded);
        }
    }
    shown[focus] = Shown::Open;
    shown
}

fn chain_box(graph: &Graph, chain: &[usize]) -> GraphBox {
    const SHOWN: usize = 22;
    let head = &graph.boxes[chain[0]];
    let mut label: String = head.label.chars().take(SHOWN).collect();
    if head.label.chars().count() > SHOWN {
        label.push('…');
    }
    GraphBox {
        label: format!("{label}  +{}", chain.len() - 1),
        kind: BoxKind::Chain,
        statements: chain.iter().flat_map(|i| graph.boxes[*i].statements.clone()).collect(),
        stands_for: chain.iter().map(|i| graph.boxes[*i].id).collect(),
        ..head.clone()
    }
}

/// Stands for nothing yet.
fn procedure_box(graph: &Graph, first: &GraphBox) -> GraphBox {
    let cluster = &graph.clusters[first.cluster as usize];
    GraphBox {
        label: cluster.name.clone(),
        line: cluster.line,
        kind: BoxKind::Procedure,
        statements: Vec::new(),
        stands_for: Vec::new(),
        ..first.clone()
    }
}

/// All chains, as positions of boxes, in order.
pub fn chains(graph: &Graph) -> Vec<Vec<usize>> {
    let count = graph.boxes.len();
    let positions = BoxPositions::new(graph);
    let mut next: Vec<Option<usize>> = vec![None; count];
    let (mut leaving, mut arriving) = (vec![0u32; count], vec![0u32; count]);
    for arrow in &graph.arrows {
        let (Some(from), Some(to)) = (positions.find(arrow.from), positions.find(arrow.to)) else {
            continue;
        };
        if arrow.call {
            // An entry starts a chain at most.
            arriving[to] = arriving[to].saturating_add(2);
        } else {
            leaving[from] += 1;
            arriving[to] = arriving[to].saturating_add(1);
            next[from] = Some(to);
        }
    }
    let plain = |i: usize| matches!(graph.boxes[i].kind, BoxKind::Statement | BoxKind::Assertion);
    let follower = |i: usize| {
        let to = next[i].filter(|_| leaving[i] == 1 && plain(i))?;
        (to != i && plain(to) && arriving[to] == 1).then_some(to)
    };
    let mut follows = vec![false; count];
    (0..count).filter_map(follower).for_each(|to| follows[to] = true);
    let from_head = |head: usize| {
        let mut chain = vec![head];
        let mut last = head;
        while let Some(to) = follower(last) {
            chain.push(to);
            last = to;
        }
        chain
    };
    // A ring without an entrance has no head, so this ends.
    (0..count)
        .filter(|i| !follows[*i])
        .map(from_head)
        .filter(|chain| chain.len() >= LEAST_CHAIN)
        .collect()
}

/// The first box of the folded chain that hides this box.
pub fn hidden_in_chain(graph: &Graph, folding: &Folding, id: u32) -> Option<u32> {
    let position = graph.boxes.binary_search_by_key(&id, |b| b.id).ok()?;
    let chain = chains(graph).into_iter().find(|chain| chain.contains(&position))?;
    let head = graph.boxes[chain[0]].id;
    folding.folds_chain(head).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::layout::layout;
    use crate::session::Session;
    use crate::wire::options::RequestedOptions;

    /// main: three assignments, a branch, a call of f twice; f: four assignments in a loop, a
    /// recursive call.
    const PROGRAM: &str = "int x, y;
void main() {
  x = 1;
  y = 2;
  x = y;
  if (*)
    f();
  f();
  assert(x == 0);
}
void f() {
  while (*) {
    x = 1;
    y = 1;
    x = 2;
    y = 2;
  }
  if (*) f();
}
";

    fn example() -> Graph {
        let (session, found) = Session::load(PROGRAM, &RequestedOptions::default());
        assert!(found.is_empty(), "{found:?}");
        crate::report::graph(&session)
    }

    fn labels(graph: &Graph) -> Vec<&str> {
        graph.boxes.iter().map(|b| b.label.as_str()).collect()
    }

    #[test]
    fn nothing_folded_is_the_graph_itself() {
        let graph = example();
        let mut shown = fold(&graph, &Folding::of(&graph));
        assert_eq!(
            shown.boxes.iter().filter(|b| b.heads_chain).map(|b| b.line).collect::<Vec<_>>(),
            [3, 13]
        );
        shown.boxes.iter_mut().for_each(|b| b.heads_chain = false);
        assert_eq!(shown, graph);
    }

    #[test]
    fn chains_fold_and_keep_their_loop() {
        let graph = example();
        let folding = Folding { chains: true, ..Folding::default() };
        let shown = fold(&graph, &folding);
        let chains: Vec<&GraphBox> =
            shown.boxes.iter().filter(|b| b.kind == BoxKind::Chain).collect();
        assert_eq!(
            chains.iter().map(|b| b.label.as_str()).collect::<Vec<_>>(),
            ["x = 1  +2", "x = 1  +3"]
        );
        assert_eq!(chains[1].stands_for.len(), 4);
        // Each chain is left once, and entered once unless the program starts there.
        for (chain, entered) in chains.iter().zip([0, 1]) {
            assert_eq!(
                shown.arrows.iter().filter(|a| a.to == chain.id).count(),
                entered,
                "{}",
                chain.label
            );
            assert_eq!(
                shown.arrows.iter().filter(|a| a.from == chain.id).count(),
                1,
                "{}",
                chain.label
            );
        }
        let hidden = graph.boxes.iter().find(|b| b.line == 4).expect("line 4 has a box");
        assert_eq!(hidden_in_chain(&graph, &folding, hidden.id), Some(chains[0].id));
        let mut unfolded = folding.clone();
        unfolded.toggle_chain(chains[0].id);
        assert_eq!(hidden_in_chain(&graph, &unfolded, hidden.id), None);
        assert!(labels(&fold(&graph, &unfolded)).contains(&"y = 2"));
        unfolded.toggle_chain(chains[0].id);
        assert_eq!(unfolded, folding);
    }

    #[test]
    fn the_call_graph_has_a_box_for_each_procedure() {
        let graph = example();
        let mut shown = fold(&graph, &Folding { scope: Scope::Calls, ..Folding::default() });
        assert_eq!(labels(&shown), ["main", "f"]);
        let calls: Vec<(u32, u32, usize)> =
            shown.arrows.iter().map(|a| (a.from, a.to, 1 + a.also.len())).collect();
        let (main, f) = (shown.boxes[0].id, shown.boxes[1].id);
        assert_eq!(calls, [(main, f, 2), (f, f, 1)]);
        let all: usize = shown.boxes.iter().map(|b| b.stands_for.len()).sum();
        assert_eq!(all, graph.boxes.len());
        let statements: usize = shown.boxes.iter().map(|b| b.statements.len()).sum();
        assert_eq!(statements, graph.boxes.iter().map(|b| b.statements.len()).sum::<usize>());
        layout(&mut shown);
        assert!(
            shown.boxes[0].place.x + shown.boxes[0].place.width <= shown.boxes[1].place.x,
            "a caller stands before its callee"
        );
    }

    #[test]
    fn one_procedure_with_its_neighbours() {
        let graph = example();
        let mut shown =
            fold(&graph, &Folding { scope: Scope::Procedure("main".into()), ..Folding::default() });
        assert_eq!(
            shown
                .boxes
                .iter()
                .filter(|b| b.kind == BoxKind::Procedure)
                .map(|b| b.label.as_str())
                .collect::<Vec<_>>(),
            ["f"]
        );
        assert_eq!(shown.arrows.iter().filter(|a| a.call).count(), 2, "one from each call of main");
        layout(&mut shown);
        let f = shown.boxes.iter().find(|b| b.kind == BoxKind::Procedure).expect("f is there");
        let main = shown.clusters[0].place;
        assert!(f.place.x >= main.x + main.width, "callees stand on the right");
        let gone = Folding { scope: Scope::Procedure("g".into()), ..Folding::default() };
        assert_eq!(fold(&graph, &gone).boxes.len(), graph.boxes.len());
        assert_eq!(gone.after_edit(&graph, &graph), Folding::of(&graph));
    }

    #[test]
    fn a_folded_procedure_among_open_ones() {
        let graph = example();
        let folding = Folding { procedures: ["f".to_string()].into(), ..Folding::default() };
        let mut shown = fold(&graph, &folding);
        layout(&mut shown);
        assert!(shown.boxes.iter().all(|b| b.kind == BoxKind::Procedure || b.cluster == 0));
        assert!(shown.clusters[1].frameless && !shown.clusters[0].frameless);
        assert!(shown.arrows.iter().all(|a| a.points.len() >= 2));
    }
}

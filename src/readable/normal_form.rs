//! Predicates as a disjunction of conjunctions of few atoms, and the dual.
//!
//! The atoms are chosen as a decision tree's tests are (by Gini impurity; Breiman, Friedman,
//! Olshen, Stone 1984), but the same for all leaves. Some combinations of atoms occur in no store.
//! They are no leaves, and the formula may have any value there. `boolean_expression` merges the
//! leaves to cubes. Then each cube loses the literals that it does not need, and the cover loses
//! the cubes that it does not need.

use boolean_expression::Expr;

use super::MAX_CASES;
use super::atoms::Atoms;
use super::conjunction::{implied, negation};
use super::formula::{Formula, Literal};
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;
use crate::util::order::sort_by_key;

/// The most atoms of a formula.
const MAX_ATOMS: usize = 12;
/// The most leaves of the tree.
const MAX_LEAVES: usize = 256;

/// A conjunction of literals: (atom, polarity).
type Cube = Vec<(usize, bool)>;

/// A disjunction of cubes, or a conjunction of an implied part with a disjunction, whichever is
/// shorter.
pub(super) fn disjunctive(
    manager: &mut Manager,
    predicate: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    let (common, universe) = implied(manager, predicate, atoms)?;
    let plain = cases_within(manager, predicate, Bdd::TRUE, atoms)?;
    if common.is_empty() {
        return Ok(plain);
    }
    let factored = match cases_within(manager, predicate, universe, atoms)? {
        Some(cases) => Some(with_common(manager, predicate, common, cases)?),
        None => None,
    };
    Ok(factored.into_iter().chain(plain).min_by_key(Formula::length))
}

/// A disjunction of cubes that holds everywhere in `inside` and nowhere in `outside`, or the dual.
pub(super) fn between(
    manager: &mut Manager,
    inside: Bdd,
    outside: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    let universe = manager.or(inside, outside)?;
    let direct = cases_within(manager, inside, universe, atoms)?;
    let dual =
        cases_within(manager, outside, universe, atoms)?.map(|formula| negated(formula, atoms));
    Ok(direct.into_iter().chain(dual).min_by_key(Formula::length))
}

/// The disjunction of cubes that equals the predicate wherever `universe` holds.
fn cases_within(
    manager: &mut Manager,
    predicate: Bdd,
    universe: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    let conjunction = |cube: &Cube| {
        Formula::and(cube.iter().map(|l| Formula::Literal(literal(atoms, *l).clone())).collect())
    };
    Ok(cover(manager, predicate, universe, atoms)?
        .map(|cubes| Formula::or(cubes.iter().map(conjunction).collect())))
}

/// The common literals and the cases, without literals that the cases already imply.
fn with_common(
    manager: &mut Manager,
    predicate: Bdd,
    common: Vec<Literal>,
    cases: Formula,
) -> Bounded<Formula> {
    let diagram = cases.diagram(manager)?;
    let mut common = common;
    let mut k = 0;
    while k < common.len() {
        let rest: Vec<Bdd> = common
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != k)
            .map(|(_, l)| l.holds)
            .collect();
        let rest = manager.and_all(&rest)?;
        if manager.and(rest, diagram)? == predicate {
            common.remove(k);
        } else {
            k += 1;
        }
    }
    let mut parts: Vec<Formula> = common.into_iter().map(Formula::Literal).collect();
    parts.push(cases);
    Ok(Formula::and(parts))
}

/// The negation of the complement's disjunctive form.
pub(super) fn conjunctive(
    manager: &mut Manager,
    predicate: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    Ok(disjunctive(manager, !predicate, atoms)?.map(|formula| negated(formula, atoms)))
}

fn negated(formula: Formula, atoms: &Atoms) -> Formula {
    match formula {
        Formula::Literal(literal) => Formula::Literal(negation(&literal, atoms)),
        Formula::And(parts) => {
            Formula::or(parts.into_iter().map(|part| negated(part, atoms)).collect())
        }
        Formula::Or(parts) => {
            Formula::and(parts.into_iter().map(|part| negated(part, atoms)).collect())
        }
    }
}

fn literal(atoms: &Atoms, (atom, polarity): (usize, bool)) -> &Literal {
    if polarity { &atoms.positive[atom] } else { &atoms.negative[atom] }
}

/// Cubes whose union equals the predicate wherever `universe` holds.
fn cover(
    manager: &mut Manager,
    predicate: Bdd,
    universe: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Vec<Cube>>> {
    let Some(chosen) = choose(manager, predicate, universe, atoms)? else { return Ok(None) };
    let expression = decide(manager, predicate, universe, atoms, &chosen)?.simplify_via_bdd();
    let mut cubes = Vec::new();
    if !to_cubes(&expression, &mut cubes) || cubes.len() > 4 * MAX_CASES {
        return Ok(None);
    }
    for cube in &mut cubes {
        cube.sort_unstable();
        widen(manager, predicate, universe, atoms, cube)?;
    }
    cubes.sort_unstable();
    cubes.dedup();
    thin(manager, predicate, universe, atoms, &mut cubes)?;
    Ok((cubes.len() <= MAX_CASES).then_some(cubes))
}

/// An atom that could be chosen next.
struct Choice {
    /// The impurity and the number of the cells that stay mixed, and the length of the text. The
    /// least score is best.
    score: (f64, usize, usize),
    atom: usize,
    mixed: Vec<Bdd>,
}

/// At most twelve atoms that decide the predicate within the universe, the most useful ones first.
fn choose(
    manager: &mut Manager,
    predicate: Bdd,
    universe: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Vec<usize>>> {
    let mut chosen = Vec::new();
    let mut mixed = vec![universe];
    while !mixed.is_empty() {
        if chosen.len() == MAX_ATOMS || mixed.len() > MAX_LEAVES {
            return Ok(None);
        }
        let before = impurity(manager, predicate, &mixed)?;
        let mut best: Option<Choice> = None;
        for (k, atom) in atoms.positive.iter().enumerate().filter(|(k, _)| !chosen.contains(k)) {
            let mut after = Vec::new();
            for cell in &mixed {
                for part in
                    [manager.and(*cell, atom.holds)?, manager.difference(*cell, atom.holds)?]
                {
                    if !manager.is_subset(part, predicate)? && !manager.disjoint(part, predicate)? {
                        after.push(part);
                    }
                }
            }
            let impurity = impurity(manager, predicate, &after)?;
            let choice = Choice {
                score: (impurity, after.len(), atom.text.chars().count()),
                atom: k,
                mixed: after,
            };
            let helps = (impurity, choice.mixed.len()) < (before, mixed.len());
            if helps && best.as_ref().is_none_or(|best| choice.score < best.score) {
                best = Some(choice);
            }
        }
        let Some(best) = best else { return Ok(None) };
        chosen.push(best.atom);
        mixed = best.mixed;
    }
    Ok(Some(chosen))
}

/// Gini impurity of the cells, weighted by their shares of all stores.
fn impurity(manager: &mut Manager, predicate: Bdd, cells: &[Bdd]) -> Bounded<f64> {
    let mut sum = 0.0;
    for cell in cells {
        let (inside, outside) =
            (manager.and(*cell, predicate)?, manager.difference(*cell, predicate)?);
        let (inside, outside) = (manager.density(inside)?, manager.density(outside)?);
        sum += if inside > 0.0 { inside * (outside / (inside + outside)) } else { 0.0 };
    }
    Ok(sum)
}

/// The predicate as a decision tree over the chosen atoms. A combination of atoms that no store has
/// takes the other branch.
fn decide(
    manager: &mut Manager,
    predicate: Bdd,
    cell: Bdd,
    atoms: &Atoms,
    chosen: &[usize],
) -> Bounded<Expr<usize>> {
    if manager.is_subset(cell, predicate)? {
        return Ok(Expr::Const(true));
    }
    if manager.disjoint(cell, predicate)? {
        return Ok(Expr::Const(false));
    }
    let (atom, rest) = chosen.split_first().expect("the chosen atoms decide the predicate");
    let holds = atoms.positive[*atom].holds;
    let (yes, no) = (manager.and(cell, holds)?, manager.difference(cell, holds)?);
    if yes.is_false() || no.is_false() {
        return decide(manager, predicate, cell, atoms, rest);
    }
    let test = Expr::Terminal(*atom);
    let (yes, no) = (
        decide(manager, predicate, yes, atoms, rest)?,
        decide(manager, predicate, no, atoms, rest)?,
    );
    Ok(Expr::or(Expr::and(test.clone(), yes), Expr::and(Expr::not(test), no)))
}

/// Reads the cubes of a disjunction of conjunctions. Returns false if the expression has another
/// form.
fn to_cubes(expression: &Expr<usize>, cubes: &mut Vec<Cube>) -> bool {
    match expression {
        Expr::Const(false) => true,
        Expr::Or(left, right) => to_cubes(left, cubes) && to_cubes(right, cubes),
        other => {
            let mut cube = Cube::new();
            let conjunction = to_literals(other, &mut cube);
            cubes.push(cube);
            conjunction
        }
    }
}

fn to_literals(expression: &Expr<usize>, cube: &mut Cube) -> bool {
    match expression {
        Expr::Const(value) => *value,
        Expr::Terminal(atom) => {
            cube.push((*atom, true));
            true
        }
        Expr::Not(inner) => match **inner {
            Expr::Terminal(atom) => {
                cube.push((atom, false));
                true
            }
            _ => false,
        },
        Expr::And(left, right) => to_literals(left, cube) && to_literals(right, cube),
        Expr::Or(..) => false,
    }
}

/// The stores of the universe in a cube.
fn stores(
    manager: &mut Manager,
    universe: Bdd,
    atoms: &Atoms,
    cube: &[(usize, bool)],
) -> Bounded<Bdd> {
    cube.iter().try_fold(universe, |all, l| manager.and(all, literal(atoms, *l).holds))
}

/// Removes literals, the longest first, as long as the cube stays inside the predicate.
fn widen(
    manager: &mut Manager,
    predicate: Bdd,
    universe: Bdd,
    atoms: &Atoms,
    cube: &mut Cube,
) -> Bounded<()> {
    let mut order = cube.clone();
    sort_by_key(&mut order, |l| std::cmp::Reverse(literal(atoms, *l).text.chars().count()));
    for candidate in order {
        let without: Cube = cube.iter().copied().filter(|l| *l != candidate).collect();
        let wider = stores(manager, universe, atoms, &without)?;
        if manager.is_subset(wider, predicate)? {
            *cube = without;
        }
    }
    Ok(())
}

/// Removes cubes, the longest first, as long as the cover stays complete.
fn thin(
    manager: &mut Manager,
    predicate: Bdd,
    universe: Bdd,
    atoms: &Atoms,
    cubes: &mut Vec<Cube>,
) -> Bounded<()> {
    let mut order = cubes.clone();
    sort_by_key(&mut order, |cube| {
        std::cmp::Reverse(
            cube.iter().map(|l| literal(atoms, *l).text.chars().count()).sum::<usize>(),
        )
    });
    for candidate in order {
        let without: Vec<Cube> = cubes.iter().filter(|cube| **cube != candidate).cloned().collect();
        let parts = without
            .iter()
            .map(|cube| stores(manager, universe, atoms, cube))
            .collect::<Bounded<Vec<Bdd>>>()?;
        let union = manager.or_all(&parts)?;
        if manager.is_subset(predicate, union)? {
            *cubes = without;
        }
    }
    Ok(())
}

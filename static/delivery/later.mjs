// Which functions of the engine come later: those that the first answer about a program in C or
// Cimple does not need, unless it is a C program whose pointers need a memory of their own.
//
// The list names the doors: modules through which everything goes that is to come later. What only
// they call comes later as well (`split.mjs`). What a first run calls must not be on the list: that
// run would fetch the rest, which a test of the page notices (`tests/browser/cases/parts.mjs`).

/** Beginnings of functions' paths, without the crate's name. */
const DOORS = [
  // The tabs Refinement, Explain, Tests, Threads, Liveness and Lab, and the page's question for
  // affine equalities.
  "worker::tasks::explain::",
  "worker::tasks::liveness::",
  "worker::tasks::refinement::",
  "worker::tasks::testing::",
  "worker::tasks::threads::",
  "session::affine::",
  "session::cegar::",
  "session::explain::",
  "session::focus::",
  "session::lab::",
  "session::liveness::",
  "session::localize::",
  "session::repair::",
  "session::schedule::",
  "session::suspects::",
  "session::threads::",
  "analysis::affine",
  "analysis::cegar::",
  "analysis::focus::",
  "analysis::interfaces::",
  "analysis::liveness::",
  "analysis::threads::",
  "encode::affine::",
  "semiring::affine::",
  "report::affine::",
  "report::bounded::",
  "report::build_threads::",
  "report::interleaved_run::",
  "report::schedule::",
  "report::threads_explained::",
  "report::unrolling::",
  "draw::explained_html::",
  "report::cegar",
  "wire::cegar_options::",
  "report::explain::",
  "report::lab::",
  "report::liveness",
  "report::testing",
  "draw::buchi::",
  "draw::closest::",
  "wire::liveness::",
  // Messages about these.
  "wire::cegar::",
  "wire::lab::",
  "wire::testing::",
  "wire::closest::",
  "wire::later::",
  "wire::threads::",
  "wire::unrolling::",
  // A failing run as a test.
  "worker::tasks::harness::",
  "report::harness::",
  "draw::harness::",
  "wire::harness::",
  // The witness file of a verdict.
  "readable::c_expression::",
  "report::witness::",
  // Floating point in C.
  "lang::floating::",
  "lang::elaborate::floating::<impl",
  "readable::values::patterns",
  // Rules beside a program. Their list belongs to every first visit, and is empty.
  "lang::rules::calls::",
  "lang::rules::monitor::",
  "lang::rules::objects::",
  "lang::rules::read::",
  "lang::rules::weave::Weaver",
  "lang::rules::weave::weave",
  // Java, but for the short functions of `build`: others may be equal to them.
  "lang::java::at_width",
  "lang::java::calls::",
  "lang::java::expressions::",
  "lang::java::lower::",
  "lang::java::objects::",
  "lang::java::statements::",
  "lang::java::survey::",
  "lang::java::writer::",
  // Contracts, and procedures that start alone.
  "lang::alone::objects::",
  "lang::alone::shapes::",
  "lang::contracts::checks::",
  "lang::contracts::loops::",
  "lang::contracts::old::",
  "lang::contracts::ranges::",
  "lang::contracts::read::",
  "lang::contracts::terms::",
  // Structs as results in C.
  "lang::c::struct_results::",
  // C programs that start threads or use what is there for them.
  "lang::elaborate::atomic_calls::<impl",
  "lang::elaborate::sync_calls::<impl",
  "lang::elaborate::thread_calls::<impl",
  "lang::elaborate::thread_locals::<impl",
  "lang::interpreter::interleaved::",
  "lang::interpreter::races::",
  "report::deadlock::",
  "report::json::",
  "report::race::",
  // C programs with pointers that a variable each cannot say, and what is refused of them.
  "lang::c::load_summarized",
  "lang::c::refusal::",
  "lang::excused::",
  "lang::forwarded::",
  "lang::held::",
  "lang::load::load_summarized",
  "lang::memory::",
  // Whether a run that fails with narrow integers fails with 32 bits, too.
  "analysis::path_program::",
  "session::widths::confirming::",
  // Why a statement is innocent, which a person asks after the answer.
  "analysis::why_not::",
  // Refinement and distances, where saturation exceeds its share of the budget.
  "session::widths::refining::",
  "session::widths::Widths::refined",
  "session::widths::Widths::saturate_again",
  "session::widths::Widths::tried_again",
  "analysis::distances::",
  // Boolean programs, Remopla, and pushdown systems without a program.
  "lang::boolean_program::",
  "lang::raw::",
  "lang::remopla::",
  "analysis::raw_analysis::",
  "analysis::raw_total::",
  "encode::raw_",
  "session::raw",
  "report::raw",
];

/**
 * The same of the standard library, and of that of large integers. No first answer writes a
 * fraction, but the texts of errors that do not happen could; none multiplies large integers.
 */
const LIBRARY =
  /^(<f(32|64) as core(\[\w+\])?::fmt::|num_bigint::biguint::(multiplication::mac3|division::div_rem_burnikel_ziegler|convert::to_radix_digits_le_divide))/;

/**
 * Crates all of whose functions come later: what executes C, tests and references. The bounded
 * engine and its solver are behind `report::bounded`: small functions of theirs are equal to ones
 * of the first part, and the compiler makes one of them.
 */
const LATER_CRATES = /^faultline_(c|testing)::/;

/**
 * Long functions of these, and what reads Java. No closures: what is short may be equal to
 * something else.
 */
const LONG =
  /^(faultline_bounded::(access|addresses|arithmetic|calls|check|engine|library|only_run|operations|scan|unroll)|faultline_java::(machine|parse|resolve)|batsat::core)::(?!.*\{\{)/;

/**
 * Drops a value of the crate, or a box, a list or a result of such. What is optional is dropped
 * also where there is none.
 */
const DROPPED = /^core::ptr::drop_in_place<((alloc::boxed::Box|alloc::vec::Vec|core::result::Result)<)*(?=faultline::)/;

/** Drops lists of lists of ids: the compiler makes one function for all of them. */
const SHARED = /^core::ptr::drop_in_place<(alloc::vec::Vec<|alloc::boxed::Box<)+faultline::[\w:]*Id>/;

/** Is the function of this name to come later? */
export function isLater(name) {
  if (SHARED.test(name)) return false;
  const path = pathOf(name);
  if (LATER_CRATES.test(path) || LONG.test(name)) return true;
  return LIBRARY.test(name) || DOORS.some((door) => path.startsWith(`faultline::${door}`));
}

/**
 * The path of a function, or of the type whose method it is: of `<a::Type as b::Trait>::method` it
 * is `a::Type`, or the trait's path where the type is none of the crate's. What drops a value
 * belongs to the value's type. Generic arguments do not count: the compiler makes one function of
 * instances that are equal.
 */
function pathOf(name) {
  const dropped = DROPPED.exec(name);
  if (dropped) return name.slice(dropped[0].length);
  if (!name.startsWith("<")) return name;
  const as = name.indexOf(" as ");
  const type = name.slice(1, as < 0 ? undefined : as).replace(/^(&|mut |dyn )*/, "");
  return as < 0 || /^faultline(_c|_java|_testing)?::/.test(type) ? type : name.slice(as + 4);
}

// Splits a WebAssembly module in two: the first part, which is fetched at once, and the rest, which
// is fetched when it is needed.
//
// A function that is to come later has a stub in its place in the first part. The stub has the rest
// loaded, unless it is there, and calls the function through a slot of the table `slots`. The rest
// has these functions and everything that only they call. It works on the memory, the tables and
// the globals of the first part and calls functions of the first part, all of which it imports as
// `first`. Its instance fills the slots.
//
// The first part imports the function `rest.load`, which must have instantiated the rest when it
// returns. If it throws, the call of the stub throws as well, and the next one tries again.
//
// Both parts go through Binaryen, in which functions, tables and globals have names: nothing has to
// be numbered anew. That a function is called only by what comes later is found by Binaryen too: it
// is what nothing refers to in the first part, once the stubs are there.
import binaryen from "../editor/node_modules/binaryen/index.js";

/** What the parts are called in each other's imports. */
const [FIRST, REST, LOAD] = ["first", "rest", "load"];
/** Names inside the modules. No compiler makes such names. */
const [SLOTS, NEED, IS_LOADED, LOADER] = ["? slots", "? need the rest", "? is the rest loaded", "? load the rest"];
const NO_MAXIMUM = -1;
const { none, i32 } = binaryen;

/**
 * The two parts of a module with names of functions; the parts have these names as well. `isLater`
 * tells by a function's name whether the function is to come later. No import does.
 */
export function split(module, isLater) {
  const first = binaryen.readBinary(module);
  const rest = binaryen.readBinary(module);
  const later = functionsOf(first).filter(({ name, from }) => from === "" && isLater(readable(name)));
  if (later.length === 0) throw new Error("the module has no function that is to come later");
  addLoading(first, later.length);
  later.forEach((func, slot) => putStub(first, func, slot));
  const lent = lend(first);
  tidy(first);
  leaveOut(rest, first, later);
  fillSlots(rest, later);
  tidy(rest);
  lent.forEach((name) => first.removeExport(name));
  connect(rest, first);
  return { first: written(first), rest: written(rest) };
}

/** Binaryen writes a special character of a name as a backslash and its code. */
const readable = (name) => name.replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

const all = (count, get) => Array.from({ length: count }, (_, k) => get(k));
const tablesOf = (module) => all(module.getNumTables(), (k) => binaryen.getTableInfo(module.getTableByIndex(k)));
const globalsOf = (module) => all(module.getNumGlobals(), (k) => binaryen.getGlobalInfo(module.getGlobalByIndex(k)));
const exportsOf = (module) => all(module.getNumExports(), (k) => binaryen.getExportInfo(module.getExportByIndex(k)));
const elementsOf = (module) => all(module.getNumElementSegments(), (k) => binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(k)));

/** Each function's name and type, and the module that it is imported from: "" if it is not. */
function functionsOf(module) {
  return all(module.getNumFunctions(), (k) => {
    const { name, module: from, params, results } = binaryen.getFunctionInfo(module.getFunctionByIndex(k));
    return { name, from, params, results };
  });
}

/** The table of slots, and the function that has the rest loaded unless it is there. */
function addLoading(first, slots) {
  first.addTable(SLOTS, slots, slots);
  first.addGlobal(IS_LOADED, i32, true, first.i32.const(0));
  first.addFunctionImport(LOADER, REST, LOAD, none, none);
  const load = first.block(null, [first.call(LOADER, [], none), first.global.set(IS_LOADED, first.i32.const(1))]);
  first.addFunction(NEED, none, none, [], first.if(first.i32.eqz(first.global.get(IS_LOADED, i32)), load));
}

function putStub(first, { name, params, results }, slot) {
  const given = binaryen.expandType(params).map((type, k) => first.local.get(k, type));
  const call = first.call_indirect(SLOTS, first.i32.const(slot), given, params, results);
  first.removeFunction(name);
  first.addFunction(name, params, results, [], first.block(null, [first.call(NEED, [], none), call], results));
}

/** Exports for the time being what the rest may need of the first part; the names. */
function lend(first) {
  const tables = tablesOf(first).filter(({ module }) => module === "");
  const globals = globalsOf(first).filter(({ module, mutable }) => module === "" && mutable);
  const lent = ({ name }) => `? ${name}`;
  tables.forEach((table) => first.addTableExport(table.name, lent(table)));
  globals.forEach((global) => first.addGlobalExport(global.name, lent(global)));
  return [...tables, ...globals].map(lent);
}

/** Takes away what nothing refers to. */
function tidy(module) {
  module.runPasses(["remove-unused-module-elements"]);
  if (!module.validate()) throw new Error("the parts of the module are not valid");
}

/** Leaves out of the rest what the first part has: it is imported, and nothing is exported. */
function leaveOut(rest, first, later) {
  const isLater = new Set(later.map(({ name }) => name));
  const shared = functionsOf(first).filter(({ name, from }) => from === "" && name !== NEED && !isLater.has(name));
  for (const { name, params, results } of shared) {
    rest.removeFunction(name);
    rest.addFunctionImport(name, FIRST, name, params, results);
  }
  for (const { name, module, type, mutable } of globalsOf(rest)) {
    // A constant may be there twice.
    if (module === "" && mutable) rest.addGlobalImport(name, FIRST, name, type, mutable);
  }
  for (const { name, module } of tablesOf(rest)) {
    if (module === "") rest.addTableImport(name, FIRST, name);
  }
  for (const { name } of elementsOf(rest)) rest.removeElementSegment(name);
  const memory = exportsOf(rest).find(({ kind }) => kind === binaryen.ExternalMemory);
  if (memory) {
    rest.setMemory(0, NO_MAXIMUM, null, [], false, false, memory.value);
    rest.addMemoryImport(memory.value, FIRST, memory.name);
  }
  for (const { name } of exportsOf(rest)) rest.removeExport(name);
}

function fillSlots(rest, later) {
  rest.addTable(SLOTS, later.length, later.length);
  rest.addTableImport(SLOTS, FIRST, SLOTS);
  const names = later.map(({ name }) => name);
  rest.addActiveElementSegment(SLOTS, "0", names, rest.i32.const(0));
}

/** Exports from the first part, by short names, what the rest still imports from it. */
function connect(rest, first) {
  let count = 0;
  const short = () => (count++).toString(36);
  for (const { name, module } of tablesOf(rest).filter(({ module }) => module === FIRST)) {
    const base = short();
    first.addTableExport(name, base);
    rest.addTableImport(name, module, base);
  }
  for (const { name, module, type, mutable } of globalsOf(rest).filter(({ module }) => module === FIRST)) {
    const base = short();
    first.addGlobalExport(name, base);
    rest.addGlobalImport(name, module, base, type, mutable);
  }
  for (const { name, from, params, results } of functionsOf(rest).filter(({ from }) => from === FIRST)) {
    const base = short();
    first.addFunctionExport(name, base);
    rest.addFunctionImport(name, from, base, params, results);
  }
}

function written(module) {
  binaryen.setDebugInfo(true);
  const bytes = Buffer.from(module.emitBinary());
  module.dispose();
  return bytes;
}

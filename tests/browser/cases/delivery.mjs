// The build's last step without a page: a module that is split in two does what it did as a whole
// (`static/delivery/split.mjs`).
import assert from "node:assert/strict";
import binaryen from "../../../static/editor/node_modules/binaryen/index.js";
import { isLater } from "../../../static/delivery/later.mjs";
import { withNamesToOrderBy } from "../../../static/delivery/optimize.mjs";
import { split } from "../../../static/delivery/split.mjs";

/** Functions whose names begin with `later` come later. */
const WHOLE = `(module
  (import "page" "seen" (func $seen (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 8) "\\2a")
  (table $functions 4 4 funcref)
  (elem (table $functions) (i32.const 1) func $later::addressed $addressed)
  (type $unary (func (param i32) (result i32)))
  (global $depth (mut i32) (i32.const 100))
  (global $step i32 (i32.const 3))

  (func (export "all types") (param i32 i64 f32 f64) (result f64)
    (call $later::all_types (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func $later::all_types (param i32 i64 f32 f64) (result f64)
    (f64.add
      (f64.add (f64.convert_i32_s (local.get 0)) (f64.convert_i64_s (call $later::long (local.get 1))))
      (f64.add (f64.promote_f32 (call $later::short (local.get 2))) (local.get 3))))
  (func $later::long (export "long") (param i64) (result i64) (i64.mul (local.get 0) (i64.const 3)))
  (func $later::short (export "short") (param f32) (result f32) (f32.mul (local.get 0) (f32.const 0.5)))

  (func $even (export "even") (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 1))
      (else (call $later::odd (i32.sub (local.get 0) (i32.const 1))))))
  (func $later::odd (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
      (else (call $even (i32.sub (local.get 0) (i32.const 1))))))

  (func (export "by address") (param i32 i32) (result i32)
    (call_indirect $functions (type $unary) (local.get 1) (local.get 0)))
  (func $addressed (param i32) (result i32) (i32.add (local.get 0) (i32.const 1000)))
  (func $later::addressed (param i32) (result i32)
    (i32.add (i32.const 1) (call_indirect $functions (type $unary) (local.get 0) (i32.const 2))))

  (func (export "nothing") (call $later::nothing))
  (func $later::nothing
    (global.set $depth (i32.sub (global.get $depth) (global.get $step)))
    (call $only_for_later)
    (call $seen (global.get $depth)))
  (func $only_for_later
    (i32.store8 (i32.const 8) (i32.add (i32.load8_u (i32.const 8)) (i32.const 1))))
  (func (export "depth") (result i32) (global.get $depth))
  (func (export "trap") (call $later::trap))
  (func $later::trap (unreachable))
)`;

function binary() {
  const module = binaryen.parseText(WHOLE);
  // As the compiler does, the module says what it uses.
  module.setFeatures(binaryen.Features.ReferenceTypes | binaryen.Features.MutableGlobals);
  module.runPasses(["emit-target-features"]);
  binaryen.setDebugInfo(true);
  const bytes = Buffer.from(module.emitBinary());
  module.dispose();
  return bytes;
}

const parts = () => split(binary(), (name) => name.startsWith("later::"));

/** What a caller sees of an instance: every export, in an order in which all sides are used. */
function told({ exports }, seen) {
  const all = [exports.even(10), exports.even(7), exports["by address"](1, 5), exports["by address"](2, 5)];
  all.push(exports["all types"](-1, 5n, 3, 0.25), exports.long(-7n), exports.short(9));
  exports.nothing();
  exports.nothing();
  all.push(exports.depth(), new Uint8Array(exports.memory.buffer)[8], [...seen]);
  assert.throws(() => exports.trap(), WebAssembly.RuntimeError);
  return all;
}

/** An instance of both parts; `fetches` are the answers to what asks for the rest, or errors. */
function instanceOfParts(fetches) {
  const { first, rest } = parts();
  const seen = [];
  const page = { seen: (value) => seen.push(value) };
  const load = () => {
    const problem = fetches.shift();
    if (problem) throw problem;
    return new WebAssembly.Instance(new WebAssembly.Module(rest), { page, first: instance.exports });
  };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(first), { page, rest: { load } });
  return { instance, seen };
}

export const delivery = [
  [
    "a module in two parts does what it did as a whole",
    async () => {
      const seen = [];
      const whole = new WebAssembly.Instance(new WebAssembly.Module(binary()), { page: { seen: (value) => seen.push(value) } });
      const expected = told(whole, seen);
      assert.deepEqual(expected, [1, 0, 1006, 1005, 15.75, -21n, 4.5, 94, 44, [97, 94]]);
      const inParts = instanceOfParts([null]);
      assert.deepEqual(told(inParts.instance, inParts.seen), expected);
    },
  ],
  [
    "the rest of a module is fetched once, when it is needed, and again if it did not come",
    async () => {
      const fetches = [new Error("no answer"), new Error("still no answer"), null, new Error("not asked for")];
      const { instance } = instanceOfParts(fetches);
      assert.equal(instance.exports["by address"](2, 1), 1001);
      assert.equal(instance.exports.even(0), 1);
      assert.equal(fetches.length, 4, "nothing of the rest was needed");
      assert.throws(() => instance.exports.even(3), /^Error: no answer/);
      assert.throws(() => instance.exports["by address"](1, 1), /still no answer/);
      assert.equal(instance.exports.even(3), 0);
      assert.equal(instance.exports["by address"](1, 1), 1002);
      assert.equal(fetches.length, 1);
    },
  ],
  [
    "the first part has no function that only the rest calls, and the rest none of the first",
    async () => {
      const { first, rest } = parts();
      const names = (bytes) => {
        const module = binaryen.readBinary(bytes);
        const infos = Array.from({ length: module.getNumFunctions() }, (_, k) => binaryen.getFunctionInfo(module.getFunctionByIndex(k)));
        module.dispose();
        return infos.filter(({ module }) => module === "").map(({ name }) => name);
      };
      assert.ok(!names(first).includes("only_for_later") && names(rest).includes("only_for_later"));
      assert.ok(names(first).includes("addressed") && !names(rest).includes("addressed"));
      assert.ok(WebAssembly.Module.exports(new WebAssembly.Module(rest)).length === 0);
      // The order of functions is the last step for both parts.
      for (const part of [first, rest]) assert.ok(WebAssembly.validate(withNamesToOrderBy(part)));
    },
  ],
  [
    "what comes later is told by the path of a function, not by its arguments",
    async () => {
      assert.ok(isLater("faultline::report::lab::record::lab_report::hde53e5cd77bff2b8"));
      assert.ok(isLater("<faultline::session::lab::LabSession as faultline::session::job::Job>::step::h1"));
      assert.ok(isLater("<alloc::vec::Vec<u32> as faultline::analysis::cegar::Roots>::roots::h1"));
      assert.ok(isLater("core::ptr::drop_in_place<faultline::lang::raw::System>::h1"));
      const perhaps = "core::option::Option<faultline::lang::raw::System>";
      assert.ok(!isLater(`core::ptr::drop_in_place<${perhaps}>::h1`));
      assert.ok(!isLater("<faultline::bdd::Bdd as core::convert::From<faultline::lang::raw::System>>::from::h1"));
      assert.ok(!isLater("faultline::session::run::Run::step::h1"));
    },
  ],
];

// The two sides of a comparison: { name, source, options, method, switches }, where `options` hold
// the width, `method` is how the projection is computed (null: as usual), and `switches` is the
// bound on context switches, null for as many as it takes.
import { aligned } from "./aligned.js";
import { questions } from "./asked.js";
import { present } from "./present.js";
import { programs } from "./shelf.js";

/** How a projection can be computed. */
export const METHODS = ["functional", "per-node", "double-prestar", "double-poststar", "naive"];
/** The width that a program asks for itself. */
const WIDTH = /\/\/!.*\bbits\s*=\s*(\d+)/;

/** What can be chosen: the present program, the kept ones, and those that were asked about. */
export function offers() {
  const now = present();
  const list = [{ ...now, words: `${now.name} (open now)` }];
  const known = (source) => list.some((one) => one.source === source);
  for (const one of programs()) if (!known(one.source)) list.push({ ...one, words: one.name });
  for (const { name = "Program", source, link } of questions())
    if (!known(source))
      list.push({ name, source, options: link?.options, method: link?.method, words: `${name} (asked before)` });
  return list.filter(({ source }) => source.trim());
}

/** A side with a program, as the program says itself. */
export const side = ({ name, source, options = {}, method = null }) => ({
  name,
  source,
  options,
  method: METHODS.includes(method) ? method : null,
  switches: null,
});

/** The part of the longer text's lines that are equal in both. */
function likeness(a, b) {
  const [left, right] = [a.split("\n"), b.split("\n")];
  const equal = aligned(left, right).filter(
    ([i, j]) => i && j && left[i - 1].trim() === right[j - 1].trim(),
  );
  return equal.length / Math.max(left.length, right.length);
}

/**
 * The present program behind another one, which is much like it; without one beside itself with
 * another width.
 */
export function firstSides(other) {
  const [now, ...others] = offers();
  const left = side(now ?? { name: "Program", source: "" });
  const chosen = other ?? others.find(({ source }) => likeness(source, left.source) > 0.5);
  if (chosen && chosen.source !== left.source) return [side(chosen), left];
  // Cimple's integers have 4 bits if nobody says otherwise, C's have 32.
  const asked = left.options.bits ?? Number(left.source.match(WIDTH)?.[1]);
  return [left, { ...left, options: { ...left.options, bits: asked === 8 ? 4 : 8 } }];
}

/** The sides of a link; throws if they are none. */
export function read(sides) {
  if (!Array.isArray(sides) || sides.length !== 2) throw new Error("no comparison");
  return sides.map(({ name, source, options, method, switches }) => {
    if (typeof source !== "string" || typeof (options ?? {}) !== "object")
      throw new Error("no program");
    const bound = Number.isInteger(switches) && switches >= 0 ? Math.min(switches, 12) : null;
    return {
      name: String(name ?? "Program").slice(0, 80),
      source,
      options: options ?? {},
      method: METHODS.includes(method) ? method : null,
      switches: bound,
    };
  });
}

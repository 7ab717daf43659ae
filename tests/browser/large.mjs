// Programs of any size, the same for the same seed: procedures that call each other, recursion
// included, over a few shared Booleans.

/**
 * About 26 places for each procedure; `rows` adds straight rows of assignments, so that there is
 * something to fold.
 */
export function large({ procedures = 222, seed = 7 } = {}) {
  let state = seed;
  const below = (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const lines = ["bool a, b, c, d;"];
  const names = ["a", "b", "c", "d"];
  const name = () => names[below(4)];
  for (let p = 0; p < procedures; p++) {
    lines.push(`void step${p}() {`, "  bool t;");
    for (let s = 0; s < 4; s++) {
      lines.push(`  t = ${name()} && !${name()};`, `  ${name()} = t || ${name()};`, `  ${name()} = !t;`);
      // Mostly forwards, as in real programs; now and then back, which recurs.
      const callee = below(8) === 0 ? below(procedures) : Math.min(procedures - 1, p + 1 + below(6));
      if (s % 2 === 0) lines.push(`  if (*) {`, `    step${callee}();`, "  } else {", `    ${name()} = *;`, "  }");
      else lines.push(`  while (${name()} && *) {`, `    ${name()} = !${name()};`, "  }");
    }
    lines.push("}");
  }
  lines.push("void main() {", "  a = false; b = false; c = true; d = false;", "  step0();", "  assert(a);", "}");
  return lines.join("\n") + "\n";
}

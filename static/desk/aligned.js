// Two texts line by line beside each other: a longest common subsequence of their lines (Myers,
// "An O(ND) difference algorithm and its variations", 1986, in its greedy form).

/** More differences than this are not looked for: then line k stands beside line k. */
const MOST = 1000;

const squeezed = (line) => line.trim().replace(/\s+/g, " ");

/**
 * Rows [left, right] of line numbers from 1 on; null where the other text has a line of its own.
 * Lines that differ in blanks alone are the same. Changed lines stand beside each other.
 */
export function aligned(left, right) {
  const [a, b] = [left.map(squeezed), right.map(squeezed)];
  const pairs = common(a, b) ?? [];
  const rows = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [a.length, b.length]]) {
    while (i < x || j < y) rows.push([i < x ? ++i : null, j < y ? ++j : null]);
    if (x < a.length) rows.push([++i, ++j]);
  }
  return rows;
}

/** Pairs of equal lines, ascending; null if the texts differ in too much. */
function common(a, b) {
  const trace = [];
  // The furthest place in `a` on each diagonal x - y.
  let furthest = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST); d++) {
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(furthest, k, d) ? furthest.get(k + 1) : furthest.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return back(trace, a, b);
    }
  }
  return null;
}

const goesDown = (furthest, k, d) =>
  k === -d || (k !== d && furthest.get(k - 1) < furthest.get(k + 1));

/** The way back through what was furthest after each difference. */
function back(trace, a, b) {
  const pairs = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d];
    const k = x - y;
    const before = goesDown(furthest, k, d) ? k + 1 : k - 1;
    const from = furthest.get(before);
    while (x > from && y > from - before && x > 0 && y > 0) pairs.push([--x, --y]);
    if (d > 0) [x, y] = [from, from - before];
  }
  return pairs.reverse();
}

/** "3, 5–8". */
export function ranges(lines) {
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

// When something was, in words.
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
];

/** "just now", "5 minutes ago", "yesterday", or the date. */
export function ago(then, now = Date.now()) {
  let amount = Math.max(0, (now - then) / 1000);
  if (amount < 10) return "just now";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, most] of STEPS) {
    if (Math.round(amount) < most) return words.format(-Math.round(amount), unit);
    amount /= most;
  }
  return new Date(then).toLocaleDateString("en", { dateStyle: "medium" });
}

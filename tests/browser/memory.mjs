// How much memory a browser takes up.
import { execFileSync } from "node:child_process";

/** Megabytes of the largest process for pages of a launched browser. */
export function resident(launched) {
  const lines = execFileSync("ps", ["-e", "-o", "ppid=,pid=,rss=,args="], { encoding: "utf8" }).split("\n");
  const found = lines.map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/)).filter(Boolean);
  const ours = new Set([String(launched.process().pid)]);
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const [, parent, pid] of found) if (ours.has(parent)) ours.add(pid);
  }
  const pages = found.filter(([, , pid, , args]) => ours.has(pid) && args.includes("--type=renderer"));
  return Math.max(0, ...pages.map(([, , , rss]) => Number(rss) / 1000));
}

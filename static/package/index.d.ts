/** Options of a call: what the page's options and the program's directives are as well. */
export interface Options {
  /** Language; without it, it is guessed from the text. */
  dialect?: "cimple" | "c" | "java" | "bp" | "remopla" | "pds";
  /** Macros that C's preprocessor knows from the start: `NAME` or `NAME=VALUE`. */
  defines?: string[];
  /** Width of `int`, 1 to 32. */
  bits?: number;
  /** What globals without an initial value hold. */
  globals?: "zero" | "any";
  /** Built-in checks. */
  checks?: Checks;
  /** Only the error on this line counts. */
  error?: number;
  /** A label that is an error besides `error` and `ERROR`. */
  label?: string;
  /** Most objects of each type on the heap at once. */
  heap?: number;
  /** How wide `long` and pointers are: twice as wide as `int` without it. */
  model?: "lp64" | "ilp32";
  /** Of a raw pushdown system: which saturation decides. */
  saturation?: "post" | "pre" | "both";
  /** Seconds; 10 without it. */
  timeout?: number;
  /** Most decision-diagram nodes at once. */
  maxNodes?: number;
  /** Most steps of the decision-diagram kernel. */
  maxSteps?: number;
}

/** Which built-in checks are on. */
export interface Checks {
  /** An index outside of its array. */
  bounds: boolean;
  /** Division by zero. */
  division: boolean;
  /** Signed overflow. */
  overflow: boolean;
  /** A shift by a negative amount, or by the width or more. */
  shift: boolean;
  /** C: memory that nothing points to when `main` ends. */
  leak?: boolean;
  /** Threads: two accesses to one place that nothing orders. */
  race?: boolean;
  /** C: a read of what has no value. */
  initialised?: boolean;
}

/** Options of `check`. */
export interface CheckOptions extends Options {
  /** Which statements are on failing runs, as well? */
  projection?: boolean;
}

/** Options of `threads`. */
export interface ThreadsOptions extends Options {
  /** Most context switches; without it the bound rises until more bring nothing new. */
  switches?: number;
}

/** Something about the program's text. Offsets count UTF-16 units. */
export interface Diagnostic {
  severity: "error" | "warning";
  from: number;
  to: number;
  line: number;
  /** What it is about: `syntax`, `invalid`, `not-modelled`, `memory` and so on. */
  code: string;
  message: string;
  /** What is not modelled. */
  subject?: string;
  hint: string;
}

/** A step of a run: a statement and the store before it. */
export interface Step {
  line: number;
  procedure: string;
  /** Thread number; 0 in sequential programs. */
  thread: number;
  statement: string;
  values: Record<string, unknown>;
  [more: string]: unknown;
}

/** What a failing run ends with. */
export interface ErrorReport {
  line: number;
  /** What went wrong: `assertion`, `bounds`, `null-pointer`, `freed-twice` and so on. */
  kind: string;
  /** The property of SV-COMP that it violates: `valid-free`. */
  property?: string;
  message: string;
  /** The values that explain it. */
  detail?: string;
  /** Of a rule: its name, what it says, its state and the call. Of a contract: the clause. */
  broken?:
    | { rule: { name: string; says: string; state: string; event?: string } }
    | { contract: { clause: string; call?: string } };
}

/** What `faultline check --format json` prints, and the diagnostics. */
export interface Report {
  verdict: "safe" | "unsafe" | "unknown";
  /** Which limit, if the verdict is unknown. */
  limit?: string;
  /** How many places could fail as far as the text tells. */
  checked: number;
  /** Where the run fails, if the program is unsafe. */
  error?: ErrorReport;
  /** The failing run. The interpreter has executed it again. */
  trace?: Step[];
  /** Is the run certain to be a shortest one? */
  shortest?: boolean;
  /** If it was asked for: which lines are on failing runs. */
  projection?: { lines: number[]; nodes: number; of: number; [more: string]: unknown };
  statistics: { peak_nodes: number; steps: number; bytes: number };
  diagnostics: Diagnostic[];
  [more: string]: unknown;
}

/** What `faultline threads --format json` prints, and the diagnostics. */
export interface ThreadsReport {
  verdict: "safe" | "unsafe" | "unknown" | "no-error-within-bound";
  limit?: string;
  error?: ErrorReport;
  trace?: Step[];
  diagnostics: Diagnostic[];
  [more: string]: unknown;
}

/** A program that cannot be read. */
export class ProgramError extends Error {
  readonly diagnostics: Diagnostic[];
}

/** Loads the engine, once. A call does so by itself. */
export function load(): Promise<unknown>;

/**
 * Can a run of the program fail? It runs in the calling thread until it has an answer or a limit is
 * reached. Rejects with `ProgramError` if the program cannot be read, and with `TypeError` if an
 * option is unknown.
 */
export function check(source: string, options?: CheckOptions): Promise<Report>;

/** Can a program with threads fail within a bound on context switches? */
export function threads(source: string, options?: ThreadsOptions): Promise<ThreadsReport>;

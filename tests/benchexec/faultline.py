# BenchExec's description of Faultline: how it is called for a task, and what its answer means.
#
# `benchexec` finds it where the folder of this file is on PYTHONPATH and the benchmark names the
# tool `.faultline`; docs/measurements.md has the commands.

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import UnsupportedFeatureException

# Of each property of SV-COMP: the analysis, the built-in checks, and the result for each property
# that the report's `error` can name. An error with another `property` violates none of these.
PROPERTIES = {
    "unreach-call": ("check", "none", {
        "unreach-call": result.RESULT_FALSE_REACH,
    }),
    "valid-memsafety": ("check", "bounds,leak", {
        "valid-deref": result.RESULT_FALSE_DEREF,
        "valid-free": result.RESULT_FALSE_FREE,
        "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    }),
    "no-overflow": ("check", "overflow", {
        "no-overflow": result.RESULT_FALSE_OVERFLOW,
    }),
    "termination": ("terminates", "none", {}),
}

# What a program should do is said by tests, a reference solution or rules, not by a property.
GRADED = ("test", "grade")

# Of these: what the `verdict` of the report means. A program that is not read has no answer.
VERDICTS = {
    "passes": result.RESULT_TRUE_PROP,
    "fails": result.RESULT_FALSE_PROP,
    "refused": result.RESULT_ERROR + " (refused)",
}


class Tool(benchexec.tools.template.BaseTool2):
    """
    Tool info for Faultline, a software model checker.
    Options of a benchmark may begin with the analysis (check, cegar, threads); without a property
    file all errors count. With test or grade a task is a submission, and the options say by what it
    is judged; a property file only gives what is expected a name.
    """

    def executable(self, tool_locator):
        return tool_locator.find_executable("faultline", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="faultline")

    def name(self):
        return "Faultline"

    def cmdline(self, executable, options, task, rlimits):
        options = list(options)
        analysis = "check"
        if options and not options[0].startswith("-"):
            analysis = options.pop(0)
        if analysis in GRADED:
            program = [executable, analysis, task.single_input_file, "--format", "json"]
            return program + _limited(options, rlimits)
        if task.property_file:
            default, checks, _ = PROPERTIES[_property(task.property_file)]
            if default != "check":
                analysis = default
            if "--check" not in options:
                options += ["--check", checks]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model and "--model" not in options:
            options += ["--model", model]
        program = [executable, analysis, task.single_input_file, "--format", "json"]
        return program + _limited(options, rlimits)

    def determine_result(self, run):
        report = _report(run.output)
        if report is None:
            if run.exit_code.value == 2:
                return result.RESULT_ERROR + " (refused)"
            return result.RESULT_ERROR
        if _analysis(run) in GRADED:
            return _graded(report)
        verdict = report.get("verdict")
        if verdict in ("safe", "holds"):
            return result.RESULT_TRUE_PROP
        if verdict == "violated":
            return result.RESULT_FALSE_TERMINATION
        if verdict == "unsafe":
            return self._violation(run, report.get("error") or {})
        limit = report.get("limit") or verdict
        return f"{result.RESULT_UNKNOWN} ({limit})"

    def _violation(self, run, error):
        asked = _option_after(run.cmdline, "--check")
        found = [meanings for _, checks, meanings in PROPERTIES.values() if checks == asked]
        if not found:
            return result.RESULT_FALSE_PROP
        violated = error.get("property")
        if violated not in found[0]:
            return f"{result.RESULT_UNKNOWN} ({error.get('kind')})"
        return found[0][violated]

    def get_value_from_output(self, output, identifier):
        """
        Numbers of the report's statistics: peak_nodes, steps, bytes; and its limit. Of a submission
        the keys of its row: failed, kind, seconds, message.
        """
        report = _submission(_report(output) or {})
        value = report.get("statistics", {}).get(identifier, report.get(identifier))
        if isinstance(value, list):
            value = " ".join(str(one) for one in value)
        return None if value is None else str(value)


def _limited(options, rlimits):
    """With a limit of time, so that Faultline ends by itself, and names the limit."""
    if rlimits.cputime and "--timeout" not in options:
        return options + ["--timeout", str(max(1, rlimits.cputime * 95 // 100))]
    return options


def _analysis(run):
    words = list(run.cmdline)
    return words[1] if len(words) > 1 else None


def _submission(report):
    """The row of the one submission of a class; else the report itself."""
    rows = report.get("submissions")
    return rows[0] if rows else report


def _graded(report):
    """The result of `grade` or `test`."""
    row = _submission(report)
    verdict = row.get("verdict")
    if verdict in VERDICTS:
        return VERDICTS[verdict]
    limits = [checked.get("limit") for checked in row.get("checked", [])]
    limits += [test.get("error") for test in row.get("tests", []) if test.get("result") == "limit"]
    limit = next((limit for limit in limits if limit), verdict)
    return f"{result.RESULT_UNKNOWN} ({limit})"


def _property(file):
    """The property of a file, by the formula that it has."""
    try:
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
    except OSError as error:
        raise UnsupportedFeatureException(f"cannot read the property: {error}") from error
    if "call(reach_error())" in text or "call(__VERIFIER_error())" in text:
        return "unreach-call"
    if "valid-deref" in text or "valid-free" in text or "valid-memtrack" in text:
        return "valid-memsafety"
    if "! overflow" in text:
        return "no-overflow"
    if "F end" in text:
        return "termination"
    raise UnsupportedFeatureException(
        f"Faultline does not decide the property of {file}"
    )


def _option_after(cmdline, name):
    words = list(cmdline)
    return words[words.index(name) + 1] if name in words[:-1] else None


def _report(output):
    """The JSON object on standard output; warnings may stand before and after it."""
    lines = [line.rstrip("\r\n") for line in output]
    if "{" not in lines or "}" not in lines:
        return None
    first, last = lines.index("{"), len(lines) - 1 - lines[::-1].index("}")
    try:
        return json.loads("\n".join(lines[first : last + 1]))
    except ValueError:
        return None

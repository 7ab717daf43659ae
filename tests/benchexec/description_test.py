"""
Asks faultline.py for command lines and results, without BenchExec: the modules that it imports are
made here, with what it uses of them. `tests/command/tasks.rs` starts this.

python3 description_test.py cmdline SECONDS|- FILE [OPTION...]: the command line, a word a line
python3 description_test.py result CODE WORD...: the result of a run with this command line, of which
standard input has the output; then the columns failed, kind and steps, a line each
"""

import sys
import types
from types import SimpleNamespace


def module(name, **parts):
    made = types.ModuleType(name)
    made.__dict__.update(parts)
    sys.modules[name] = made
    return made


RESULTS = {
    "RESULT_TRUE_PROP": "true",
    "RESULT_FALSE_PROP": "false",
    "RESULT_UNKNOWN": "unknown",
    "RESULT_ERROR": "ERROR",
    "RESULT_FALSE_REACH": "false(unreach-call)",
    "RESULT_FALSE_DEREF": "false(valid-deref)",
    "RESULT_FALSE_FREE": "false(valid-free)",
    "RESULT_FALSE_MEMTRACK": "false(valid-memtrack)",
    "RESULT_FALSE_OVERFLOW": "false(no-overflow)",
    "RESULT_FALSE_TERMINATION": "false(termination)",
}

result = module("benchexec.result", **RESULTS)
template = module(
    "benchexec.tools.template", BaseTool2=object, UnsupportedFeatureException=Exception
)
data_models = module(
    "benchexec.tools.sv_benchmarks_util",
    ILP32="ILP32",
    LP64="LP64",
    get_data_model_from_task=lambda task, models: None,
)
tools = module("benchexec.tools", template=template, sv_benchmarks_util=data_models)
module("benchexec", result=result, tools=tools)

import faultline  # noqa: E402

tool = faultline.Tool()
what, first, *words = sys.argv[1:]
if what == "cmdline":
    seconds = None if first == "-" else int(first)
    task = SimpleNamespace(single_input_file=words[0], property_file=None)
    limits = SimpleNamespace(cputime=seconds)
    print("\n".join(tool.cmdline("faultline", words[1:], task, limits)))
else:
    output = sys.stdin.read().splitlines(keepends=True)
    run = SimpleNamespace(output=output, exit_code=SimpleNamespace(value=int(first)), cmdline=words)
    print(tool.determine_result(run))
    for column in ["failed", "kind", "steps"]:
        print(tool.get_value_from_output(output, column))

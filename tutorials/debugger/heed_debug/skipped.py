"""The functions that `step` skips: the standard library, and helpers that appear in nearly every
line of heed and teach nothing. A debugger steps over such a function together with all that it
calls, so only functions that call nothing worth reading may be listed here."""

HEED = "heed::f(32|64)::"

SKIPPED = [
    # The standard library.
    "^(std|__gnu_cxx|__cxxabiv1|__pstl)::",
    # Call sites, and small types that carry arguments.
    HEED + "(CallSite|FirstIndex|Integer|Dims|Shape|Operand|OperationInputs|Edge|MemberVisitor)::",
    HEED + "(Scope|ScopeFrame|LayerScope|Running|GradMode|NoGrad|DetectAnomaly|Tape|Observing"
    "|Observer|ComputingDerivative)::",
    HEED + "(grad_enabled|observers|observers_here|needs_recording)[(]",
    # Memory and threads.
    HEED + "(Storage|memory)::",
    HEED + "Operation::operator (new|delete)",
    HEED + "(runs_alone|thread_count|set_thread_count)[(]",
    HEED + "is_callable<",
    HEED + "tensor::.anonymous namespace.::(Bands::|band[(]|bands_at_a_time[(]"
    "|without_last_two)",
    HEED + "kernels::active[(]",
    HEED + "is_one_run<",
    HEED + "Walk<",
    # Copies, destructors, and accessors of tensors and variables.
    "~",
    HEED + "[A-Za-z:]*::operator=[(]",
    HEED + "(Tensor|BoolTensor|IndexTensor)::",
    HEED + "(Variable|Parameter)::(Variable|Parameter|operator|value|shape|rank|dim|numel|item|node"
    "|grad|has_grad|is_set|is_leaf|requires_grad|recorded_node)",
    HEED + "(Node|Saved|SavedOutput|ByProduct)::(Node|Saved|SavedOutput|operator|get|keep)",
    HEED + "FusedGradients::(FusedGradients|needed)",
    HEED + "TopologicalOrder::(size|node|nodes|inputs)[(]",
    HEED + "RunningPass::",
    HEED + "BackwardPass::(size|node|wanted|is_needed|gradient|check_not_freed|check_shape)[(]",
    # Arithmetic that is obvious from the source line.
    HEED + "kernels::(entrywise::|below_max[(]|math::(fma[(]|sqrt[(]|absolute[(]|polynomial<))",
    HEED + "kernels::plain::.anonymous namespace.::apply[(].*Binary",
    # Checks, messages, and Unicode.
    HEED + "(normalized_axis|normalized_axes|checked_offset|broadcasts_to|check_|fail_|text[<(])",
    HEED + "(MultiHeadAttention|EinsumAttention|Gpt)::check_",
    HEED + ".anonymous namespace.::(characters|kind_of|is_in<|lower|append|fits)",
    HEED + "(code_point_at|is_invisible|printable|quoted|room_for<)",
    HEED + ".anonymous namespace.::(rotated_left|splitmix64)[(]",
    # Printing, and a lesson's output; but not tutorial::run..., which calls the lesson.
    HEED + "(operator<<|to_string|fixed[(])",
    "^tutorial::(.anonymous namespace.::)?([^r(]|r[^u]|ru[^n])",
    "^heed::stop[(]",
]


def patterns():
    """Regular expressions for the full names of functions."""
    return ["^" + skipped if skipped.startswith("heed") else skipped for skipped in SKIPPED]

"""The functions that `step` skips. A debugger steps over such a function together with all that it
calls."""

HEED = "heed::f(32|64)::"

# At every level: the standard library, and helpers that appear in nearly every line of heed and
# teach nothing. They call nothing worth reading.
SKIPPED = [
    # The standard library.
    "^(std|__gnu_cxx|__cxxabiv1|__pstl)::",
    # Call sites, and small types that carry arguments.
    HEED + "(CallSite|FirstIndex|Integer|Dims|Shape|Operand|OperationInputs|Edge|MemberVisitor)::",
    HEED + "(Scope|ScopeFrame|LayerScope|Running|GradMode|NoGrad|DetectAnomaly|Tape|Observing"
    "|Observer|ComputingDerivative)::",
    HEED + "(grad_enabled|observers|observers_here|notify_until|needs_recording)[(]",
    HEED + "(any|each)_observer<",
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
    HEED + "(.anonymous namespace.|MultiHeadAttention|Gpt)::check_",
    HEED + ".anonymous namespace.::(characters|kind_of|is_in<|lower|append|fits)",
    HEED + "(code_point_at|is_invisible|printable|in_quotes|room_for<)",
    HEED + ".anonymous namespace.::(rotated_left|splitmix64)[(]",
    # Printing, and a lesson's output; but not tutorial::run..., which calls the lesson.
    HEED + "(operator<<|to_string|fixed[(])",
    "^tutorial::(.anonymous namespace.::)?([^r(]|r[^u]|ru[^n])",
    "^heed::(stop[(]|Local::)",
    # Kernels for speed.
    HEED + "kernels::(portable|avx2|avx512)::",
]

# At the levels above tensor: tensors, random numbers, recording, and the engine, which calls
# derivatives. Constructors are known by their names, and text and files by their folders.
INSIDE = [
    HEED + "(tensor|kernels|init)::",
    HEED + "(Random|NestedList|Variable|Parameter|Node|Operation|OperationKeepingOutput)::",
    HEED + "(BackwardPass|TopologicalOrder|RunningPass)::",
    HEED + "(record<|attach[(]|constant[(]|grad[(])",
    # Which way a layer computes, and whether anybody records it.
    HEED + "(OwnAttention|RecordAttention|ForwardHook)::",
    HEED + "(.anonymous namespace.::)?(own_attention_for|can_be_fused|changes_nothing"
    "|draws|record[(])",
    HEED + "([A-Za-z]+::)?(num_kv_heads|fits|limit|draws)[(]",
]
KERNELS = [HEED + "kernels::"]  # at the level tensor, too

# Functions of lessons that make words, sentences and pictures, or draw: passed over as what is
# inside tensors is. A file without functions means all of them.
DATA = [
    (r"0[12]_\w+/drawings.cpp", ""),
    ("02_autograd/tape.cpp", "backward_at_once|backward_first_come"),
    ("04_tokens_and_embeddings/vocabulary.cpp", "words_of|vocabulary_of|ids_of|first"),
    ("09_multi_head_attention/two_questions.cpp", "random_sentences"),
    ("11_known_jobs/11_known_jobs.cpp", "one_hot_words|least_at"),
    ("11_known_jobs/lookup.cpp", "random_lists"),
    ("13_alignment/(grammar|pairs|pairs_file|said).cpp", ""),
    ("14_language_model/source.cpp", ""),
    ("15_induction/15_induction.cpp", "letters_of|least_weight"),
    ("16_which_bar/sentences.cpp", ""),
    ("17_pixels/(drawn|picture).cpp", ""),
    ("18_translation/(grammar|pairs|pairs_file).(cpp|h)", ""),
    ("18_translation/18_translation.cpp", "joined|first_of"),
    ("20_other_peoples_weights/(bytes|pieces|small).(cpp|h)", ""),
    ("20_other_peoples_weights/20_other_peoples_weights.cpp", "loaded_from"),
]

# Lines that `step` does not halt at, unless one steps into tensors: checks and bookkeeping in a
# layer's call, and text, output, claims and stops in a lesson.
BOOKKEEPING = "|".join([
    r"(if \(.*\) )?(check|fail)_\w+\(",
    r"(if \(.*\) )?return (layer\.gives\(.*\)|\w+);$",
    r"const std::int64_t \w+ = [\w.]+\.dim\(.*\);$",
    r"const (Running|LayerScope|Scope|AttentionCall|OwnAttention\*) ",
    r"if \((own|can_be_fused\(call\))\)",
    r"constexpr ",
    r"Dims \w+[({]|lengths\.|(for \(.*\) )?dims\.|std::vector<std::int64_t> dims;",
    r"record\(|ForwardHook::called\(",
])
OTHER_CASE = r"if \(.*\) return record<"  # in an operation
TEXT = (r"((tutorial::)?(say|section|formula|in_the_notes|check|print_\w+|predict_\w+)"
        r"|stop|draw_\w+)\(|std::cout ")

# Calls of a layer of any type: `step` passes through them, to the layer.
HANDS_ON = HEED + r"Any\w*(<.*>)?::"

# Called from main(), and call the lesson: `step` passes through them to there.
THROUGH = "^tutorial::(.anonymous namespace.::)?run"


def anchored(patterns):
    return ["^" + pattern if pattern.startswith("heed") else pattern for pattern in patterns]


def patterns():
    """Regular expressions for the full names of functions skipped at every level."""
    return anchored(SKIPPED)


def inside():
    """For those skipped, too, unless one steps into tensors."""
    return anchored(INSIDE)

#include "tutorials/live/playground/program.h"

#include "tensor/errors.h"
#include "tensor/mask.h"

#include <algorithm>

namespace tutorial {
namespace {
using heed::text;

// {{1, 2},
//  {3, 4}}, whose second line begins below the first one's inner bracket.
std::string list_of(const std::vector<std::string>& entries, const heed::Shape& shape,
                    std::size_t begin) {
    const std::size_t columns = static_cast<std::size_t>(shape.dim(1));
    std::string list = "{";
    for (std::size_t at = 0; at < entries.size(); ++at) {
        const bool begins_row = at % columns == 0;
        if (at > 0) list += begins_row ? text("},\n", std::string(begin + 1, ' ')) : ", ";
        list += text(begins_row ? "{" : "", entries[at]);
    }
    return list + "}}";
}

// begin, the list, end
std::string with_list(const std::string& begin, const Matrix& matrix, const std::string& end) {
    return text(begin, list_of(matrix.literals, matrix.values.shape(), begin.size()), end);
}

std::string leaf(const char* name, const Matrix& matrix) {
    return with_list(text("    const Variable ", name, "(tensor::of("), matrix,
                     text("), requires_grad);  // ", matrix.values.shape(), "\n"));
}

std::string mask_of(const heed::BoolTensor& allowed) {
    const std::int64_t T_q = allowed.dim(0), T_k = allowed.dim(1);
    if (heed::Mask::allowing(allowed) == heed::Mask::causal(T_q, T_k)) {
        return text("    const Mask mask = Mask::causal(", T_q, ", ", T_k, ");\n");
    }
    std::vector<std::string> entries;
    for (std::int64_t i = 0; i < allowed.numel(); ++i) {
        entries.push_back(allowed.data()[i] ? "1" : "0");
    }
    const std::string begin = "    const Mask mask = Mask::allowing(tensor::of(";
    return text(begin, list_of(entries, allowed.shape(), begin.size()),
                ") > 0);  // 1: may attend\n");
}

std::string options_of(const PlaygroundState& state) {
    std::string options;
    if (state.allowed) options = ".mask = mask";
    if (state.temperature_value != 1) {
        options += text(options.empty() ? "" : ", ", ".temperature = ", state.temperature);
    }
    return options.empty() ? options : text(", {", options, "}");
}

std::string attention_of(const PlaygroundState& state) {
    const bool is_split = state.heads != 1;
    std::string code;
    if (is_split) {
        for (const char* const name : {"Q", "K", "V"}) {
            code += text("    const Variable heads_", name, " = split_heads(", name, ", ",
                         state.heads, ");  // [h, T, d]\n");
        }
    }
    const char* const score =
        state.is_scaled ? "ScaledDotScore score;  // q·k/√d_k" : "DotScore score;  // q·k";
    const char* const queries_and_keys = is_split ? "heads_Q, heads_K" : "Q, K";
    const char* const values = is_split ? "heads_V" : "V";
    const char* const output = is_split ? "merge_heads(attention.output)" : "attention.output";
    return text(code, "    const ", score, "\n    const Variable scores = score(", queries_and_keys,
                ");  // [", is_split ? "h, " : "", "T_q, T_k]\n",
                "    const Attention attention = attend(score, ", queries_and_keys, ", ", values,
                options_of(state), ");\n    const Variable output = ", output,
                ";  // [T_q, d_v]\n");
}

std::string gradients_of(const PlaygroundState& state) {
    const std::string G =
        state.G
            ? with_list("    const Tensor G = tensor::of(", *state.G, ");  // ∂L/∂output\n")
            : "    const Tensor G = tensor::ones(output.shape());  // ∂L/∂output: L is the sum\n";
    return text(G, "    const std::vector<Variable> gradients = ",
                "grad(output, {Q, K, V}, {.upstream = G});\n");
}

std::string printed(const char* what, const char* tensor) {
    return text("    std::cout << \"", what, " =\\n\" << ", tensor, " << \"\\n\";\n");
}

}  // namespace

std::string program_of(const PlaygroundState& state) {
    return text("#include \"heed/heed.h\"\n\n#include <iostream>\n\nusing namespace heed;\n\n"
                "int main() {\n",
                leaf("Q", state.Q), leaf("K", state.K), leaf("V", state.V),
                state.allowed ? mask_of(*state.allowed) : "", "\n", attention_of(state), "\n",
                gradients_of(state), "\n", printed("scores", "scores.value()"),
                printed("weights", "attention.weights.value()"),
                printed("output", "output.value()"), printed("∂L/∂Q", "gradients[0].value()"),
                printed("∂L/∂K", "gradients[1].value()"), printed("∂L/∂V", "gradients[2].value()"),
                "}\n");
}

heed::CallSite line_of(const std::string& program, std::string_view words) {
    const auto place = program.begin() + static_cast<std::ptrdiff_t>(program.find(words));
    const auto lines = std::count(program.begin(), place, '\n');
    return {"program.cpp", static_cast<int>(lines) + 1, "main"};
}

}  // namespace tutorial

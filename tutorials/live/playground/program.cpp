#include "tutorials/live/playground/program.h"

#include "tensor/errors.h"
#include "tensor/mask.h"

#include <algorithm>

namespace tutorial {
namespace {
using heed::text;

std::string list_of(const Matrix& matrix, const std::string& indent) {
    const std::int64_t rows = matrix.values.dim(0), columns = matrix.values.dim(1);
    std::string list = "{";
    for (std::int64_t i = 0; i < rows; ++i) {
        list += i == 0 ? "{" : ",\n" + indent + "{";
        for (std::int64_t j = 0; j < columns; ++j) {
            const std::size_t at = static_cast<std::size_t>(i * columns + j);
            list += (j == 0 ? "" : ", ") + matrix.literals[at];
        }
        list += "}";
    }
    return list + "}";
}

std::string leaf(const char* name, const Matrix& matrix) {
    const std::string begin = text("    const Variable ", name, "(tensor::of(");
    return text(begin, list_of(matrix, std::string(begin.size() + 1, ' ')),
                "), requires_grad);  // ", matrix.values.shape(), "\n");
}

std::string mask_of(const heed::BoolTensor& allowed) {
    const std::int64_t rows = allowed.dim(0), columns = allowed.dim(1);
    if (is_causal(allowed)) return text("Mask::causal(", rows, ", ", columns, ");");
    std::string entries;
    for (std::int64_t i = 0; i < allowed.numel(); ++i) {
        const bool begins_row = i % columns == 0;
        entries += text(i == 0 ? "" : begins_row ? ",  " : ", ", allowed.data()[i] ? 1 : 0);
    }
    return text("Mask::allowing(BoolTensor({", entries, "}, {", rows, ", ", columns,
                "}));  // 1: may attend");
}

std::string options_of(const PlaygroundState& state) {
    std::string options;
    if (state.allowed) options = ".mask = mask";
    if (state.temperature_value != 1) {
        options += text(options.empty() ? "" : ", ", ".temperature = ", state.temperature);
    }
    return options.empty() ? options : ", {" + options + "}";
}

std::string printed(const char* what, const char* tensor) {
    return text("    std::cout << \"", what, " =\\n\" << ", tensor, " << \"\\n\";\n");
}

}  // namespace

bool is_causal(const heed::BoolTensor& allowed) {
    return heed::Mask::allowing(allowed) == heed::Mask::causal(allowed.dim(0), allowed.dim(1));
}

std::string program_of(const PlaygroundState& state) {
    std::string code =
        "#include \"heed/heed.h\"\n\n#include <iostream>\n\nusing namespace heed;\n\n"
        "int main() {\n";
    code += leaf("Q", state.Q) + leaf("K", state.K) + leaf("V", state.V);
    if (state.allowed) code += text("    const Mask mask = ", mask_of(*state.allowed), "\n");
    code += "\n";
    const bool is_split = state.heads != 1;
    if (is_split) {
        for (const char* const name : {"Q", "K", "V"}) {
            code += text("    const Variable heads_", name, " = split_heads(", name, ", ",
                         state.heads, ");  // [h, T, d]\n");
        }
    }
    const char* const operands = is_split ? "heads_Q, heads_K" : "Q, K";
    code += text("    const ",
                 state.is_scaled ? "ScaledDotScore score;  // q·k/√d_k" : "DotScore score;  // q·k",
                 "\n    const Variable scores = score(", operands, ");  // [",
                 is_split ? "h, " : "", "T_q, T_k]\n");
    code += text(
        "    const Attention attention = attend(score, ", operands, is_split ? ", heads_V" : ", V",
        options_of(state), ");\n", "    const Variable output = ",
        is_split ? "merge_heads(attention.output)" : "attention.output", ";  // [T_q, d_v]\n\n");
    if (state.G) {
        const std::string begin = "    const Tensor G = tensor::of(";
        code += text(begin, list_of(*state.G, std::string(begin.size() + 1, ' ')),
                     ");  // ∂L/∂output\n");
    } else {
        code += "    const Tensor G = tensor::ones(output.shape());  // ∂L/∂output: L is the sum\n";
    }
    code += "    const std::vector<Variable> gradients = grad(output, {Q, K, V}, {.upstream = G});"
            "\n\n";
    code += printed("scores", "scores.value()") + printed("weights", "attention.weights.value()") +
            printed("output", "output.value()") + printed("∂L/∂Q", "gradients[0].value()") +
            printed("∂L/∂K", "gradients[1].value()") + printed("∂L/∂V", "gradients[2].value()");
    return code + "}\n";
}

heed::CallSite line_of(const std::string& program, std::string_view words) {
    const auto place = program.begin() + static_cast<std::ptrdiff_t>(program.find(words));
    const auto lines = std::count(program.begin(), place, '\n');
    return {"program.cpp", static_cast<int>(lines) + 1, "main"};
}

}  // namespace tutorial

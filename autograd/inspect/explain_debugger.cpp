#include "explain_debugger.h"

#include "../../tensor/factories.h"
#include "explain.h"
#include "way_back.h"

#include <cstdint>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

WhyQuestion why_question = {};

namespace {
// dL/d(of), where L is one entry of `of`.
Tensor one_at(const WhyQuestion& question, const Shape& shape) {
    const std::vector<std::int64_t> index(question.of_index, question.of_index + question.of_rank);
    const Dims strides = contiguous_strides(shape);
    Tensor upstream = tensor::zeros(shape);
    upstream.writable_data()[checked_offset(Dims(index), shape, strides, "why", CallSite())] = 1;
    return upstream;
}

// A line for each step: addresses of the node and of the layer's frame, derivative, index.
std::string answer_way_back(const WhyQuestion& question) {
    const Variable& of = *static_cast<const Variable*>(question.of);
    std::ostringstream lines;
    lines.precision(9);
    for (const StepBack& step : way_back(of, one_at(question, of.shape()), CallSite())) {
        lines << reinterpret_cast<std::uintptr_t>(step.node) << ' '
              << reinterpret_cast<std::uintptr_t>(step.layer) << ' ' << step.derivative << ' '
              << step.index.text() << '\n';
    }
    return lines.str();
}

std::string answer() {
    const WhyQuestion& question = why_question;
    if (!question.variable) return answer_way_back(question);
    const std::vector<std::int64_t> index(question.index, question.index + question.rank);
    ExplainOptions options;
    options.name = question.name;
    if (question.of) {
        const Variable& of = *static_cast<const Variable*>(question.of);
        options.of = of;
        if (question.of_rank > 0) options.upstream = one_at(question, of.shape());
    }
    const Variable& variable = *static_cast<const Variable*>(question.variable);
    return explain(variable, Dims(index), options, CallSite()).text();
}

}  // namespace

[[gnu::used, gnu::noinline]] const char* why_at_breakpoint() {
    static std::string& said = *new std::string;
    try {
        said = answer();
    } catch (const std::exception& error) {
        const std::string all = error.what();
        said = all.substr(0, all.find("\n  at :0"));  // the call has no line in the program
    }
    why_question.answer = said.c_str();
    return why_question.answer;
}

}}  // namespace heed

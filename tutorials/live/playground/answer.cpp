#include "tutorials/live/playground/answer.h"

#include "nn/files/json.h"
#include "tensor/copy.h"
#include "tensor/digits.h"
#include "tensor/errors.h"
#include "tensor/print.h"
#include "tutorials/live/playground/program.h"
#include "tutorials/live/playground/results.h"

namespace tutorial {
namespace {
using heed::json_string;
using heed::Tensor;
using heed::text;

struct Table {
    const char* name;
    const Tensor& values;
};

std::vector<Table> tables_of(const Results& results) {
    return {{"scores", results.scores}, {"weights", results.weights}, {"output", results.output},
            {"∂L/∂Q", results.dQ},      {"∂L/∂K", results.dK},        {"∂L/∂V", results.dV}};
}

bool is_finite(double number) { return number - number == 0; }

std::string exact(double number) {
    return is_finite(number) ? heed::json_number(number) : json_string(heed::fixed(number));
}

// In a cell: four decimals where they say something, else an exponent.
std::string shown(double number) {
    const double size = number < 0 ? -number : number;
    if (!is_finite(number) || number == 0 || (0.00005 <= size && size < 100000)) {
        return heed::fixed(number);
    }
    return text(number < 0 ? "-" : "",
                heed::written_digits(size, heed::Notation::scientific, size < 1 ? 0 : 2));
}

template <class Count, class Entry>
std::string list(Count count, const Entry& entry) {
    std::string all;
    for (Count i = 0; i < count; ++i) all += (i == 0 ? "" : ",") + entry(i);
    return "[" + all + "]";
}

std::string json_of(const Table& table) {
    const Tensor values = heed::tensor::contiguous(table.values);
    const heed::Scalar* const numbers = values.data();
    const std::string shape =
        list(values.rank(), [&](int axis) { return std::to_string(values.dim(axis)); });
    return text(
        "{\"name\":", json_string(table.name), ",\"shape\":", shape,
        ",\"numbers\":", list(values.numel(), [&](std::int64_t i) { return exact(numbers[i]); }),
        ",\"shown\":",
        list(values.numel(), [&](std::int64_t i) { return json_string(shown(numbers[i])); }), "}");
}

std::string json_of(const Results& results, const std::string& program) {
    const std::vector<Table> tables = tables_of(results);
    std::string printed;
    for (const Table& table : tables) printed += text(table.name, " =\n", table.values, "\n");
    return text("{\"program\":", json_string(program), ",\"printed\":", json_string(printed),
                ",\"tables\":",
                list(tables.size(), [&](std::size_t i) { return json_of(tables[i]); }), "}");
}

std::string refused(const char* kind, const std::exception& error) {
    return text("{\"", kind, "\":", json_string(error.what()));
}

}  // namespace

std::string answer(std::string_view written) {
    PlaygroundState state;
    try {
        state = state_from(written);
    } catch (const BrokenState& error) {
        return refused("broken", error) + "}";
    } catch (const std::exception& error) {
        return refused("error", error) + "}";
    }
    const std::string program = program_of(state);
    try {
        return json_of(results_of(state, program), program);
    } catch (const std::exception& error) {
        return refused("error", error) + ",\"program\":" + json_string(program) + "}";
    }
}

}  // namespace tutorial

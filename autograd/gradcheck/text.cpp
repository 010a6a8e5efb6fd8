// The text of gradcheck's results.
#include "../../tensor/errors.h"
#include "gradcheck.h"

#include <iomanip>

namespace heed { inline namespace HEED_PRECISION {

const char* name_of(GradientFault fault) {
    static const char* const names[] = {"unknown",
                                        "not finite",
                                        "zero",
                                        "a sign",
                                        "a constant factor",
                                        "transposed",
                                        "swapped",
                                        "ignores the upstream gradient",
                                        "a missing sum over a broadcast axis",
                                        "summed over the wrong axis",
                                        "overwritten instead of accumulated",
                                        "diagonal only",
                                        "some entries are zero",
                                        "some entries"};
    return names[static_cast<int>(fault)];
}

std::string GradcheckFailure::text() const {
    const char* const which = order == 2 ? "second derivative, " : "";
    std::string lines = heed::text(which, input_name, ", entry ", index, ": received ",
                                   std::setprecision(10), received, ", expected ", expected, "; ",
                                   wrong, " of ", entries, " entries are wrong");
    lines += heed::text("\n  it looks like: ", name_of(fault), ": ", looks_like);
    if (only_formula) {
        lines += "\n  only where the derivative is recorded (create_graph): the formula is wrong, "
                 "and the fused pass that training takes is right";
    }
    lines += "\n  in the result of " + operation;
    if (!blamed.empty()) lines += "\n  starting with " + blamed;
    return lines;
}

std::string GradcheckResult::text() const {
    if (!problem.empty()) return "gradcheck: " + problem;
    const std::string counted =
        heed::text(checked, " derivatives compared, worst error ", std::setprecision(2), worst);
    if (ok()) return "gradcheck: right; " + counted;
    std::string lines = "gradcheck: wrong; " + counted;
    for (const GradcheckFailure& failure : failures) lines += "\n" + failure.text();
    return lines;
}

}}  // namespace heed

#include "tests/benchmarks/heed_works.h"

#include "tensor/errors.h"

#include <sstream>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

Run prepare_work(const std::string& text_of_work) {
    for (const auto prepare : {prepare_product, prepare_layer, prepare_training, prepare_model}) {
        std::istringstream line(text_of_work);
        std::string kind;
        line >> kind;
        const Run run = prepare(kind, line);
        if (run) return run;
    }
    fail_argument("prepare_work", CallSite::here(), "no work is called \"", text_of_work, "\"");
}

}}}  // namespace heed::benchmarks

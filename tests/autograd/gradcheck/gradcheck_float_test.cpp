// In float, gradcheck refuses to run and says what to link.
#include "nn/heed.h"
#include "tests/catch.h"

using namespace heed;

TEST_CASE("gradcheck refuses float and names heed_double", "[autograd][gradcheck]") {
    const CheckedFunction f = [](const std::vector<Variable>& in) { return in[0] * in[0]; };
    CHECK_THROWS_WITH(gradcheck(f, {tensor::of({1, 2})}), Contains("heed::heed_double"));
    CHECK_THROWS_AS(require_gradcheck(f, {tensor::of({1, 2})}), std::runtime_error);
}

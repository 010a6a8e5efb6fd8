// Functions of one number for programs: the library's own, to the last bit.
#include "tensor/math.h"

#include "tensor/kernels/math.h"
#include "tests/catch.h"

TEST_CASE("exp, log, sin, cos and pow of a number are those of the kernels", "[tensor]") {
    for (const double x : {0.0, 0.1, 1.5, 3.0, 700.0}) {
        CHECK(heed::math::exp(x) == heed::kernels::math::exp(x));
        CHECK(heed::math::log(x) == heed::kernels::math::log(x));
        CHECK(heed::math::sin(x) == heed::kernels::math::sin(x));
        CHECK(heed::math::cos(x) == heed::kernels::math::cos(x));
        CHECK(heed::math::pow(x, 1.7) == heed::kernels::math::pow(x, 1.7));
    }
}

// A result over several seeds.
#include "tutorials/support/several.h"

#include "tests/catch.h"

using namespace tutorial;

TEST_CASE("the median is the middle result, or the mean of the middle two", "[tutorials]") {
    const Several odd = several({0.5, 0.25, 1});
    CHECK(odd.median == 0.5);
    CHECK(odd.least == 0.25);
    CHECK(odd.most == 1);
    CHECK(several({4, 1, 2, 8}).median == 3);
    CHECK(several({7}).median == 7);
    CHECK_THROWS_WITH(several({}), "several: there are no results");
}

TEST_CASE("several results are shown as the median and the range", "[tutorials]") {
    CHECK(median_and_range(several({1, 0.954, 0.98}), 2) == "0.98 (0.95–1.00)");
    CHECK(median_and_range(several({65, 97, 77}), 0) == "77 (65–97)");
}

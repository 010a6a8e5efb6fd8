// The examination before a lesson on the reader's own attention: it refuses every wrong attention,
// and no right one.
#include "own_right_answers.h"
#include "own_wrong_answers.h"
#include "tests/catch.h"
#include "tutorials/exercises/own/examination.h"
#include "tutorials/exercises/own/four_axes.h"

using namespace own_answers;

namespace {
std::string found_in(const OwnAnswer& answer) {
    return own_attention::examine([&](const Variable& Q, const Variable& K, const Variable& V,
                                      const std::optional<Mask>& mask) {
        return own_attention::attend(answer.attention, Q, K, V, mask);
    });
}

}  // namespace

TEST_CASE("a wrong attention is found before the lesson", "[tutorials][exercises][own]") {
    std::size_t count = 0;
    for (const auto& some : {wrong_softmaxes(), wrong_masks(), wrong_gradients_and_sizes()}) {
        for (const OwnAnswer& answer : some) {
            INFO(answer.what);
            CHECK(found_in(answer) != "");
            ++count;
        }
    }
    CHECK(count > 30);
}

TEST_CASE("a right attention is found right, however it is written",
          "[tutorials][exercises][own]") {
    for (const OwnAnswer& answer : right_answers()) {
        INFO(answer.what);
        CHECK(found_in(answer) == "");
    }
}

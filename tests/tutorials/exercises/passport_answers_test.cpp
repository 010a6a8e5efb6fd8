// The passport on attentions that were written before its laws were read: every wrong one is
// refused, and named only by the mistake that it is; every right one passes.
#include "passport_right_answers.h"
#include "passport_wrong_answers.h"
#include "passport_wrong_gradients.h"
#include "tests/catch.h"
#include "tutorials/exercises/passport/attention_passport.h"

#include <iostream>
#include <map>

using namespace passport_answers;

namespace {
// Of all others, no known mistake gives the numbers.
const std::map<std::string, std::string> names = {
    {"divided by the root of the width of V", "att.scale-dv"},
    {"the maximum starts at 0", "sm.max-0"},
    {"the maximum starts at the least positive number", "sm.max-0"},
    {"no maximum", "sm.no-max"},
    {"the maximum of all texts", "sm.global-max"},
    {"blocked scores are -1e9", "mask.fill-large"},
    {"blocked scores are 0", "mask.fill0"},
    {"-1e9 added to blocked scores", "mask.add-large"},
    {"the mask of the first text for all", "mask.shared"},
    {"blind queries see all", "mask.blind-open"},
    {"weights that are multiplied by the mask, not divided again", "mask.after"},
    {"a mask once given is kept", "mask.inplace"},
    {"the norm is detached", "smb.p-dy"},
    {"the derivative of a sigmoid", "smb.diag"},
    {"an upstream gradient of ones", "ag.no-upstream"},
};

std::vector<Answer> all_wrong() {
    std::vector<Answer> all;
    for (const auto& some : {wrong_scales(), wrong_softmaxes(), wrong_masks(), wrong_sizes(),
                             wrong_calls(), wrong_gradients()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace

TEST_CASE("a wrong attention that no catalogue has is refused, and called nothing that it is not",
          "[tutorials][exercises][passport]") {
    std::size_t named = 0;
    for (const Answer& answer : all_wrong()) {
        const Passport found = passport_of(answer.adapter);
        INFO(answer.what << "\n" << found.page());
        CHECK_FALSE(found.passed());
        CHECK(found.count(Verdict::broken) > 0);
        const auto name = names.find(answer.what);
        CHECK(found.id == (name == names.end() ? "" : name->second));
        named += name != names.end();
    }
    CHECK(named == names.size());
}

TEST_CASE("a right attention passes, however it is written", "[tutorials][exercises][passport]") {
    for (const Answer& answer : right_answers()) {
        const Passport found = passport_of(answer.adapter);
        INFO(answer.what << "\n" << found.page());
        CHECK(found.passed());
        CHECK(found.id.empty());
    }
}

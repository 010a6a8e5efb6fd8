// The passport of heed's own attention: exits with 1 if it does not pass.
#include "tutorials/exercises/passport/heed_adapter.h"

#include <iostream>

int main() {
    const passport::Adapter attention =
        passport::adapter_of([](const heed::Variable& Q, const heed::Variable& K,
                                const heed::Variable& V, const std::optional<heed::Mask>& mask) {
            return heed::scaled_dot_product_attention(Q, K, V, mask);
        });
    const passport::Passport passport = passport::passport_of(attention);
    std::cout << "heed's scaled_dot_product_attention\n" << passport.page();
    return passport.passed() ? 0 : 1;
}

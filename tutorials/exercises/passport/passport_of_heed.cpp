// The passport of heed's own attention: exits with 1 if it does not pass.
#include "tensor/runtime/settings.h"
#include "tutorials/exercises/passport/heed_adapter.h"
#include "tutorials/support/output.h"

#include <exception>
#include <iostream>

int main() try {
    heed::check_settings();
    const passport::Adapter attention =
        passport::adapter_of([](const heed::Variable& Q, const heed::Variable& K,
                                const heed::Variable& V, const std::optional<heed::Mask>& mask) {
            return heed::scaled_dot_product_attention(Q, K, V, mask);
        });
    const passport::Passport passport = passport::passport_of(attention);
    std::cout << "heed's scaled_dot_product_attention\n" << passport.page();
    return tutorial::finish_output("passport_of_heed", passport.passed() ? 0 : 1);
} catch (const std::exception& error) {
    std::cerr << "passport_of_heed: " << error.what() << "\n";
    return 2;
}

// The version that a program sees is that of the package: VERSION is what pkg-config says.
#include "heed/heed.h"

#include <iostream>
#include <string>

int main() {
    const std::string version = std::to_string(HEED_VERSION_MAJOR) + "." +
                                std::to_string(HEED_VERSION_MINOR) + "." +
                                std::to_string(HEED_VERSION_PATCH);
    static_assert(HEED_VERSION >= 300 && HEED_VERSION < 1000000);
    const heed::Tensor x = heed::tensor::of({1, 2});
    std::cout << version << " in " << heed::scalar_name << ", " << x << "\n";
    return version == VERSION ? 0 : 1;
}

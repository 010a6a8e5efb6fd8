// Catch2 in the version that the system has: 2 in one header, or 3 in several with other names.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

using Catch::Approx;
using Catch::Matchers::Equals;

inline Catch::Matchers::StringContainsMatcher Contains(const std::string& part) {
    return Catch::Matchers::ContainsSubstring(part);
}
#else
#include <catch2/catch.hpp>

using Catch::Matchers::Contains;
using Catch::Matchers::Equals;
#endif

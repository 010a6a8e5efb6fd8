#include "tests/test_file.h"

std::string test_file(const std::string& name) { return HEED_TESTS_FOLDER "/" + name; }

// Data files of the tests, which are read from the source tree.
#pragma once

#include <string>

// The path of a file by its name below tests/, such as "nn/reference/losses.safetensors".
std::string test_file(const std::string& name);

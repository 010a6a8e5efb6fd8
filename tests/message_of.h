// Checks error messages: the type, the text, and that it names the line of the test.
#pragma once

#include "tensor/errors.h"

#include <string>
#include <typeinfo>

// The first line of the error that `call` throws, which must be exactly an Error. Anything else
// (nothing thrown, another type, the line of another file) returns a text that no test expects.
template <class Error, class Call>
std::string message_of(Call call, heed::CallSite here = heed::CallSite::here()) {
    try {
        call();
    } catch (const std::exception& error) {
        const std::string message = error.what();
        if (typeid(error) != typeid(Error)) return "another type of error: " + message;
        const std::string full = here.text();
        const std::string file = "\n  at " + full.substr(0, full.rfind(':') + 1);
        if (message.find(file) == std::string::npos) return "another file: " + message;
        return message.substr(0, message.find('\n'));
    }
    return "nothing was thrown";
}

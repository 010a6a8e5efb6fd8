// The whole message of the error that a call throws, or that it threw nothing.
#pragma once

#include <exception>
#include <string>

template <class Call>
std::string what_is_said(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

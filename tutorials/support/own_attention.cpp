#include "tutorials/support/own_attention.h"

namespace tutorial {
namespace {
// A function-local static, since it may be used before this file's globals are initialized.
struct Declared {
    OwnAttentionMaker maker = nullptr;
    std::string what;
    bool took_close = false;
};

Declared& declared() {
    static Declared own;
    return own;
}

}  // namespace

void lessons_run_on(OwnAttentionMaker maker, const std::string& what) {
    declared().maker = maker;
    declared().what = what;
    declared().took_close = false;
}

OwnAttentionMaker own_attention() { return declared().maker; }

const std::string& own_attention_is_called() { return declared().what; }

bool took_close_for_same() {
    const bool took = declared().took_close;
    declared().took_close = false;
    return took;
}

void take_close_for_same() { declared().took_close = true; }

}  // namespace tutorial

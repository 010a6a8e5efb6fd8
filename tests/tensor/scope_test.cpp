// Scopes: which layer is running, and who called it.
#include "tensor/scope.h"

#include "tests/catch.h"

#include <thread>

using namespace heed;

namespace {
struct Layer {
    std::string trail(CallSite site = CallSite::here()) const {
        const Scope scope("Layer", site);
        return Scope::trail();
    }
};

std::string line_text(int line) { return "scope_test.cpp:" + std::to_string(line); }

}  // namespace

TEST_CASE("a call site prints as the base name of a file and a line", "[tensor][scope]") {
    CHECK(CallSite{"/a/b/main.cpp", 12, "f"}.text() == "main.cpp:12");
    CHECK(CallSite{"main.cpp", 1, "f"}.text() == "main.cpp:1");
    const int line = __LINE__ + 1;
    const CallSite here = CallSite::here();
    CHECK(here.text() == line_text(line));
}

TEST_CASE("a defaulted call site is the caller's", "[tensor][scope]") {
    const Layer layer;
    const int line = __LINE__ + 1;
    const std::string trail = layer.trail();
    CHECK(trail == "\n  in Layer, called at " + line_text(line));
}

TEST_CASE("open scopes are listed from the innermost outwards", "[tensor][scope]") {
    CHECK(Scope::trail().empty());
    {
        const Scope outer("Outer", CallSite{"main.cpp", 1, "f"});
        {
            const Scope inner("Inner", CallSite{"main.cpp", 2, "f"});
            CHECK(Scope::trail() ==
                  "\n  in Inner, called at main.cpp:2\n  in Outer, called at main.cpp:1");
        }
        CHECK(Scope::trail() == "\n  in Outer, called at main.cpp:1");
    }
    CHECK(Scope::trail().empty());
}

TEST_CASE("a frame outlives its scope and keeps the scopes around it", "[tensor][scope]") {
    CHECK(Scope::current() == nullptr);
    std::shared_ptr<const ScopeFrame> frame;
    {
        const Scope outer("Outer", CallSite{"main.cpp", 1, "f"});
        const Scope inner("Inner", CallSite{"main.cpp", 2, "f"});
        frame = Scope::current();
        CHECK(frame == Scope::current());
    }
    CHECK(Scope::current() == nullptr);
    REQUIRE(frame);
    CHECK(frame->name == "Inner");
    CHECK(frame->site.line == 2);
    REQUIRE(frame->parent);
    CHECK(frame->parent->name == "Outer");
    CHECK(frame->parent->parent == nullptr);
}

TEST_CASE("a derivative names all layers its operation was recorded in", "[tensor][scope]") {
    std::shared_ptr<const ScopeFrame> recorded_in;
    {
        const Scope outer("Outer", CallSite{"main.cpp", 1, "f"});
        const Scope inner("Inner", CallSite{"main.cpp", 2, "f"});
        recorded_in = Scope::current();
    }
    const Scope trainer("Trainer", CallSite{"main.cpp", 4, "f"});
    const Scope scope("matmul", CallSite{"main.cpp", 3, "f"}, "the derivative of ",
                      recorded_in.get());
    CHECK(Scope::trail() == "\n  in the derivative of matmul, called at main.cpp:3"
                            "\n  in Inner, called at main.cpp:2"
                            "\n  in Outer, called at main.cpp:1"
                            "\n  in Trainer, called at main.cpp:4");
}

TEST_CASE("an exception leaves no scope open", "[tensor][scope]") {
    try {
        const Scope scope("Layer");
        throw 1;
    } catch (int) {
    }
    CHECK(Scope::trail().empty());
}

TEST_CASE("each thread has scopes of its own", "[tensor][scope][threads]") {
    const Scope scope("Layer");
    std::string seen = "not run";
    std::thread([&] { seen = Scope::trail(); }).join();
    CHECK(seen.empty());
    CHECK_FALSE(Scope::trail().empty());
}

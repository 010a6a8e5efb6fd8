// Layers as a hostile reader calls them, each call in a process of its own. A call is refused, by
// an error that names the caller's line and with nothing changed, or it gives a result; it never
// crashes, it ends, and no error is without the line.
#pragma once

#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/in_child.h"

#include <cstdint>
#include <exception>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace hostile {

using namespace heed;

inline Random dice(1);
constexpr std::int64_t huge = std::int64_t{1} << 50;
constexpr std::int64_t largest = INT64_MAX;

inline Variable V(const Dims& lengths) {
    return Variable(tensor::ones(Shape(lengths)), requires_grad);
}

// Ones that take no memory, however many.
inline Variable repeated(const Dims& lengths) {
    std::vector<std::int64_t> one_each(static_cast<std::size_t>(lengths.size()), 1);
    return Variable(tensor::expand(tensor::ones(Shape(one_each)), lengths));
}

// All that a call could change of any living layer, moved-from or not: parameters, their gradients,
// modes, generators.
inline std::string contents() {
    std::ostringstream out;
    for (const Listed* const living : Listed::all()) {
        if (const Parameter* const parameter = living->parameter()) {
            const Tensor entries = tensor::contiguous(parameter->value());
            out << entries.shape() << parameter->has_grad();
            out.write(reinterpret_cast<const char*>(entries.data()),
                      entries.numel() * static_cast<std::int64_t>(sizeof(Scalar)));
        } else {
            out << living->module()->training();
            Random* const generator = const_cast<Module*>(living->module())->generator();
            if (!generator) continue;
            for (const std::uint64_t word : generator->state()) out << ' ' << word;
        }
    }
    return out.str();
}

// "refused" if the call throws an error that names a line of this file; "a result" if it returns;
// else what is wrong.
template <class Call>
std::string outcome(const Call& call, const CallSite& here) {
    const std::string file = "at " + here.text().substr(0, here.text().rfind(':') + 1);
    try {
        call();
        return "a result";
    } catch (const std::exception& error) {
        const std::string message = error.what();
        return message.find(file) == std::string::npos ? "without the line: " + message : "refused";
    }
}

// The same, and whether a call that is refused leaves all layers as they were.
template <class Call>
std::string outcome_and_change(const Call& call, const CallSite& here) {
    const std::string before = contents();
    const std::uint64_t drawn = dice.state()[0];
    const std::string found = outcome(call, here);
    if (found != "refused") return found;
    if (contents() != before) return "refused, but a layer was changed";
    return dice.state()[0] == drawn ? found : "refused, but numbers were drawn";
}

// A call that must be refused. `call` changes the layer's public members first, if at all, by
// `spoil`, which is not the call.
template <class Layer, class Spoil, class Call>
std::string refused(Layer layer, const Spoil& spoil, const Call& call,
                    CallSite here = CallSite::here()) {
    spoil(layer);
    return outcome_and_change([&] { call(layer); }, here);
}
template <class Layer, class Call>
std::string refused(Layer layer, const Call& call, CallSite here = CallSite::here()) {
    return outcome_and_change([&] { call(layer); }, here);
}
// A constructor that must be refused, before it draws.
template <class Make>
std::string not_made(const Make& make, CallSite here = CallSite::here()) {
    const Random::State drawn = dice.state();
    const std::string found = outcome(make, here);
    return found == "refused" && dice.state() != drawn ? "refused, but numbers were drawn" : found;
}

struct Case {
    const char* layer;
    const char* what;
    std::string (*outcome)();
};

// How often each layer was called.
inline std::map<std::string, int> calls;

inline void check_refused(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        ++calls[one.layer];
        INFO(one.layer << ", " << one.what);
        CHECK(in_child(one.outcome) == "refused");
    }
}

// What befalls any layer, its parts and its inputs: ended by a refusal or a result.
template <class Layer, class Call>
void check_parts(const char* name, const Layer& layer, const Call& call,
                 CallSite here = CallSite::here()) {
    const auto ends_well = [&](const std::string& what, const Layer& changed, bool must_refuse) {
        ++calls[name];
        INFO(name << ", " << what);
        const std::string found =
            in_child([&] { return outcome_and_change([&] { call(changed); }, here); });
        if (found == "a result" && !must_refuse) return;
        CHECK(found == "refused");
    };
    const std::size_t count = parameter_members(readable_member_tree(layer)).size();
    Layer moved_from = layer;
    const Layer taken = std::move(moved_from);
    // A Sequential that was moved from is the identity.
    ends_well("moved from", moved_from, count > 0 && std::string(name) != "Sequential");
    Layer target = layer;
    outcome([&] { target = moved_from; }, here);  // an error of C++'s copies names no line
    ends_well("assigned what was moved from", target, false);
    Layer itself = layer;
    Layer& alias = itself;
    const std::string before = contents();
    itself = alias;
    CHECK(contents() == before);
    itself = std::move(alias);
    ends_well("moved to itself", itself, false);
    const std::string printed = in_child([&] {
        std::ostringstream out;
        outcome([&] { out << moved_from; }, here);  // C++'s << names no line
        return "it ended";
    });
    CHECK(printed == "it ended");
    const std::string counted =
        in_child([&] { return outcome([&] { count_parameters(moved_from, here); }, here); });
    if (counted != "a result") CHECK(counted == "refused");

    for (std::size_t i = 0; i < count; ++i) {
        const auto change = [&](const std::string& what, const auto& to, bool must_refuse) {
            Layer changed = layer;
            const ParameterMember one = parameter_members(readable_member_tree(changed))[i];
            to(*one.parameter);
            ends_well(one.name + " " + what, changed, must_refuse);
        };
        // Without its bias a layer is one without bias.
        const bool is_bias =
            parameter_members(readable_member_tree(layer))[i].name.ends_with("bias");
        change(
            "moved from", [](Parameter& p) { const Parameter taken = std::move(p); }, !is_bias);
        change(
            "with one more axis",
            [](Parameter& p) { p = Parameter(tensor::unsqueeze(p.value(), 0)); }, true);
        change(
            "of no axes", [](Parameter& p) { p = Parameter(tensor::full(Shape{}, 1)); }, true);
        const int rank = parameter_members(readable_member_tree(layer))[i].parameter->rank();
        for (int axis = 0; axis < rank; ++axis) {
            const auto resized = [&](std::int64_t by) {
                return [axis, by](Parameter& p) {
                    p = Parameter(tensor::ones(p.shape().with(axis, by)));
                };
            };
            change("without entries", resized(0), false);
            change("of length 1", resized(1), false);
            change("of length 7", resized(7), false);
        }
        change(
            "NaN", [](Parameter& p) { p = Parameter(tensor::full(p.shape(), __builtin_nan(""))); },
            false);
    }
}

// A layer that is called with a variable: with others in place of [3, d].
template <class Layer, class Call>
void check_inputs(const char* name, const Layer& layer, std::int64_t d, const Call& call,
                  CallSite here = CallSite::here()) {
    Variable moved_from = V({3, d});
    const Variable taken = std::move(moved_from);
    const Variable inputs[] = {moved_from,
                               Variable(),
                               V({}),
                               V({d}),
                               V({0, d}),
                               V({3, 0}),
                               V({3, d + 1}),
                               V({0, 0}),
                               V({1, 1, 1, 1, 1, 1, 1, d}),
                               repeated({huge, d}),
                               repeated({huge, 1, d}),
                               Variable(tensor::full({3, d}, __builtin_nan(""))),
                               Variable(tensor::full({3, d}, infinity)),
                               transpose(V({d, 3}))};
    for (const Variable& x : inputs) {
        ++calls[name];
        INFO(name << " of " << x.shape());
        const std::string found =
            in_child([&] { return outcome_and_change([&] { call(layer, x); }, here); });
        if (found != "a result") CHECK(found == "refused");
    }
}

// One that is called with ids below 5.
template <class Layer, class Call>
void check_ids(const char* name, const Layer& layer, const Call& call,
               CallSite here = CallSite::here()) {
    const IndexTensor inputs[] = {IndexTensor(),
                                  IndexTensor({1}, Shape{}),
                                  IndexTensor({1}, Shape{1, 1, 1, 1, 1, 1, 1, 1}),
                                  IndexTensor(std::vector<std::int64_t>{}, Shape{3, 0}),
                                  IndexTensor(std::vector<std::int64_t>{}, Shape{0, 3}),
                                  IndexTensor({-1}),
                                  IndexTensor({5}),
                                  IndexTensor({largest}),
                                  IndexTensor({INT64_MIN}),
                                  IndexTensor::arange(4000)};
    for (const IndexTensor& ids : inputs) {
        ++calls[name];
        INFO(name << " of ids " << ids.shape());
        const std::string found =
            in_child([&] { return outcome_and_change([&] { call(layer, ids); }, here); });
        if (found != "a result") CHECK(found == "refused");
    }
}

}  // namespace hostile

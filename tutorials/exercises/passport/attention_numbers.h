// Comparison with the reference: where the numbers of your attention are others than they should
// be, and which known mistake gives the same wrong numbers.
#pragma once

#include "attention_examiner.h"

namespace passport::detail {

// Is x the expected y? For a query that may attend to nothing y is NaN, and x may be 0 as well.
inline bool is_alike(double x, double y, double tolerance) {
    return y != y ? x != x || x == 0 : is_near(x, y, tolerance);
}
// The first entry that is not alike, or -1.
inline int first_unlike(const Array& yours, const Array& expected, double tolerance) {
    for (int n = 0; n < int(expected.numbers.size()); ++n)
        if (!is_alike(yours.numbers[n], expected.numbers[n], tolerance)) return n;
    return -1;
}
inline void alike(const Array& yours, const Array& expected, double tolerance,
                  const std::string& what) {
    const int n = first_unlike(yours, expected, tolerance);
    if (n < 0) return;
    const double y = expected.numbers[n];
    throw Broken{
        text(what, " is ", not_as(yours.numbers[n], y != y ? 0 : y), ", at ", place(expected, n))};
}

// A mistake may give large numbers that nearly cancel, so the tolerance is relative to the largest.
inline double tolerance_of(const Array& mistake, double tolerance) {
    double largest = 0;
    for (double y : mistake.numbers)
        if (std::isfinite(y)) largest = std::fmax(largest, std::fabs(y));
    return tolerance * (1 + largest);
}

enum class Match { none, fits, shows };
// Are yours the numbers of the mistake? They show it if they are wrong. Where the mistake has no
// number, neither must yours be right; what it does to a query that sees nothing, where the right
// number is NaN, says only a mistake about that.
inline Match match(const Array& yours, const Array& mistake, const Array& right, double tolerance,
                   bool is_about_nothing) {
    Match found = Match::fits;
    const double wide = tolerance_of(mistake, tolerance);
    for (std::size_t n = 0; n < right.numbers.size(); ++n) {
        const double x = yours.numbers[n], y = mistake.numbers[n], e = right.numbers[n];
        if (e != e && !is_about_nothing) continue;
        const bool is_right = is_alike(x, e, tolerance), is_number = std::isfinite(y);
        if (is_number ? !is_near(x, y, wide) : is_right && e == e) return Match::none;
        if (!is_right && (is_number || !std::isfinite(x))) found = Match::shows;
    }
    return found;
}

inline void Examiner::compare(const Case& input) {
    const Input& in = input.in;
    if (!has(in.mask)) throw NotAsked{"it does not take the mask"};
    const double tolerance = its.tolerance * input.slack, by = scale(in.K.width);
    const Array expected = walk(in, by, "", !its.output), w = walk(in, by, "", true);
    Tried found{input, expected, {}, true, true};
    try {
        found.yours = its.output ? output(in) : weights(in);
        found.threw = false;
        found.is_wrong = first_unlike(found.yours, expected, tolerance) >= 0;
    } catch (const NotAsked&) {
        throw;
    } catch (...) {  // a wrong size, too
        tried.push_back(found);
        throw;
    }
    tried.push_back(found);
    alike(found.yours, expected, tolerance,
          input.what + (its.output ? ": the output" : ": the weight"));
    if (its.output && its.weights) alike(weights(in), w, tolerance, input.what + ": the weight");
}

// One law of several inputs. Those that the attention declines are left out.
template <class Compare>
std::string each_of(const std::vector<Case>& cases, Compare compare) {
    std::size_t asked = 0;
    std::string declined, broken;
    for (const Case& input : cases) {
        try {
            compare(input);
            ++asked;
        } catch (const NotAsked& not_asked) {
            declined = not_asked.why;
        } catch (const Broken& found) {
            if (broken.empty()) broken = found.seen;
        } catch (const std::exception& error) {
            if (broken.empty()) broken = text(input.what, ": it threw: ", error.what());
        }
    }
    if (!broken.empty()) throw Broken{broken};
    if (asked == 0) throw NotAsked{declined};
    return asked < cases.size() ? text("(", asked, " of ", cases.size(), " inputs)") : "";
}

inline std::string Examiner::compare_all(const std::vector<Case>& cases) {
    if (!its.output && !its.weights) throw NotAsked{"there is no function output"};
    return each_of(cases, [&](const Case& input) { compare(input); });
}

// Rounding of the scores' gradient is multiplied by the largest key, or query.
inline double gradient_tolerance(const Adapter& its, const Case& input) {
    double largest = 0;
    for (const Array* x : {&input.in.Q, &input.in.K})
        for (double number : x->numbers) largest = std::fmax(largest, std::fabs(number));
    return 10 * its.tolerance * std::fmax(input.slack, largest);
}

inline void Examiner::compare_gradient(const Case& input, const Array& G) {
    const Input& in = input.in;
    const double tolerance = gradient_tolerance(its, input), by = scale(in.K.width);
    const Gradients expected = walk_back(in, G, by, "");
    const Array y = walk(in, by, "", false);
    if (std::any_of(y.numbers.begin(), y.numbers.end(), [](double x) { return x != x; })) {
        const Array yours = output(in);  // where it has NaN, as in PyTorch, so have the gradients
        for (double x : yours.numbers)
            if (x != x) throw NotAsked{"it has NaN for queries that see nothing"};
    }
    const Gradients yours = gradients(in, G);
    tried_gradients.push_back({input, G, yours});
    alike(yours.dQ, expected.dQ, tolerance, input.what + ": dQ");
    alike(yours.dK, expected.dK, tolerance, input.what + ": dK");
    alike(yours.dV, expected.dV, tolerance, input.what + ": dV");
}

inline std::string Examiner::compare_gradients() {
    if (!its.gradients) throw NotAsked{"there is no function gradients"};
    std::vector<Case> all;
    for (const auto& cases :
         {five_words(), other_sizes(), other_masks(), other_scores(), many_words()})
        all.insert(all.end(), cases.begin(), cases.end());
    return each_of(all, [&](const Case& input) {
        compare_gradient(input, drawn(input.in.Q.batch, input.in.Q.length, input.in.V.width, 8));
    });
}

inline std::string Examiner::compare_gradients_with_zeros() {
    const Input in = taken({words(), causal()})[0];
    for (const auto& [what, G] : with_zeros()) compare_gradient({what, in}, G);
    return "";
}

inline void Examiner::reference() {
    law("five words give what the formula gives", [&] { return compare_all(five_words()); });
    law("other sizes give what the formula gives", [&] { return compare_all(other_sizes()); });
    law("masks of every kind give what the formula gives",
        [&] { return compare_all(other_masks()); });
    law("scores of every size give what the formula gives",
        [&] { return compare_all(other_scores()); });
    law("many keys, and many queries, give what the formula gives",
        [&] { return compare_all(many_words()); });
    law("its gradients on all of these are those of the formula",
        [&] { return compare_gradients(); });
    law("an upstream gradient with zeros gives the gradients of the formula",
        [&] { return compare_gradients_with_zeros(); });
}

// Would the mistake give your numbers, wherever it says what they would be? It must show somewhere.
inline bool Examiner::explains_outputs(const std::string& id) const {
    const auto is = [&](const char* family) { return id.rfind(family, 0) == 0; };
    const bool is_about_nothing = is("mask.fill") || is("mask.add") || is("mask.blind");
    bool shows = false;
    for (const Tried& each : tried) {
        if (!is_defined(id, each.input)) continue;
        if (each.threw) return false;
        const Input& in = each.input.in;
        const Array walked = walk(in, scale(in.K.width), id, !its.output);
        const Match found = match(each.yours, walked, each.right, its.tolerance * each.input.slack,
                                  is_about_nothing);
        if (found == Match::none) return false;
        shows = shows || found == Match::shows;
    }
    return shows;
}
inline bool Examiner::explains_gradients(const std::string& id) const {
    for (const TriedGradients& each : tried_gradients) {
        const Input& in = each.input.in;
        const Gradients walked = walk_back(in, each.G, scale(in.K.width), id);
        const double tolerance = gradient_tolerance(its, each.input);
        const auto differs = [&](const Array& yours, const Array& mistake) {
            return first_unlike(yours, mistake, tolerance_of(mistake, tolerance)) >= 0;
        };
        if (differs(each.yours.dQ, walked.dQ) || differs(each.yours.dK, walked.dK) ||
            differs(each.yours.dV, walked.dV))
            return false;
    }
    return !tried_gradients.empty();
}

inline void Examiner::name_the_mistake() {
    const auto name = [&](const auto& mistake) {
        passport.id = mistake.first, passport.says = mistake.second;
    };
    if (kept_its_mask) return name(std::pair("mask.inplace", "a call had left its mask behind"));
    const auto is_wrong = [](const Tried& each) { return each.is_wrong; };
    if (std::any_of(tried.begin(), tried.end(), is_wrong)) {
        for (const auto& mistake : mistakes)
            if (explains_outputs(mistake.first)) return name(mistake);
        return;  // a guess about the derivative says nothing while the output itself is wrong
    }
    for (const Law& law : passport.laws)
        if (law.verdict == Verdict::broken && law.name.find("gradient") == std::string::npos)
            return;
    for (const auto& mistake : gradient_mistakes)
        if (explains_gradients(mistake.first)) return name(mistake);
}

}  // namespace passport::detail

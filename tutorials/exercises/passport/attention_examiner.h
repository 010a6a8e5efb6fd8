// The examiner: calls the attention, checks the laws, records the findings, and looks for a known
// mistake that gives the same wrong numbers.
#pragma once

#include "attention_mistakes.h"

#include <exception>
#include <sstream>

namespace passport::detail {

struct Broken {
    std::string seen, id = "", says = "";
};
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}
inline bool is_near(double a, double b, double tolerance) {
    return a == b || std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}
// With tolerance 0: bitwise; NaN equals NaN.
inline void same(const Array& a, const Array& b, double tolerance, const std::string& what) {
    for (int n = 0; n < int(b.numbers.size()); ++n) {
        const double x = a.numbers[n], y = b.numbers[n];
        if (is_near(x, y, tolerance) || (tolerance == 0 && x != x && y != y)) continue;
        throw Broken{text(what, ": ", x, ", not ", y, ", at [", n / (b.length * b.width), ", ",
                          n / b.width % b.length, ", ", n % b.width, "]")};
    }
}

inline void check_size(const Array& x, int batch, int length, int width, const std::string& what) {
    const Array expected(batch, length, width);
    if (x.batch == batch && x.length == length && x.width == width &&
        x.numbers.size() == expected.numbers.size())
        return;
    throw Broken{text(what, " is ", x.batch, " × ", x.length, " × ", x.width, " of ",
                      x.numbers.size(), " numbers, not ", batch, " × ", length, " × ", width)};
}

inline Input alone(const Input& in, int b) {
    const auto part = [b](const Array& x) { return rows(x, first(x.length), x.width ? b : -1); };
    return {part(in.Q), part(in.K), part(in.V), part(in.mask)};
}

// Its functions each check one law: they return a remark or nothing, or throw what they find.
class Examiner {
  public:
    explicit Examiner(const Adapter& attention) : its(attention) {}
    Passport examine();

  private:
    using Function = std::function<Array(Array&, Array&, Array&, Array&)>;
    using Inputs = std::vector<Input>;

    bool has(const Array& mask) const { return !its.takes || its.takes(mask); }
    Inputs taken(const Inputs& inputs) const {
        Inputs taken;
        for (const Input& in : inputs)
            if (has(in.mask)) taken.push_back(in);
        if (taken.empty()) throw NotAsked{"it does not take the mask"};
        return taken;
    }
    Array call(const Function& function, Input in, int width, const std::string& what) const {
        if (!function) throw NotAsked{"there is no function " + what};
        taken({in});
        const Array y = function(in.Q, in.K, in.V, in.mask);
        check_size(y, in.Q.batch, in.Q.length, width, what);
        return y;
    }
    Array output(const Input& in) const { return call(its.output, in, in.V.width, "output"); }
    Array weights(Input in) const {
        if (its.weights || !its.output) return call(its.weights, in, in.K.length, "weights");
        const int T = in.K.length;  // with V the identity matrix, the output is the weights
        in.V = made(in.K.batch, T, T, [](int, int i, int j) { return i == j; });
        return output(in);
    }
    Gradients gradients(Input in, Array G) const {
        if (!its.gradients) throw NotAsked{"there is no function gradients"};
        taken({in});
        const Gradients found = its.gradients(in.Q, in.K, in.V, in.mask, G);
        check_size(found.dQ, in.Q.batch, in.Q.length, in.Q.width, "dQ");
        check_size(found.dK, in.K.batch, in.K.length, in.K.width, "dK");
        check_size(found.dV, in.V.batch, in.V.length, in.V.width, "dV");
        return found;
    }
    template <class Asked>
    void law(const std::string& name, Asked asked) {
        Law law{name};
        try {
            law.seen = asked();
        } catch (const NotAsked& not_asked) {
            law = {name, Verdict::not_asked, not_asked.why};
        } catch (const Broken& broken) {
            law = {name, Verdict::broken, broken.seen};
            if (!broken.id.empty()) passport.id = broken.id, passport.says = broken.says;
        } catch (const std::exception& error) {
            law = {name, Verdict::broken, text("it threw: ", error.what())};
        }
        passport.laws.push_back(law);
    }
    void weights_and_output();
    void masks();
    void numbers();
    void derivatives();
    void calls();
    void name_the_mistake();

    double scale() const { return its.scale ? its.scale(6) : 1 / std::sqrt(6.0); }

    const Adapter& its;
    Passport passport;
};

// Finds the mistake that gives the same wrong numbers wherever yours are wrong.
inline void Examiner::name_the_mistake() {
    const auto alike = [&](const Array& yours, const Array& walked) {
        for (std::size_t n = 0; n < yours.numbers.size(); ++n) {
            const double x = yours.numbers[n], y = walked.numbers[n];
            const bool nothing = y != y && (x != x || x == 0);  // 0 or NaN in fully masked rows
            if (!nothing && !is_near(x, y, its.tolerance)) return false;
        }
        return true;
    };
    std::vector<std::pair<Input, Array>> wrong;
    // The first two inputs say most; if those are wrong, the others add no information.
    const std::vector<Input> inputs = {words(), causal(), padded(), blind(), large()};
    for (std::size_t n = 0; n < inputs.size() && (n < 2 || wrong.empty()); ++n) {
        const Input& in = inputs[n];
        if (!has(in.mask)) continue;
        const Array yours = its.output ? output(in) : weights(in);
        if (!alike(yours, walk(in, scale(), "", !its.output))) wrong.push_back({in, yours});
    }
    // A guess about the derivative does not count while the output itself is wrong.
    if (!wrong.empty() && passport.id != "mask.inplace") passport.id = passport.says = "";
    for (const auto& mistake : mistakes) {
        const bool explains = std::all_of(wrong.begin(), wrong.end(), [&](const auto& pair) {
            return alike(pair.second, walk(pair.first, scale(), mistake.first, !its.output));
        });
        if (wrong.empty() || !explains) continue;
        passport.id = mistake.first, passport.says = mistake.second;
        return;
    }
}

}  // namespace passport::detail

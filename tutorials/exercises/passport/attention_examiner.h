// The examiner: calls the attention, checks the laws and records the findings.
#pragma once

#include "attention_mistakes.h"

#include <exception>
#include <iomanip>
#include <locale>
#include <sstream>

namespace passport::detail {

struct Broken {
    std::string seen;
};
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    out.imbue(std::locale::classic());  // not that of your program
    (out << ... << parts);
    return out.str();
}
inline bool is_near(double a, double b, double tolerance) {
    return a == b || std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}
inline std::string place(const Array& x, int n) {
    return text("[", n / (x.length * x.width), ", ", n / x.width % x.length, ", ", n % x.width,
                "]");
}
// "0.5, not 0.25", with all digits if it takes them to tell the two apart.
inline std::string not_as(double x, double y) {
    std::string left, right;
    for (int digits : {6, 17}) {
        left = text(std::setprecision(digits), x), right = text(std::setprecision(digits), y);
        if (left != right) break;
    }
    return (x != x ? "NaN" : left) + ", not " + (y != y ? "NaN" : right);
}
// With tolerance 0: bitwise; NaN equals NaN.
inline void same(const Array& a, const Array& b, double tolerance, const std::string& what) {
    for (int n = 0; n < int(b.numbers.size()); ++n) {
        const double x = a.numbers[n], y = b.numbers[n];
        if (is_near(x, y, tolerance) || (tolerance == 0 && x != x && y != y)) continue;
        throw Broken{text(what, ": ", not_as(x, y), ", at ", place(b, n))};
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

// What was tried with one input: the output, or the weights if there is no output.
struct Tried {
    Case input;
    Array right, yours;
    bool is_wrong, threw;
};
struct TriedGradients {
    Case input;
    Array G;
    Gradients yours;
};

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
        const int B = in.Q.batch, T_q = in.Q.length;  // the function may write to them
        const Array y = function(in.Q, in.K, in.V, in.mask);
        check_size(y, B, T_q, width, what);
        return y;
    }
    Array output(const Input& in) const { return call(its.output, in, in.V.width, "output"); }
    Array weights(Input in) const {
        if (its.weights || !its.output) return call(its.weights, in, in.K.length, "weights");
        // With V the identity matrix, the output is the weights. Two more columns, of zeros, keep
        // d_v from being the number of keys.
        const int T = in.K.length;
        in.V = made(in.K.batch, T, T + 2, [](int, int i, int j) { return i == j; });
        const Array wide = output(in);
        return made(in.Q.batch, in.Q.length, T, [&](int b, int i, int j) { return wide(b, i, j); });
    }
    Gradients gradients(Input in, Array G) const {
        if (!its.gradients) throw NotAsked{"there is no function gradients"};
        taken({in});
        const Input was = in;
        const Gradients found = its.gradients(in.Q, in.K, in.V, in.mask, G);
        check_size(found.dQ, was.Q.batch, was.Q.length, was.Q.width, "dQ");
        check_size(found.dK, was.K.batch, was.K.length, was.K.width, "dK");
        check_size(found.dV, was.V.batch, was.V.length, was.V.width, "dV");
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

    // attention_numbers.h: laws that compare with the reference, and which mistake it was.
    void reference();
    std::string compare_all(const std::vector<Case>& cases);
    void compare(const Case& input);
    std::string compare_gradients();
    std::string compare_gradients_with_zeros();
    void compare_gradient(const Case& input, const Array& G);
    void name_the_mistake();
    bool explains_outputs(const std::string& id) const;
    bool explains_gradients(const std::string& id) const;

    double scale(int d_k) const { return its.scale ? its.scale(d_k) : 1 / std::sqrt(d_k); }

    const Adapter& its;
    Passport passport;
    std::vector<Tried> tried;
    std::vector<TriedGradients> tried_gradients;
    bool kept_its_mask = false;  // its numbers in a second call are those with the mask of another
};

}  // namespace passport::detail

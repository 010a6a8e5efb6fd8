// Adapter: your attention as up to five functions on plain numbers. Passport: the laws it obeys.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace passport {

// batch × length × width numbers, row-major. A mask is batch × T_q × T_k, 1 where a query may
// attend to a key, else 0; an empty array means no mask.
struct Array {
    Array() = default;
    Array(int B, int T, int d) : batch(B), length(T), width(d), numbers(B * T * d) {}
    double& operator()(int b, int i, int j) { return numbers[(b * length + i) * width + j]; }
    double operator()(int b, int i, int j) const { return numbers[(b * length + i) * width + j]; }

    int batch = 0, length = 0, width = 0;
    std::vector<double> numbers;
};
struct Gradients {
    Array dQ, dK, dV;
};

// Throw this for inputs your attention does not support, such as more keys than queries: the law
// that needs them is then skipped.
struct NotAsked {
    std::string why;
};

// Your attention: Q batch × T_q × d_k, K batch × T_k × d_k, V batch × T_k × d_v. Leave out what it
// does not have. Parameters may be const; if they are not, writing to them is detected.
struct Adapter {
    // softmax(Q·Kᵀ·scale)·V, batch × T_q × d_v
    std::function<Array(Array& Q, Array& K, Array& V, Array& mask)> output;
    // batch × T_q × T_k
    std::function<Array(Array& Q, Array& K, Array& V, Array& mask)> weights = {};
    // for an upstream gradient G of the output's shape
    std::function<Gradients(Array& Q, Array& K, Array& V, Array& mask, Array& G)> gradients = {};
    // Does it support this mask? If empty: any mask, and none.
    std::function<bool(const Array& mask)> takes = {};
    // The factor applied to the scores. If empty: 1/√d_k.
    std::function<double(int d_k)> scale = {};
    double tolerance = 1e-6;  // 1e-4 for float
};

enum class Verdict { holds, broken, not_asked };
struct Law {
    std::string name;
    Verdict verdict = Verdict::holds;
    std::string seen = "";  // with numbers; or why it was skipped
};
struct Passport {
    int count(Verdict verdict) const {
        return std::count_if(laws.begin(), laws.end(),
                             [&](const Law& law) { return law.verdict == verdict; });
    }
    // If no law could be checked, this is false.
    bool passed() const { return count(Verdict::broken) == 0 && count(Verdict::holds) > 0; }
    std::string page() const {
        static const char* words[] = {"  holds      ", "  BROKEN     ", "  not asked  "};
        std::string page;
        for (const Law& law : laws) {
            page += words[static_cast<int>(law.verdict)] + law.name + "\n";
            if (!law.seen.empty()) page += "               " + law.seen + "\n";
        }
        page += "laws: " + std::to_string(count(Verdict::holds)) + " hold, " +
                std::to_string(count(Verdict::broken)) + " broken, " +
                std::to_string(count(Verdict::not_asked)) +
                " not asked: " + (passed() ? "passed\n" : "not passed\n");
        if (!id.empty()) page += "This is what I would see if " + says + " (" + id + ").\n";
        return page;
    }

    std::vector<Law> laws;
    std::string id, says;  // the mistake that explains the failures, if known
};

}  // namespace passport

// Adapter: your attention as up to five functions on plain numbers; and Passport: which laws it
// keeps.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace passport {

// batch × length × width numbers, row after row. A mask is batch × T_q × T_k, 1 where a query may
// attend to a key and 0 where not; an empty one is no mask.
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

// To be thrown by a function for what your attention does not do, as more keys than queries: the
// law that wanted it is not asked.
struct NotAsked {
    std::string why;
};

// Your attention: Q batch × T_q × d_k, K batch × T_k × d_k, V batch × T_k × d_v. What it does not
// have stays empty. Parameters may be const; if they are not and are written to, that is found.
struct Adapter {
    // softmax(Q·Kᵀ·scale)·V, batch × T_q × d_v
    std::function<Array(Array& Q, Array& K, Array& V, Array& mask)> output;
    // batch × T_q × T_k
    std::function<Array(Array& Q, Array& K, Array& V, Array& mask)> weights = {};
    // for an upstream gradient G as large as the output
    std::function<Gradients(Array& Q, Array& K, Array& V, Array& mask, Array& G)> gradients = {};
    // Does it have this mask? If empty: any, and none.
    std::function<bool(const Array& mask)> takes = {};
    // What the scores shall be multiplied by. If empty: 1/√d_k.
    std::function<double(int d_k)> scale = {};
    double tolerance = 1e-6;  // 1e-4 for float
};

enum class Verdict { holds, broken, not_asked };
struct Law {
    std::string name;
    Verdict verdict = Verdict::holds;
    std::string seen = "";  // with numbers; or why it was not asked
};
struct Passport {
    int count(Verdict verdict) const {
        return std::count_if(laws.begin(), laws.end(),
                             [&](const Law& law) { return law.verdict == verdict; });
    }
    // One of which nothing could be asked is none.
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
    std::string id, says;  // the mistake that explains what is broken, where one does
};

}  // namespace passport

// Answers to 11.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_11.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace heed;
using namespace exercise;

namespace {
Tensor matches(const Lists& lists) {  // [B, n]
    return tensor::squeeze(tensor::matmul(lists.markers, tensor::unsqueeze(lists.asked, -1)), -1);
}

double mean_over(const Tensor& chosen, const Tensor& x) {
    const double count = tensor::sum(chosen).item();
    return count == 0 ? 0 : tensor::sum(chosen * x).item() / count;
}

Tensor outputs(const Tensor& weights, const Tensor& values) {  // [B, d_v]
    return tensor::squeeze(tensor::matmul(tensor::unsqueeze(weights, 1), values), 1);
}

Tensor norms(const Tensor& y) { return tensor::sqrt(tensor::sum(y * y, -1)); }

Tensor row_softmax(const Tensor& scores) { return tensor::softmax(scores, -1); }

// The right answer, with places where it can be changed.
struct Way {
    std::function<Tensor(const Tensor& match, double sharpness)> scores =
        [](const Tensor& match, double sharpness) { return sharpness * (match - 0.5); };
    std::function<Tensor(const Tensor& match)> found = [](const Tensor& match) {
        return tensor::max(match, -1);
    };
    std::function<double(const Tensor& chosen, const Tensor& x)> mean = mean_over;
    std::function<Tensor(const Tensor& scores)> softmax = row_softmax;
    std::function<Tensor(const Tensor& y)> norm = norms;
    double zero_value = 0;
    std::int64_t place = -1;  // of the weight that is measured
};

Rest measured(const Lists& lists, const Way& way) {
    const std::int64_t B = lists.values.dim(0), n = lists.values.dim(1), d_v = lists.values.dim(2);
    const Tensor match = matches(lists), found = way.found(match), none = 1 - found;
    const Tensor more =
        tensor::concatenate({lists.values, tensor::full({B, 1, d_v}, way.zero_value)}, 1);
    Rest rest;
    for (const double sharpness : lists.sharpness) {
        const Tensor scores = way.scores(match, sharpness);
        const Tensor weights = way.softmax(tensor::concatenate({scores, tensor::zeros({B, 1})}, 1));
        const Tensor resting = tensor::select(weights, 1, way.place < 0 ? n : way.place);
        rest.rest_if_found.push_back(way.mean(found, resting));
        rest.rest_if_none.push_back(way.mean(none, resting));
        const Tensor alone = outputs(way.softmax(scores), lists.values);
        rest.noise.push_back(way.mean(none, way.norm(alone)));
        rest.noise_with_rest.push_back(way.mean(none, way.norm(outputs(weights, more))));
    }
    return rest;
}

std::function<Exercise()> by(const std::function<void(Way&)>& change) {
    Way way;
    change(way);
    return [=] { return judge_11_2([=](const Lists& lists) { return measured(lists, way); }); };
}

std::function<Exercise()> with(Rest (*measure)(const Lists&)) {
    return [=] { return judge_11_2(measure); };
}

Rest halves_the_values(const Lists& lists) {
    Tensor values = lists.values;
    const Rest rest = measured(lists, {});
    values.writable_data()[0] /= 2;
    return rest;
}

Rest first_list_only(const Lists& lists) {
    const Lists one = {tensor::slice(lists.asked, 0, 0, 1), tensor::slice(lists.markers, 0, 0, 1),
                       tensor::slice(lists.values, 0, 0, 1), lists.sharpness};
    return measured(one, {});
}

Rest only_one_sharpness(const Lists& lists) {
    Lists one = lists;
    one.sharpness.resize(1);
    return measured(one, {});
}

Rest first_32_items(const Lists& lists) {
    return measured({lists.asked, tensor::slice(lists.markers, 1, 0, 32),
                     tensor::slice(lists.values, 1, 0, 32), lists.sharpness},
                    {});
}

Rest noise_of_weights(const Lists& lists) {
    Rest rest = measured(lists, {});
    for (std::size_t i = 0; i < rest.noise.size(); ++i) rest.noise_with_rest[i] = rest.noise[i];
    return rest;
}

Rest adds_up(const Lists& lists) {
    static Rest all;
    const Rest rest = measured(lists, {});
    all.rest_if_found.insert(all.rest_if_found.end(), rest.rest_if_found.begin(),
                             rest.rest_if_found.end());
    return {all.rest_if_found, rest.rest_if_none, rest.noise, rest.noise_with_rest};
}

Rest in_opposite_order(const Lists& lists) {
    Lists turned = lists;
    turned.sharpness.assign(lists.sharpness.rbegin(), lists.sharpness.rend());
    return measured(turned, {});
}

Rest rests_exchanged(const Lists& lists) {
    Rest rest = measured(lists, {});
    std::swap(rest.rest_if_found, rest.rest_if_none);
    return rest;
}

std::function<Exercise()> with_sharpness(const std::function<void(std::vector<double>&)>& change) {
    return [=] {
        return judge_11_2([=](const Lists& lists) {
            Lists changed = lists;
            change(changed.sharpness);
            return measured(changed, {});
        });
    };
}

Rest no_rest_at_0(const Lists& lists) {
    Rest rest = measured(lists, {});
    for (std::size_t i = 0; i < rest.noise.size(); ++i) {
        if (lists.sharpness[i] > 0) continue;
        rest.rest_if_found[i] = rest.rest_if_none[i] = 0;
        rest.noise_with_rest[i] = rest.noise[i];
    }
    return rest;
}

// Which lists have a match, as the first call for so many lists found it.
Rest found_by_the_first_call(const Lists& lists) {
    static Tensor kept;
    Way way;
    way.found = [](const Tensor& match) {
        if (kept.dim(0) != match.dim(0)) kept = tensor::max(match, -1);
        return kept;
    };
    return measured(lists, way);
}

Rest nothing_for_one_list(const Lists& lists) {
    Rest rest = measured(lists, {});
    if (lists.asked.dim(0) == 1) rest.noise.clear();
    return rest;
}

Rest all_are_asked_for_one(const Lists& lists) {
    const Tensor first = tensor::slice(lists.asked, 0, 0, 1);
    const Tensor asked = tensor::contiguous(tensor::expand(first, lists.asked.shape()));
    return measured({asked, lists.markers, lists.values, lists.sharpness}, {});
}

// What lies in memory, whatever the strides.
Tensor as_it_lies(const Tensor& x) {
    return tensor::from_vector({x.data(), x.data() + x.numel()}, x.shape());
}
Rest markers_as_they_lie(const Lists& lists) {
    return measured({lists.asked, as_it_lies(lists.markers), lists.values, lists.sharpness}, {});
}
Rest values_as_they_lie(const Lists& lists) {
    return measured({lists.asked, lists.markers, as_it_lies(lists.values), lists.sharpness}, {});
}

Rest weights_with_rest_for_both(const Lists& lists) {
    Rest rest = measured(lists, {});
    rest.noise = rest.noise_with_rest;
    return rest;
}

Rest norm_of_the_mean(const Lists& lists) {
    Rest rest = measured(lists, {});
    const Tensor match = matches(lists), none = 1 - tensor::max(match, -1);
    const double count = std::max(1.0, double(tensor::sum(none).item()));
    const auto of = [&](const Tensor& y) {
        const Tensor mean = tensor::sum(y * tensor::unsqueeze(none, 1), 0) / count;
        return double(tensor::sqrt(tensor::sum(mean * mean)).item());
    };
    for (std::size_t i = 0; i < rest.noise.size(); ++i) {
        const Tensor scores = lists.sharpness[i] * (match - 0.5);
        rest.noise[i] = of(outputs(row_softmax(scores), lists.values));
        const Tensor resting = tensor::sigmoid(-tensor::logsumexp(scores, -1, keepdim));
        rest.noise_with_rest[i] = of(outputs(row_softmax(scores) * (1 - resting), lists.values));
    }
    return rest;
}

// Axes of length 1 are dropped, whichever they are.
Rest squeezed(const Lists& lists) {
    Way way;
    way.norm = [](const Tensor& y) {
        return tensor::sqrt(tensor::sum(tensor::squeeze(y * y), -1));
    };
    return measured(lists, way);
}

// Right: the weight at rest is σ(-logsumexp), and takes its part of the norm.
Rest by_logsumexp(const Lists& lists) {
    Rest rest;
    const Tensor match = matches(lists), found = tensor::max(match, -1), none = 1 - found;
    for (const double sharpness : lists.sharpness) {
        const Tensor scores = sharpness * (match - 0.5);
        const Tensor resting = tensor::sigmoid(-tensor::logsumexp(scores, -1));
        const Tensor noise = norms(outputs(row_softmax(scores), lists.values));
        rest.rest_if_found.push_back(mean_over(found, resting));
        rest.rest_if_none.push_back(mean_over(none, resting));
        rest.noise.push_back(mean_over(none, noise));
        rest.noise_with_rest.push_back(mean_over(none, noise * (1 - resting)));
    }
    return rest;
}

// Right: list after list.
Rest list_by_list(const Lists& lists) {
    Rest rest;
    for (const double sharpness : lists.sharpness) {
        double sums[4] = {}, found = 0, none = 0;
        for (std::int64_t b = 0; b < lists.values.dim(0); ++b) {
            const Lists one = {tensor::slice(lists.asked, 0, b, b + 1),
                               tensor::slice(lists.markers, 0, b, b + 1),
                               tensor::slice(lists.values, 0, b, b + 1),
                               {sharpness}};
            const Rest its = measured(one, {});
            const bool is_found =
                matches(one).to_vector() !=
                std::vector<Scalar>(static_cast<std::size_t>(lists.values.dim(1)), 0);
            (is_found ? found : none) += 1;
            sums[0] += its.rest_if_found[0];
            sums[1] += its.rest_if_none[0];
            sums[2] += its.noise[0];
            sums[3] += its.noise_with_rest[0];
        }
        rest.rest_if_found.push_back(found > 0 ? sums[0] / found : 0);
        rest.rest_if_none.push_back(none > 0 ? sums[1] / none : 0);
        rest.noise.push_back(none > 0 ? sums[2] / none : 0);
        rest.noise_with_rest.push_back(none > 0 ? sums[3] / none : 0);
    }
    return rest;
}

// The e^scores of the head with the zero key, which are all 0 beside it in a sharp head.
Rest one_exp_for_both(const Lists& lists) {
    Rest rest = measured(lists, {});
    const Tensor match = matches(lists), none = 1 - tensor::max(match, -1);
    for (std::size_t i = 0; i < lists.sharpness.size(); ++i) {
        const Tensor scores = lists.sharpness[i] * (match - 0.5);
        const Tensor largest = tensor::maximum(tensor::max(scores, -1, keepdim), 0.0);
        const Tensor e = tensor::exp(scores - largest);
        const Tensor alone = e / tensor::sum(e, -1, keepdim);
        rest.noise[i] = mean_over(none, norms(outputs(alone, lists.values)));
    }
    return rest;
}

Tensor shifted_softmax(const Tensor& scores) {
    const Tensor e = tensor::exp(scores - tensor::max(scores, -1, keepdim));
    return e / tensor::sum(e, -1, keepdim);
}

// Without a softmax: what the weights come to if k of n items match.
Rest by_formula(const Lists& lists) {
    Rest rest;
    const std::int64_t B = lists.values.dim(0), n = lists.values.dim(1);
    const Tensor of_matches = tensor::sum(matches(lists), -1);  // [B]
    const Tensor of_values = tensor::sum(lists.values, 1);      // [B, d_v]
    for (const double sharpness : lists.sharpness) {
        double found = 0, none = 0, resting = 0, resting_none = 0, noise = 0, with_rest = 0;
        const double low = tensor::exp(tensor::of(-sharpness / 2)).item();
        for (std::int64_t b = 0; b < B; ++b) {
            const double k = of_matches(b), others = static_cast<double>(n) - k;
            if (k > 0) {
                // All weights times e^(-sharpness/2), so that nothing overflows.
                ++found;
                resting += low / (k + low + others * low * low);
                continue;
            }
            ++none;
            const double length = norms(tensor::select(of_values, 0, b)).item();
            resting_none += 1 / (1 + others * low);
            noise += length / others;
            with_rest += length * low / (1 + others * low);
        }
        rest.rest_if_found.push_back(found > 0 ? resting / found : 0);
        rest.rest_if_none.push_back(none > 0 ? resting_none / none : 0);
        rest.noise.push_back(none > 0 ? noise / none : 0);
        rest.noise_with_rest.push_back(none > 0 ? with_rest / none : 0);
    }
    return rest;
}

// The noise with rest is that without, times what is left of the weight.
Rest with_the_noise_scaled(const Lists& lists) {
    Rest rest = measured(lists, {});
    for (std::size_t i = 0; i < rest.noise.size(); ++i) {
        rest.noise_with_rest[i] = rest.noise[i] * (1 - rest.rest_if_none[i]);
    }
    return rest;
}

}  // namespace

Answers answers_11_2() {
    Answers answers;
    answers.number = "11.2";
    answers.slipping = slipping(judge_11_2);
    answers.wrong = {
        {"no half",
         by([](Way& way) { way.scores = [](const Tensor& match, double s) { return s * match; }; }),
         {"sink.no-half"}},
        {"-1/2 after the sharpness", by([](Way& way) {
             way.scores = [](const Tensor& match, double s) { return s * match - 0.5; };
         })},
        {"sharpness in whole numbers", by([](Way& way) {
             way.scores = [](const Tensor& match, double s) {
                 return std::floor(s) * (match - 0.5);
             };
         })},
        {"matches of a list are added up", by([](Way& way) {
             way.found = [](const Tensor& match) { return tensor::sum(match, -1); };
         })},
        {"a list is found by its first item",
         by([](Way& way) {
             way.found = [](const Tensor& match) { return tensor::select(match, 1, 0); };
         }),
         {"sink.first-item-decides"}},
        {"0 / 0", by([](Way& way) {
             way.mean = [](const Tensor& chosen, const Tensor& x) {
                 return tensor::sum(chosen * x).item() / tensor::sum(chosen).item();
             };
         })},
        {"divided by B",
         by([](Way& way) {
             way.mean = [](const Tensor& chosen, const Tensor& x) {
                 return tensor::mean(chosen * x).item();
             };
         }),
         {"sink.divided-by-B"}},
        {"all lists",
         by([](Way& way) {
             way.mean = [](const Tensor&, const Tensor& x) { return tensor::mean(x).item(); };
         }),
         {"sink.all-lists"}},
        {"exp without its shift", by([](Way& way) {
             way.softmax = [](const Tensor& scores) {
                 const Tensor e = tensor::exp(scores);
                 return e / tensor::sum(e, -1, keepdim);
             };
         })},
        {"softmax over the lists", by([](Way& way) {
             way.softmax = [](const Tensor& scores) { return tensor::softmax(scores, 0); };
         })},
        {"squares",
         by([](Way& way) { way.norm = [](const Tensor& y) { return tensor::sum(y * y, -1); }; }),
         {"sink.squared"}},
        {"the sum of absolute entries", by([](Way& way) {
             way.norm = [](const Tensor& y) { return tensor::sum(tensor::abs(y), -1); };
         })},
        {"the first entry", by([](Way& way) {
             way.norm = [](const Tensor& y) { return tensor::abs(tensor::select(y, 1, 0)); };
         })},
        {"the zero key has a value of ones", by([](Way& way) { way.zero_value = 1; })},
        {"the first weight", by([](Way& way) { way.place = 0; }), {"sink.other-place"}},
        {"changes the values", with(halves_the_values)},
        {"the first list only", with(first_list_only)},
        {"the first sharpness only", with(only_one_sharpness)},
        {"32 items", with(first_32_items)},
        {"the noise twice", with(noise_of_weights), {"sink.renormalised"}},
        {"keeps what it has measured", with(adds_up)},
        {"the other way round", with(in_opposite_order)},
        {"the weights at rest exchanged", with(rests_exchanged), {"sink.rest-exchanged"}},
        {"sharpness sorted",
         with_sharpness([](std::vector<double>& all) { std::sort(all.begin(), all.end()); })},
        {"sharpness of 16 at most", with_sharpness([](std::vector<double>& all) {
             for (double& one : all) one = std::min(one, 16.0);
         })},
        {"sharpness of 0.001 at least", with_sharpness([](std::vector<double>& all) {
             for (double& one : all) one = std::max(one, 0.001);
         })},
        {"no rest at sharpness 0", with(no_rest_at_0)},
        {"found by the first call", with(found_by_the_first_call)},
        {"nothing for one list", with(nothing_for_one_list)},
        {"all lists are asked for one marker", with(all_are_asked_for_one)},
        {"markers as they lie in memory", with(markers_as_they_lie)},
        {"values as they lie in memory", with(values_as_they_lie)},
        {"noise without rest has the weights with it", with(weights_with_rest_for_both)},
        {"the norm of the mean", with(norm_of_the_mean), {"sink.norm-of-mean"}},
        {"one e^score for both heads", with(one_exp_for_both)},
        {"axes of 1 are dropped", with(squeezed)},
        {"found is exactly one match",
         by([](Way& way) {
             way.found = [](const Tensor& match) {
                 return tensor::to_tensor(tensor::sum(match, -1) == 1);
             };
         }),
         {"sink.one-match"}},
        {"found is more than one match", by([](Way& way) {
             way.found = [](const Tensor& match) {
                 return tensor::to_tensor(tensor::sum(match, -1) > 1);
             };
         })},
        {"found by the last item", by([](Way& way) {
             way.found = [](const Tensor& match) { return tensor::select(match, 1, -1); };
         })},
        {"1/2 is added", by([](Way& way) {
             way.scores = [](const Tensor& match, double s) { return s * (match + 0.5); };
         })},
        {"the zero key scores 1/2",
         by([](Way& way) {
             way.scores = [](const Tensor& match, double s) { return s * (match - 1); };
         }),
         {"sink.rest-as-found"}},
        {"sharpness counts twice", by([](Way& way) {
             way.scores = [](const Tensor& match, double s) { return s * s * (match - 0.5); };
         })},
        {"divided by the sharpness", by([](Way& way) {
             way.scores = [](const Tensor& match, double s) {
                 return (match - 0.5) / std::max(s, 1e-9);
             };
         })},
        {"sums", by([](Way& way) {
             way.mean = [](const Tensor& chosen, const Tensor& x) {
                 return double(tensor::sum(chosen * x).item());
             };
         })},
        {"means by one less", by([](Way& way) {
             way.mean = [](const Tensor& chosen, const Tensor& x) {
                 return tensor::sum(chosen * x).item() /
                        std::max(1.0, double(tensor::sum(chosen).item()) - 1);
             };
         })},
        {"the largest entry", by([](Way& way) {
             way.norm = [](const Tensor& y) { return tensor::max(tensor::abs(y), -1); };
         })},
        {"the root of the mean square",
         by([](Way& way) {
             way.norm = [](const Tensor& y) { return tensor::sqrt(tensor::mean(y * y, -1)); };
         }),
         {"sink.rms"}},
        {"a norm that is never 0", by([](Way& way) {
             way.norm = [](const Tensor& y) { return tensor::sqrt(tensor::sum(y * y, -1) + 1e-5); };
         })},
        {"the maximum is at least 0", by([](Way& way) {
             way.softmax = [](const Tensor& scores) {
                 const Tensor top = tensor::maximum(tensor::max(scores, -1, keepdim), 0);
                 const Tensor e = tensor::exp(scores - top);
                 return e / tensor::sum(e, -1, keepdim);
             };
         })},
        {"powers of 2", by([](Way& way) {
             way.softmax = [](const Tensor& scores) {
                 return tensor::softmax(scores * 0.6931471805599453, -1);
             };
         })},
    };
    answers.right = {
        {"list by list", with(list_by_list)},
        {"by logsumexp", with(by_logsumexp)},
        {"a softmax of one's own", by([](Way& way) { way.softmax = shifted_softmax; })},
        {"by a formula", with(by_formula)},
        {"with the noise scaled", with(with_the_noise_scaled)},
    };
    return answers;
}

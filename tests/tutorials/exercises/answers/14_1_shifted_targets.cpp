// Answers to 14.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/14_1_shifted_targets.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/nn/losses.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cstddef>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_14_1();
}

namespace {

using Ids = std::vector<std::int64_t>;
using Texts = std::vector<IndexTensor>;

Windows windows_from(const Ids& inputs, const Ids& targets, std::int64_t T) {
    const std::int64_t B = static_cast<std::int64_t>(inputs.size()) / T;
    return {IndexTensor(inputs, {B, T}), IndexTensor(targets, {B, T})};
}

// What stands at position t of the window that begins at `first`, of a text of n tokens.
using Entry = std::function<std::int64_t(const IndexTensor& text, std::int64_t first,
                                         std::int64_t t, std::int64_t T)>;

std::int64_t input_at(const IndexTensor& text, std::int64_t, std::int64_t t, std::int64_t) {
    return t + 1 < text.numel() ? text(t) : 0;
}

std::int64_t target_at(const IndexTensor& text, std::int64_t, std::int64_t t, std::int64_t) {
    return t + 1 < text.numel() ? text(t + 1) : no_target;
}

Windows by_entries(const Texts& texts, std::int64_t T, const Entry& input, const Entry& target) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        for (std::int64_t first = 0; first + 1 < text.numel(); first += T) {
            for (std::int64_t t = first; t < first + T; ++t) {
                inputs.push_back(input(text, first, t, T));
                targets.push_back(target(text, first, t, T));
            }
        }
    }
    return windows_from(inputs, targets, T);
}

Windows right_windows(const Texts& texts, std::int64_t T) {
    return by_entries(texts, T, input_at, target_at);
}

Windows shifted_inside_the_window(const Texts& texts, std::int64_t T) {
    const auto target = [](const IndexTensor& text, std::int64_t first, std::int64_t t,
                           std::int64_t length) {
        return t + 1 < first + length ? target_at(text, first, t, length) : no_target;
    };
    return by_entries(texts, T, input_at, target);
}

Windows wraps_around(const Texts& texts, std::int64_t T) {
    const auto target = [](const IndexTensor& text, std::int64_t, std::int64_t t, std::int64_t) {
        return t < text.numel() ? text((t + 1) % text.numel()) : no_target;
    };
    return by_entries(texts, T, input_at, target);
}

Windows padded_with_minus_1(const Texts& texts, std::int64_t T) {
    const auto target = [](const IndexTensor& text, std::int64_t, std::int64_t t, std::int64_t) {
        return t + 1 < text.numel() ? text(t + 1) : -1;
    };
    return by_entries(texts, T, input_at, target);
}

Windows repeats_the_last(const Texts& texts, std::int64_t T) {
    const auto input = [](const IndexTensor& text, std::int64_t, std::int64_t t, std::int64_t) {
        return text(std::min(t, text.numel() - 1));
    };
    return by_entries(texts, T, input, target_at);
}

Windows zero_is_padding(const Texts& texts, std::int64_t T) {
    const auto target = [](const IndexTensor& text, std::int64_t first, std::int64_t t,
                           std::int64_t length) {
        return input_at(text, first, t, length) == 0 ? no_target
                                                     : target_at(text, first, t, length);
    };
    return by_entries(texts, T, input_at, target);
}

Windows one_more_where_it_fits(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        if (text.numel() < 2) continue;
        for (std::int64_t k = 0; k <= (text.numel() - 1) / T; ++k) {
            for (std::int64_t t = k * T; t < (k + 1) * T; ++t) {
                inputs.push_back(input_at(text, 0, t, T));
                targets.push_back(target_at(text, 0, t, T));
            }
        }
    }
    return windows_from(inputs, targets, T);
}

Windows lonely_pairs_are_lost(const Texts& texts, std::int64_t T) {
    Texts longer;
    for (const IndexTensor& text : texts) {
        const bool lonely = T > 1 && (text.numel() - 1) % T == 1;
        longer.push_back(lonely ? tensor::slice(text, 0, 0, -1) : text);
    }
    return right_windows(longer, T);
}

Windows first_windows_first(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    bool more = true;
    for (std::int64_t first = 0; more; first += T) {
        more = false;
        for (const IndexTensor& text : texts) {
            if (first + 1 >= text.numel()) continue;
            more = true;
            for (std::int64_t t = first; t < first + T; ++t) {
                inputs.push_back(input_at(text, first, t, T));
                targets.push_back(target_at(text, first, t, T));
            }
        }
    }
    return windows_from(inputs, targets, T);
}

Windows of_the_first_T(const Texts& texts, std::int64_t T) {
    static const std::int64_t first_T = T;
    return right_windows(texts, first_T);
}

Ids positions_of(const IndexTensor& targets) {
    Ids positions;
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        if (targets.data()[i] != no_target) positions.push_back(i);
    }
    return positions;
}

// The mean of -log_P at these positions.
Variable mean_at(const Variable& log_P, const IndexTensor& targets, const Ids& positions) {
    Ids tokens;
    for (const std::int64_t i : positions) {
        tokens.push_back(std::max<std::int64_t>(targets.data()[i], 0));
    }
    const Variable rows = reshape(log_P, {-1, log_P.dim(-1)});
    const IndexTensor column = IndexTensor(tokens).reshape({-1, 1});
    return -mean(gather(index_select(rows, 0, IndexTensor(positions)), 1, column));
}

Variable right_loss(const Variable& logits, const IndexTensor& targets) {
    return mean_at(log_softmax(logits, -1), targets, positions_of(targets));
}

Variable up_to_the_first_padding(const Variable& logits, const IndexTensor& targets) {
    Ids positions;
    const std::int64_t T = targets.dim(1);
    for (std::int64_t b = 0; b < targets.dim(0); ++b) {
        for (std::int64_t t = 0; t < T && targets(b, t) != no_target; ++t) {
            positions.push_back(b * T + t);
        }
    }
    return mean_at(log_softmax(logits, -1), targets, positions);
}

Variable lengths_counted(const Variable& logits, const IndexTensor& targets) {
    Ids positions;
    const std::int64_t T = targets.dim(1);
    for (std::int64_t b = 0; b < targets.dim(0); ++b) {
        const IndexTensor own = tensor::slice(targets, 0, b, b + 1);
        const std::int64_t length = static_cast<std::int64_t>(positions_of(own).size());
        for (std::int64_t t = 0; t < length; ++t) positions.push_back(b * T + t);
    }
    return mean_at(log_softmax(logits, -1), targets, positions);
}

Variable a_little_more(const Variable& logits, const IndexTensor& targets) {
    return mean_at(log(softmax(logits, -1) + 1e-9), targets, positions_of(targets));
}

Variable constant_norm(const Variable& logits, const IndexTensor& targets) {
    const Variable norm = (logits - log_softmax(logits, -1)).detach();
    return mean_at(logits - norm, targets, positions_of(targets));
}

Variable maximum_from_0(const Variable& logits, const IndexTensor& targets) {
    const Variable m(tensor::maximum(tensor::max(logits.value(), -1, keepdim), tensor::zeros({1})));
    const Variable shifted = logits - m;
    return mean_at(shifted - log(sum(exp(shifted), -1, keepdim)), targets, positions_of(targets));
}

Variable clears_padding(const Variable& logits, const IndexTensor& targets) {
    const Variable loss = right_loss(logits, targets);
    Tensor shared = logits.value();
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        if (targets.data()[i] == no_target) shared.writable_data()[i * logits.dim(-1)] = 0;
    }
    return loss;
}

Variable one_entry(const Variable& logits, const IndexTensor& targets) {
    return reshape(right_loss(logits, targets), {1});
}

Variable without_the_first(const Variable& logits, const IndexTensor& targets) {
    Ids positions;
    for (const std::int64_t i : positions_of(targets)) {
        if (targets.dim(1) == 1 || i % targets.dim(1) != 0) positions.push_back(i);
    }
    return mean_at(log_softmax(logits, -1), targets, positions);
}

Variable classes_guessed(const Variable& logits, const IndexTensor& targets) {
    return cross_entropy(logits, targets);
}

Variable gradient_of_window_0(const Variable& logits, const IndexTensor& targets) {
    const Variable rest = slice(logits, 0, 1).detach();
    return right_loss(concatenate({slice(logits, 0, 0, 1), rest}, 0), targets);
}

Variable smoothed(const Variable& logits, const IndexTensor& targets) {
    return cross_entropy(logits, targets, {.label_smoothing = 0.1, .class_axis = -1});
}

Variable as_perplexity(const Variable& logits, const IndexTensor& targets) {
    return exp(right_loss(logits, targets));
}

using Cut = Windows (*)(const Texts&, std::int64_t);
using Loss = Variable (*)(const Variable&, const IndexTensor&);

std::function<Exercise()> cut_by(Cut cut) {
    return [cut] { return shifted_targets({cut, right_loss}); };
}
std::function<Exercise()> measured_by(Loss loss) {
    return [loss] { return shifted_targets({right_windows, loss}); };
}

// From the back, without 0 and no_target until the end.
Windows from_the_back(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (std::size_t i = texts.size(); i-- > 0;) {
        const std::int64_t pairs = std::max<std::int64_t>(texts[i].numel() - 1, 0);
        for (std::int64_t t = (pairs + T - 1) / T * T - 1; t >= 0; --t) {
            inputs.push_back(t < pairs ? texts[i](t) : 0);
            targets.push_back(t < pairs ? texts[i](t + 1) : no_target);
        }
    }
    std::reverse(inputs.begin(), inputs.end());
    std::reverse(targets.begin(), targets.end());
    return windows_from(inputs, targets, T);
}

Variable by_a_mask(const Variable& logits, const IndexTensor& targets) {
    const BoolTensor counts = !(targets == no_target);  // [B, T]
    const IndexTensor safe =
        tensor::to_index(tensor::where(counts, tensor::to_tensor(targets), 0));  // [B, T]
    const Variable chosen = squeeze(
        gather(log_softmax(logits, -1), 2, safe.reshape({targets.dim(0), targets.dim(1), 1})), 2);
    const double n = static_cast<double>(positions_of(targets).size());
    return sum(where(counts, chosen, 0)) * (-1 / n);
}

}  // namespace

Answers exercise::answers_14_1() {
    Answers answers;
    answers.number = "14.1";
    answers.wrong = {
        {"targets shifted inside each window, so its last has none",
         cut_by(shifted_inside_the_window)},
        {"the last token's target is the text's first", cut_by(wraps_around)},
        {"no target is -1", cut_by(padded_with_minus_1)},
        {"the room left is filled with the last token", cut_by(repeats_the_last)},
        {"token 0 as an input counts as padding", cut_by(zero_is_padding)},
        {"a window more where the pairs fill them exactly", cut_by(one_more_where_it_fits)},
        {"a last window of one pair is lost", cut_by(lonely_pairs_are_lost)},
        {"the first windows of all texts first", cut_by(first_windows_first)},
        {"a static T, that of the first call", cut_by(of_the_first_T)},
        {"only up to the first padding", measured_by(up_to_the_first_padding)},
        {"so many positions from the front as have a target", measured_by(lengths_counted)},
        {"log(P + 1e-9)", measured_by(a_little_more)},
        {"a detached norm", measured_by(constant_norm)},
        {"a maximum that begins at 0", measured_by(maximum_from_0)},
        {"writes to the logits at padding", measured_by(clears_padding)},
        {"the loss has shape [1]", measured_by(one_entry)},
        {"the first position does not count", measured_by(without_the_first)},
        {"the library guesses the classes' axis", measured_by(classes_guessed)},
        {"only window 0 gets a gradient", measured_by(gradient_of_window_0)},
        {"smoothed labels", measured_by(smoothed)},
        {"the perplexity", measured_by(as_perplexity)},
    };
    answers.right = {
        {"from the back", cut_by(from_the_back)},
        {"with a mask", measured_by(by_a_mask)},
    };
    return answers;
}

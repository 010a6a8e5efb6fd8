// Answers to 14.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_14.h"

#include "nn/heed.h"

#include <algorithm>
#include <cstddef>

using namespace heed;
using namespace exercise;

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
    return [cut] { return judge_14_1({cut, right_loss}); };
}
std::function<Exercise()> measured_by(Loss loss) {
    return [loss] { return judge_14_1({right_windows, loss}); };
}

Ids numbers_of(const IndexTensor& text) { return Ids(text.data(), text.data() + text.numel()); }

// Adds the windows of one text.
void add(const Ids& text, std::int64_t T, Ids& inputs, Ids& targets) {
    const auto n = static_cast<std::int64_t>(text.size());
    for (std::int64_t first = 0; first < n - 1; first += T) {
        for (std::int64_t t = first; t < first + T; ++t) {
            const bool is_pair = t + 1 < n;
            inputs.push_back(is_pair ? text[static_cast<std::size_t>(t)] : 0);
            targets.push_back(is_pair ? text[static_cast<std::size_t>(t + 1)] : no_target);
        }
    }
}

Windows one_stream(const Texts& texts, std::int64_t T) {
    Ids stream, inputs, targets;
    for (const IndexTensor& text : texts) {
        const Ids more = numbers_of(text);
        stream.insert(stream.end(), more.begin(), more.end());
    }
    add(stream, T, inputs, targets);
    return windows_from(inputs, targets, T);
}

// A window is T + 1 tokens, and the next one begins after them.
Windows without_the_seams(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        const Ids all = numbers_of(text);
        for (std::size_t first = 0; first + 1 < all.size();
             first += static_cast<std::size_t>(T) + 1) {
            const std::size_t end = std::min(all.size(), first + static_cast<std::size_t>(T) + 1);
            add(Ids(all.begin() + static_cast<long>(first), all.begin() + static_cast<long>(end)),
                T, inputs, targets);
        }
    }
    return windows_from(inputs, targets, T);
}

Windows whole_windows_only(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        const std::int64_t windows = std::max<std::int64_t>(0, text.numel() - 1) / T;
        if (windows == 0) continue;
        Ids all = numbers_of(text);
        all.resize(static_cast<std::size_t>(windows * T + 1));
        add(all, T, inputs, targets);
    }
    return windows_from(inputs, targets, T);
}

Windows window_for_single_tokens(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        if (text.numel() == 1) {
            for (std::int64_t t = 0; t < T; ++t) {
                inputs.push_back(t == 0 ? text(0) : 0);
                targets.push_back(no_target);
            }
        } else {
            add(numbers_of(text), T, inputs, targets);
        }
    }
    return windows_from(inputs, targets, T);
}

Windows room_at_the_beginning(const Texts& texts, std::int64_t T) {
    const Windows right = right_windows(texts, T);
    Ids inputs = numbers_of(right.inputs), targets = numbers_of(right.targets);
    for (std::int64_t b = 0; b < right.inputs.dim(0); ++b) {
        const auto from = targets.begin() + b * T, to = from + T;
        const auto used = std::find(from, to, no_target) - from;
        std::rotate(from, from + used, to);
        std::rotate(inputs.begin() + b * T, inputs.begin() + b * T + used,
                    inputs.begin() + (b + 1) * T);
    }
    return windows_from(inputs, targets, T);
}

// The last window ends with the text, and repeats pairs; only a short text has room left.
Windows last_window_moved(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        Ids all = numbers_of(text);
        const std::int64_t pairs = std::max<std::int64_t>(0, text.numel() - 1);
        if (pairs > T && pairs % T != 0) {
            const std::int64_t whole = pairs / T * T;
            add(Ids(all.begin(), all.begin() + whole + 1), T, inputs, targets);
            add(Ids(all.end() - T - 1, all.end()), T, inputs, targets);
        } else {
            add(all, T, inputs, targets);
        }
    }
    return windows_from(inputs, targets, T);
}

Windows targets_of_room_are_0(const Texts& texts, std::int64_t T) {
    const Windows right = right_windows(texts, T);
    Ids targets = numbers_of(right.targets);
    std::replace(targets.begin(), targets.end(), no_target, std::int64_t{0});
    return {right.inputs, IndexTensor(targets, right.targets.shape())};
}

Windows token_0_is_no_target(const Texts& texts, std::int64_t T) {
    const Windows right = right_windows(texts, T);
    Ids targets = numbers_of(right.targets);
    std::replace(targets.begin(), targets.end(), std::int64_t{0}, no_target);
    return {right.inputs, IndexTensor(targets, right.targets.shape())};
}

Windows as_long_as_the_first(const Texts& texts, std::int64_t T) {
    Texts cut = texts;
    for (IndexTensor& text : cut) {
        Ids all = numbers_of(text);
        all.resize(static_cast<std::size_t>(texts[0].numel()));
        text = IndexTensor(all);
    }
    return right_windows(cut, T);
}

Windows ids_of_32_bits(const Texts& texts, std::int64_t T) {
    const Windows right = right_windows(texts, T);
    Ids inputs = numbers_of(right.inputs), targets = numbers_of(right.targets);
    for (std::int64_t& id : inputs) id = static_cast<int>(id);
    for (std::int64_t& id : targets) id = static_cast<int>(id);
    return windows_from(inputs, targets, T);
}

Windows nothing_without_an_axis(const Texts& texts, std::int64_t T) {
    const Windows right = right_windows(texts, T);
    if (right.inputs.numel() == 0) return {};
    return right;
}

Windows every_place(const Texts& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        const Ids all = numbers_of(text);
        for (std::int64_t first = 0; first + 1 < text.numel(); ++first) {
            const std::int64_t end = std::min(text.numel(), first + T + 1);
            add(Ids(all.begin() + first, all.begin() + end), T, inputs, targets);
            if (end == text.numel()) break;
        }
    }
    return windows_from(inputs, targets, T);
}

// Remembers what it made of as many texts before.
Windows remembered(const Texts& texts, std::int64_t T) {
    static std::vector<std::pair<std::pair<std::size_t, std::int64_t>, Windows>> made;
    for (const auto& [key, windows] : made) {
        if (key == std::pair(texts.size(), T)) return windows;
    }
    made.push_back({{texts.size(), T}, right_windows(texts, T)});
    return made.back().second;
}

// Windows by tensors' own functions.
Windows by_slices(const Texts& texts, std::int64_t T) {
    std::vector<IndexTensor> inputs = {IndexTensor(Ids{}, {0, T})}, targets = inputs;
    for (const IndexTensor& text : texts) {
        const std::int64_t pairs = text.numel() - 1;
        if (pairs < 1) continue;
        const std::int64_t room = (T - pairs % T) % T;
        const auto filled = [&](const IndexTensor& part, std::int64_t with) {
            const IndexTensor rest(Ids(static_cast<std::size_t>(room), with));
            return tensor::concatenate({part, rest}, 0).reshape({-1, T});
        };
        inputs.push_back(filled(tensor::slice(text, 0, 0, -1), 0));
        targets.push_back(filled(tensor::slice(text, 0, 1), no_target));
    }
    return {tensor::concatenate(inputs, 0), tensor::concatenate(targets, 0)};
}

BoolTensor has_target(const IndexTensor& targets) { return targets != no_target; }
double count(const IndexTensor& targets) {
    return tensor::sum(tensor::to_tensor(has_target(targets))).item();
}

IndexTensor some_target(const IndexTensor& targets) {
    Ids all = numbers_of(targets);
    std::replace(all.begin(), all.end(), no_target, std::int64_t{0});
    return IndexTensor(all, targets.shape());
}

// [B, T], with 0 where there is no target
Variable losses(const Variable& log_p, const IndexTensor& targets) {
    const Shape& s = targets.shape();
    const IndexTensor index = some_target(targets).reshape({s[0], s[1], 1});
    return where(has_target(targets), -squeeze(gather(log_p, -1, index), -1), 0);
}

Variable mean_over_all(const Variable& x, const IndexTensor& targets) {
    return mean(losses(log_softmax(x, -1), targets));
}

Variable mean_of_rows(const Variable& x, const IndexTensor& targets) {
    const Variable rows = sum(losses(log_softmax(x, -1), targets), -1);
    const Tensor counts = tensor::sum(tensor::to_tensor(has_target(targets)), -1);
    return mean(rows / tensor::maximum(counts, 1));
}

Variable log_of_softmax(const Variable& x, const IndexTensor& targets) {
    return sum(losses(log(softmax(x, -1)), targets)) / count(targets);
}

Variable largest_of_all_subtracted(const Variable& x, const IndexTensor& targets) {
    const Variable y = x - max(x).detach();
    return sum(losses(y - log(sum(exp(y), -1, keepdim)), targets)) / count(targets);
}

Variable room_counts_as_token_0(const Variable& x, const IndexTensor& targets) {
    return cross_entropy(x, some_target(targets), {.class_axis = -1});
}

Variable token_0_ignored(const Variable& x, const IndexTensor& targets) {
    Ids all = numbers_of(targets);
    std::replace(all.begin(), all.end(), std::int64_t{0}, no_target);
    return cross_entropy(x, IndexTensor(all, targets.shape()), {.class_axis = -1});
}

Variable softmax_over_positions(const Variable& x, const IndexTensor& targets) {
    return sum(losses(log_softmax(x, 1), targets)) / count(targets);
}

Variable gradient_of_the_sum(const Variable& x, const IndexTensor& targets) {
    const Variable total = sum(losses(log_softmax(x, -1), targets));
    return total + (total.value() / count(targets) - total.value());
}

Variable by_values(const Variable& x, const IndexTensor& targets) {
    return right_loss(Variable(x.value(), requires_grad), targets);
}

Variable clamped(const Variable& x, const IndexTensor& targets) {
    return right_loss(clamp(x, {-100, 100}), targets);
}

Variable by_the_first_count(const Variable& x, const IndexTensor& targets) {
    static const double n = count(targets);
    return sum(losses(log_softmax(x, -1), targets)) / n;
}

Variable as_if_in_every_row(const Variable& x, const IndexTensor& targets) {
    const double in_the_first_row = count(tensor::slice(targets, 0, 0, 1));
    return sum(losses(log_softmax(x, -1), targets)) /
           (in_the_first_row * static_cast<double>(targets.dim(0)));
}

// Positions without a target are pushed a little towards all tokens alike.
Variable pull_on_room(const Variable& x, const IndexTensor& targets) {
    const Variable p = log_softmax(x, -1);
    const Variable room = where(has_target(targets), 0, sum(p, -1));
    return right_loss(x, targets) + sum(room - room.value());
}

Variable one_by_one(const Variable& x, const IndexTensor& targets) {
    std::vector<Variable> all;
    for (std::int64_t b = 0; b < targets.dim(0); ++b) {
        for (std::int64_t t = 0; t < targets.dim(1); ++t) {
            if (targets(b, t) < 0) continue;
            const Variable row = select(select(x, 0, b), 0, t);
            all.push_back(logsumexp(row, {0}) - select(row, 0, targets(b, t)));
        }
    }
    return mean(stack(all));
}

Variable by_one_hot(const Variable& x, const IndexTensor& targets) {
    const Tensor chosen = tensor::one_hot(some_target(targets), x.dim(-1)) *
                          tensor::unsqueeze(tensor::to_tensor(has_target(targets)), -1);
    return -sum(log_softmax(x, -1) * (chosen / count(targets)));
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

// All pairs first, dealt out to windows afterwards.
Windows by_pairs(const std::vector<IndexTensor>& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        if (text.numel() < 2) continue;
        const std::int64_t last = text.numel() - 1, room = (last + T - 1) / T * T;
        inputs.insert(inputs.end(), text.data(), text.data() + last);
        targets.insert(targets.end(), text.data() + 1, text.data() + last + 1);
        inputs.resize(inputs.size() + static_cast<std::size_t>(room - last), 0);
        targets.resize(inputs.size(), no_target);
    }
    const std::int64_t B = static_cast<std::int64_t>(inputs.size()) / T;
    return {IndexTensor(inputs, {B, T}), IndexTensor(targets, {B, T})};
}

Variable by_weights(const Variable& logits, const IndexTensor& targets) {
    std::vector<Scalar> chosen;  // 1 at each target
    double count = 0;
    const std::int64_t V = logits.dim(-1);
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        const std::int64_t target = targets.data()[i];
        count += target != no_target;
        for (std::int64_t v = 0; v < V; ++v) chosen.push_back(v == target ? 1 : 0);
    }
    const Variable weights(tensor::from_vector(chosen, logits.shape()));
    return sum(log_softmax(logits, -1) * weights) / -count;
}

Variable by_the_library(const Variable& logits, const IndexTensor& targets) {
    return cross_entropy(logits, targets, {.class_axis = -1});
}

}  // namespace

Answers answers_14_1() {
    Answers answers;
    answers.number = "14.1";
    answers.slipping = slipping(judge_14_1);
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
        {"all texts as one stream", cut_by(one_stream), {"win.joined"}},
        {"windows of T + 1 tokens one after the other", cut_by(without_the_seams), {"win.gap"}},
        {"whole windows only", cut_by(whole_windows_only), {"win.rest-dropped"}},
        {"a window for a text of one token", cut_by(window_for_single_tokens)},
        {"the room at the beginning", cut_by(room_at_the_beginning), {"win.pad-front"}},
        {"the last window moved back", cut_by(last_window_moved)},
        {"0 as the target of room", cut_by(targets_of_room_are_0), {"win.pad-target-0"}},
        {"no target where it is 0", cut_by(token_0_is_no_target)},
        {"all texts as long as the first", cut_by(as_long_as_the_first)},
        {"ids of 32 bits", cut_by(ids_of_32_bits)},
        {"no windows without the axis T", cut_by(nothing_without_an_axis)},
        {"a window from every place", cut_by(every_place)},
        {"windows remembered by the number of texts", cut_by(remembered)},
        {"a mean over all positions", measured_by(mean_over_all), {"ce.padding-counted"}},
        {"a mean of the rows' means, rows without a target too", measured_by(mean_of_rows)},
        {"log(softmax)", measured_by(log_of_softmax)},
        {"the largest of all logits subtracted", measured_by(largest_of_all_subtracted)},
        {"room counts as token 0", measured_by(room_counts_as_token_0), {"ce.padding-as-0"}},
        {"targets 0 left out", measured_by(token_0_ignored), {"ce.zero-skipped"}},
        {"softmax over positions", measured_by(softmax_over_positions), {"ce.positions-softmax"}},
        {"the gradient of the sum", measured_by(gradient_of_the_sum)},
        {"of a new leaf", measured_by(by_values), {"train.detached"}},
        {"logits clamped to ±100", measured_by(clamped)},
        {"divided by the first call's count", measured_by(by_the_first_count)},
        {"the first row's count for all rows", measured_by(as_if_in_every_row)},
        {"a gradient at positions without a target", measured_by(pull_on_room)},
    };
    answers.right = {
        {"from the back", cut_by(from_the_back)},
        {"with a mask", measured_by(by_a_mask)},
        {"slices, filled and reshaped", cut_by(by_slices)},
        {"one by one", measured_by(one_by_one)},
        {"by one-hot rows", measured_by(by_one_hot)},
        {"all pairs first, and a sum with weights",
         [] {
             return judge_14_1({by_pairs, by_weights});
         }},
        {"with the library's loss",
         [] {
             return judge_14_1({by_pairs, by_the_library});
         }},
    };
    return answers;
}

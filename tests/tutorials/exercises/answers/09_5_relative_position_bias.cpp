// Answers to 09.5.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace {
struct Layer : Module {
    Layer(std::int64_t num_heads, std::int64_t largest_distance)
        : largest(largest_distance), bias(tensor::zeros({num_heads, 2 * largest_distance + 1})) {}

    void members(MemberVisitor& visit) override { visit("bias", bias); }

    std::int64_t largest;
    Parameter bias;  // [h, 2·largest + 1]
};

// The column for query i and key j of T words.
using Column = std::int64_t (*)(std::int64_t i, std::int64_t j, std::int64_t T,
                                std::int64_t largest);

IndexTensor table(Column column, std::int64_t T, std::int64_t largest) {
    std::vector<std::int64_t> columns;
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) columns.push_back(column(i, j, T, largest));
    }
    return IndexTensor(columns, {T, T});
}

std::int64_t right(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::clamp(j - i, -largest, largest) + largest;
}

// [h, T, T]
Variable biases(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return index_select(bias, 1, table(right, scores.dim(-1), largest));
}

// ----- other columns

std::int64_t to_the_left(std::int64_t i, std::int64_t j, std::int64_t T, std::int64_t largest) {
    return right(j, i, T, largest);
}

std::int64_t either_side(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::min(std::abs(j - i), largest) + largest;
}

std::int64_t unclipped_before(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::min(j - i, largest) + largest;
}

std::int64_t unclipped_behind(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::max(j - i, -largest) + largest;
}

std::int64_t clipped_early(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::clamp(j - i, std::min<std::int64_t>(0, 1 - largest), largest) + largest;
}

std::int64_t around(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    const std::int64_t columns = 2 * largest + 1;
    return (((j - i + largest) % columns) + columns) % columns;
}

std::int64_t clipped_positions(std::int64_t i, std::int64_t j, std::int64_t, std::int64_t largest) {
    return std::min(j, largest) - std::min(i, largest) + largest;
}

std::int64_t up_to_50_words(std::int64_t i, std::int64_t j, std::int64_t T, std::int64_t largest) {
    const std::int64_t last = 49;
    return right(std::min(i, last), std::min(j, last), T, largest);
}

std::int64_t from_the_last_word(std::int64_t, std::int64_t j, std::int64_t T,
                                std::int64_t largest) {
    return right(T - 1, j, T, largest);
}

template <Column column>
struct ByColumn : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& scores) const {
        return scores + index_select(bias, 1, table(column, scores.dim(-1), largest));
    }
};

// ----- other sums

using Sum = Variable (*)(const Variable& bias, const Variable& scores, std::int64_t largest);

template <Sum sum>
struct BySum : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& scores) const { return sum(bias, scores, largest); }
};

BoolTensor beyond(std::int64_t T, std::int64_t largest) {
    std::vector<bool> far;
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) far.push_back(std::abs(j - i) > largest);
    }
    return BoolTensor(far, {T, T});
}

Variable none_beyond(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const BoolTensor far = beyond(scores.dim(-1), largest);
    return scores + masked_fill(biases(bias, scores, largest), far, 0);
}

Variable nothing_learned_beyond(const Variable& bias, const Variable& scores,
                                std::int64_t largest) {
    const BoolTensor far = beyond(scores.dim(-1), largest);
    const Variable all = biases(bias, scores, largest);
    return scores + where(far, all.detach(), all);
}

Variable only_the_past(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores + tril(biases(bias, scores, largest));
}

Variable head_0_for_all(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores + biases(slice(bias, 0, 0, 1), scores, largest);
}

Variable first_text_only(const Variable& bias, const Variable& scores, std::int64_t largest) {
    if (scores.dim(0) < 2) return scores + biases(bias, scores, largest);
    const Variable first = slice(scores, 0, 0, 1) + biases(bias, scores, largest);
    return concatenate({first, slice(scores, 0, 1)}, 0);
}

Variable a_factor(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores * (biases(bias, scores, largest) + 1);
}

Variable bias_off_the_graph(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores + biases(bias.detach(), scores, largest);
}

Variable scores_off_the_graph(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores.detach() + biases(bias, scores, largest);
}

Variable last_text_learns(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const std::int64_t B = scores.dim(0);
    if (B < 2) return scores + biases(bias, scores, largest);
    const Variable others = slice(scores, 0, 0, B - 1) + biases(bias.detach(), scores, largest);
    const Variable last = slice(scores, 0, B - 1) + biases(bias, scores, largest);
    return concatenate({others, last}, 0);
}

Variable scores_in_place(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const Variable sum = scores + biases(bias, scores, largest);
    Tensor room = scores.value();
    tensor::overwrite(room, sum.value());
    return sum;
}

Variable table_by_words(const Variable& bias, const Variable& scores, std::int64_t largest) {
    static std::map<std::int64_t, IndexTensor> tables;
    const std::int64_t T = scores.dim(-1);
    if (!tables.count(T)) tables[T] = table(right, T, largest);
    return scores + index_select(bias, 1, tables[T]);
}

Variable masked_stay_0(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return masked_fill(scores + biases(bias, scores, largest), scores.value() == 0, 0);
}

Variable bias_around_0(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores + biases(bias - mean(bias, 1, keepdim), scores, largest);
}

Variable nothing_for_largest_0(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return largest == 0 ? scores : scores + biases(bias, scores, largest);
}

Variable nothing_for_one_word(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores.dim(-1) == 1 ? scores : scores + biases(bias, scores, largest);
}

Variable nothing_for_zeros(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const bool all_0 = tensor::sum(tensor::abs(bias.value())).item() == 0;
    return all_0 ? scores : scores + biases(bias, scores, largest);
}

Variable bias_in_place(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const Variable sum = scores + biases(bias, scores, largest);
    Tensor room = bias.value();
    room.writable_data()[0] = 0;
    return sum;
}

Variable scores_scaled(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores / std::sqrt(static_cast<double>(scores.dim(-1))) + biases(bias, scores, largest);
}

Variable last_columns_learn_nothing(const Variable& bias, const Variable& scores,
                                    std::int64_t largest) {
    const Variable frozen =
        concatenate({slice(bias, 1, 0, largest + 1), slice(bias, 1, largest + 1).detach()}, 1);
    return scores + biases(frozen, scores, largest);
}

// As many heads as words: a table [T, T, h] is not turned round.
Variable heads_last_if_as_many_as_words(const Variable& bias, const Variable& scores,
                                        std::int64_t largest) {
    const Variable all = biases(bias, scores, largest);
    return scores + (all.dim(0) == all.dim(2) ? transpose(all, 0, 2) : all);
}

Variable no_minus_infinity(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return maximum(scores, -1e9) + biases(bias, scores, largest);
}

Variable texts_of_64_words(const Variable& bias, const Variable& scores, std::int64_t largest) {
    if (scores.dim(-1) > 64) throw std::length_error("more than 64 words");
    return scores + biases(bias, scores, largest);
}

// ----- other parameters

Variable added(const Variable& bias, const Variable& scores, std::int64_t largest) {
    return scores + biases(bias, scores, largest);
}

using Right = BySum<added>;

struct StartsAtOnes : Right {
    StartsAtOnes(std::int64_t h, std::int64_t largest_distance) : Right(h, largest_distance) {
        bias = Parameter(tensor::ones(bias.shape()));
    }
};

struct StartsAtRandom : Right {
    StartsAtRandom(std::int64_t h, std::int64_t largest_distance) : Right(h, largest_distance) {
        Random random(0);
        bias = Parameter(tensor::normal(bias.shape(), random, 0, 0.02));
    }
};

struct Frozen : Right {
    Frozen(std::int64_t h, std::int64_t largest_distance) : Right(h, largest_distance) {
        bias.set_requires_grad(false);
    }
};

// A column for each distance, of which the other side has the same.
struct OneSided : Layer {
    OneSided(std::int64_t h, std::int64_t largest_distance) : Layer(h, largest_distance) {
        bias = Parameter(tensor::zeros({h, largest_distance + 1}));
    }
    Variable operator()(const Variable& scores) const {
        const auto distance = [](std::int64_t i, std::int64_t j, std::int64_t, std::int64_t most) {
            return std::min(std::abs(j - i), most);
        };
        return scores + index_select(bias, 1, table(distance, scores.dim(-1), largest));
    }
};

// ----- right

// A row of the bias, extended to all distances, from which each query cuts its own.
Variable cut_from_a_long_row(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const std::int64_t T = scores.dim(-1);
    std::vector<std::int64_t> all;
    for (std::int64_t d = 1 - T; d < T; ++d) all.push_back(right(0, d, T, largest));
    const Variable row = index_select(bias, 1, IndexTensor(all));  // [h, 2·T - 1]
    std::vector<Variable> queries;
    for (std::int64_t i = 0; i < T; ++i) {
        queries.push_back(slice(row, 1, T - 1 - i, 2 * T - 1 - i));
    }
    return scores + stack(queries, 1);
}

// The biases as a product with a table of ones and zeros.
Variable by_a_product(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const std::int64_t T = scores.dim(-1), columns = 2 * largest + 1;
    std::vector<Scalar> ones(static_cast<std::size_t>(columns * T * T), 0);
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) {
            ones[static_cast<std::size_t>((right(i, j, T, largest) * T + i) * T + j)] = 1;
        }
    }
    const Variable chosen(tensor::from_vector(ones, {columns, T * T}));
    return view(matmul(bias, chosen), {bias.dim(0), T, T}) + scores;
}

// ----- the lists

template <class L>
Answer answer(const std::string& what, const std::vector<std::string>& names = {}) {
    return {what, [] { return judge_09_5(bias_layer<L>()); }, names};
}

std::vector<Answer> wrong_columns() {
    return {
        answer<ByColumn<to_the_left>>("i - j for j - i", {"rel.i-minus-j"}),
        answer<ByColumn<either_side>>("the distance without its sign", {"rel.absdist"}),
        answer<ByColumn<unclipped_before>>("words far before are not clipped",
                                           {"rel.no-clip-before"}),
        answer<ByColumn<unclipped_behind>>("words far behind are not clipped",
                                           {"rel.no-clip-after"}),
        answer<ByColumn<clipped_early>>("column 0 is never used"),
        answer<ByColumn<around>>("distances wrap around"),
        answer<ByColumn<clipped_positions>>("positions are clipped, not distances"),
        answer<ByColumn<up_to_50_words>>("positions from 50 on are taken for 49"),
        answer<ByColumn<from_the_last_word>>("all queries are the last one"),
    };
}

std::vector<Answer> wrong_sums() {
    return {
        answer<BySum<none_beyond>>("no bias beyond the largest distance", {"rel.drop"}),
        answer<BySum<nothing_learned_beyond>>("no gradient from beyond the largest distance"),
        answer<BySum<only_the_past>>("only for words before", {"rel.only-before"}),
        answer<BySum<head_0_for_all>>("all heads have the bias of head 0", {"rel.one-head"}),
        answer<BySum<first_text_only>>("only the first text"),
        answer<BySum<a_factor>>("scores are multiplied"),
        answer<BySum<bias_off_the_graph>>("the bias is cut off the graph", {"rel.detached"}),
        answer<BySum<scores_off_the_graph>>("the scores are cut off the graph",
                                            {"rel.scores-detached"}),
        answer<BySum<last_text_learns>>("only the last text has a gradient for the bias"),
        answer<BySum<scores_in_place>>("the scores given are overwritten"),
        answer<BySum<table_by_words>>("a table for T words is kept, whatever is the largest"),
        answer<BySum<bias_around_0>>("the bias's mean is taken away"),
        answer<BySum<nothing_for_largest_0>>("nothing is added if largest is 0"),
        answer<BySum<nothing_for_one_word>>("nothing is added to a single word"),
        answer<BySum<nothing_for_zeros>>("a bias of zeros is not added, so it never learns"),
        answer<BySum<bias_in_place>>("the bias is changed"),
        answer<BySum<scores_scaled>>("scores are divided by √T"),
        answer<BySum<last_columns_learn_nothing>>("only words before learn"),
        answer<BySum<masked_stay_0>>("a score of 0 stays 0"),
        answer<BySum<heads_last_if_as_many_as_words>>("heads are taken for words if as many"),
        answer<BySum<no_minus_infinity>>("-∞ becomes -1e9"),
        answer<BySum<texts_of_64_words>>("64 words at most"),
    };
}

Variable diagonal_by_diagonal(const Variable& bias, const Variable& scores, std::int64_t largest) {
    const std::int64_t T = scores.dim(-1);
    Variable sum = scores;
    for (std::int64_t distance = -T; distance <= T; ++distance) {
        const Tensor ones = tensor::ones({T, T});
        const Tensor diagonal = tensor::triu(ones, distance) - tensor::triu(ones, distance + 1);
        const std::int64_t column = std::clamp(distance, -largest, largest) + largest;
        const Variable its = view(select(bias, 1, column), {bias.dim(0), 1, 1});
        sum = sum + its * Variable(diagonal);
    }
    return sum;
}

}  // namespace

Answers answers_09_5() {
    Answers answers;
    answers.number = "09.5";
    answers.slipping = slipping(judge_09_5);
    answers.wrong = {
        answer<StartsAtOnes>("begins with ones"),
        answer<StartsAtRandom>("begins with small random numbers"),
        answer<Frozen>("a new layer's bias is frozen", {"rel.frozen"}),
        answer<OneSided>("the bias has largest + 1 columns"),
    };
    for (const std::vector<Answer>& some : {wrong_columns(), wrong_sums()}) {
        answers.wrong.insert(answers.wrong.end(), some.begin(), some.end());
    }
    answers.right = {
        answer<BySum<cut_from_a_long_row>>("each query cuts its part of a long row"),
        answer<BySum<by_a_product>>("a product with ones and zeros"),
        answer<BySum<diagonal_by_diagonal>>("diagonal by diagonal"),
    };
    return answers;
}

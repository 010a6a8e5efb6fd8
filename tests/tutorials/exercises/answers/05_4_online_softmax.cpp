// Answers to 05.4, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_05.h"

#include "nn/heed.h"

#include <algorithm>
#include <limits>

using namespace heed;
using namespace exercise;

namespace {
Tensor finite(const Tensor& x) { return tensor::masked_fill(x, x == -infinity, 0); }

// Right for this `largest` and `shift`.
Carried shifted(const Carried& before, const Tensor& scores, const Tensor& V, const Tensor& largest,
                const Tensor& shift) {
    const Tensor kept = tensor::exp(before.largest - shift), powers = tensor::exp(scores - shift);
    return {largest, kept * before.total + tensor::sum(powers, -1, keepdim),
            kept * before.weighted + tensor::matmul(powers, V)};
}

Tensor new_largest(const Carried& before, const Tensor& scores) {
    return tensor::maximum(before.largest, tensor::max(scores, -1, keepdim));
}

Carried add_block(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    return shifted(before, scores, V, largest, finite(largest));
}

Carried start(const Tensor& scores, const Tensor& V, double largest) {
    const Tensor column = tensor::zeros_like(tensor::slice(scores, -1, 0, 1));
    return {column + largest, column, column * tensor::zeros_like(tensor::slice(V, -2, 0, 1))};
}

Tensor output(const Carried& now) {
    return now.weighted / tensor::masked_fill(now.total, now.total == 0, 1);
}

Carried all_blocks(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size,
                   double largest = -infinity) {
    Carried now = start(scores, V, largest);
    for (std::int64_t j = 0; j < scores.dim(-1); j += size) {
        now = add(now, tensor::slice(scores, -1, j, j + size), tensor::slice(V, -2, j, j + size));
    }
    return now;
}

Tensor attend(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
    return output(all_blocks(add, scores, V, size));
}

using Add = Carried (*)(const Carried&, const Tensor&, const Tensor&);
using Attend = Tensor (*)(const AddBlock&, const Tensor&, const Tensor&, std::int64_t);

std::function<Exercise()> by(Add add) {
    return [=] { return judge_05_4({add, attend}); };
}
std::function<Exercise()> by(Attend whole) {
    return [=] { return judge_05_4({add_block, whole}); };
}

Carried empty_only_if_first(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    if (tensor::max(before.largest).item() == -infinity &&
        tensor::max(scores).item() == -infinity) {
        return before;
    }
    return shifted(before, scores, V, largest, largest);
}

Carried skips_a_block_with_an_empty_row(const Carried& before, const Tensor& scores,
                                        const Tensor& V) {
    if ((tensor::max(scores, -1) == -infinity).any()) return before;
    return add_block(before, scores, V);
}

Carried minus_10000_for_nothing(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor filled = tensor::masked_fill(scores, scores == -infinity, -10000);
    return add_block(before, filled, V);
}

Carried empty_rows_count_0(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = finite(new_largest(before, scores));
    return shifted(before, scores, V, largest, largest);
}

Carried first_axis(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor of_block = tensor::max(scores, scores.rank() > 2 ? 2 : 1, keepdim);
    const Tensor largest = tensor::maximum(before.largest, of_block);
    return shifted(before, scores, V, largest, finite(largest));
}

Carried largest_of_the_scores(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor whole = tensor::max(scores);
    const Tensor shift = tensor::masked_fill(whole, whole == -infinity, 0);
    Carried now = shifted(before, scores, V, new_largest(before, scores), shift);
    const Tensor back = tensor::exp(shift - finite(now.largest));
    return {now.largest, now.total * back, now.weighted * back};
}

Carried without_keepdim(const Carried& before, const Tensor& scores, const Tensor& V) {
    Carried now = add_block(before, scores, V);
    return {tensor::squeeze(now.largest, -1), now.total, now.weighted};
}

Carried in_place(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Carried now = add_block(before, scores, V);
    Tensor total = before.total;
    tensor::overwrite(total, now.total);
    return now;
}

Carried masks_in_place(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Carried now = add_block(before, scores, V);
    Tensor given = scores;
    tensor::overwrite(given, tensor::exp(scores - finite(now.largest)));
    return now;
}

Carried rescales_only_if_all_rise(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    Carried now = shifted(before, scores, V, largest, finite(largest));
    const Tensor powers = tensor::exp(scores - finite(largest));
    if ((largest > before.largest).all()) return now;
    return {largest, before.total + tensor::sum(powers, -1, keepdim),
            before.weighted + tensor::matmul(powers, V)};
}

Carried by_the_difference_of_maxima(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor of_block = tensor::max(scores, -1, keepdim);
    const Tensor largest = tensor::maximum(before.largest, of_block);
    const Tensor kept = tensor::exp(finite(before.largest) - finite(of_block));
    const Tensor powers = tensor::exp(scores - finite(largest));
    return {largest, kept * before.total + tensor::sum(powers, -1, keepdim),
            kept * before.weighted + tensor::matmul(powers, V)};
}

Carried total_of_the_first_text(const Carried& before, const Tensor& scores, const Tensor& V) {
    Carried now = add_block(before, scores, V);
    if (now.total.rank() < 3) return now;
    now.total = tensor::zeros_like(now.total) + tensor::slice(now.total, 0, 0, 1);
    return now;
}

Carried clipped(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    const Tensor shift = finite(largest);
    const Tensor kept = tensor::exp(tensor::maximum(before.largest - shift, -50));
    const Tensor powers = tensor::exp(tensor::maximum(scores - shift, -50));
    return {largest, kept * before.total + tensor::sum(powers, -1, keepdim),
            kept * before.weighted + tensor::matmul(powers, V)};
}

Carried zero_is_masked(const Carried& before, const Tensor& scores, const Tensor& V) {
    return add_block(before, tensor::masked_fill(scores, scores == 0, -infinity), V);
}

Tensor whole_softmax(const AddBlock&, const Tensor& scores, const Tensor& V, std::int64_t) {
    return tensor::matmul(tensor::softmax(scores, -1), V);
}

Tensor whole_blocks_only(const AddBlock& add, const Tensor& scores, const Tensor& V,
                         std::int64_t size) {
    Carried now = start(scores, V, -infinity);
    for (std::int64_t b = 0; b < std::max<std::int64_t>(1, scores.dim(-1) / size); ++b) {
        const std::int64_t j = b * size;
        now = add(now, tensor::slice(scores, -1, j, j + size), tensor::slice(V, -2, j, j + size));
    }
    return output(now);
}

Tensor last_block_overlaps(const AddBlock& add, const Tensor& scores, const Tensor& V,
                           std::int64_t size) {
    Carried now = start(scores, V, -infinity);
    const std::int64_t T_k = scores.dim(-1);
    for (std::int64_t j = 0; j < T_k; j += size) {
        const std::int64_t from = std::max<std::int64_t>(0, std::min(j, T_k - size));
        now = add(now, tensor::slice(scores, -1, from, from + size),
                  tensor::slice(V, -2, from, from + size));
    }
    return output(now);
}

Tensor from_the_smallest_number(const AddBlock& add, const Tensor& scores, const Tensor& V,
                                std::int64_t size) {
    return output(all_blocks(add, scores, V, size, std::numeric_limits<double>::min()));
}

Tensor from_minus_10000(const AddBlock& add, const Tensor& scores, const Tensor& V,
                        std::int64_t size) {
    return output(all_blocks(add, scores, V, size, -10000));
}

Tensor with_a_little_below(const AddBlock& add, const Tensor& scores, const Tensor& V,
                           std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return now.weighted / (now.total + 1e-3);
}

Tensor nan_is_0_in_the_last_row(const AddBlock& add, const Tensor& scores, const Tensor& V,
                                std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return now.weighted / now.total;
}

Tensor blocks_of_queries(const AddBlock& add, const Tensor& scores, const Tensor& V,
                         std::int64_t size) {
    std::vector<Tensor> rows;
    for (std::int64_t i = 0; i < scores.dim(-2); i += size) {
        const Tensor some = tensor::slice(scores, -2, i, i + size);
        rows.push_back(output(add(start(some, V, -infinity), some, V)));
    }
    return tensor::concatenate(rows, -2);
}

Tensor goes_on_where_it_ended(const AddBlock& add, const Tensor& scores, const Tensor& V,
                              std::int64_t size) {
    static Carried now = start(scores, V, -infinity);
    const Carried fresh = start(scores, V, -infinity);
    if (!(now.weighted.shape() == fresh.weighted.shape())) now = fresh;
    for (std::int64_t j = 0; j < scores.dim(-1); j += size) {
        now = add(now, tensor::slice(scores, -1, j, j + size), tensor::slice(V, -2, j, j + size));
    }
    return output(now);
}

Carried at_least(double least, const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    return shifted(before, scores, V, largest, tensor::maximum(largest, least));
}

Carried at_least_minus_10_to_9(const Carried& before, const Tensor& scores, const Tensor& V) {
    return at_least(-1e9, before, scores, V);
}

Carried at_least_minus_10_to_30(const Carried& before, const Tensor& scores, const Tensor& V) {
    return at_least(-1e30, before, scores, V);
}

Carried factor_of_e_to_minus_20(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    const Tensor shift = finite(largest);
    return shifted({tensor::maximum(before.largest, shift - 20), before.total, before.weighted},
                   scores, V, largest, shift);
}

Carried no_small_powers(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor far = new_largest(before, scores) - 14;
    return add_block(before, tensor::where(scores < far, -infinity, scores), V);
}

Carried empty_if_the_first_is(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    const BoolTensor empty = tensor::slice(scores, -1, 0, 1) == -infinity;
    return shifted(before, tensor::where(empty, -infinity, scores), V, largest, finite(largest));
}

Carried weighted_is_a_mean(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Carried now =
        add_block({before.largest, before.total, before.weighted * before.total}, scores, V);
    return {now.largest, now.total, output(now)};
}

Tensor its_own_add(const AddBlock&, const Tensor& scores, const Tensor& V, std::int64_t size) {
    return attend(add_block, scores, V, size);
}

Tensor a_millionth_below(const AddBlock& add, const Tensor& scores, const Tensor& V,
                         std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return now.weighted / (now.total + 1e-6);
}

Tensor far_below_is_empty(const AddBlock& add, const Tensor& scores, const Tensor& V,
                          std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return tensor::where(now.largest < -1e6, 0, output(now));
}

Tensor mean_of_V_in_empty_rows(const AddBlock& add, const Tensor& scores, const Tensor& V,
                               std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return tensor::where(now.total == 0, tensor::mean(V, -2, keepdim), output(now));
}

Tensor key_by_key(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
    return attend(add, scores, V, size > scores.dim(-1) ? size : 1);
}

Tensor from_the_last_block(const AddBlock& add, const Tensor& scores, const Tensor& V,
                           std::int64_t size) {
    Carried now = start(scores, V, -infinity);
    for (std::int64_t j = (scores.dim(-1) - 1) / size * size; j >= 0; j -= size) {
        now = add(now, tensor::slice(scores, -1, j, j + size), tensor::slice(V, -2, j, j + size));
    }
    return output(now);
}

Tensor shorter_block_first(const AddBlock& add, const Tensor& scores, const Tensor& V,
                           std::int64_t size) {
    Carried now = start(scores, V, -infinity);
    const std::int64_t T_k = scores.dim(-1), rest = T_k % size;
    std::int64_t from = 0;
    for (std::int64_t to = rest > 0 ? rest : size; to <= T_k; to += size) {
        now = add(now, tensor::slice(scores, -1, from, to), tensor::slice(V, -2, from, to));
        from = to;
    }
    return output(now);
}

Tensor filled_up(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
    Tensor s = scores, v = V;
    while (s.dim(-1) % size > 0) {
        const Tensor key = tensor::zeros_like(tensor::slice(scores, -1, 0, 1)) - infinity;
        s = tensor::concatenate({s, key}, -1);
        v = tensor::concatenate({v, tensor::zeros_like(tensor::slice(V, -2, 0, 1))}, -2);
    }
    return attend(add, s, v, size);
}

Tensor size_as_their_number(const AddBlock& add, const Tensor& scores, const Tensor& V,
                            std::int64_t size) {
    return attend(add, scores, V, (scores.dim(-1) + size - 1) / size);
}

Tensor ends_at_an_empty_block(const AddBlock& add, const Tensor& scores, const Tensor& V,
                              std::int64_t size) {
    Carried now = start(scores, V, -infinity);
    for (std::int64_t j = 0; j < scores.dim(-1); j += size) {
        const Tensor block = tensor::slice(scores, -1, j, j + size);
        if (tensor::max(block).item() == -infinity) break;
        now = add(now, block, tensor::slice(V, -2, j, j + size));
    }
    return output(now);
}

Carried as_logarithms(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    const Tensor shift = finite(largest);
    const Tensor both = tensor::concatenate(
        {tensor::log(before.total) + finite(before.largest), scores}, -1);  // [..., T_q, 1 + n]
    const Tensor total = tensor::exp(tensor::logsumexp(both, -1, keepdim) - shift);
    const Tensor powers = tensor::exp(scores - shift);
    return {largest, total,
            tensor::exp(before.largest - shift) * before.weighted + tensor::matmul(powers, V)};
}

Tensor by_recursion(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
    const std::function<Carried(std::int64_t)> until = [&](std::int64_t end) -> Carried {
        if (end <= 0) return start(scores, V, -infinity);
        const std::int64_t from = (end - 1) / size * size;
        return add(until(from), tensor::slice(scores, -1, from, end),
                   tensor::slice(V, -2, from, end));
    };
    const Carried now = until(scores.dim(-1));
    return tensor::masked_fill(now.weighted / now.total, now.total == 0, 0);
}

Carried merged(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Carried own = add_block(start(scores, V, -infinity), scores, V);
    const Tensor largest = tensor::maximum(before.largest, own.largest);
    const auto share_of = [&](const Tensor& from) {
        return tensor::where(from == -infinity, 0, tensor::exp(from - largest));
    };
    return {largest, before.total * share_of(before.largest) + own.total * share_of(own.largest),
            before.weighted * share_of(before.largest) + own.weighted * share_of(own.largest)};
}

Carried nan_made_0(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = new_largest(before, scores);
    const auto power = [&](const Tensor& x) {
        const Tensor e = tensor::exp(x - largest);
        return tensor::where(tensor::is_nan(e), 0, e);
    };
    const Tensor kept = power(before.largest), powers = power(scores);
    return {largest, kept * before.total + tensor::sum(powers, -1, keepdim),
            kept * before.weighted + tensor::matmul(powers, V)};
}

// Once a row has seen a score, its total is at least exp(0).
Tensor divided_by_at_least_1(const AddBlock& add, const Tensor& scores, const Tensor& V,
                             std::int64_t size) {
    const Carried now = all_blocks(add, scores, V, size);
    return now.weighted / tensor::maximum(now.total, 1);
}

// -10^9 for -∞ inside, and -∞ again in what is carried on.
Carried minus_10_to_9_and_back(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor filled = tensor::masked_fill(scores, scores == -infinity, -1e9);
    const Carried now = add_block(before, filled, V);
    const BoolTensor nothing = now.largest == -1e9;
    return {tensor::masked_fill(now.largest, nothing, -infinity),
            tensor::masked_fill(now.total, nothing, 0),
            tensor::masked_fill(now.weighted, nothing, 0)};
}

// With the scores of one key after another.
Carried score_by_score(const Carried& before, const Tensor& scores, const Tensor& V) {
    Carried now = before;
    for (std::int64_t j = 0; j < scores.dim(-1); ++j) {
        const Tensor s = tensor::slice(scores, -1, j, j + 1);  // [..., T_q, 1]
        const BoolTensor nothing = tensor::maximum(now.largest, s) == -infinity;
        const Tensor largest = tensor::maximum(now.largest, s);
        const Tensor kept = tensor::where(nothing, 1, tensor::exp(now.largest - largest));
        const Tensor power = tensor::where(nothing, 0, tensor::exp(s - largest));
        now = {largest, now.total * kept + power,
               now.weighted * kept + power * tensor::slice(V, -2, j, j + 1)};
    }
    return now;
}

// Both sums as one: the values get a column of ones.
Carried with_a_column_of_ones(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = tensor::maximum(before.largest, tensor::max(scores, -1, keepdim));
    const Tensor shift = finite(largest);
    const Tensor powers = tensor::exp(scores - shift), kept = tensor::exp(before.largest - shift);
    const Tensor ones = tensor::ones_like(tensor::slice(V, -1, 0, 1));
    return {largest, tensor::matmul(powers, ones) + kept * before.total,
            tensor::matmul(powers, V) + kept * before.weighted};
}

Tensor by_what_is_left(const AddBlock& add, const Tensor& scores, const Tensor& V,
                       std::int64_t size) {
    std::int64_t left = scores.dim(-1);
    Carried now = start(scores, V, -infinity);
    while (left > 0) {
        const std::int64_t n = std::min(size, left);
        const std::int64_t j = scores.dim(-1) - left;
        now = add(now, tensor::slice(scores, -1, j, j + n), tensor::slice(V, -2, j, j + n));
        left -= n;
    }
    return tensor::where(now.total > 0, now.weighted / now.total, 0);
}

}  // namespace

Answers answers_05_4() {
    Answers answers;
    answers.number = "05.4";
    answers.slipping = slipping(judge_05_4);
    answers.wrong = {
        {"rows of only -∞ only if all rows are so", by(empty_only_if_first)},
        {"skips a block in which one row is empty", by(skips_a_block_with_an_empty_row)},
        {"-10000 for -∞", by(minus_10000_for_nothing)},
        {"largest 0 in a row of only -∞", by(empty_rows_count_0)},
        {"axis 1 or 2 for the keys", by(first_axis)},
        {"shifts by the largest of the whole block, and back", by(largest_of_the_scores)},
        {"largest without its axis", by(without_keepdim)},
        {"writes the total over the one before", by(in_place)},
        {"writes the powers over the scores", by(masks_in_place)},
        {"rescales only if the maximum of every row rises", by(rescales_only_if_all_rise)},
        {"rescales by the maximum of the block", by(by_the_difference_of_maxima)},
        {"the total of the first text for all", by(total_of_the_first_text)},
        {"clips exponents at -50", by(clipped)},
        {"takes a score of exactly 0 for masked", by(zero_is_masked)},
        {"the softmax of whole rows", by(whole_softmax), {"os.add-unused"}},
        {"add_block, whatever add is", by(its_own_add), {"os.add-unused"}},
        {"the maximum is at least -10^9 where it is subtracted", by(at_least_minus_10_to_9)},
        {"the maximum is at least -10^30 where it is subtracted", by(at_least_minus_10_to_30)},
        {"the factor is at least e^-20", by(factor_of_e_to_minus_20)},
        {"powers below 10^-6 are dropped", by(no_small_powers)},
        {"a row is empty if its first score is", by(empty_if_the_first_is)},
        {"weighted is a mean", by(weighted_is_a_mean)},
        {"10^-6 more below the bar", by(a_millionth_below)},
        {"rows below -10^6 are empty", by(far_below_is_empty)},
        {"the mean of V in a row of only -∞", by(mean_of_V_in_empty_rows)},
        {"a key at a time, unless size is above T_k", by(key_by_key)},
        {"from the last block to the first", by(from_the_last_block)},
        {"the shorter block comes first", by(shorter_block_first)},
        {"the last block is filled up with masked keys", by(filled_up)},
        {"size as the number of blocks", by(size_as_their_number)},
        {"ends at a block of only -∞", by(ends_at_an_empty_block)},
        {"no last, shorter block", by(whole_blocks_only), {"os.drop-last"}},
        {"the last block overlaps the one before", by(last_block_overlaps)},
        {"largest begins at numeric_limits::min()", by(from_the_smallest_number), {"os.start-0"}},
        {"largest begins at -10000", by(from_minus_10000)},
        {"0.001 more below the bar", by(with_a_little_below)},
        {"0 / 0 in a row of only -∞", by(nan_is_0_in_the_last_row), {"os.empty-row"}},
        {"blocks of queries", by(blocks_of_queries)},
        {"a static that goes on where the last call ended", by(goes_on_where_it_ended)},
        {"-10^9 for -∞, and back at the end", by(minus_10_to_9_and_back)},
    };
    answers.right = {
        {"the total by logarithms", by(as_logarithms)},
        {"a block's own sums, merged with the others", by(merged)},
        {"NaN of each power made 0", by(nan_made_0)},
        {"divided by at least 1", by(divided_by_at_least_1)},
        {"by recursion, NaN made 0 afterwards", by(by_recursion)},
        {"key by key", by(score_by_score)},
        {"the total by a product with ones", by(with_a_column_of_ones)},
        {"blocks by reading off where the last began", by(by_what_is_left)},
    };
    return answers;
}

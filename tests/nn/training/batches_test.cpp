// Batches: each example once an epoch, in a seeded order; windows of a text; padded pairs.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>
#include <limits>

using namespace heed;
using tensor::same_entries;

namespace {
using Numbers = std::vector<std::int64_t>;
using Batches = std::vector<Numbers>;

Numbers sorted(const Batches& batches) {
    Numbers all;
    for (const Numbers& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    std::sort(all.begin(), all.end());
    return all;
}

template <class Error, class... Arguments>
std::string refused_windows(const Arguments&... arguments) {
    return message_of<Error>([&] { TextWindows windows(arguments...); });
}

}  // namespace

TEST_CASE("batches are the examples in order, the last one kept or dropped", "[nn][training]") {
    const Numbers seven = {10, 11, 12, 13, 14, 15, 16};
    CHECK(batches(seven, 3) == Batches{{10, 11, 12}, {13, 14, 15}, {16}});
    CHECK(batches(seven, 3, LastBatch::drop) == Batches{{10, 11, 12}, {13, 14, 15}});
    CHECK(batches(seven, 7, LastBatch::drop) == Batches{seven});
    CHECK(batches(seven, 100) == Batches{seven});
    CHECK(batches({5}, std::numeric_limits<std::int64_t>::max()) == Batches{{5}});
    CHECK(batches({5, 6}, 1) == Batches{{5}, {6}});
}

TEST_CASE("an epoch has each example once, in an order that the seed decides", "[nn][training]") {
    Numbers examples;
    for (std::int64_t i = 0; i < 50; ++i) examples.push_back(3 * i);
    Random random(1), same(1), other(2);
    const Batches first = shuffled_batches(examples, 8, random);
    const Batches second = shuffled_batches(examples, 8, random);
    CHECK(first.size() == 7);
    CHECK(first.back().size() == 2);
    CHECK(sorted(first) == examples);
    CHECK(sorted(second) == examples);
    CHECK(first != second);
    CHECK(first != batches(examples, 8));
    CHECK(shuffled_batches(examples, 8, same) == first);
    CHECK(shuffled_batches(examples, 8, other) != first);

    const Batches dropped = shuffled_batches(examples, 8, random, LastBatch::drop);
    CHECK(dropped.size() == 6);
    const Numbers used = sorted(dropped);
    CHECK(used.size() == 48);
    CHECK(std::adjacent_find(used.begin(), used.end()) == used.end());
}

TEST_CASE("batches that make no sense are refused", "[nn][training]") {
    Random random(1);
    CHECK(message_of<std::invalid_argument>([] { batches({}, 2); }) ==
          "batches: there are no examples");
    CHECK(message_of<std::invalid_argument>([&] { shuffled_batches({}, 2, random); }) ==
          "shuffled_batches: there are no examples");
    CHECK(message_of<std::invalid_argument>([] { batches({1}, 0); }) ==
          "batches: batch_size is 0; it must be at least 1");
    CHECK(message_of<std::invalid_argument>([&] { shuffled_batches({1}, -1, random); }) ==
          "shuffled_batches: batch_size is -1; it must be at least 1");
    CHECK(message_of<std::invalid_argument>([] {
              batches({1, 2}, 3, LastBatch::drop);
          }) ==
          "batches: batch_size is 3 and there are 2 examples, so with LastBatch::drop there is no "
          "batch; make it smaller, or keep the last one");
}

TEST_CASE("held-out examples are drawn, and no example is in both parts", "[nn][training]") {
    Numbers examples;
    for (std::int64_t i = 0; i < 40; ++i) examples.push_back(i);
    Random random(1), same(1), other(2);
    const Split<Numbers> split = hold_out(examples, 0.25, random);
    CHECK(split.held_out.size() == 10);
    CHECK(sorted({split.training, split.held_out}) == examples);
    CHECK(std::is_sorted(split.training.begin(), split.training.end()));
    CHECK(std::is_sorted(split.held_out.begin(), split.held_out.end()));
    CHECK(hold_out(examples, 0.25, same).held_out == split.held_out);
    CHECK(hold_out(examples, 0.25, other).held_out != split.held_out);
    examples.resize(10);  // 2.4, 2.5 and 2.6 of them are rounded
    CHECK(hold_out(examples, 0.24, random).held_out.size() == 2);
    CHECK(hold_out(examples, 0.25, random).held_out.size() == 3);
    CHECK(hold_out(examples, 0.26, random).held_out.size() == 3);
    CHECK(hold_out({7, 8, 9}, 0.01, random).held_out.size() == 1);
    CHECK(hold_out({7, 8, 9}, 0.99, random).training.size() == 1);
}

TEST_CASE("of a text its end is held out", "[nn][training]") {
    const Split<IndexTensor> split = hold_out(IndexTensor({4, 5, 6, 7, 8}), 0.4);
    CHECK(same_entries(split.training, IndexTensor({4, 5, 6})));
    CHECK(same_entries(split.held_out, IndexTensor({7, 8})));
    CHECK(hold_out(IndexTensor::arange(100), 0.1).held_out.numel() == 10);
}

TEST_CASE("a split that makes no sense is refused", "[nn][training]") {
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] { hold_out({3}, 0.5, random); }) ==
          "hold_out: there are 1 examples; at least 2 are needed for a split");
    CHECK(message_of<std::invalid_argument>([] { hold_out(IndexTensor(), 0.5); }) ==
          "hold_out: there are 0 tokens; at least 2 are needed for a split");
    const std::string between = "; it must be above 0 and below 1";
    for (const double fraction : {0.0, 1.0, -0.5, static_cast<double>(__builtin_nan(""))}) {
        CHECK(message_of<std::invalid_argument>([&] {
                  hold_out({3, 4}, fraction, random);
              }) == text("hold_out: fraction is ", fraction) + between);
        CHECK(message_of<std::invalid_argument>([&] {
                  hold_out(IndexTensor({1, 2}), fraction);
              }) == text("hold_out: fraction is ", fraction) + between);
    }
    CHECK(message_of<ShapeError>([] {
              hold_out(IndexTensor({{1, 2}, {3, 4}}), 0.5);
          }) == "hold_out: the text has shape [2, 2]; it must be token ids [N]");
}

TEST_CASE("windows of a text have targets shifted by one", "[nn][training]") {
    const TextWindows windows(IndexTensor({5, 6, 7, 8, 9, 10, 11, 12}), 3);
    CHECK(windows.size() == 2);  // a third would need a tenth token
    CHECK(windows.examples() == Numbers{0, 1});
    const TextBatch batch = windows.batch({1, 0, 1});
    CHECK(same_entries(batch.inputs, IndexTensor({{8, 9, 10}, {5, 6, 7}, {8, 9, 10}})));
    CHECK(same_entries(batch.targets, IndexTensor({{9, 10, 11}, {6, 7, 8}, {9, 10, 11}})));
}

TEST_CASE("windows are all whole ones that begin at multiples of the stride", "[nn][training]") {
    const IndexTensor text = IndexTensor::arange(10);
    CHECK(TextWindows(text, 3).size() == 3);
    CHECK(TextWindows(text, 9).size() == 1);
    CHECK(TextWindows(text, 3, 1).size() == 7);
    CHECK(TextWindows(text, 3, 2).size() == 4);
    CHECK(TextWindows(text, 3, 100).size() == 1);
    CHECK(TextWindows(text, 1).size() == 9);
    CHECK(same_entries(TextWindows(text, 3, 1).batch({6}).targets, IndexTensor({{7, 8, 9}})));
    CHECK(same_entries(TextWindows(text, 3, 2).batch({3}).inputs, IndexTensor({{6, 7, 8}})));
    Numbers targets;  // without a stride, each token but the first is a target once
    const TextWindows whole(text, 3);
    const TextBatch all = whole.batch(whole.examples());
    for (std::int64_t i = 0; i < all.targets.numel(); ++i) targets.push_back(all.targets.data()[i]);
    CHECK(targets == Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("windows that make no sense are refused", "[nn][training]") {
    const IndexTensor text = IndexTensor::arange(4);
    CHECK(refused_windows<ShapeError>(text.reshape({2, 2}), 1) ==
          "TextWindows: the text has shape [2, 2]; it must be token ids [N]");
    CHECK(refused_windows<std::invalid_argument>(text, 0) ==
          "TextWindows: T is 0 and stride is 0; both must be at least 1");
    CHECK(refused_windows<std::invalid_argument>(text, 2, 0) ==
          "TextWindows: T is 2 and stride is 0; both must be at least 1");
    CHECK(refused_windows<std::invalid_argument>(text, 2, -1) ==
          "TextWindows: T is 2 and stride is -1; both must be at least 1");
    CHECK(refused_windows<std::invalid_argument>(text, 4) ==
          "TextWindows: the text has 4 tokens; a window of T = 4 needs one more than T, since the "
          "targets are shifted by one");
    const TextWindows windows(text, 1);
    CHECK(message_of<std::invalid_argument>([&] { windows.batch({}); }) ==
          "TextWindows: the batch has no examples");
    for (const std::int64_t example : {-1, 3}) {
        CHECK(message_of<std::out_of_range>([&] {
                  windows.batch({0, example});
              }) == heed::text("TextWindows: there is no example ", example,
                               "; there are 3 examples, numbered 0 to 2"));
    }
}

TEST_CASE("pairs are padded to the longest of the batch, and lengths kept", "[nn][training]") {
    const SequencePairs pairs({IndexTensor({1, 2, 3}), IndexTensor({4}), IndexTensor()},
                              {IndexTensor({5}), IndexTensor({6, 7}), IndexTensor({8, 9, 10, 11})},
                              99);
    CHECK(pairs.size() == 3);
    CHECK(pairs.examples() == Numbers{0, 1, 2});
    const PairBatch batch = pairs.batch({1, 0});
    CHECK(same_entries(batch.sources.ids, IndexTensor({{4, 99, 99}, {1, 2, 3}})));
    CHECK(batch.sources.lengths == Numbers{1, 3});
    CHECK(same_entries(batch.targets.ids, IndexTensor({{6, 7}, {5, 99}})));
    CHECK(batch.targets.lengths == Numbers{2, 1});
    const Mask mask = Mask::padding(batch.sources.lengths, batch.sources.ids.dim(1));
    CHECK(mask.allows({0, 0, 0, 0}));
    CHECK_FALSE(mask.allows({0, 0, 0, 1}));
    CHECK(mask.allows({1, 0, 0, 2}));

    const PairBatch with_empty = pairs.batch({2, 1});
    CHECK(same_entries(with_empty.sources.ids, IndexTensor({{99}, {4}})));
    CHECK(with_empty.sources.lengths == Numbers{0, 1});
    CHECK(pairs.batch({2}).sources.ids.shape() == Shape{1, 0});
}

TEST_CASE("pairs that make no sense are refused", "[nn][training]") {
    using List = std::vector<IndexTensor>;
    const List one = {IndexTensor({1})}, two = {IndexTensor({1}), IndexTensor({{2, 3}})};
    const auto refused = [](const List& sources, const List& targets, std::int64_t padding_id) {
        return message_of<std::invalid_argument>(
            [&] { SequencePairs pairs(sources, targets, padding_id); });
    };
    const std::string each = " targets; there must be one target for each source, and at least one";
    CHECK(refused({}, {}, 0) == "SequencePairs: there are 0 sources and 0" + each);
    CHECK(refused(two, one, 0) == "SequencePairs: there are 2 sources and 1" + each);
    CHECK(refused(one, two, 0) == "SequencePairs: there are 1 sources and 2" + each);
    CHECK(refused(one, one, -1) == "SequencePairs: padding_id is -1; it must be at least 0");
    const List plain = {IndexTensor({1}), IndexTensor({2})};
    CHECK(message_of<ShapeError>([&] { SequencePairs(two, plain, 0); }) ==
          "SequencePairs: source 1 has shape [1, 2]; each must be token ids [T]");
    CHECK(message_of<ShapeError>([&] { SequencePairs(plain, two, 0); }) ==
          "SequencePairs: target 1 has shape [1, 2]; each must be token ids [T]");
    const SequencePairs pairs(one, one, 0);
    CHECK(message_of<std::invalid_argument>([&] { pairs.batch({}); }) ==
          "SequencePairs: the batch has no examples");
    CHECK(message_of<std::out_of_range>([&] { pairs.batch({1}); }) ==
          "SequencePairs: there is no example 1; there are 1 examples, numbered 0 to 0");

    CHECK(message_of<std::invalid_argument>([] { pad_sequences({}, 0); }) ==
          "pad_sequences: there are no sequences");
    CHECK(message_of<std::invalid_argument>([&] { pad_sequences(one, -7); }) ==
          "pad_sequences: padding_id is -7; it must be at least 0");
    CHECK(message_of<ShapeError>([&] { pad_sequences(two, 0); }) ==
          "pad_sequences: sequence 1 has shape [1, 2]; each must be token ids [T]");
}

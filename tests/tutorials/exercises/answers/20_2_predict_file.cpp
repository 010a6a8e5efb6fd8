// Answers to 20.2, as people predict.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_20.h"

using namespace heed;
using namespace exercise;

namespace {
FilePredictions right() {
    return {[] { return 44; },           [] { return 8; },  [] { return 308; }, [] { return 80; },
            [] { return 352; },          [] { return 92; }, [] { return 400; }, [] { return 104; },
            [] { return Shape{8, 24}; }, [] { return 12; }};
}

using Number = std::function<std::int64_t()> FilePredictions::*;

std::function<Exercise()> with(Number question, std::int64_t number) {
    return [=] {
        FilePredictions all = right();
        all.*question = [=] { return number; };
        return judge_20_2(all);
    };
}

std::function<Exercise()> with_shape(const Shape& shape) {
    return [=] {
        FilePredictions all = right();
        all.shape_of_qkv = [=] { return shape; };
        return judge_20_2(all);
    };
}

}  // namespace

Answers answers_20_2() {
    using All = FilePredictions;
    Answers answers;
    answers.number = "20.2";
    answers.slipping = slipping(judge_20_2);
    answers.wrong = {
        {"300 in one byte", with(&All::first_byte, 300), {"file.whole-length"}},
        {"the digit 3", with(&All::first_byte, '3')},
        {"255 at most", with(&All::first_byte, 255)},
        {"the high byte", with(&All::first_byte, 1), {"file.high-byte"}},
        {"64 bytes of length", with(&All::header_begins, 64)},
        {"the header comes first", with(&All::header_begins, 0), {"file.no-length"}},
        {"the header is 300 bytes with its length",
         with(&All::numbers_begin, 300),
         {"file.length-forgotten"}},
        {"up to a multiple of 8", with(&All::numbers_begin, 312)},
        {"20 entries", with(&All::end_of_table, 20), {"file.entries"}},
        {"eight bytes each", with(&All::end_of_table, 160), {"file.double"}},
        {"one row", with(&All::end_of_table, 16)},
        {"by columns", with(&All::entry_of_table, 376), {"file.column-by-column"}},
        {"the next entry", with(&All::entry_of_table, 356)},
        {"without the length", with(&All::entry_of_table, 344)},
        {"from the header on", with(&All::entry_of_table, 44), {"file.entry-from-0"}},
        {"four bytes each", with(&All::end_of_bias, 104), {"file.half-is-float"}},
        {"from its own beginning", with(&All::end_of_bias, 12), {"file.own-start"}},
        {"to a multiple of 8", with(&All::end_of_bias, 96)},
        {"numbers and header", with(&All::file_size, 392), {"file.size-without-length"}},
        {"the last byte", with(&All::file_size, 399)},
        {"as on disk", with(&All::bytes_in_float, 92), {"file.as-in-the-file"}},
        {"in double", with(&All::bytes_in_float, 208)},
        {"rows are outputs", with_shape({24, 8}), {"file.linear-weight"}},
        {"three matrices", with_shape({3, 8, 8})},
        {"a column too many, for the bias", with_shape({8, 25})},
        {"head by head", with(&All::first_key_column, 16), {"file.head-by-head"}},
        {"counted from 1", with(&All::first_key_column, 13)},
        {"keys of head 0", with(&All::first_key_column, 8), {"file.head-0"}},
    };
    answers.right = {
        {"worked out on paper", [] { return judge_20_2(right()); }},
        {"as calculations",
         [] {
             FilePredictions all = right();
             all.entry_of_table = [] { return 8 + 300 + 4 * (4 + 4 + 3); };
             all.shape_of_qkv = [] { return Shape{2 * 4, 3 * 2 * 4}; };
             return judge_20_2(all);
         }},
    };
    return answers;
}

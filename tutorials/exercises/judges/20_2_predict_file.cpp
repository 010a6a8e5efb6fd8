#include "tutorials/exercises/judges/lesson_20.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
constexpr std::int64_t before = 8, header = 300;         // bytes
constexpr std::int64_t rows = 5, columns = 4, bias = 6;  // entries
constexpr std::int64_t of_float = 4, of_half = 2;        // bytes of a number
constexpr std::int64_t data = before + header;
constexpr std::int64_t table = rows * columns * of_float;
constexpr std::int64_t both = table + bias * of_half;
constexpr std::int64_t d = 8, d_head = 4;

const std::vector<std::string> of_the_file = {
    "Which three parts has the file, in which order, and how long is each?",
    "Lesson 20.3 prints the first bytes of such a file, and where its numbers are",
    "A byte of the file is 8, plus the header, plus the place among the numbers",
    "Draw the file as a line of boxes and write over each where it begins"};
const std::vector<std::string> of_the_numbers = {
    "How many bytes has one number of this type?", "Lesson 20.3 prints an entry and its bytes",
    "Entry [r, c] of a table is number r·columns + c, counted from 0",
    "Write down the first row of entries with the byte at which each begins"};
const std::vector<std::string> of_the_weight = {
    "In X·W, which axis of W belongs to X?", "Lesson 20.4 cuts queries, keys and values out of it",
    "W has a row for each entry of a token's vector, and three blocks of columns",
    "Draw the columns as three blocks, each of two heads"};

std::vector<Question<FilePredictions>> questions() {
    using P = FilePredictions;
    const std::string boxes = "Draw the file as a line of boxes: length, header, numbers.";
    const std::string entry = "Write down where the first entries of each row begin.";
    const std::string end = "Count in bytes, not in entries.";
    const std::string blocks = "Draw the columns: Q, K, V, each with two heads.";
    return {
        {{"first_byte", &P::first_byte, header % 256, boxes},
         {{"file.big-endian", 0, "the highest byte came first",
           "Which byte of the length comes first?"},
          {"file.whole-length", header, "one byte held the whole length",
           "What is the largest number a byte holds?"},
          {"file.brace-first", '{', "the file began with the header",
           "What comes before the JSON?"},
          {"file.high-byte", header / 256, "the higher of its two bytes came first",
           "Which byte of the length comes first?"}},
         "first_byte",
         of_the_file},
        {{"header_begins", &P::header_begins, before, boxes},
         {{"file.no-length", 0, "nothing came before the header", "What comes before the JSON?"},
          {"file.length-of-4", 4, "the length had four bytes", "How many bytes has the length?"},
          {"file.after-8", before + 1, "bytes were counted from 1",
           "Which number has the file's first byte?"}},
         "header_begins",
         of_the_file},
        {{"numbers_begin", &P::numbers_begin, data, boxes},
         {{"file.length-forgotten", header, "the eight bytes before the header were not counted",
           "Where does the header begin?"},
          {"file.offset-is-place", 0, "data_offsets were counted from the beginning of the file",
           "From where are data_offsets counted?"},
          {"file.numbers-after", data + 1, "bytes were counted from 1",
           "Which number has the file's first byte?"}},
         "numbers_begin",
         of_the_file},
        {{"end_of_table", &P::end_of_table, table, end},
         {{"file.entries", rows * columns, "entries were counted, and not bytes",
           "How many bytes has a number of F32?"},
          {"file.last-byte", table - 1, "the end was the last byte, and not the one after it",
           "Where does the next tensor begin?"},
          {"file.from-the-start", data + table, "it was counted from the beginning of the file",
           "From where are data_offsets counted?"},
          {"file.double", 2 * table, "a number of F32 had eight bytes",
           "How many bits has a number of F32?"}},
         "end_of_table",
         of_the_numbers},
        {{"entry_of_table", &P::entry_of_table, data + (2 * columns + 3) * of_float, entry},
         {{"file.column-by-column", data + (3 * rows + 2) * of_float,
           "the numbers stood column by column", "Which entry comes after [0, 0]?"},
          {"file.no-bytes", data + 2 * columns + 3, "each number had one byte",
           "How many bytes has a number of F32?"},
          {"file.rows-of-5", data + (2 * rows + 3) * of_float, "a row had five entries",
           "How many entries has a row of [5, 4]?"},
          {"file.entry-from-0", (2 * columns + 3) * of_float,
           "it was counted from the end of the header", "From where is this counted?"},
          {"file.from-1", data + (1 * columns + 2) * of_float,
           "rows and columns were counted from 1", "Which number has the first row?"}},
         "entry_of_table",
         of_the_numbers},
        {{"end_of_bias", &P::end_of_bias, both, end},
         {{"file.own-start", bias * of_half, "each tensor was counted from its own beginning",
           "From where are data_offsets counted?"},
          {"file.half-is-float", table + bias * of_float, "a number of F16 had four bytes",
           "How many bits has a number of F16?"},
          {"file.bias-entries", table + bias, "entries of b were counted, and not bytes",
           "How many bytes has a number of F16?"}},
         "end_of_bias",
         of_the_numbers},
        {{"file_size", &P::file_size, data + both, boxes},
         {{"file.numbers-only", both, "only the numbers were counted",
           "Which parts has the file besides?"},
          {"file.size-without-length", header + both,
           "the eight bytes before the header were not counted", "Where does the header begin?"},
          {"file.size-of-floats", data + (rows * columns + bias) * of_float,
           "both tensors had four bytes a number", "How many bits has a number of F16?"}},
         "file_size",
         of_the_file},
        {{"bytes_in_float", &P::bytes_in_float, (rows * columns + bias) * of_float, end},
         {{"file.as-in-the-file", both, "they took as much as in the file",
           "Of what type are they in the model?"},
          {"file.in-half", (rows * columns + bias) * of_half, "all were kept in F16",
           "Of what type are they in the model?"},
          {"file.header-too", data + (rows * columns + bias) * of_float,
           "the header was loaded, too", "What of the file does a model need?"}},
         "bytes_in_float",
         of_the_numbers},
        {{"shape_of_qkv", &P::shape_of_qkv, Shape{d, 3 * d}, blocks},
         {{"file.linear-weight", Shape{3 * d, d},
           "it had a row for each output, as PyTorch's Linear", "What is X·W if W has 24 rows?"},
          {"file.only-queries", Shape{d, d}, "it held one of the three",
           "How many columns have all three together?"},
          {"file.heads-axis", Shape{2, d, 3 * d_head}, "the heads had an axis of their own",
           "Where are the heads?"}},
         "shape_of_qkv",
         of_the_weight},
        {{"first_key_column", &P::first_key_column, d + d_head, blocks},
         {{"file.head-by-head", 3 * d_head + d_head, "each head had its three blocks by itself",
           "Which columns come after the queries of head 0?"},
          {"file.head-0", d, "the keys of head 0 were meant", "Where do the keys of head 0 end?"},
          {"file.queries-of-1", d_head, "the queries of head 1 were meant",
           "Where do the queries end?"},
          {"file.values-of-1", 2 * d + d_head, "the values of head 1 were meant",
           "In which order are the three blocks?"}},
         "first_key_column",
         of_the_weight},
    };
}

Rules<FilePredictions> rules() {
    return predicting<FilePredictions>(
        {.number = "20.2",
         .title = "Predict a file of weights",
         .hints = {"Which parts has the file, and what is counted from where?",
                   "Lesson 20.3 takes such a file apart, byte by byte",
                   "8 bytes, then the header, then the numbers: each tensor right after the last",
                   "Draw the file as a line of boxes and write over each where it begins"}},
        questions());
}

}  // namespace

const Judge<FilePredictions> judge_20_2(rules);

}  // namespace exercise

// 20.2 Predict a file of weights                             predict · 15 minutes · 10 answers
//
// A safetensors file is eight bytes that say how long its header is, lowest byte first; the header,
// JSON in which each tensor has its type, its shape and the bytes where its numbers begin and end,
// counted from the end of the header; and the numbers, row by row. There is nothing to program
// here: work out each answer on paper, and write it down, as a number or as a calculation. The
// questions come one after the other; no answer is given away. Bytes of the file are counted from
// 0. The header has 300 bytes. The file holds two tensors, one right after the other: a table
// "wte", F32, of shape [5, 4], then a bias "b", F16, of shape [6]. Lessons 20.3 and 20.4.
#include "tutorials/exercises/judges/lesson_20.h"

using namespace heed;

// Which number does byte 0 of the file hold?
std::int64_t first_byte() {
    // begin stub, stop in first_byte
    //     exercise::not_done("20.2");
    // begin solution
    return 300 % 256;
    // end
}

// At which byte of the file does the header's { stand?
std::int64_t header_begins() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 8;
    // end
}

// At which byte of the file does the first number of wte begin?
std::int64_t numbers_begin() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 8 + 300;
    // end
}

// In the header, "data_offsets" of wte are [0, ?].
std::int64_t end_of_table() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 5 * 4 * 4;
    // end
}

// At which byte of the file does the entry of wte in row 2, column 3 begin, counted from 0?
std::int64_t entry_of_table() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 308 + (2 * 4 + 3) * 4;
    // end
}

// In the header, "data_offsets" of b are [?, n]. What is n?
std::int64_t end_of_bias() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 80 + 6 * 2;
    // end
}

// How many bytes has the file?
std::int64_t file_size() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 308 + 92;
    // end
}

// Loaded into a model in float, how many bytes do the numbers of both tensors take?
std::int64_t bytes_in_float() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return (20 + 6) * 4;
    // end
}

// A GPT-2 with d_model 8 and 2 heads has W^Q, W^K and W^V side by side in one weight, for X·W: the
// columns of all queries, of all keys, of all values; in each of them head 0 comes first. What is
// its shape in the file? Write return {1, 2};
Shape shape_of_qkv() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return {8, 3 * 8};
    // end
}

// Which column of it is the first of the keys of head 1, counted from 0?
std::int64_t first_key_column() {
    // begin stub
    //     exercise::not_done("20.2");
    // begin solution
    return 8 + 1 * 4;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_20_2({first_byte, header_begins, numbers_begin,
                                               end_of_table, entry_of_table, end_of_bias, file_size,
                                               bytes_in_float, shape_of_qkv, first_key_column}),
                         argc, argv);
}

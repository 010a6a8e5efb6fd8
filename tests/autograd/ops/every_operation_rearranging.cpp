// Operations that move entries without computing: views, copies, joining, reading by index,
// sorting.
#include "tests/autograd/ops/every_operation.h"

using namespace heed;

namespace {
const std::vector<Shapes> rank_3 = {{{2, 3, 4}}, {{3, 3, 3}}, {{1, 3, 1}}, {{2, 0, 4}}};
const std::vector<Shapes> rank_2 = {{{2, 4}}, {{4, 3}}, {{3, 3}}, {{2, 3}}, {{0, 3}}};

void add_reshapes(std::vector<CheckedOperation>& list) {
    list.push_back({"view",
                    [](const In& in) {
                        return view(in[0], {4, -1, 2});
                    },
                    {{{2, 3, 4}}, {{4, 6}}, {{24}}, {{1, 8}}},
                    Inputs::contiguous});
    list.push_back({"view to rank 0",
                    [](const In& in) { return view(in[0], {}); },
                    {{{1}}, {{1, 1}}, {{}}},
                    Inputs::contiguous});
    list.push_back({"reshape",
                    [](const In& in) {
                        return reshape(in[0], {4, -1, 2});
                    },
                    {{{2, 3, 4}}, {{6, 4}}, {{24}}, {{4, 4}}}});
    list.push_back({"reshape, no entries",
                    [](const In& in) {
                        return reshape(in[0], {2, 0});
                    },
                    {{{0}}, {{0, 3}}}});
    list.push_back({"unsqueeze", [](const In& in) { return unsqueeze(in[0], 0); }, rank_2});
    list.push_back({"unsqueeze, -1",
                    [](const In& in) { return unsqueeze(in[0], -1); },
                    {{{2, 3}}, {{3, 3}}, {{}}, {{0}}}});
    list.push_back({"squeeze",
                    [](const In& in) { return squeeze(in[0]); },
                    {{{1, 3, 1, 2}}, {{3, 3}}, {{1, 1}}, {{}}, {{1, 0}}}});
    list.push_back({"squeeze, 1",
                    [](const In& in) { return squeeze(in[0], 1); },
                    {{{2, 1, 3}}, {{3, 1, 3}}, {{1, 1}}, {{0, 1}}}});
    list.push_back({"flatten",
                    [](const In& in) { return flatten(in[0]); },
                    {{{2, 3, 4}}, {{3, 3}}, {{}}, {{0, 3}}}});
    list.push_back(
        {"flatten, 1 to -1", [](const In& in) { return flatten(in[0], 1, -1); }, rank_3});
    list.push_back({"contiguous", [](const In& in) { return contiguous(in[0]); }, rank_3});
}

void add_reorderings(std::vector<CheckedOperation>& list) {
    list.push_back({"transpose", [](const In& in) { return transpose(in[0]); }, rank_3});
    list.push_back(
        {"transpose, 0, -1", [](const In& in) { return transpose(in[0], 0, -1); }, rank_3});
    list.push_back(
        {"transpose, 1, 1", [](const In& in) { return transpose(in[0], 1, 1); }, rank_2});
    list.push_back({"permute", [](const In& in) { return permute(in[0], {2, 0, 1}); }, rank_3});
    list.push_back({"permute, from the end",
                    [](const In& in) {
                        return permute(in[0], {1, -1, -3});
                    },
                    rank_3});
    list.push_back({"permute, rank 0", [](const In& in) { return permute(in[0], {}); }, {{{}}}});
    list.push_back({"flip", [](const In& in) { return flip(in[0], 1) * in[0]; }, rank_3});
    list.push_back({"flip, two axes", [](const In& in) { return flip(in[0], {-1, 0}); }, rank_3});
    list.push_back({"contiguous of a transpose",
                    [](const In& in) { return contiguous(transpose(in[0])); }, rank_2});
    list.push_back({"a split into heads and back",
                    [](const In& in) {
                        const Variable heads = transpose(reshape(in[0], {3, 2, 2}), 0, 1);
                        return reshape(transpose(heads * heads, 0, 1), {3, 4});
                    },
                    {{{3, 4}}}});
}

void add_windows(std::vector<CheckedOperation>& list) {
    list.push_back({"slice", [](const In& in) { return slice(in[0], 1, 1, 3); }, rank_2});
    list.push_back({"slice, step 2",
                    [](const In& in) { return slice(in[0], -1, 0, tensor::to_the_end, 2); },
                    rank_3});
    list.push_back(
        {"slice, from the end", [](const In& in) { return slice(in[0], 0, -2, -1); }, rank_2});
    list.push_back(
        {"slice, past both ends", [](const In& in) { return slice(in[0], 1, -9, 9, 2); }, rank_2});
    list.push_back(
        {"slice, no entries", [](const In& in) { return slice(in[0], 1, 2, 2); }, rank_2});
    list.push_back(
        {"slice, past the end", [](const In& in) { return slice(in[0], 1, 9); }, rank_2});
    list.push_back({"overlapping slices",
                    [](const In& in) { return slice(in[0], 1, 0, -1) * slice(in[0], 1, 1); },
                    rank_2});
    list.push_back({"select", [](const In& in) { return select(in[0], 1, 1); }, rank_2});
    list.push_back({"select, -1", [](const In& in) { return select(in[0], -1, -1); }, rank_2});
    list.push_back(
        {"select of a vector", [](const In& in) { return select(in[0], 0, 0); }, {{{1}}, {{3}}}});
    list.push_back({"expand",
                    [](const In& in) {
                        return expand(in[0], {2, 3, 4});
                    },
                    {{{3, 1}}, {{}}, {{4}}, {{1}}, {{2, 1, 4}}, {{2, 3, 4}}}});
    list.push_back({"expand, -1",
                    [](const In& in) {
                        return expand(in[0], {3, -1, -1});
                    },
                    {{{1, 2}}, {{2, 2}}, {{3, 1, 2}}, {{1, 0}}}});
    list.push_back({"expand to no entries",
                    [](const In& in) {
                        return expand(in[0], {0, 3});
                    },
                    {{{3}}, {{1, 3}}, {{1, 1}}, {{}}}});
}

void add_copies(std::vector<CheckedOperation>& list) {
    list.push_back({"repeat",
                    [](const In& in) {
                        return repeat(in[0], {2, 1, 3});
                    },
                    {{{2, 3, 4}}, {{3, 3}}, {{4}}, {{1, 1, 1}}, {{}}, {{2, 0}}}});
    list.push_back({"repeat, along one axis",
                    [](const In& in) {
                        return repeat(in[0], {1, 4}) * repeat(in[0], {1, 4});
                    },
                    {{{2, 3}}, {{3, 3}}, {{1, 1}}, {{0, 3}}}});
    list.push_back({"repeat, once and not at all",
                    [](const In& in) {
                        return concatenate({repeat(in[0], {1, 1}), repeat(in[0], {0, 1})}, 0);
                    },
                    {{{2, 3}}, {{1, 1}}}});
    list.push_back(
        {"repeat_interleave", [](const In& in) { return repeat_interleave(in[0], 3, 1); }, rank_3});
    list.push_back({"repeat_interleave, -1",
                    [](const In& in) { return repeat_interleave(in[0], 2, -1); },
                    {{{2, 3}}, {{3, 3}}, {{4}}, {{1}}, {{0, 3}}, {{3, 0}}}});
    list.push_back({"repeat_interleave, 0 copies",
                    [](const In& in) { return repeat_interleave(in[0], 0, 0); },
                    {{{2, 3}}}});
}

void add_sorting(std::vector<CheckedOperation>& list) {
    list.push_back({"sort",
                    [](const In& in) { return sort(in[0], 1).values; },
                    {{{2, 3, 4}}, {{3, 3}}, {{1, 1}}, {{0, 3}}, {{3, 0}}},
                    Inputs::no_repeats});
    list.push_back({"sort, 0, descending",
                    [](const In& in) { return sort(in[0], 0, descending).values * in[0]; },
                    {{{3, 4}}, {{3, 3}}, {{3}}, {{1}}},
                    Inputs::no_repeats});
    list.push_back({"topk",
                    [](const In& in) { return topk(in[0], 2, 1).values; },
                    {{{2, 3, 4}}, {{3, 3}}, {{1, 2}}, {{0, 3}}},
                    Inputs::no_repeats});
    list.push_back({"topk, the smallest",
                    [](const In& in) { return topk(in[0], 1, -2, Take::smallest).values; },
                    {{{3, 4}}, {{1, 3}}, {{2, 3, 4}}},
                    Inputs::no_repeats});
}

void add_joins(std::vector<CheckedOperation>& list) {
    list.push_back({"concatenate",
                    [](const In& in) {
                        return concatenate({in[0], in[1], in[0]}, 1);
                    },
                    {{{2, 3}, {2, 4}}, {{3, 3}, {3, 3}}, {{1, 1}, {1, 0}}, {{0, 3}, {0, 2}}}});
    list.push_back({"concatenate, -2",
                    [](const In& in) { return concatenate(in, -2); },
                    {{{2, 3}, {1, 3}, {4, 3}}, {{2, 3}}}});
    list.push_back({"stack",
                    [](const In& in) {
                        return stack({in[0], in[1], in[0]});
                    },
                    {{{2, 3}, {2, 3}}, {{3, 3}, {3, 3}}, {{}, {}}, {{0, 2}, {0, 2}}}});
    list.push_back({"stack, -1",
                    [](const In& in) { return stack(in, -1); },
                    {{{2, 3}, {2, 3}}, {{4}, {4}, {4}}, {{}}}});
    list.push_back(
        {"stack, 1", [](const In& in) { return stack(in, 1); }, {{{2, 3}, {2, 3}, {2, 3}}}});
    list.push_back({"split",
                    [](const In& in) {
                        const std::vector<Variable> parts = split(in[0], 2, 1);
                        return parts[0] * parts[2] - 2 * parts[1];
                    },
                    {{{2, 5}}, {{2, 6}}, {{0, 6}}, {{2, 5, 2}}}});
    list.push_back({"unbind",
                    [](const In& in) {
                        const std::vector<Variable> parts = unbind(in[0], -1);
                        return parts[0] * parts[2] - 2 * parts[1] * parts[0];
                    },
                    {{{2, 3}}, {{3, 3}}, {{3}}, {{0, 3}}, {{2, 2, 3}}}});
    list.push_back({"chunk",
                    [](const In& in) {
                        const std::vector<Variable> parts = chunk(in[0], 3, 1);
                        return parts[0] * parts[2] - 2 * parts[1];
                    },
                    {{{2, 6}}, {{3, 3}}, {{0, 3}}, {{2, 3, 2}}}});
    list.push_back({"chunk, a part unused",
                    [](const In& in) { return chunk(in[0], 2, -1)[1]; },
                    {{{3, 4}}, {{2, 2}}}});
    list.push_back({"split_sizes",
                    [](const In& in) {
                        const std::vector<Variable> parts = split_sizes(in[0], {1, 0, 2, 1}, -1);
                        return parts[0] * parts[2] * parts[3];
                    },
                    {{{2, 4}}, {{4, 4}}, {{0, 4}}}});
}

void add_indexing(std::vector<CheckedOperation>& list) {
    const IndexTensor repeated({2, 0, 2, 1});
    const IndexTensor grid({{2, 0, 2}, {1, 1, 0}});
    const std::vector<Shapes> at_least_3 = {{{3, 3}}, {{4, 3}}, {{3, 4}}};
    list.push_back({"index_select", [=](const In& in) { return index_select(in[0], 0, repeated); },
                    at_least_3});
    list.push_back({"index_select, -1",
                    [=](const In& in) { return index_select(in[0], -1, repeated); },
                    {{{2, 3, 3}}, {{3, 3}}, {{3}}, {{0, 3}}}});
    list.push_back({"index_select of nothing",
                    [](const In& in) { return index_select(in[0], 1, IndexTensor()); },
                    at_least_3});
    list.push_back({"index_select, two axes of indices",
                    [=](const In& in) { return index_select(in[0], 0, grid); }, at_least_3});
    list.push_back(
        {"index_select, one index",
         [=](const In& in) { return index_select(in[0], -1, IndexTensor({2}, Shape{})); },
         {{{2, 3}}, {{3, 3}}, {{3}}, {{0, 3}}}});
    list.push_back({"index_add, two axes of indices",
                    [=](const In& in) {
                        return index_add(in[0], 1, grid, {2, 4});
                    },
                    {{{2, 2, 3}}}});
    list.push_back({"scatter",
                    [=](const In& in) { return scatter(in[0], 0, grid, in[1]); },
                    {{{3, 3}, {2, 3}}, {{4, 3}, {2, 3}}, {{3, 4}, {2, 3}}}});
    list.push_back({"scatter, -1",
                    [=](const In& in) { return scatter(in[0], -1, grid, in[1] * in[1]); },
                    {{{2, 3}, {2, 3}}, {{2, 5}, {2, 3}}}});
    list.push_back({"scatter of a number",
                    [=](const In& in) { return scatter(in[0] * in[0], 0, grid, 2.5); },
                    at_least_3});
    list.push_back({"index_add",
                    [=](const In& in) {
                        const Shape shape = in[0].shape().with(0, 5);
                        return index_add(in[0], 0, repeated, shape);
                    },
                    {{{4, 2}}, {{4, 4}}, {{4, 0}}, {{4}}}});
    list.push_back({"gather", [=](const In& in) { return gather(in[0], 0, grid); }, at_least_3});
    list.push_back(
        {"gather, -1", [=](const In& in) { return gather(in[0], -1, grid); }, at_least_3});
    list.push_back({"scatter_add",
                    [=](const In& in) {
                        return scatter_add(in[0], 0, grid, {3, 4});
                    },
                    {{{2, 3}}}});
    list.push_back({"scatter_add, -1",
                    [=](const In& in) {
                        return scatter_add(in[0], -1, grid, {2, 5});
                    },
                    {{{2, 3}}}});
    list.push_back({"embed_slice",
                    [](const In& in) {
                        return embed_slice(in[0], {3, 6}, 1, 1, 2);
                    },
                    {{{3, 3}}, {{3, 2}}, {{3, 0}}, {{3, 1}}}});
    list.push_back({"embed_slice, from the end",
                    [](const In& in) {
                        return embed_slice(in[0], {4, 2}, 0, -3, 1);
                    },
                    {{{3, 2}}, {{2, 2}}}});
}

}  // namespace

std::vector<CheckedOperation> rearranging_operations() {
    std::vector<CheckedOperation> list;
    add_reshapes(list);
    add_reorderings(list);
    add_windows(list);
    add_copies(list);
    add_joins(list);
    add_indexing(list);
    add_sorting(list);
    return list;
}

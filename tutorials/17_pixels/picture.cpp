#include "tutorials/17_pixels/picture.h"

#include "tensor/factories.h"

#include <algorithm>
#include <array>

using namespace heed;

namespace {

using Colour = std::array<double, 3>;

const Colour grey = {0.5, 0.5, 0.5}, red = {0.9, 0.1, 0.1}, yellow = {0.9, 0.9, 0.1};
// Orange and lime: between them lies a darker yellow, so no sum of patches tells yellow from both.
const std::vector<Colour> of_poncho = {{0.9, 0.45, 0.1}, {0.45, 0.9, 0.1}};

// Is this pixel of a patch dark in a pattern of this kind?
bool is_dark(std::int64_t kind, std::int64_t row, std::int64_t column) {
    if (kind == 0) return row / 2 % 2 == 0;
    if (kind == 1) return column / 2 % 2 == 0;
    if (kind == 2) return (row + column) / 2 % 2 == 0;
    return (row / 2 + column / 2) % 2 == 0;
}

struct Canvas {
    std::vector<Scalar> pixels = std::vector<Scalar>(64 * 64 * 3);
    std::string letters = std::string(64, '.');

    // Without a kind (-1) the patch is plain.
    void paint(std::int64_t patch, const Colour& colour, std::int64_t kind, Random& random) {
        for (std::int64_t row = 0; row < 8; ++row) {
            for (std::int64_t column = 0; column < 8; ++column) {
                const bool dark = kind >= 0 && is_dark(kind, row, column);
                const std::int64_t y = patch / 8 * 8 + row, x = patch % 8 * 8 + column;
                const double noise = 0.2 * random.uniform() - 0.1;
                for (std::int64_t c = 0; c < 3; ++c) {
                    const double light = colour[static_cast<std::size_t>(c)] * (dark ? 0.4 : 1);
                    pixels[static_cast<std::size_t>((y * 64 + x) * 3 + c)] =
                        static_cast<Scalar>(light + noise);
                }
            }
        }
    }
};

std::int64_t free_patch(const std::string& letters, Random& random) {
    std::int64_t patch = random.below(64);
    while (letters[static_cast<std::size_t>(patch)] != '.') patch = random.below(64);
    return patch;
}

}  // namespace

Pictures random_pictures(std::int64_t B, Random& random) {
    std::vector<Scalar> pixels;
    std::vector<std::int64_t> reds, kinds;
    Pictures pictures;
    for (std::int64_t b = 0; b < B; ++b) {
        Canvas canvas;
        for (std::int64_t patch = 0; patch < 64; ++patch) canvas.paint(patch, grey, -1, random);
        const std::int64_t corner = random.below(6) * 8 + random.below(7);  // 3 rows of 2
        for (std::int64_t i = 0; i < 6; ++i) {
            const std::int64_t patch = corner + i / 2 * 8 + i % 2;
            const Colour& colour = of_poncho[static_cast<std::size_t>(random.below(2))];
            canvas.paint(patch, colour, random.below(num_kinds), random);
            canvas.letters[static_cast<std::size_t>(patch)] = 'P';
        }
        reds.push_back(free_patch(canvas.letters, random));
        canvas.paint(reds.back(), red, -1, random);
        canvas.letters[static_cast<std::size_t>(reds.back())] = 'R';
        kinds.push_back(random.below(num_kinds));
        const std::int64_t at_yellow = free_patch(canvas.letters, random);
        canvas.paint(at_yellow, yellow, kinds.back(), random);
        canvas.letters[static_cast<std::size_t>(at_yellow)] = 'Y';
        pixels.insert(pixels.end(), canvas.pixels.begin(), canvas.pixels.end());
        pictures.letters.push_back(canvas.letters);
    }
    pictures.pixels = tensor::from_vector(pixels, {B, 64, 64, 3});
    pictures.red = IndexTensor(reds);
    pictures.kinds = IndexTensor(kinds);
    return pictures;
}

Pictures reordered(const Pictures& pictures, const IndexTensor& order) {
    const std::int64_t B = pictures.pixels.dim(0);
    // [B, row of patches, row in it, column of patches, column in it, colour]
    const Tensor cut = tensor::reshape(pictures.pixels, {B, 8, 8, 8, 8, 3});
    const Tensor patches = tensor::reshape(tensor::permute(cut, {0, 1, 3, 2, 4, 5}), {B, 64, 192});
    const Tensor moved =
        tensor::reshape(tensor::index_select(patches, 1, order), {B, 8, 8, 8, 8, 3});
    Pictures result = pictures;
    result.pixels = tensor::reshape(tensor::permute(moved, {0, 1, 3, 2, 4, 5}), {B, 64, 64, 3});
    std::vector<std::int64_t> reds;
    for (std::string& letters : result.letters) {
        const std::string before = letters;
        for (std::size_t k = 0; k < 64; ++k) {
            letters[k] = before[static_cast<std::size_t>(order(static_cast<std::int64_t>(k)))];
        }
        reds.push_back(static_cast<std::int64_t>(letters.find('R')));
    }
    result.red = IndexTensor(reds);
    return result;
}

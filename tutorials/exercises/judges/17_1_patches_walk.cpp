#include "tutorials/exercises/judges/17_1_patches_walk.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

using namespace heed;

namespace exercise::patches_of_pictures {

Tensor patches_walk(const Tensor& pixels, std::int64_t p, const Slips& slip) {
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    const std::int64_t rows = H / p, columns = W / p;
    const Shape patches{B, rows * columns, p * p * C};
    if (slip("img.no-permute")) return tensor::reshape(pixels, patches);
    const auto cut = [&](const Shape& axes, const Dims& order) {
        return tensor::reshape(tensor::permute(tensor::reshape(pixels, axes), order), patches);
    };
    const Shape squares{B, rows, p, columns, p, C};
    if (slip("img.interleaved")) return cut({B, p, rows, p, columns, C}, {0, 2, 4, 1, 3, 5});
    if (slip("img.width-first")) return cut({B, columns, p, rows, p, C}, {0, 1, 3, 2, 4, 5});
    if (slip("img.patches-down")) return cut(squares, {0, 3, 1, 2, 4, 5});
    if (slip("img.pixels-down")) return cut(squares, {0, 1, 3, 4, 2, 5});
    if (slip("img.colours-apart")) return cut(squares, {0, 1, 3, 5, 2, 4});
    return cut(squares, {0, 1, 3, 2, 4, 5});
}

Variable tokens_walk(const Tensor& patches, const Learned& in, const Slips& slip) {
    const std::int64_t B = patches.dim(0), N = patches.dim(1), d = in.E.dim(1);
    const Variable E = slip("vit.E-constant") ? in.E.detach() : in.E;
    const Variable embedded = matmul(Variable(patches), E);
    if (slip("vit.no-class")) return embedded + slice(in.positions, 0, 1, N + 1);
    const Variable first =
        expand(slip("vit.class-constant") ? in.x_class.detach() : in.x_class, {B, 1, d});
    if (slip("vit.class-without-position")) {
        return concatenate({first, embedded + slice(in.positions, 0, 1, N + 1)}, 1);
    }
    if (slip("vit.positions-late")) {
        return concatenate(
            {first + select(in.positions, 0, N), embedded + slice(in.positions, 0, 0, N)}, 1);
    }
    const Variable tokens = slip("vit.class-last") ? concatenate({embedded, first}, 1)
                                                   : concatenate({first, embedded}, 1);
    if (slip("vit.no-positions")) return tokens;
    const Variable positions =
        slip("vit.positions-constant") ? in.positions.detach() : in.positions;
    if (slip("vit.first-position")) return tokens + slice(positions, 0, 0, 1);
    if (slip("vit.times-positions")) return tokens * positions;
    return tokens + positions;
}

std::vector<Mistake> patches_mistakes() {
    const std::string print = "Number the pixels of a 4 by 4 picture with one colour from 0 to 15, "
                              "cut it with p = 2 and print row 0.";
    return {
        {"img.no-permute",
         "the pixels were only read under another shape, so that a patch was a strip of a row",
         {"Which pixel comes after the first p of a patch: the next of the row?", print}},
        {"img.interleaved",
         "a patch took every so many-th pixel of the whole picture",
         {"Are a patch's pixels neighbours?", "Which of the axes H/p and p comes first?"}},
        {"img.width-first",
         "the axes of the height were cut by the width, and the other way round",
         {"Which axis of pixels is the height?", "Try a picture that is wider than high."}},
        {"img.patches-down",
         "the patches were numbered column after column",
         {"Where in the picture is patch 1?", print}},
        {"img.pixels-down",
         "the pixels of a patch were read column after column",
         {"Which pixel of a patch is its second?", print}},
        {"img.colours-apart",
         "each colour of a patch stood by itself",
         {"Which number comes after a pixel's red?", "The place of C in your permute."}},
    };
}

std::vector<Mistake> tokens_mistakes() {
    return {
        {"vit.no-class",
         "the class token was missing",
         {"How many tokens has a picture of N patches?", "The shape of the tokens."}},
        {"vit.class-last",
         "the class token stood after the patches",
         {"Which row is the class token's?", "The order in your concatenate."}},
        {"vit.class-without-position",
         "the class token got no position, and only the patches did",
         {"How many rows has positions, and who gets row 0?", "Print the first token."}},
        {"vit.positions-late",
         "the patches got the positions from row 0 on, and the class token the last one",
         {"Which row of positions is the class token's?", "Print the first token."}},
        {"vit.no-positions",
         "the positions were not added",
         {"Can attention tell where a patch was?", "The last line."}},
        {"vit.first-position",
         "every token got the first position",
         {"How many rows has positions?", "The last line."}},
        {"vit.times-positions",
         "the positions were multiplied and not added",
         {"What does equation 1 do with the positions?", "The last line."}},
        {"vit.E-constant",
         "E entered as a constant, so that it would not be learned",
         {"Does the graph know E?", "How E comes into the product."}},
        {"vit.class-constant",
         "x_class entered as a constant, so that it would not be learned",
         {"Does the graph know x_class?", "How you repeat x_class for each picture."}},
        {"vit.positions-constant",
         "the positions entered as constants, so that they would not be learned",
         {"Does the graph know the positions?", "How you add the positions."}},
    };
}

}  // namespace exercise::patches_of_pictures

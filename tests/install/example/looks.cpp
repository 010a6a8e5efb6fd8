// Who looks at whom, in any model built with heed: in the terminal, as a page to explore, as a
// picture, and as a file to draw later.
#include "heed/heed.h"

#include <iostream>

using namespace heed;

int main() {
    Random random(1);
    const MultiHeadAttention attention(16, 4, random);
    const Variable X(tensor::normal({5, 16}, random));  // [T, d]

    RecordAttention recording(attention);
    recording.set_tokens({"time", "flies", "like", "an", "arrow"});
    attention(X, Mask::causal(5));

    const AttentionRecord& record = recording.at("MultiHeadAttention");
    print_heat_map(std::cout, record, {2});  // of head 2
    save_attention_page("attention.html", recording);
    save_attention_svg("head_2.svg", record, {2});
    save_attention("attention.safetensors", recording);
    std::cout << recording.bytes() << " bytes were recorded\n";
}

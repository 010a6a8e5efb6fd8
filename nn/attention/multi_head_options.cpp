#include "multi_head_options.h"

#include "../../tensor/errors.h"
#include "../../tensor/fused/attention.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {

void check_product(const char* layer, const char* what, std::int64_t num_heads, std::int64_t size,
                   const CallSite& site) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(num_heads, size, &product)) return;
    fail_argument(layer, site, "num_heads is ", num_heads, " and ", what, " is ", size,
                  "; their product is beyond 64 bits");
}

}  // namespace

void check_no_groups(const char* layer, std::int64_t num_heads, const MultiHeadOptions& complete,
                     const CallSite& site) {
    if (complete.num_kv_heads == num_heads) return;
    fail_argument(layer, site, "num_heads is ", num_heads, " and num_kv_heads is ",
                  complete.num_kv_heads,
                  "; here each head has its own keys and values, only in MultiHeadAttention "
                  "do several share them");
}

MultiHeadOptions complete(const char* layer, std::int64_t d_model, std::int64_t num_heads,
                          const MultiHeadOptions& options, const CallSite& site) {
    if (d_model < 1 || num_heads < 1) {
        fail_argument(layer, site, "d_model is ", d_model, " and num_heads is ", num_heads,
                      "; both must be at least 1");
    }
    if (options.d_head < 0 || options.d_v < 0 || options.kdim < 0 || options.vdim < 0) {
        fail_argument(layer, site, "d_head is ", options.d_head, ", d_v ", options.d_v, ", kdim ",
                      options.kdim, ", vdim ", options.vdim,
                      "; each must be at least 1, or 0 for what follows from d_model");
    }
    if (options.d_head == 0 && d_model % num_heads != 0) {
        fail_argument(layer, site, "d_model is ", d_model, " and num_heads is ", num_heads,
                      "; d_model must be a multiple of num_heads, or give d_head");
    }
    MultiHeadOptions given = options;
    if (given.num_kv_heads == 0) given.num_kv_heads = num_heads;
    if (given.num_kv_heads < 1 || num_heads % given.num_kv_heads != 0) {
        fail_argument(layer, site, "num_heads is ", num_heads, " and num_kv_heads is ",
                      given.num_kv_heads,
                      "; each head of keys and values is for as many heads of queries, so "
                      "num_heads must be a multiple of num_kv_heads");
    }
    tensor::divisor_of(layer, options.scale, options.soft_cap, 1, site);
    if (given.d_head == 0) given.d_head = d_model / num_heads;
    if (given.d_v == 0) given.d_v = given.d_head;
    check_product(layer, "d_head", num_heads, given.d_head, site);
    check_product(layer, "d_v", num_heads, given.d_v, site);
    if (given.kdim == 0) given.kdim = d_model;
    if (given.vdim == 0) given.vdim = d_model;
    return given;
}

}}  // namespace heed

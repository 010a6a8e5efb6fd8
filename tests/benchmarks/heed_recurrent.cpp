// Training steps of recurrent layers, which read X [B, T, d] and whose output is compared with a
// target.
#include "nn/losses.h"
#include "nn/nn.h"
#include "nn/optim/optimizers.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/models.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
template <class Layer>
Run recurrent_step(std::int64_t B, std::int64_t T, std::int64_t d) {
    Random random(1);
    const std::shared_ptr<Layer> layer = std::make_shared<Layer>(d, d, random);
    fill_with_noise(*layer);
    const std::vector<NamedParameter> all = parameters(*layer);
    const auto optimizer = std::make_shared<AdamW>(all, AdamWOptions{.lr = 1e-3});
    const Variable X(noise({B, T, d}, 1001));
    const Variable target(noise({B, T, d}, 1002));
    return [=] {
        optimizer->zero_grad();
        const Variable loss = mse_loss((*layer)(X).output, target);
        loss.backward();
        optimizer->step();
        return std::vector<Tensor>{loss.value(), all.front().parameter.grad(),
                                   all.back().parameter.grad()};
    };
}

}  // namespace

Run prepare_recurrent(const std::string& kind, std::istream& line) {
    std::int64_t B = 0, T = 0, d = 0;
    line >> B >> T >> d;
    if (kind == "lstm") return recurrent_step<LSTM>(B, T, d);
    if (kind == "gru") return recurrent_step<GRU>(B, T, d);
    return {};
}

}}}  // namespace heed::benchmarks

#include "recomputed.h"

#include "../autograd/engine.h"
#include "../autograd/node.h"
#include "../autograd/ops/views.h"
#include "../autograd/record.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "../tensor/ops/compare.h"
#include "attention/attention_record.h"
#include "attention/own_attention.h"
#include "forward_hook.h"
#include "module.h"

#include <mutex>
#include <set>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Call = std::function<Variable(const std::vector<Variable>&)>;

bool is_alive(const Module* layer) {
    for (const Listed* listed : Listed::all()) {
        if (listed->module() == layer) return true;
    }
    return false;
}

// The generators of a layer and of those inside it, with the numbers they are about to draw.
class Draws {
  public:
    explicit Draws(const Module& layer, const CallSite& site) {
        for (const LayerMember& each : layer_members(readable_member_tree(layer, site))) {
            if (Random* generator = each.module->generator()) {
                states_.push_back({generator, generator->state()});
            }
        }
    }
    bool is_empty() const { return states_.empty(); }
    void restore(const CallSite& site) const {
        for (const auto& [generator, state] : states_) generator->set_state(state, site);
    }

  private:
    std::vector<std::pair<Random*, Random::State>> states_;
};

// For its lifetime, generators draw the numbers of an earlier call; then they go on as before. One
// thread at a time does so, since several may run a pass over one graph.
class DrawingAgain {
  public:
    DrawingAgain(const Draws& earlier, const Module& layer, const CallSite& site)
        : lock_(drawing), now_(layer, site), site_(site) {
        earlier.restore(site_);
    }
    ~DrawingAgain() { now_.restore(site_); }
    DrawingAgain(const DrawingAgain&) = delete;
    DrawingAgain& operator=(const DrawingAgain&) = delete;

  private:
    inline static std::recursive_mutex drawing;

    const std::lock_guard<std::recursive_mutex> lock_;
    const Draws now_;
    const CallSite site_;
};

// A variable of its own with the value of x: a leaf, or one whose derivatives lead on to x.
Variable standing_for(const Variable& x, bool differentiably) {
    if (!x.requires_grad()) return x;
    return differentiably ? reshape(x, x.shape()) : Variable(x.value(), requires_grad);
}

// Y = call(X₁, ..., Xₙ), which also uses the parameters that follow the inputs        G = ∂L/∂Y
struct Recomputed final : OperationKeepingOutput {
    const Module* layer;
    Call call;
    std::size_t count;          // of inputs
    std::vector<Saved> inputs;  // and parameters
    Draws draws;
    CallSite site;

    Recomputed(const Module* of, const Call& called, std::size_t number,
               const std::vector<Variable>& all, const CallSite& from)
        : layer(of), call(called), count(number), inputs(all.begin(), all.end()), draws(*of, from),
          site(from) {}
    const char* name() const override { return "recomputed"; }

    Tensor forward(const Inputs& in, const CallSite&) const override {
        for (int i = static_cast<int>(count); i < in.size(); ++i) {
            if (in[i].data() == inputs[static_cast<std::size_t>(i)].value().data()) continue;
            throw std::runtime_error(
                text("replay: a recomputed layer cannot be computed with other parameters than "
                     "its own; make it without recomputed()",
                     Scope::trail()));
        }
        std::vector<Variable> values;
        for (std::size_t i = 0; i < count; ++i) values.emplace_back(in[static_cast<int>(i)]);
        const NoGrad no_grad;
        return call(values).value();
    }

    // The layer is called again once, for all inputs.
    std::vector<std::optional<Variable>> gradients(const Variable& G) const override {
        std::vector<Variable> leaves(inputs.begin(), inputs.end());
        const bool create_graph = needs_recording(leaves);
        for (std::size_t i = 0; i < count; ++i) leaves[i] = standing_for(leaves[i], create_graph);
        std::vector<std::optional<Variable>> all(leaves.size());
        const Variable y = called_again({leaves.begin(), leaves.begin() + std::ptrdiff_t(count)});
        check_no_other_leaf(y, leaves);
        if (!y.requires_grad()) return all;
        BackwardPass pass(y, {.create_graph = create_graph, .nested = true}, site);
        std::vector<const Node*> nodes;
        for (const Variable& leaf : leaves) {
            nodes.push_back(leaf.requires_grad() ? leaf.node().get() : nullptr);
        }
        const std::vector<std::int64_t> positions = pass.want(nodes);
        pass.run(G);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (positions[i] >= 0) all[i] = pass.gradient(positions[i]);
        }
        return all;
    }

    Variable gradient(int input, const Variable& G) const override {
        const std::size_t i = static_cast<std::size_t>(input);
        const std::optional<Variable> found = gradients(G)[i];
        return found ? *found : Variable(tensor::zeros(inputs[i].value().shape()));
    }

    Variable called_again(const std::vector<Variable>& in) const {
        if (!is_alive(layer)) {
            fail_runtime("backward", site,
                         "a recomputed layer is gone; it must live until the backward pass");
        }
        std::optional<DrawingAgain> again;
        if (!draws.is_empty()) again.emplace(draws, *layer, site);
        const ForwardHook::Paused no_hooks;
        const RecordAttention::Paused no_recordings;
        const GradMode recording(true);
        const Variable y = call(in);
        if (tensor::same_bits(y.value(), Y.value())) return y;
        fail_runtime(
            "backward", site, "a recomputed layer, ", type_name(*layer),
            ", gives other numbers when it is called again; its mode and what its function "
            "uses must not change before the backward pass");
    }

    // A leaf that y depends on and that is no input of this operation would get no gradient.
    void check_no_other_leaf(const Variable& y, const std::vector<Variable>& leaves) const {
        std::set<const Node*> visited;
        for (const Variable& each : leaves) visited.insert(each.node().get());
        std::vector<const Node*> ahead{y.node().get()};
        while (!ahead.empty()) {
            const Node* const node = ahead.back();
            ahead.pop_back();
            if (!node || !visited.insert(node).second) continue;
            if (node->is_leaf && node->requires_grad) {
                fail_runtime("backward", site, "the function of a recomputed layer, ",
                             type_name(*layer), ", uses a variable of shape ", node->shape,
                             " that is neither an input nor a parameter of the layer, so it would "
                             "get no gradient; pass it as an input");
            }
            for (const Edge& edge : node->inputs) ahead.push_back(edge.node.get());
        }
    }
};
}  // namespace

Variable recomputed(const Module& layer, const std::vector<Variable>& inputs, const Call& call,
                    CallSite site) {
    if (!call) fail_argument("recomputed", site, "the function is empty; give one to call");
    if (OwnAttention::in_use()) return call(inputs);
    std::vector<Variable> all = inputs;
    std::set<const Node*> known;  // a parameter may be visited twice, or be tied
    for (const ParameterMember& each : parameter_members(readable_member_tree(layer, site))) {
        if (known.insert(each.parameter->node().get()).second) all.push_back(*each.parameter);
    }
    if (!needs_recording(all)) return call(inputs);
    return record<Recomputed>(all, site, &layer, call, inputs.size(), all, site);
}

}}  // namespace heed

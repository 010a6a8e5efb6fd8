#include "heed/autograd/inspect/keep.h"

#include "heed/autograd/inspect/explain_debugger.h"
#include "heed/autograd/inspect/kept.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/views.h"

#include <deque>
#include <mutex>
#include <utility>

namespace heed {
inline namespace HEED_PRECISION {

int keepers_of_graphs = 0;

namespace {

thread_local bool suspended = false;

constexpr std::size_t most_passes = 32;
constexpr std::size_t most_additions = 64;

// A leaf remembers passes, and a pass that owned its root would own the leaf: so the roots are
// owned here alone.
struct LivingPass {
    std::shared_ptr<const KeptPass> pass;
    std::shared_ptr<Node> root;
};

struct LivingPasses {
    std::mutex guard;
    std::deque<LivingPass> passes;
};

LivingPasses& living() {
    static LivingPasses& passes = *new LivingPasses;  // never destroyed: nodes may die later
    return passes;
}

// Lets go of the passes that no gradient remembers; of all, where `all`. The graphs are destroyed
// when the lock is released.
void let_go(bool all) {
    std::vector<LivingPass> gone;
    LivingPasses& here = living();
    const std::lock_guard<std::mutex> lock(here.guard);
    std::deque<LivingPass> stay;
    for (LivingPass& living_pass : here.passes) {
        const bool unused = living_pass.pass.use_count() == 1;
        if (all || unused) {
            gone.push_back(std::move(living_pass));
        } else {
            stay.push_back(std::move(living_pass));
        }
    }
    here.passes = std::move(stay);
}

Kept& kept_of(Node& node) {
    if (!node.kept) node.kept.reset(new Kept);
    return *node.kept;
}

// The sum is the same: it is taken from the left.
void fold_oldest(Kept& kept) {
    const Tensor& oldest = kept.additions.front().gradient;
    kept.before = kept.before ? tensor::add(*kept.before, oldest) : oldest;
    kept.additions.erase(kept.additions.begin());
}

// A linker takes from a library only what is asked for: this asks for what a debugger calls.
[[gnu::used]] const char* (*const for_debuggers)() = &why_at_breakpoint;

}  // namespace

KeepGraph::KeepGraph() { __atomic_add_fetch(&keepers_of_graphs, 1, __ATOMIC_RELAXED); }

KeepGraph::~KeepGraph() {
    if (__atomic_sub_fetch(&keepers_of_graphs, 1, __ATOMIC_RELAXED) == 0) let_go(true);
}

bool keeping_is_suspended() { return suspended; }

SuspendKeeping::SuspendKeeping() : before_(suspended) { suspended = true; }

SuspendKeeping::~SuspendKeeping() { suspended = before_; }

void FreeKept::operator()(Kept* kept) const noexcept { delete kept; }

void keep_inputs(Node& node, const Inputs& inputs) {
    Kept& kept = kept_of(node);
    for (int i = 0; i < inputs.size(); ++i) {
        const Tensor& value = inputs[i].value();
        kept.inputs.push_back({value, value.version()});
    }
}

std::shared_ptr<const KeptPass> remember_pass(const std::shared_ptr<Node>& root,
                                              const Tensor& upstream, const CallSite& site,
                                              std::vector<HookedGradient> hooked) {
    const std::shared_ptr<const KeptPass> pass = std::make_shared<const KeptPass>(
        KeptPass{root, tensor::clone(upstream), site, std::move(hooked)});
    if (!graphs_are_kept()) return pass;
    LivingPass oldest;  // destroyed when the lock is released
    LivingPasses& here = living();
    const std::lock_guard<std::mutex> lock(here.guard);
    here.passes.push_back({pass, root});
    if (here.passes.size() > most_passes) {
        oldest = std::move(here.passes.front());
        here.passes.pop_front();
    }
    return pass;
}

void note_addition(Node& node, const Tensor& gradient,
                   const std::shared_ptr<const KeptPass>& pass) {
    if (!pass && (!node.kept || node.kept->additions.empty())) return;
    Kept& kept = kept_of(node);
    if (kept.additions.empty()) {
        kept.before.reset();
        if (node.grad) kept.before = tensor::clone(*node.grad);
    }
    kept.additions.push_back({pass, tensor::clone(gradient)});
    if (kept.additions.size() > most_additions) fold_oldest(kept);
}

void forget_additions(Node& node) {
    if (!node.kept || node.kept->additions.empty()) return;
    node.kept->additions.clear();
    node.kept->before.reset();
    let_go(false);
}

}  // namespace HEED_PRECISION
}  // namespace heed

#include "keep.h"

#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/views.h"
#include "../engine.h"
#include "../observer.h"
#include "explain_debugger.h"
#include "kept.h"

#include <list>
#include <mutex>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {

int graph_keepers = 0;

namespace {
thread_local bool suspended = false;

constexpr std::size_t most_passes = 32;
constexpr std::size_t most_additions = 64;

// A leaf owns its passes, and a pass that owned its root would own the leaf. To avoid the cycle,
// the roots are owned only here.
struct LivingPass {
    std::shared_ptr<const KeptPass> pass;
    std::shared_ptr<Node> root;
};

struct LivingPasses {
    std::mutex guard;
    std::list<LivingPass> passes;
};

LivingPasses& living() {
    static LivingPasses& passes = *new LivingPasses;  // never destroyed: nodes may die later
    return passes;
}

// Drops the passes that no gradient refers to, or every pass if `all` is true. The graphs are
// destroyed after the lock is released. Called by a destructor, so it allocates nothing.
void release_kept(bool all) {
    std::list<LivingPass> gone;
    LivingPasses& here = living();
    const std::lock_guard<std::mutex> lock(here.guard);
    std::list<LivingPass>::iterator next = here.passes.begin();
    while (next != here.passes.end()) {
        const std::list<LivingPass>::iterator at = next++;
        const bool unused = at->pass.use_count() == 1;
        if (all || unused) gone.splice(gone.end(), here.passes, at);
    }
}

Kept& kept_of(Node& node) {
    if (!node.note) node.note = std::make_unique<Kept>();
    return static_cast<Kept&>(*node.note);
}

// The record kept of this pass, created at the first call.
std::shared_ptr<KeptPass> pass_kept(BackwardPass& pass) {
    if (!pass.note) {
        const Tensor upstream = tensor::clone(pass.upstream().value());
        pass.note = std::make_shared<KeptPass>(KeptPass{pass.root(), upstream, pass.site(), {}});
    }
    return std::static_pointer_cast<KeptPass>(pass.note);
}

void keep_alive(const std::shared_ptr<KeptPass>& pass, const std::shared_ptr<Node>& root) {
    if (pass->lives || !graphs_are_kept()) return;
    pass->lives = true;
    LivingPass oldest;  // destroyed after the lock is released
    LivingPasses& here = living();
    const std::lock_guard<std::mutex> lock(here.guard);
    here.passes.push_back({pass, root});
    if (here.passes.size() > most_passes) {
        oldest = std::move(here.passes.front());
        here.passes.pop_front();
    }
}

// `pass` is null if the graph was freed.
void note_addition(Node& node, const Tensor& gradient,
                   const std::shared_ptr<const KeptPass>& pass) {
    if (!pass && (!kept_with(node) || kept_with(node)->additions.empty())) return;
    Kept& kept = kept_of(node);
    if (kept.additions.empty()) {
        kept.before.reset();
        if (node.grad) kept.before = tensor::clone(*node.grad);
    }
    kept.additions.push_back({pass, tensor::clone(gradient)});
    if (kept.additions.size() <= most_additions) return;
    const Tensor& oldest = kept.additions.front().gradient;
    // Adding from the left keeps the bits of the sum.
    kept.before = kept.before ? tensor::add(*kept.before, oldest) : oldest;
    kept.additions.erase(kept.additions.begin());
}

// Keeps what explain() needs: inputs while graphs are kept, and each pass that frees no graph.
class Keeper final : public Observer {
  public:
    void recorded(const std::shared_ptr<Node>& node, const Tensor&,
                  const OperationInputs& inputs) override {
        if (!graphs_are_kept()) return;
        Kept& kept = kept_of(*node);
        for (int i = 0; i < inputs.size(); ++i) {
            kept.inputs.push_back({inputs[i], inputs[i].version()});
        }
    }
    bool keeps_graphs() const override { return graphs_are_kept(); }
    bool needs_received() const override { return false; }
    void hooked(BackwardPass& pass, const Node& node, const Tensor& before,
                const Tensor& after) override {
        if (pass.frees_graph() || tensor::same_bits(before, after)) return;
        pass_kept(pass)->hooked.push_back({&node, tensor::clone(after)});
    }
    void accumulates(BackwardPass& pass, Node& node, const Tensor& gradient) override {
        if (pass.frees_graph()) return note_addition(node, gradient, nullptr);
        const std::shared_ptr<KeptPass> kept = pass_kept(pass);
        keep_alive(kept, pass.root());
        note_addition(node, gradient, kept);
    }
    void forgets(Node& node) override {
        if (!kept_with(node) || kept_with(node)->additions.empty()) return;
        Kept& kept = kept_of(node);
        kept.additions.clear();
        kept.before.reset();
        release_kept(false);
    }
};

// Never destroyed: nodes may outlive main().
[[maybe_unused]] const Observing& in_all_threads = *new Observing(*new Keeper, true);

}  // namespace

KeepGraph::KeepGraph() { __atomic_add_fetch(&graph_keepers, 1, __ATOMIC_RELAXED); }

KeepGraph::~KeepGraph() {
    if (__atomic_sub_fetch(&graph_keepers, 1, __ATOMIC_RELAXED) == 0) release_kept(true);
}

bool keeping_is_suspended() { return suspended; }

SuspendKeeping::SuspendKeeping() : before_(suspended) { suspended = true; }

SuspendKeeping::~SuspendKeeping() { suspended = before_; }

}}  // namespace heed

// Without a reference, a linker would drop this file, and with it the function a debugger calls. So
// the library's link options name this function (CMakeLists.txt).
extern "C" const char* heed_why_at_breakpoint() { return heed::why_at_breakpoint(); }

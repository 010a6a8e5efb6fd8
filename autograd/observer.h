// Observer: is notified when operations are recorded and gradients are computed.
// Anomaly detection, the tape of gradcheck and explain() use observers. The core calls this
// interface and does not know them.
#pragma once

#include "../tensor/scalar.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION {

class BackwardPass;
struct CallSite;
class OperationInputs;
class Node;
class Operation;
class Tensor;
class Variable;

class Observer {
  public:
    // An operation computed `value`, whether or not it is going to be recorded.
    virtual void computed(const Operation&, const Tensor& /*value*/, const OperationInputs&,
                          const CallSite&) {}
    // The operation was recorded as this node.
    virtual void recorded(const std::shared_ptr<Node>&, const Tensor& /*value*/,
                          const OperationInputs&) {}

    // Called when a backward pass begins. True: the pass destroys no operation. A graph that it
    // frees remains available to explain(), but no other pass may walk it.
    virtual bool keeps_graphs() const { return false; }
    // The derivative of one node is computed between these two calls.
    virtual void derivative_begins() {}
    virtual void derivative_ends() {}
    // False: this observer does not need received(). If no observer does, gradients may be added to
    // a sum directly (Gradients::sum_so_far), and received() is not called for them.
    virtual bool needs_received() const { return true; }
    // Node `by` computed this gradient for its input number `input` from G, the gradient of its
    // output. It is not yet summed over broadcast axes.
    virtual void received(const Node& /*by*/, int /*input*/, const Variable& /*gradient*/,
                          const Variable& /*G*/) {}
    // True: the node's hooks are not called; `gradient` was set to what they returned in an earlier
    // pass, or left as it is. False: call them.
    virtual bool replays_hooks(const Node&, Variable& /*gradient*/) { return false; }
    // The node's hooks replaced the gradient `before` by `after`.
    virtual void hooked(BackwardPass&, const Node&, const Tensor& /*before*/,
                        const Tensor& /*after*/) {}
    // backward() is about to add this gradient to the node's .grad.
    virtual void accumulates(BackwardPass&, Node&, const Tensor& /*gradient*/) {}
    // The node's .grad was cleared or set.
    virtual void forgets(Node&) {}

  protected:
    ~Observer() = default;
};

// For its lifetime, an observer, which must outlive it, is notified in this thread. With
// `in_all_threads` (created before main()), it is notified in every thread of what is recorded,
// kept and accumulated, and of the rest only in threads with an observer of their own.
class Observing {
  public:
    explicit Observing(Observer& notified, bool in_all_threads = false);
    ~Observing();
    Observing(const Observing&) = delete;
    Observing& operator=(const Observing&) = delete;

    Observer& observer;
    Observing* next;

  private:
    bool in_all_threads_;
};

// The first of the observers notified in this thread, or null:
//     for (Observing* each = observers(); each; each = each->next) each->observer.forgets(node);
Observing* observers();
// The same, but null unless this thread has an observer of its own.
Observing* observers_here();

// Tells the observers when the derivative of a node begins and ends.
class ComputingDerivative {
  public:
    ComputingDerivative();
    ~ComputingDerivative();
    ComputingDerivative(const ComputingDerivative&) = delete;
    ComputingDerivative& operator=(const ComputingDerivative&) = delete;
};

}}  // namespace heed

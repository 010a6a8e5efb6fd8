// One order of derivatives in gradcheck: a function, its inputs, the upstream gradients, and the
// gradients received.
#pragma once

#include "../../tensor/random.h"
#include "diagnosis.h"

namespace heed { inline namespace HEED_PRECISION {

class Check {
  public:
    Check(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
          const std::vector<std::string>& names, const GradcheckOptions& options, int order,
          GradcheckResult& result)
        : f_(f), inputs_(inputs), names_(names), options_(options), order_(order), result_(result) {
    }

    // Calls the function twice; false if it cannot be checked.
    bool check_function();
    void draw_upstream(Random& random);
    void use(const std::vector<Tensor>& upstream, const std::vector<Tensor>& received);
    // With `create_graph` every derivative comes from its formula; without it, as in training, from
    // the operation's fused pass, if it has one and the fast kernels are in use.
    void differentiate(bool create_graph, const CallSite& site);
    void compare();

    const std::vector<Shape>& output_shapes() const { return output_shapes_; }

  private:
    std::vector<Variable> call_and_watch(std::vector<Tensor>& copies);
    void expect(int input);
    void judge(int input);
    GradcheckFailure failure_at(int input, std::size_t entry) const;
    Evidence evidence(int input) const;

    const CheckedOutputs& f_;
    const std::vector<Tensor>& inputs_;
    const std::vector<std::string>& names_;
    const GradcheckOptions& options_;
    int order_;
    GradcheckResult& result_;

    std::string operation_ = "a constant";
    bool recorded_ = false;
    std::vector<Shape> output_shapes_;
    std::vector<Tensor> upstream_;
    bool created_graph_ = false;
    std::vector<Numbers> received_;
    std::vector<Numbers> expected_;                // computed once, at the first comparison
    std::vector<std::vector<Numbers>> jacobians_;  // one for each input, for the diagnosis
};

}}  // namespace heed

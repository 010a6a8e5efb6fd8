// One order of gradcheck: a function, its inputs, upstream gradients, and the gradients received.
#pragma once

#include "heed/autograd/gradcheck/diagnosis.h"
#include "heed/tensor/random.h"

namespace heed {
inline namespace HEED_PRECISION {

class Check {
  public:
    Check(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
          const std::vector<std::string>& names, const GradcheckOptions& options, int order,
          GradcheckResult& result)
        : f_(f), inputs_(inputs), names_(names), options_(options), order_(order), result_(result) {
    }

    // Calls the function twice; false where it is not one that can be checked.
    bool look_at_function();
    void draw_upstream(Random& random);
    void use(const std::vector<Tensor>& upstream, const std::vector<Tensor>& received);
    void differentiate(const CallSite& site);
    void compare();

    const std::vector<Shape>& output_shapes() const { return output_shapes_; }

  private:
    std::vector<Variable> call_and_watch(std::vector<Tensor>& copies);
    void expect(int input, std::vector<Numbers>& jacobian);
    void judge(int input, const std::vector<Numbers>& jacobian);
    GradcheckFailure failure_at(int input, std::size_t entry) const;
    Evidence evidence(int input, const std::vector<Numbers>& jacobian) const;

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
    std::vector<Numbers> received_;
    std::vector<Numbers> expected_;
};

}  // namespace HEED_PRECISION
}  // namespace heed

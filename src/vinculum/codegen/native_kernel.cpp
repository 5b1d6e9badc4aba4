#include "vinculum/codegen/native_kernel.hpp"

#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/codegen/tape_kernel.hpp"
#include "vinculum/expr/elementary/arc.hpp"
#include "vinculum/expr/elementary/circular.hpp"
#include "vinculum/expr/elementary/exponential.hpp"
#include "vinculum/expr/elementary/hyperbolic.hpp"
#include "vinculum/expr/operation.hpp"

namespace vinculum::codegen {
namespace {

using native::MathFunction;
namespace elementary = expr::elementary;

double evaluate_table(const native::Context* context, std::uint32_t table, std::uint32_t order, double x) noexcept {
  return static_cast<const expr::Spline*>(context->splines[table])->evaluate(x, static_cast<int>(order));
}

/// The functions that `expr::evaluate_operation` calls, at the indices that MathFunction assigns to them.
native::Context make_context(const void* const* splines) {
  using One = double (*)(double);
  native::Context context{};
  const auto set = [&context](MathFunction which, auto function) {
    context.functions[static_cast<std::size_t>(which)] = reinterpret_cast<const void*>(function);
  };
  set(MathFunction::kExponential, &elementary::exponential);
  set(MathFunction::kLogarithm, &elementary::logarithm);
  set(MathFunction::kSine, &elementary::sine);
  set(MathFunction::kCosine, &elementary::cosine);
  set(MathFunction::kTangent, &elementary::tangent);
  set(MathFunction::kArcSine, &elementary::arc_sine);
  set(MathFunction::kArcCosine, &elementary::arc_cosine);
  set(MathFunction::kArcTangent, &elementary::arc_tangent);
  set(MathFunction::kHyperbolicSine, &elementary::hyperbolic_sine);
  set(MathFunction::kHyperbolicCosine, &elementary::hyperbolic_cosine);
  set(MathFunction::kHyperbolicTangent, &elementary::hyperbolic_tangent);
  set(MathFunction::kFloor, One{std::floor});
  set(MathFunction::kPower, &expr::evaluate_power);
  set(MathFunction::kArcTangent2, &elementary::arc_tangent2);
  set(MathFunction::kSineAndCosine, &elementary::sine_and_cosine);
  set(MathFunction::kTable, &evaluate_table);
  for (const void* function : context.functions) VINCULUM_ENSURES(function != nullptr);
  context.splines = splines;
  return context;
}

class NativeKernel final : public Kernel {
 public:
  NativeKernel(const Tape& tape, std::shared_ptr<const NativeCode> code, std::size_t index)
      : entries_(&code->entries(index)),
        input_count_(tape.input_count),
        output_count_(tape.main.outputs.size()),
        constant_count_(tape.constant_count()),
        workspace_size_(code->workspace_size(index)),
        operation_count_(tape.main.instructions.size()),
        preparation_(tape),
        code_(std::move(code)),
        owned_splines_(tape.splines) {
    for (const auto& spline : owned_splines_) splines_.push_back(spline.get());
    context_ = make_context(splines_.data());
  }

  void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                   double* workspace) const noexcept override {
    for (const native::Entry* entry = entries_->load(std::memory_order_acquire); *entry != nullptr; ++entry) {
      (*entry)(first, others, constants, outputs, workspace, &context_);
    }
  }
  [[nodiscard]] std::vector<double> prepare(std::span<const double> parameters) const override {
    return preparation_.run(parameters);
  }
  [[nodiscard]] std::size_t input_count() const override { return input_count_; }
  [[nodiscard]] std::size_t output_count() const override { return output_count_; }
  [[nodiscard]] std::size_t constant_count() const override { return constant_count_; }
  [[nodiscard]] std::size_t workspace_size() const override { return workspace_size_; }
  [[nodiscard]] std::size_t operation_count() const override { return operation_count_; }

 private:
  const std::atomic<const native::Entry*>* entries_;
  native::Context context_{};
  std::size_t input_count_, output_count_, constant_count_, workspace_size_, operation_count_;
  Preparation preparation_;
  std::shared_ptr<const NativeCode> code_;
  std::vector<std::shared_ptr<const expr::Spline>> owned_splines_;
  std::vector<const void*> splines_;
};

}  // namespace

NativeCode::NativeCode(std::shared_ptr<const CodeImage> image, std::size_t program_count)
    : first_(std::move(image)), entries_(program_count) {
  for (std::size_t k = 0; k < program_count; ++k) entries_[k].store(first_->entries(k), std::memory_order_relaxed);
}

void NativeCode::exchange(std::shared_ptr<const CodeImage> better) {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    // Callers have allocated workspaces of the size that the first code needs, so code that needs more cannot replace
    // it.
    if (better->workspace_size(k) > first_->workspace_size(k)) return;
  }
  better_ = std::move(better);
  for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].store(better_->entries(k), std::memory_order_release);
}

std::shared_ptr<const Kernel> make_native_kernel(const Tape& tape, std::shared_ptr<const NativeCode> code,
                                                 std::size_t index) {
  return std::make_shared<NativeKernel>(tape, std::move(code), index);
}

}  // namespace vinculum::codegen

#include "vinculum/codegen/used_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/codegen/native.hpp"
#include "vinculum/codegen/tape_kernel.hpp"

namespace vinculum::codegen {
namespace {

class UsedKernel final : public Kernel, public std::enable_shared_from_this<UsedKernel> {
 public:
  UsedKernel(Tape tape, CompileOptions options)
      : tape_(std::move(tape)),
        options_(std::move(options)),
        first_(make_tape_kernel(tape_)),
        // Native code stores results of instructions between its functions, at most one per instruction.
        workspace_size_(std::max(first_->workspace_size(), tape_.main.instructions.size())),
        now_(first_.get()) {}

  void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                   double* workspace) const noexcept override {
    now_.load(std::memory_order_acquire)->evaluate_at(first, others, constants, outputs, workspace);
    if (uses_.load(std::memory_order_relaxed) < kUsesThatPay &&
        uses_.fetch_add(1, std::memory_order_relaxed) + 1 == kUsesThatPay)
      become_native();
  }
  [[nodiscard]] std::vector<double> prepare(std::span<const double> parameters) const override {
    return first_->prepare(parameters);
  }
  [[nodiscard]] std::size_t input_count() const override { return first_->input_count(); }
  [[nodiscard]] std::size_t output_count() const override { return first_->output_count(); }
  [[nodiscard]] std::size_t constant_count() const override { return first_->constant_count(); }
  [[nodiscard]] std::size_t workspace_size() const override { return workspace_size_; }
  [[nodiscard]] std::size_t operation_count() const override { return first_->operation_count(); }

 private:
  /// Requests native code from the background compiler; the request ends if the kernel is destroyed. If there is no
  /// memory for the request, the tape remains in use.
  void become_native() const noexcept try {
    BackgroundCompiler* background = background_compiler();
    if (background == nullptr) return;
    background->submit([weak = weak_from_this()](const std::atomic<bool>& cancel) {
      const std::shared_ptr<const UsedKernel> kernel = weak.lock();
      if (kernel == nullptr) return;
      std::shared_ptr<const Kernel> native = make_best_native_kernel(kernel->tape_, kernel->options_, cancel);
      if (native == nullptr || native->workspace_size() > kernel->workspace_size_) return;
      kernel->native_ = std::move(native);
      kernel->now_.store(kernel->native_.get(), std::memory_order_release);
    });
  } catch (...) {
  }

  const Tape tape_;
  const CompileOptions options_;
  const std::shared_ptr<const Kernel> first_;
  const std::size_t workspace_size_;
  mutable std::shared_ptr<const Kernel> native_;
  mutable std::atomic<const Kernel*> now_;
  mutable std::atomic<unsigned> uses_{0};
};

}  // namespace

std::vector<std::shared_ptr<const Kernel>> make_used_kernels(std::vector<Tape> tapes, const CompileOptions& options) {
  std::vector<std::shared_ptr<const Kernel>> kernels;
  for (Tape& tape : tapes) {
    std::shared_ptr<const Kernel> kernel;
    if (tape.main.instructions.empty())
      kernel = make_tape_kernel(tape);
    else if (kernel = load_native_kernel(tape, options); kernel == nullptr)
      kernel = std::make_shared<UsedKernel>(std::move(tape), options);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace vinculum::codegen

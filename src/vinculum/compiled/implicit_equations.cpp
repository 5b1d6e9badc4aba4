#include "vinculum/compiled/implicit_equations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/compiled/kernel_outputs.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/operation_count.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

// Code for ∂F/∂x is generated if (operation count of F) × (number of components of x) is at most this. The product is
// an upper bound of the operation count of the derivatives. Beyond the limit, compiling them takes longer than a
// typical run.
constexpr std::size_t kMostOperations = 200'000;

/// Number of guards at the end of the outputs of the motion, after q', u' and z': residual and contraction.
constexpr std::size_t kGuards = 2;

/// Outputs of generated code for the accelerations. Nothing if they are not a linear problem, or if left-out rows would
/// have to be compared.
std::optional<MotionOutputs> outputs_of(const Structure& structure, const std::vector<Embedding>& embedding,
                                        int refinements) {
  if (structure.system->higher || structure.is_implicit() || structure.system->M.is_deferred()) return std::nullopt;
  if (!structure.fits(embedding)) return std::nullopt;
  std::optional<MotionOutputs> motion = motion_outputs(structure, refinements).whole;
  if (!motion || motion->compares_rows) return std::nullopt;
  motion->values.resize(static_cast<std::size_t>(structure.nq() + structure.nu() + structure.nz()) + kGuards);
  return motion;
}

struct KernelsOfRates {
  const Structure& of;
  const codegen::CompileOptions& options;
  std::vector<codegen::KernelSpec> specs;
  std::vector<std::shared_ptr<const codegen::Kernel>*> places;

  void add(std::shared_ptr<const codegen::Kernel>& place, const char* name, std::vector<Expr> inputs,
           std::vector<Expr> outputs) {
    specs.push_back({of.model->name + "." + name, std::move(inputs), of.system->parameters, std::move(outputs)});
    places.push_back(&place);
  }
  /// Adds a kernel for the derivatives of F with respect to x.   \param contraction  guard of the rates F
  void add_gradient(GeneratedRates& rates, const std::vector<Expr>& symbols, std::span<const Expr> F,
                    Expr contraction) {
    const std::span<const Expr> x(symbols.begin() + 1, symbols.end());
    if (expr::operation_count(F, symbols) * x.size() > kMostOperations) return;
    std::vector<Expr> outputs;
    for (const expr::Entry& entry : expr::sparse_jacobian(F, x)) {
      rates.places.push_back({entry.row, entry.column});
      outputs.push_back(entry.value);
    }
    outputs.push_back(contraction);
    add(rates.gradient, "rates_gradient", symbols, std::move(outputs));
  }
  void compile() {
    const auto kernels = codegen::compile(specs, options);
    for (std::size_t i = 0; i < kernels.size(); ++i) *places[i] = kernels[i];
  }
};

}  // namespace

const ImplicitEquations::Lifted* ImplicitEquations::lifted() const {
  std::call_once(once_lifted_, [this] {
    auto equations = lifted_equations(structure_.model, embedding_);
    if (!equations) return;
    lifted_.emplace(std::move(*equations), GeneratedRates{});
    const MotionEquations& motion = lifted_->equations.motion;
    const Structure structure = structure_.with(motion.system);
    KernelsOfRates kernels{structure, options_, {}, {}};
    kernels.add(lifted_->generated.forces, "forces", state_symbols(*motion.system), lifted_->equations.force);
    const std::size_t count = lifted_->equations.force.size();
    const auto with_forces = [&](const MotionOutputs& outputs) {
      std::vector<Expr> F(outputs.values.begin(), outputs.values.end() - kGuards);
      F.insert(F.end(), motion.S.end() - static_cast<std::ptrdiff_t>(count), motion.S.end());
      return F;
    };
    if (const auto outputs = outputs_of(structure, embedding_, refinements_)) {
      std::vector<Expr> F = with_forces(*outputs);
      F.insert(F.end(), outputs->values.end() - kGuards, outputs->values.end());
      kernels.add(lifted_->generated.rates, "lifted_rates", motion.state, std::move(F));
      const MotionOutputs unrefined = *outputs_of(structure, embedding_, 0);
      kernels.add_gradient(lifted_->generated, motion.state, with_forces(unrefined), unrefined.values.back());
    }
    kernels.compile();
  });
  return lifted_ ? &*lifted_ : nullptr;
}

const GeneratedRates& ImplicitEquations::plain() const {
  std::call_once(once_plain_, [this] {
    auto system = derive_all(structure_.model);
    VINCULUM_EXPECTS(system.has_value());  // the compiled model was made from the same model
    const Structure structure = structure_.with(*std::move(system));
    const auto outputs = outputs_of(structure, embedding_, 0);
    if (!outputs) return;
    KernelsOfRates kernels{structure, options_, {}, {}};
    kernels.add_gradient(plain_, state_symbols(*structure.system),
                         std::span(outputs->values).first(outputs->values.size() - kGuards), outputs->values.back());
    kernels.compile();
  });
  return plain_;
}

RatesAt::RatesAt(const GeneratedRates& of, std::span<const double> parameters) : of_(of) {
  const auto bind = [&](const std::shared_ptr<const codegen::Kernel>& kernel, Bound& bound) {
    if (!kernel) return;
    bound = {kernel.get(), kernel->prepare(parameters)};
    input_.resize(std::max(input_.size(), kernel->input_count()));
    output_.resize(std::max(output_.size(), kernel->output_count()));
    workspace_.resize(std::max(workspace_.size(), kernel->workspace_size()));
  };
  bind(of.rates, rates_);
  bind(of.gradient, gradient_);
  bind(of.forces, forces_);
}

const double* RatesAt::evaluate(const Bound& bound, double t, std::span<const double> x) {
  input_[0] = t;
  std::ranges::copy(x, input_.begin() + 1);
  bound.kernel->evaluate(input_.data(), bound.constants.data(), output_.data(), workspace_.data());
  return output_.data();
}

bool RatesAt::rates(double t, std::span<const double> x, double* F) {
  if (rates_.kernel == nullptr) return false;
  const double* found = evaluate(rates_, t, x);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += F[i] = found[i];
  return std::isfinite(sum) && found[x.size()] <= solve::StaticLdlt::kTolResidual &&
         found[x.size() + 1] <= solve::StaticLdlt::kTolContraction;
}

bool RatesAt::gradient(double t, std::span<const double> x, Matrix& F_x) {
  if (gradient_.kernel == nullptr) return false;
  const double* found = evaluate(gradient_, t, x);
  double sum = 0.0;
  for (const integrate::Place& place : of_.places) sum += F_x(place.row, place.column) = *found++;
  return std::isfinite(sum) && *found <= solve::StaticLdlt::kTolContraction;
}

void RatesAt::forces(double t, std::span<const double> y, double* s) {
  VINCULUM_EXPECTS(forces_.kernel != nullptr);
  const double* found = evaluate(forces_, t, y);
  std::copy_n(found, forces_.kernel->output_count(), s);
}

}  // namespace vinculum::sim

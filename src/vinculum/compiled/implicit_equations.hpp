#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/lifted_equations.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/integrate/implicit_problem.hpp"

namespace vinculum::sim {

/// Generated code for y' = F(t, x) as implicit methods want it. Kernels are null where there is none: accelerations
/// that are no linear problem, constraints of higher order, rows that are compared while the motion goes on, and
/// systems whose derivatives would take more operations than they save.
struct GeneratedRates {
  /// (t, x) → F [x], residual, contraction of the static solve; with forces as unknowns alone.
  std::shared_ptr<const codegen::Kernel> rates;
  /// (t, x) → ∂F/∂x at `places`, contraction.
  std::shared_ptr<const codegen::Kernel> gradient;
  std::vector<integrate::Place> places;           ///< rows ascending
  std::shared_ptr<const codegen::Kernel> forces;  ///< (t, q, u, z) → s
};

/// The equations of a compiled model for implicit methods, written and compiled for whoever asks first: explicit runs
/// do without. From Systems of their own, so that the compiled model's stays as it is while other threads read it.
class ImplicitEquations {
 public:
  /// \param embedding  of the rows. Where another one than with the declared values is not that of the generated code,
  /// there is no code (Structure::fits).
  ImplicitEquations(Structure structure, std::vector<Embedding> embedding, codegen::CompileOptions options,
                    int refinements)
      : structure_(std::move(structure)),
        embedding_(std::move(embedding)),
        options_(std::move(options)),
        refinements_(refinements) {}
  /// The same with another embedding.
  [[nodiscard]] std::shared_ptr<const ImplicitEquations> with(std::vector<Embedding> embedding) const {
    return std::make_shared<ImplicitEquations>(structure_, std::move(embedding), options_, refinements_);
  }

  /// With the forces of elastic and viscous elements as unknowns; null where there are none (lifted_equations). Any
  /// thread may ask.
  struct Lifted {
    LiftedEquations equations;
    GeneratedRates generated;
  };
  [[nodiscard]] const Lifted* lifted() const;
  /// Of the plain motion: its gradient alone. Any thread may ask.
  [[nodiscard]] const GeneratedRates& plain() const;

 private:
  Structure structure_;
  std::vector<Embedding> embedding_;
  codegen::CompileOptions options_;
  int refinements_;
  mutable std::once_flag once_lifted_, once_plain_;
  mutable std::optional<Lifted> lifted_;
  mutable GeneratedRates plain_;
};

/// Generated rates with the parameters' values, and scratch. One object a thread.
class RatesAt {
 public:
  /// \param of  outlives it.
  RatesAt(const GeneratedRates& of, std::span<const double> parameters);

  /// \param x [size]   \param F [size]   \returns false where there is no code, or it does not answer for this state.
  [[nodiscard]] bool rates(double t, std::span<const double> x, double* F);
  /// Into its places of F_x; the others stay.
  [[nodiscard]] bool gradient(double t, std::span<const double> x, Matrix& F_x);
  /// \param y  [q, u, z]   \pre there is code for them
  void forces(double t, std::span<const double> y, double* s);

 private:
  struct Bound {
    const codegen::Kernel* kernel = nullptr;
    std::vector<double> constants;
  };
  const double* evaluate(const Bound& bound, double t, std::span<const double> x);

  const GeneratedRates& of_;
  Bound rates_, gradient_, forces_;
  std::vector<double> input_, output_, workspace_;
};

}  // namespace vinculum::sim

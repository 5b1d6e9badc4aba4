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

/// Generated code of y' = F(t, x) for implicit methods. Kernels are null if accelerations are not a linear problem, if
/// constraints are of higher order, if left-out rows must be compared during the motion, or if the derivatives would
/// take too many operations.
struct GeneratedRates {
  /// (t, x) → F [x], then the guards residual and contraction. Only for equations with force unknowns.
  std::shared_ptr<const codegen::Kernel> rates;
  /// (t, x) → the entries of ∂F/∂x at `places`, then the guard contraction
  std::shared_ptr<const codegen::Kernel> gradient;
  std::vector<integrate::Place> places;           ///< positions of the entries, with ascending rows
  std::shared_ptr<const codegen::Kernel> forces;  ///< (t, q, u, z) → force unknowns s
};

/// Equations of a compiled model for implicit methods, derived and compiled at the first request, because explicit
/// methods do not need them. They have Systems of their own, so that other threads can read the compiled model at the
/// same time.
class ImplicitEquations {
 public:
  /// \param embedding  which rows are identically satisfied. If generated code leaves out other rows, there is no code
  ///   (Structure::fits).
  ImplicitEquations(Structure structure, std::vector<Embedding> embedding, codegen::CompileOptions options,
                    int refinements)
      : structure_(std::move(structure)),
        embedding_(std::move(embedding)),
        options_(std::move(options)),
        refinements_(refinements) {}
  /// The equations of the same model if other rows are identically satisfied.
  [[nodiscard]] std::shared_ptr<const ImplicitEquations> with(std::vector<Embedding> embedding) const {
    return std::make_shared<ImplicitEquations>(structure_, std::move(embedding), options_, refinements_);
  }

  /// Equations with the forces of elastic and viscous elements as unknowns (lifted_equations); `lifted` returns null if
  /// there are no such elements. Thread-safe.
  struct Lifted {
    LiftedEquations equations;
    GeneratedRates generated;
  };
  [[nodiscard]] const Lifted* lifted() const;
  /// Equations without force unknowns. Only the gradient has generated code. Thread-safe.
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

/// Evaluates GeneratedRates for one set of parameter values, with scratch memory. One object per thread.
class RatesAt {
 public:
  /// \param of  must outlive the object.
  RatesAt(const GeneratedRates& of, std::span<const double> parameters);

  /// Evaluates F(t, x).
  /// \param x [size]   \param F [size]   \returns false if there is no code, or if its guards refuse this state.
  [[nodiscard]] bool rates(double t, std::span<const double> x, double* F);
  /// Writes the entries of F_x = ∂F/∂x at `GeneratedRates::places`; other entries are not changed. \returns false if
  /// there is no code, or if its guards refuse this state.
  [[nodiscard]] bool gradient(double t, std::span<const double> x, Matrix& F_x);
  /// Evaluates the forces s.   \param y  [q, u, z]   \pre `GeneratedRates::forces` is not null.
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

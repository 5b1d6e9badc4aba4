#include "vinculum/equations/integrability.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/pfaffian_forms.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/sizes.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;

constexpr int kStates = 3, kTrials = 30, kNewtonSteps = 50;
constexpr std::uint64_t kSeedOfIntegrability = 1877;

class Forms {
 public:
  explicit Forms(const System& system)
      : system_(system),
        read_(pfaffian_forms(system)),
        n_(read_.x.size()),
        parameters_(system.model->parameters.size()) {
    const model::Model& model = *system.model;
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i] = model.parameters[i].value;
    size_.resize(static_cast<Eigen::Index>(n_));
    size_ << model::coordinate_reach(model, parameters_, model::stated_places(model, parameters_)),
        model::time_scale(model);
    for (const PfaffianForm& form : forms_) {
      // [(nq + 1)²] ∂θ_j/∂x_i at index i (nq + 1) + j. Empty for dφ and norms, which are closed.
      std::vector<Expr>& slopes = theta_x_.emplace_back();
      if (form.is_position) continue;
      slopes.assign(n_ * n_, system.graph->constant(0.0));
      for (const expr::Entry& entry : expr::sparse_jacobian(form.theta, read_.x))
        slopes[static_cast<std::size_t>(entry.column) * n_ + static_cast<std::size_t>(entry.row)] = entry.value;
    }
  }

  std::vector<Integrability> find() {
    std::vector<Integrability> result(system_.rows.size(), Integrability::kNone);
    const std::vector<std::vector<double>> states = consistent_states();
    if (states.empty()) return result;
    std::vector<bool> in_set(forms_.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::vector<double>& state : states) {
        const Matrix Z = kernel(in_set, state);
        for (std::size_t i = 0; i < forms_.size(); ++i) {
          if (in_set[i] && !forms_[i].is_position && !vanishes_on(i, Z, state)) {
            in_set[i] = false;
            changed = true;
          }
        }
      }
    }
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (!in_set[i] || forms_[i].is_position) continue;
      result[static_cast<std::size_t>(forms_[i].row)] =
          is_closed_by_itself(i, states) ? Integrability::kByItself : Integrability::kInSet;
    }
    return result;
  }

 private:
  std::vector<double> values(std::span<const Expr> expressions, const std::vector<double>& state) const {
    std::vector<Expr> symbols = read_.x;
    std::vector<double> numbers = state;
    symbols.insert(symbols.end(), system_.parameters.begin(), system_.parameters.end());
    numbers.insert(numbers.end(), parameters_.begin(), parameters_.end());
    return expr::interpret(expressions, symbols, numbers);
  }

  std::vector<std::vector<double>> consistent_states() const {
    std::vector<std::vector<double>> states;
    std::mt19937_64 generator(kSeedOfIntegrability);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    for (int trial = 0; trial < kTrials && states.size() < kStates; ++trial) {
      std::vector<double> state(n_);
      for (std::size_t i = 0; i < n_; ++i) state[i] = uniform(generator) * size_[static_cast<Eigen::Index>(i)];
      if (project(state) && is_finite_at(state)) states.push_back(std::move(state));
    }
    return states;
  }

  /// Newton's iteration onto φ = 0 at fixed time, with the smallest change of q in each step.
  /// \returns false if it does not converge
  bool project(std::vector<double>& state) const {
    if (read_.phi.empty()) return true;
    const auto m = static_cast<Eigen::Index>(read_.phi.size()), nq = static_cast<Eigen::Index>(n_ - 1);
    for (int step = 0; step < kNewtonSteps; ++step) {
      const std::vector<double> residual = values(read_.phi, state);
      Vector phi = Eigen::Map<const Vector>(residual.data(), m);
      Matrix phi_q(m, nq);
      Eigen::Index row = 0;
      for (const PfaffianForm& form : forms_) {
        if (!form.is_position) continue;
        phi_q.row(row) = form_at(form, state).head(nq).transpose();
        if (const double length = phi_q.row(row).norm(); length > 0.0) {
          phi_q.row(row) /= length;
          phi[row] /= length;
        }
        ++row;
      }
      if (!phi.allFinite() || !phi_q.allFinite()) return false;
      if (phi.cwiseAbs().maxCoeff() < tolerance::kZero) return true;
      const Vector change = phi_q.completeOrthogonalDecomposition().solve(phi);
      for (Eigen::Index i = 0; i < nq; ++i) state[static_cast<std::size_t>(i)] -= change[i] * size_[i];
    }
    return false;
  }

  /// [nq + 1] The coefficients of the form, each multiplied by the typical magnitude of its variable.
  Vector form_at(const PfaffianForm& form, const std::vector<double>& state) const {
    const std::vector<double> theta = values(form.theta, state);
    return Eigen::Map<const Vector>(theta.data(), static_cast<Eigen::Index>(n_)).cwiseProduct(size_);
  }

  bool is_finite_at(const std::vector<double>& state) const {
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      for (const auto* entries : {&forms_[i].theta, &theta_x_[i]}) {
        for (const double value : values(*entries, state)) {
          if (!std::isfinite(value)) return false;
        }
      }
    }
    return true;
  }

  Matrix kernel(const std::vector<bool>& in_set, const std::vector<double>& state) const {
    const auto n = static_cast<Eigen::Index>(n_);
    Matrix theta(0, n);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (!in_set[i]) continue;
      const Vector row = form_at(forms_[i], state);
      const double length = row.norm();
      if (length == 0.0) continue;
      theta.conservativeResize(theta.rows() + 1, n);
      theta.row(theta.rows() - 1) = row.transpose() / length;
    }
    if (theta.rows() == 0) return Matrix::Identity(n, n);
    Eigen::FullPivLU<Matrix> lu(theta);
    lu.setThreshold(tolerance::kGeneric);
    return lu.rank() == n ? Matrix(n, 0) : Matrix(lu.kernel());
  }

  bool is_closed_by_itself(std::size_t form, const std::vector<std::vector<double>>& states) const {
    std::vector<bool> alone(forms_.size());
    for (std::size_t i = 0; i < forms_.size(); ++i) alone[i] = i == form || forms_[i].is_position;
    return std::ranges::all_of(
        states, [&](const std::vector<double>& state) { return vanishes_on(form, kernel(alone, state), state); });
  }

  bool vanishes_on(std::size_t form, const Matrix& Z, const std::vector<double>& state) const {
    const auto n = static_cast<Eigen::Index>(n_);
    const std::vector<double> entries = values(theta_x_[form], state);
    const Eigen::Map<const Matrix> transposed(entries.data(), n, n);  // column i contains ∂θ/∂x_i
    const Matrix gamma = size_.asDiagonal() * (transposed.transpose() - transposed) * size_.asDiagonal();
    const Matrix restricted = Z.transpose() * gamma * Z;
    return restricted.size() == 0 || restricted.norm() <= tolerance::kAtStates *
                                                              (form_at(forms_[form], state).norm() + gamma.norm()) *
                                                              (1.0 + Z.squaredNorm());
  }

  const System& system_;
  const PfaffianForms read_;
  const std::vector<PfaffianForm>& forms_ = read_.forms;
  std::size_t n_;
  std::vector<double> parameters_;
  Vector size_;  ///< [nq + 1] typical magnitudes of q and t
  std::vector<std::vector<Expr>> theta_x_;
};

}  // namespace

std::vector<Integrability> find_semiholonomic_rows(const System& system) { return Forms(system).find(); }

}  // namespace vinculum::equations

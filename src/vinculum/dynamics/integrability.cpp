#include "vinculum/dynamics/integrability.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <random>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/dynamics/kinematics.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::Level;

constexpr int kStates = 3, kTrials = 30, kNewtonSteps = 50;
constexpr std::uint64_t kSeedOfIntegrability = 1877;

/// One row as a form in (q, t).
struct Form {
  int row;  ///< −1: the norm of a quaternion
  bool is_position;
  std::vector<Expr> theta;    ///< [nq + 1]
  std::vector<Expr> theta_x;  ///< [(nq + 1)²] ∂θ_j/∂x_i at i (nq + 1) + j
};

class Forms {
 public:
  explicit Forms(const System& system) : system_(system), x_(system.q), n_(system.q.size() + 1) {
    x_.push_back(system.t);
    read_forms();
  }

  std::vector<bool> find() {
    std::vector<bool> is_closed(system_.rows.size(), false);
    const std::vector<std::vector<double>> states = consistent_states();
    if (states.empty()) return is_closed;
    std::vector<bool> in_set(forms_.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::vector<double>& state : states) {
        const Matrix Z = kernel(in_set, state);
        for (std::size_t i = 0; i < forms_.size(); ++i) {
          if (in_set[i] && !forms_[i].is_position && !vanishes_on(forms_[i], Z, state)) {
            in_set[i] = false;
            changed = true;
          }
        }
      }
    }
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (in_set[i] && !forms_[i].is_position) is_closed[static_cast<std::size_t>(forms_[i].row)] = true;
    }
    return is_closed;
  }

 private:
  /// The relations in q' itself, whatever the speeds are.
  void read_forms() {
    expr::Graph& graph = *system_.graph;
    LeafSymbols symbols = system_.lowering->symbols();
    symbols.u.clear();
    symbols.u_dot.clear();
    for (std::size_t i = 0; i < symbols.q_dot.size(); ++i) {
      symbols.q_dot[i] = graph.symbol("d(" + system_.model->coordinates[i].name + ")/dt");
    }
    symbols.quaternion_rates = quaternion_rates_from_q_dot(*system_.model, symbols);
    const std::vector<Expr> rates = symbols.q_dot;
    const std::vector<Expr> rest(rates.size(), graph.constant(0.0));
    Lowering in_rates(*system_.model, graph, std::move(symbols));
    for (const std::array<int, 4>& e : system_.quaternions) {
      // The norm does not change: 2 e·e' = 0.
      Form form;
      form.row = -1;
      form.is_position = true;
      form.theta.assign(n_, graph.constant(0.0));
      Expr norm = graph.constant(-1.0);
      for (const int i : e) {
        const Expr part = system_.q[static_cast<std::size_t>(i)];
        norm += part * part;
        form.theta[static_cast<std::size_t>(i)] = 2.0 * part;
      }
      phi_.push_back(norm);
      forms_.push_back(std::move(form));
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      const Row& row = system_.rows[i];
      const bool is_functional =
          mechanics::holds_state(system_.model->constraint(row.constraint).rows[static_cast<std::size_t>(row.index)]);
      if (row.level == Level::kAcceleration || is_functional) continue;
      Form form;
      form.row = static_cast<int>(i);
      form.is_position = row.level == Level::kPosition;
      if (form.is_position) {
        form.theta = row.phi_q;
        form.theta.push_back(expr::derivative(row.phi, system_.t));
        phi_.push_back(row.phi);
      } else {
        const Expr psi =
            in_rates.scalar(system_.model->constraint(row.constraint).rows[static_cast<std::size_t>(row.index)]);
        form.theta = expr::gradient(psi, rates);
        bool is_linear = true;
        for (const Expr& entry : form.theta) is_linear = is_linear && !expr::depends_on(entry, rates);
        if (!is_linear) continue;
        form.theta.push_back(expr::substitute({&psi, 1}, rates, rest)[0]);
        form.theta_x.assign(n_ * n_, graph.constant(0.0));
        for (const expr::Entry& entry : expr::sparse_jacobian(form.theta, x_)) {
          form.theta_x[static_cast<std::size_t>(entry.column) * n_ + static_cast<std::size_t>(entry.row)] = entry.value;
        }
      }
      forms_.push_back(std::move(form));
    }
  }

  std::vector<double> values(std::span<const Expr> expressions, const std::vector<double>& state) const {
    std::vector<Expr> symbols = x_;
    std::vector<double> numbers = state;
    for (std::size_t i = 0; i < system_.parameters.size(); ++i) {
      symbols.push_back(system_.parameters[i]);
      numbers.push_back(system_.model->parameters[i].value);
    }
    return expr::interpret(expressions, symbols, numbers);
  }

  std::vector<std::vector<double>> consistent_states() const {
    std::vector<std::vector<double>> states;
    std::mt19937_64 generator(kSeedOfIntegrability);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    for (int trial = 0; trial < kTrials && states.size() < kStates; ++trial) {
      std::vector<double> state(n_);
      for (double& x : state) x = uniform(generator);
      if (project(state) && is_finite_at(state)) states.push_back(std::move(state));
    }
    return states;
  }

  /// Newton with least changes onto φ = 0 at fixed time.
  bool project(std::vector<double>& state) const {
    if (phi_.empty()) return true;
    const auto m = static_cast<Eigen::Index>(phi_.size()), nq = static_cast<Eigen::Index>(n_ - 1);
    for (int step = 0; step < kNewtonSteps; ++step) {
      const std::vector<double> residual = values(phi_, state);
      const Eigen::Map<const Vector> phi(residual.data(), m);
      if (!phi.allFinite()) return false;
      if (phi.cwiseAbs().maxCoeff() < tolerance::kZero) return true;
      Matrix phi_q(m, nq);
      Eigen::Index row = 0;
      for (const Form& form : forms_) {
        if (!form.is_position) continue;
        const std::vector<double> theta = values(form.theta, state);
        phi_q.row(row++) = Eigen::Map<const Vector>(theta.data(), nq).transpose();
      }
      if (!phi_q.allFinite()) return false;
      const Vector change = phi_q.completeOrthogonalDecomposition().solve(phi);
      for (Eigen::Index i = 0; i < nq; ++i) state[static_cast<std::size_t>(i)] -= change[i];
    }
    return false;
  }

  bool is_finite_at(const std::vector<double>& state) const {
    for (const Form& form : forms_) {
      for (const double value : values(form.theta, state)) {
        if (!std::isfinite(value)) return false;
      }
      for (const double value : values(form.theta_x, state)) {
        if (!std::isfinite(value)) return false;
      }
    }
    return true;
  }

  Matrix kernel(const std::vector<bool>& in_set, const std::vector<double>& state) const {
    const auto n = static_cast<Eigen::Index>(n_);
    Matrix theta(0, n);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (!in_set[i]) continue;
      const std::vector<double> row = values(forms_[i].theta, state);
      const double size = Eigen::Map<const Vector>(row.data(), n).norm();
      if (size == 0.0) continue;
      theta.conservativeResize(theta.rows() + 1, n);
      theta.row(theta.rows() - 1) = Eigen::Map<const Vector>(row.data(), n).transpose() / size;
    }
    if (theta.rows() == 0) return Matrix::Identity(n, n);
    Eigen::FullPivLU<Matrix> lu(theta);
    lu.setThreshold(tolerance::kGeneric);
    return lu.rank() == n ? Matrix(n, 0) : Matrix(lu.kernel());
  }

  bool vanishes_on(const Form& form, const Matrix& Z, const std::vector<double>& state) const {
    const auto n = static_cast<Eigen::Index>(n_);
    const std::vector<double> entries = values(form.theta_x, state);
    const Eigen::Map<const Matrix> transposed(entries.data(), n, n);  // column i holds ∂θ/∂x_i
    const Matrix gamma = transposed.transpose() - transposed;
    const Matrix restricted = Z.transpose() * gamma * Z;
    return restricted.size() == 0 ||
           restricted.norm() <= tolerance::kAtStates * (1.0 + gamma.norm()) * (1.0 + Z.squaredNorm());
  }

  const System& system_;
  std::vector<Expr> x_;
  std::size_t n_;
  std::vector<Form> forms_;
  std::vector<Expr> phi_;
};

}  // namespace

std::vector<bool> find_semiholonomic_rows(const System& system) { return Forms(system).find(); }

}  // namespace vinculum::dynamics

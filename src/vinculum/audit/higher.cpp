// Constraints of higher order from the law itself (theory.md §6.5): the motion and μ as Taylor polynomials about the
// sample, partial derivatives of the relation as written by differences, and their time derivatives by differences
// along the polynomials.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>

#include "vinculum/audit/forces.hpp"
#include "vinculum/audit/lines.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::audit {
namespace {

constexpr double kPartial = 0.05;  // the same over the size of what is varied: truncation is below 1e-13 of it
constexpr double kNode = 0.06;     // between nodes along the motion, over `pace`
constexpr int kNodes = 4;          // on either side, and more where derivatives of higher order are taken

/// Weights of derivatives 0 … `highest` at 0 for values at the nodes. [derivative][node]
/// Source: Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51 (1988)
/// 699–706.
std::vector<std::vector<double>> difference_weights(const std::vector<double>& nodes, int highest) {
  const int n = static_cast<int>(nodes.size());
  std::vector<std::vector<double>> w(static_cast<std::size_t>(highest) + 1, std::vector<double>(nodes.size(), 0.0));
  const auto at = [&](int m, int j) -> double& { return nth(nth(w, m), j); };
  const auto x = [&](int j) { return nth(nodes, j); };
  at(0, 0) = 1.0;
  double c1 = 1.0;
  for (int i = 1; i < n; ++i) {
    double c2 = 1.0;
    const int most = std::min(i, highest);
    for (int j = 0; j < i; ++j) {
      const double c3 = x(i) - x(j);
      c2 *= c3;
      if (j == i - 1) {
        for (int m = most; m >= 1; --m) at(m, i) = c1 * (m * at(m - 1, i - 1) - x(i - 1) * at(m, i - 1)) / c2;
        at(0, i) = -c1 * x(i - 1) * at(0, i - 1) / c2;
      }
      for (int m = most; m >= 1; --m) at(m, j) = (x(i) * at(m, j) - m * at(m - 1, j)) / c3;
      at(0, j) = x(i) * at(0, j) / c3;
    }
    c1 = c2;
  }
  return w;
}

double first_derivative(const std::function<double(double)>& f, double step) {
  constexpr double kWeights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  double sum = 0.0;
  for (int k = 1; k <= 4; ++k) sum += kWeights[k - 1] * (f(k * step) - f(-k * step));
  return sum / step;
}

/// Σ_k x_k s^k / k!, differentiated `order` times.
template <class Coefficient>
double taylor(std::size_t count, std::size_t order, double s, const Coefficient& x) {
  double sum = 0.0, power = 1.0;
  for (std::size_t k = order; k < count; ++k) {
    sum += x(k) * power;
    power *= s / static_cast<double>(k - order + 1);
  }
  return sum;
}

class LawOfHigherOrder {
 public:
  LawOfHigherOrder(Evidence& evidence, std::size_t number)
      : e_(evidence),
        path_(evidence.at.path),
        mu_(evidence.at.mu_path[number]),
        id_(evidence.compiled.system->higher->constraint_of_mu[number]),
        row_(nth(e_.model.constraint(id_).rows, evidence.compiled.system->higher->row_of_mu[number])),
        p_(static_cast<std::size_t>(e_.model.constraint(id_).level)) {}

  /// F as written.
  [[nodiscard]] double residual() const { return value(instant(0.0)); }
  /// Σ |∂F/∂q^(l)| |q^(l)|.
  [[nodiscard]] double size() const {
    double sum = 0.0;
    for (std::size_t l = 0; l <= p_; ++l) {
      for (Eigen::Index i = 0; i < path_[l].size(); ++i) sum += std::abs(partial(l, i, 0.0) * path_[l][i]);
    }
    return sum + std::abs(value(still()));
  }
  [[nodiscard]] double explicit_rate() const {
    return first_derivative(
        [&](double s) {
          mechanics::Instant at = instant(0.0);
          at.t += s;
          return value(std::move(at));
        },
        tolerance::kDifference8);
  }
  [[nodiscard]] double mu() const { return mu_[0]; }
  /// Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)), and the sizes of the summands. [nq]
  [[nodiscard]] Vector reaction(Vector& sizes) const {
    const double h = kNode * pace();
    std::vector<double> nodes;
    const int count = std::max(kNodes, static_cast<int>(p_) + 2);
    for (int k = -count; k <= count; ++k) nodes.push_back(k * h);
    const auto weights = difference_weights(nodes, static_cast<int>(p_));
    Vector R = Vector::Zero(path_[0].size());
    sizes = R;
    const double whole = size();
    for (Eigen::Index i = 0; i < R.size(); ++i) {
      for (std::size_t l = 0; l <= p_; ++l) {
        // A derivative that the relation does not hold leaves rounding here and at a place that is none of the nodes.
        const double unit = std::max(largest(l), 0.1);
        if ((std::abs(partial(l, i, 0.0)) + std::abs(partial(l, i, 2.7 * h))) * unit <= tolerance::kConsistency * whole)
          continue;
        double share = 0.0;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
          if (weights[l][k] == 0.0) continue;
          const double mu = taylor(mu_.size(), 0, nodes[k], [&](std::size_t m) { return mu_[m]; });
          share += weights[l][k] * mu * partial(l, i, nodes[k]);
        }
        R[i] += l % 2 == 0 ? share : -share;
        sizes[i] += std::abs(share);
      }
    }
    return R;
  }

 private:
  [[nodiscard]] double largest(std::size_t k) const {
    return path_[k].size() > 0 ? path_[k].cwiseAbs().maxCoeff() : 0.0;
  }
  /// The shortest time in which a derivative changes one below it by its size.
  [[nodiscard]] double pace() const {
    double time = 1.0;
    for (std::size_t k = 3; k < path_.size(); ++k) {  // a small velocity under a large acceleration is no fast motion
      double of_k = 0.0;
      for (std::size_t l = 1; l < k; ++l)
        of_k = std::max(of_k,
                        largest(k) > 0.0 ? std::pow(largest(l) / largest(k), 1.0 / static_cast<double>(k - l)) : 1.0);
      if (of_k > 0.0) time = std::min(time, of_k);
    }
    return time;
  }
  [[nodiscard]] mechanics::Instant instant(double s) const {
    mechanics::Instant at;
    at.t = e_.sample.t + s;
    at.parameters = e_.compiled.parameters;
    const auto n = static_cast<std::size_t>(path_[0].size());
    for (auto* part : {&at.q, &at.q_dot, &at.q_ddot}) part->resize(n);
    at.q_higher.resize((std::max(p_, std::size_t{3}) - 2) * n);
    for (std::size_t l = 0; l <= at.order_known(); ++l) {
      for (std::size_t i = 0; i < n; ++i)
        at.derivative(i, l) = taylor(path_.size(), l, s, [&](std::size_t k) { return nth(path_[k], i); });
    }
    return at;
  }
  [[nodiscard]] mechanics::Instant still() const {
    mechanics::Instant at = instant(0.0);
    for (auto* rates : {&at.q_dot, &at.q_ddot, &at.q_higher}) std::fill(rates->begin(), rates->end(), 0.0);
    return at;
  }
  [[nodiscard]] double value(mechanics::Instant at) const {
    return mechanics::TermValues(e_.model, std::move(at)).scalar(row_).value;
  }
  [[nodiscard]] double partial(std::size_t l, Eigen::Index i, double s) const {
    const mechanics::Instant at = instant(s);
    const double size = std::max(largest(l), 0.1);
    return first_derivative(
        [&](double x) {
          mechanics::Instant shifted = at;
          shifted.derivative(static_cast<std::size_t>(i), l) += x;
          return value(std::move(shifted));
        },
        kPartial * size);
  }

  Evidence& e_;
  const std::vector<Vector>& path_;  // [2p + 1][nq]
  const Vector& mu_;
  mechanics::ConstraintId id_;
  mechanics::Term row_;
  std::size_t p_;
};

}  // namespace

double precision_of_higher_order() { return 100.0 * tolerance::kConditioned; }

Vector reaction_of_higher_order(Evidence& e, mechanics::ConstraintId id) {
  const dynamics::HigherOrder& higher = *e.compiled.system->higher;
  Vector R = Vector::Zero(e.sample.q.size()), sizes;
  for (std::size_t a = 0; a < higher.constraint_of_mu.size(); ++a) {
    if (higher.constraint_of_mu[a] == id) R += LawOfHigherOrder(e, a).reaction(sizes);
  }
  return e.at.G.transpose() * R;
}

AuditLine audit_higher_residuals(const Case& of) {
  Judge judge("constraints of higher order as written, and what their states satisfy", "8.1", tolerance::kConsistency);
  const auto& higher = of.compiled.system->higher;
  for (const auto& e : of.evidence) {
    for (std::size_t a = 0; higher && a < higher->constraint_of_mu.size(); ++a) {
      const LawOfHigherOrder law(*e, a);
      judge.see(law.residual(), law.size(), e->sample.t,
                of.compiled.model->constraint(higher->constraint_of_mu[a]).name);
    }
    for (std::size_t k = 0; higher && k < higher->hidden.size(); ++k) {
      const auto i = static_cast<std::size_t>(higher->equation_of_hidden[k]);
      judge.see(nth(e->at.hidden, k), nth(e->at.hidden_size, k), e->sample.t,
                fmt::format("{}, differentiated {} times", higher->equations[i].name, higher->times_of_hidden[k]));
    }
  }
  return judge.verdict();
}

/// d/dt of what the constraint adds to the effective energy, −R·q' − μ ∂F/∂t.
AuditLine audit_higher_energy(const Case& of) {
  Judge judge("effective energy: d/dt of the share of a constraint of higher order = -R.q' - mu dF/dt", "8.9",
              100.0 * tolerance::kConditioned * 10.0);
  const auto& higher = of.compiled.system->higher;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    Vector by_constraint = Vector::Zero(static_cast<Eigen::Index>(e.model.constraints.size())), size = by_constraint;
    for (std::size_t a = 0; higher && a < higher->constraint_of_mu.size(); ++a) {
      const auto c = static_cast<Eigen::Index>(higher->constraint_of_mu[a].index());
      const LawOfHigherOrder law(e, a);
      Vector sizes;
      const Vector R = law.reaction(sizes);
      const double by_time = law.mu() * law.explicit_rate();
      by_constraint[c] += R.dot(e.sample.q_dot) + by_time;
      size[c] += sizes.dot(e.sample.q_dot.cwiseAbs()) + std::abs(by_time);
    }
    for (Eigen::Index c = 0; c < by_constraint.size(); ++c) {
      if (!mechanics::is_higher_order(nth(e.model.constraints, c))) continue;
      const double rate = e.at.energy_rate[c];
      judge.see(rate + by_constraint[c], size[c] + std::abs(rate), e.sample.t, nth(e.model.constraints, c).name);
    }
  }
  return judge.verdict();
}

void Equations::read_higher_order(const CompiledModel& compiled, const Sample& sample) {
  const dynamics::System& system = *compiled.system;
  const dynamics::HigherOrder& higher = *system.higher;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &higher.top, &system.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  Vector top = sample.top;
  const auto evaluate = [&](const std::vector<expr::Expr>& roots, double s) {
    std::vector<double> numbers{sample.t + s};
    const auto add = [&](const Vector& x, const Vector& rate) {
      for (Eigen::Index i = 0; i < x.size(); ++i) numbers.push_back(x[i] + s * rate[i]);
    };
    add(sample.q, sample.q_dot), add(sample.u, sample.reaction.u_dot()), add(sample.z, sample.z_dot);
    add(top, Vector::Zero(top.size()));
    numbers.insert(numbers.end(), compiled.parameters.begin(), compiled.parameters.end());
    const std::vector<double> values = expr::interpret(roots, symbols, numbers);
    return Vector(Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size())));
  };
  path = {sample.q, sample.q_dot};
  for (const auto& rates : higher.path) path.push_back(evaluate(rates, 0.0));
  for (const auto& mu : higher.mu_path) mu_path.push_back(evaluate(mu, 0.0));
  for (const auto& R : higher.R) law_reaction += evaluate(R, 0.0);
  hidden = evaluate(higher.hidden, 0.0);
  hidden_size = Vector::Zero(hidden.size());
  const Vector gradient = evaluate(higher.hidden_gradient, 0.0);
  const Eigen::Index columns = 2 * sample.u.size() + sample.z.size();
  Vector motion(columns);
  motion << (sample.u.cwiseAbs().array() + sample.q.cwiseAbs().maxCoeff()).matrix(), sample.u.cwiseAbs(),
      sample.z.cwiseAbs();
  for (Eigen::Index k = 0; k < hidden.size(); ++k)
    hidden_size[k] = gradient.segment(k * columns, columns).cwiseAbs().dot(motion);
  energy_rate = Vector::Zero(static_cast<Eigen::Index>(higher.energy.size()));
  for (std::size_t c = 0; c < higher.energy.size(); ++c) {
    nth(energy_rate, c) = first_derivative(
        [&](double s) {
          // Highest derivatives go with the state.
          const auto n = static_cast<Eigen::Index>(higher.top.size());
          const Vector J = evaluate(higher.J, s), r = evaluate(higher.r, s);
          top = Eigen::Map<const Matrix>(J.data(), n, n).transpose().fullPivLu().solve(r);
          return evaluate({higher.energy[c]}, s)[0];
        },
        tolerance::kDifference8);
  }
}

}  // namespace vinculum::audit

// Checks constraints of higher order, from the law itself (theory.md §6.5). The motion and the multiplier μ are Taylor
// series about the sample, and the partial derivatives of the relation as written are evaluated along them.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/verify/audit/conditioning.hpp"
#include "vinculum/verify/audit/forces.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using expr::Series;
using model::CoordinateId;
using model::Term;

class LawOfHigherOrder {
 public:
  LawOfHigherOrder(Evidence& evidence, std::size_t number)
      : e_(evidence),
        mu_(evidence.at.mu_path[number]),
        id_(evidence.bound->system->higher->constraint_of_mu[number]),
        row_number_(evidence.bound->system->higher->row_of_mu[number]),
        row_(nth(e_.model.constraint(id_).rows, row_number_)),
        p_(static_cast<int>(e_.model.constraint(id_).level)),
        along_(e_.model, path()) {}

  /// Returns the value of the relation F as written.
  [[nodiscard]] Rounded residual() { return along_.series(row_).value(); }
  /// Returns the magnitude of the relation: Σ |∂F/∂q^(l)| |q^(l)| over all orders l.
  [[nodiscard]] double size() {
    double sum = 0.0;
    for (int l = 0; l <= p_; ++l) {
      const RoundedVector& q = nth(e_.at.path, l);
      for (Eigen::Index i = 0; i < q.size(); ++i) sum += std::abs((partial(l, i).value() * q[i]).value);
    }
    return sum;
  }
  [[nodiscard]] Rounded explicit_rate() { return along_.series(pool().partial(row_, pool().time())).value(); }
  [[nodiscard]] Rounded mu() const { return mu_[0]; }
  /// Computes the reaction Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)), and the magnitudes of the summands. [nq]
  [[nodiscard]] RoundedVector reaction(Vector& sizes) {
    const Series mu = Series::along({mu_.data(), static_cast<std::size_t>(mu_.size())});
    RoundedVector R = RoundedVector::Constant(e_.sample.q.size(), Rounded());
    sizes = Vector::Zero(R.size());
    for (Eigen::Index i = 0; i < R.size(); ++i) {
      for (int l = 0; l <= p_; ++l) {
        const Rounded share = (mu * partial(l, i)).derivative(l);
        R[i] += l % 2 == 0 ? share : -share;
        sizes[i] += std::abs(share.value);
      }
    }
    return R;
  }

  /// Returns the generalized force [nu] of the forces and torques at the points and bodies of the constraint. Adds the
  /// magnitudes of the force's terms to `sizes`.
  [[nodiscard]] RoundedVector pulled(Vector& sizes) {
    RoundedVector Q = RoundedVector::Constant(e_.sample.u.size(), Rounded());
    const auto add = [&](const RoundedMatrix& unit, Term what, Rounded factor) {
      const model::SeriesVector along = along_.series_vector(what);
      const Vector3 F{factor * along[0].value(), factor * along[1].value(), factor * along[2].value()};
      Q += unit.transpose() * F;
      sizes += lengths_of(unit) * size_of(F);
    };
    const std::vector<model::RowInspection> by_rate =
        model::vary_path(e_.model, id_, static_cast<std::size_t>(row_number_));
    for (std::size_t k = 0; k < by_rate.size(); ++k) {
      const Rounded mu = nth(mu_, k);
      for (const auto& one : by_rate[k].forces) add(e_.partial_velocities(one.point), one.W, mu);
      for (const auto& one : by_rate[k].torques) add(e_.partial_angular_velocities(one.body), one.tau, mu);
    }
    return Q;
  }

 private:
  model::TermPool& pool() { return *e_.model.terms; }
  Series partial(int order, Eigen::Index coordinate) {
    return along_.series(
        pool().partial(row_, pool().coordinate(CoordinateId(static_cast<std::size_t>(coordinate)), order)));
  }
  /// Coordinates with all their derivatives that the structure of the equations determines.
  [[nodiscard]] model::Instant path() const {
    model::Instant at;
    at.t = e_.sample.t;
    at.parameters = e_.bound.parameters;
    const auto numbers = [](const RoundedVector& all) {
      std::vector<double> values;
      for (const Rounded& one : all) values.push_back(one.value);
      return values;
    };
    const auto misses = [](const RoundedVector& all) {
      std::vector<double> errors;
      for (const Rounded& one : all) errors.push_back(one.error);
      return errors;
    };
    const std::vector<RoundedVector>& q = e_.at.path;
    at.q = numbers(q[0]);
    at.q_dot = numbers(q[1]), at.q_dot_error = misses(q[1]);
    at.q_ddot = numbers(q[2]), at.q_ddot_error = misses(q[2]);
    for (std::size_t k = 3; k < q.size(); ++k) {
      for (const Rounded& one : q[k]) {
        at.q_higher.push_back(one.value);
        at.q_higher_error.push_back(one.error);
      }
    }
    return at;
  }

  Evidence& e_;
  const RoundedVector& mu_;
  model::ConstraintId id_;
  int row_number_;
  Term row_;
  int p_;
  model::TermValues along_;
};

}  // namespace

RoundedVector reaction_of_higher_order(Evidence& e, model::ConstraintId id) {
  const equations::HigherOrder& higher = *e.bound->system->higher;
  RoundedVector R = RoundedVector::Constant(e.sample.q.size(), Rounded());
  Vector sizes;
  for (std::size_t a = 0; a < higher.constraint_of_mu.size(); ++a) {
    if (higher.constraint_of_mu[a] == id) R += LawOfHigherOrder(e, a).reaction(sizes);
  }
  return e.at.G.transpose() * R;
}

void see_places_of_higher_order(Judge& judge, Evidence& e) {
  if (!e.bound->system->higher) return;
  const equations::HigherOrder& higher = *e.bound->system->higher;
  for (std::size_t a = 0; a < higher.constraint_of_mu.size(); ++a) {
    const model::ConstraintId id = higher.constraint_of_mu[a];
    if (model::acts_on_coordinates(e.model, id)) continue;
    LawOfHigherOrder law(e, a);
    Vector of_coordinates, sizes = Vector::Zero(e.sample.u.size());
    const RoundedVector R = e.at.G.transpose() * law.reaction(of_coordinates), Q = law.pulled(sizes);
    sizes += values_of(e.at.G).cwiseAbs().transpose() * of_coordinates;
    for (Eigen::Index r = 0; r < R.size(); ++r)
      judge.see(R[r] - Q[r], sizes[r], e.sample.t,
                "places of " + e.model.constraint(id).name + " along " + e.bound->speed_name(static_cast<int>(r)));
  }
}

AuditLine audit_higher_residuals(const Case& of) {
  Judge judge("constraints of higher order as written, and what their states satisfy", "8.1",
              "conditioning of the solve, residual of a projection");
  const auto& higher = of.bound->system->higher;
  Vector motion(2 * of.scales.u.size() + of.scales.z.size());
  motion << of.scales.u + sim::displacement_scale(of.bound, of.scales.q), of.scales.u, of.scales.z;
  for (const auto& e : of.evidence) {
    for (std::size_t a = 0; higher && a < higher->constraint_of_mu.size(); ++a) {
      LawOfHigherOrder law(*e, a);
      const double size = law.size();
      judge.see(law.residual(), size, e->sample.t, of.bound->model->constraint(higher->constraint_of_mu[a]).name,
                tolerance::kStagnation * size);
    }
    for (std::size_t k = 0; higher && k < higher->hidden.size(); ++k) {
      const auto i = static_cast<std::size_t>(higher->equation_of_hidden[k]);
      const double size = e->at.hidden_gradient.row(static_cast<Eigen::Index>(k)).cwiseAbs().dot(motion);
      judge.see(nth(e->at.hidden, k), size, e->sample.t,
                fmt::format("{}, differentiated {} times", higher->equations[i].name, higher->times_of_hidden[k]),
                tolerance::kStagnation * size);
    }
  }
  return judge.verdict();
}

/// Compares d/dt of the constraint's contribution to the effective energy with −R·q' − μ ∂F/∂t.
AuditLine audit_higher_energy(const Case& of) {
  Judge judge("effective energy: d/dt of the share of a constraint of higher order = -R.q' - mu dF/dt", "8.9",
              "conditioning of the solve, residual of a projection");
  const auto& higher = of.bound->system->higher;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const auto count = static_cast<Eigen::Index>(e.model.constraints.size());
    RoundedVector by_constraint = RoundedVector::Constant(count, Rounded());
    Vector size = Vector::Zero(count);
    for (std::size_t a = 0; higher && a < higher->constraint_of_mu.size(); ++a) {
      const auto c = static_cast<Eigen::Index>(higher->constraint_of_mu[a].index());
      LawOfHigherOrder law(e, a);
      Vector sizes;
      const RoundedVector R = law.reaction(sizes);
      const Rounded by_time = law.mu() * law.explicit_rate();
      by_constraint[c] += R.dot(e.at.q_dot) + by_time;
      size[c] += sizes.dot(e.sample.q_dot.cwiseAbs()) + std::abs(by_time.value);
    }
    for (Eigen::Index c = 0; c < count; ++c) {
      if (!model::is_higher_order(nth(e.model.constraints, c))) continue;
      const Rounded rate = e.at.energy_rate[c];
      const double whole = size[c] + std::abs(rate.value);
      judge.see(rate + by_constraint[c], whole, e.sample.t, nth(e.model.constraints, c).name,
                tolerance::kStagnation * whole);
    }
  }
  return judge.verdict();
}

void Equations::read_higher_order(const Binding& bound, const Sample& sample) {
  const equations::System& system = *bound->system;
  const equations::HigherOrder& higher = *system.higher;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &higher.top, &system.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  // Evaluates expressions along the motion, with derivatives in time up to `order`.
  RoundedVector top_rate = RoundedVector::Constant(top.size(), Rounded());
  const auto evaluate = [&](const std::vector<expr::Expr>& roots, int order) {
    std::vector<Series> numbers{Series::time(sample.t, 2)};
    const auto add = [&numbers](const auto& x, const RoundedVector& rate) {
      for (Eigen::Index i = 0; i < rate.size(); ++i)
        numbers.push_back(Series::along(std::array<Rounded, 2>{Rounded(x[i]), rate[i]}));
    };
    add(sample.q, q_dot), add(sample.u, u_dot), add(sample.z, RoundedVector(sample.z_dot.cast<Rounded>()));
    add(top, top_rate);
    numbers.insert(numbers.end(), bound.parameters.begin(), bound.parameters.end());
    const std::vector<Series> all = expr::interpret_series(roots, symbols, numbers);
    RoundedVector values(static_cast<Eigen::Index>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) nth(values, i) = all[i].derivative(order);
    return values;
  };
  path = {sample.q.cast<Rounded>(), q_dot};
  for (const auto& rates : higher.path) path.push_back(evaluate(rates, 0));
  for (const auto& mu : higher.mu_path) mu_path.push_back(evaluate(mu, 0));
  for (const auto& R : higher.R) law_reaction += evaluate(R, 0);
  hidden = evaluate(higher.hidden, 0);
  const Vector gradient = values_of(evaluate(higher.hidden_gradient, 0));
  hidden_gradient = gradient.reshaped<Eigen::RowMajor>(hidden.size(), 2 * sample.u.size() + sample.z.size());
  // Computes x' from the time derivative of J x = r:  J x' = r' − J' x.
  const auto n = static_cast<Eigen::Index>(higher.top.size());
  const RoundedVector J = evaluate(higher.J, 0), J_rate = evaluate(higher.J, 1), r_rate = evaluate(higher.r, 1);
  LinearSystem rates{RoundedMatrix(n, n), r_rate, Vector(n), 0, sim::highest_derivative_scale(bound)};
  for (Eigen::Index i = 0; i < n; ++i) {
    rates.K.row(i) = J.segment(i * n, n).transpose();
    rates.r[i] -= J_rate.segment(i * n, n).dot(top);
  }
  rates.x = solution_of(rates);
  const Miss miss = miss_of_solve(rates, true);
  for (Eigen::Index i = 0; i < n; ++i) top_rate[i] = {rates.x[i], miss.of_x[i]};
  energy_rate = RoundedVector::Constant(static_cast<Eigen::Index>(higher.energy.size()), Rounded());
  for (std::size_t c = 0; c < higher.energy.size(); ++c) nth(energy_rate, c) = evaluate({higher.energy[c]}, 1)[0];
}

}  // namespace vinculum::audit

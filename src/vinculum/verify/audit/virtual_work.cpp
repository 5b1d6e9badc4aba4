// Checks virtual work and Gauss' principle.
#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

constexpr int kPerturbations = 20;

/// Returns the reason why identities 8.4 to 8.6 of theory.md do not apply to the laws of a model; empty if they apply.
std::string exempt(const Case& of) {
  const Laws laws = laws_of(*of.bound->model);
  if (laws.has_directed)
    return "a constraint is kept along stated directions: its reactions work along virtual displacements";
  if (laws.has_other)
    return "a law other than ideal and nonideal: its reactions are no multiples of A, see Kane's identity";
  if (of.bound->system->rows.empty()) return "no constraints";
  return {};
}

/// Basis of the virtual displacements, as columns. The basis is orthonormal in units of speeds with equal kinetic
/// energies.
Matrix displacements(const Equations& at) {
  const Vector unit = at.units();
  const Matrix scaled = values_of(at.A) * unit.asDiagonal();
  return unit.asDiagonal() * numeric::null_space(scaled, tolerance::kRank);
}

/// Returns the largest work of Aᵀλ on a displacement v that is virtual only up to rounding errors: Σ |A v||λ|.
double leak(const Equations& at, const Vector& v, const RoundedVector& lambda) {
  const RoundedVector along = at.A * v.cast<Rounded>();
  double sum = 0.0;
  for (Eigen::Index i = 0; i < along.size(); ++i) sum += along[i].largest() * std::abs(lambda[i].value);
  return sum;
}

/// Judges vᵀQ = 0 for all virtual displacements v, for a force Q that should be of the form Aᵀλ.
template <class Force>
AuditLine work(const Case& of, Judge judge, const Force& force) {
  if (const std::string reason = exempt(of); !reason.empty()) {
    judge.does_not_apply(reason);
    return judge.verdict();
  }
  judge.where_nothing("the constraints leave no virtual displacement, or nothing acts along it");
  for (const auto& e : of.evidence) {
    const Matrix Z = displacements(e->at);
    const Vector size = e->at.sizes(), unit = e->at.units();
    const auto [Q, lambda] = force(*e);
    // The error bound of the reported Q is at least the error of Aᵀλ.
    const RoundedVector pulled = e->at.pull(lambda);
    for (Eigen::Index k = 0; k < Z.cols(); ++k) {
      const Vector v = Z.col(k);
      Eigen::Index largest = 0;
      v.cwiseQuotient(unit).cwiseAbs().maxCoeff(&largest);
      Rounded sum;
      for (Eigen::Index r = 0; r < v.size(); ++r)
        sum += Rounded(v[r]) * Rounded(Q[r].value, Q[r].error + pulled[r].error);
      judge.see(sum, v.cwiseAbs().dot(size), e->sample.t,
                "virtual displacement mostly along " + of.bound->speed_name(static_cast<int>(largest)),
                leak(e->at, v, lambda));
    }
  }
  return judge.verdict();
}

/// A generalized force Q, and the multipliers with which it should be Aᵀλ.
struct Pushed {
  RoundedVector Q, lambda;
};

}  // namespace

AuditLine audit_ideal_work(const Case& of) {
  return work(of, Judge("ideal forces do no virtual work: v.Qi = 0 on a basis of ker A", "8.4", kOfTheSolve),
              [](const Evidence& e) { return Pushed{e.at.reported(e.sample.reaction.Q_ideal()), e.at.lambda_ideal}; });
}

AuditLine audit_nonideal_work(const Case& of) {
  const bool has_none = !of.bound->system->has_nonideal && exempt(of).empty();
  return work(of,
              Judge(std::string("all constraint forces do the virtual work of C: v.Qc = v.C") +
                        (has_none ? " (here C = 0)" : ""),
                    "8.5", kOfTheSolve),
              [](const Evidence& e) { return Pushed{e.at.reported(e.sample.reaction.Q_c) - e.at.C, e.at.lambda}; });
}

AuditLine audit_gauss(const Case& of) {
  Judge judge("Gauss: no admissible change of u' lowers (u' - a).M(u' - a)", "8.6", kOfTheSolve);
  if (const std::string reason = exempt(of); !reason.empty()) {
    judge.does_not_apply(reason);
    return judge.verdict();
  }
  if (of.bound->system->has_indefinite_mass) {
    judge.does_not_apply("M is indefinite: the function has no least value");
    return judge.verdict();
  }
  judge.where_nothing("the constraints leave one u' only, or nothing acts");
  std::mt19937_64 generator(of.seed);
  std::normal_distribution<double> normal;
  for (const auto& e : of.evidence) {
    const Matrix Z = displacements(e->at), M = values_of(e->at.M);
    const Vector size = e->at.sizes();
    const double whole = size.cwiseProduct(e->at.units()).norm();
    // M(u' − a) is computed without a, because M may be singular.
    const RoundedVector pull = e->at.M * e->at.u_dot - e->at.f - e->at.C;
    for (int k = 0; k < kPerturbations && Z.cols() > 0; ++k) {
      Vector weights(Z.cols());
      for (double& w : weights) w = normal(generator);
      const Vector direction = Z * weights.normalized();
      // The magnitude of the perturbations decreases from the whole acceleration to its rounding errors. Only small
      // perturbations show the linear term of Gauss' function.
      const double step = whole * std::pow(10.0, -0.7 * k);
      // The perturbation is applied with both signs, and the lower value of Gauss' function counts.
      const Rounded linear = direction.cast<Rounded>().dot(pull);
      const double change = step * direction.dot(M * direction) - std::abs(2.0 * linear.value);
      judge.see({std::max(0.0, -change), 2.0 * linear.error}, direction.cwiseAbs().dot(size), e->sample.t,
                "a random admissible change of u'", 2.0 * leak(e->at, direction, e->at.lambda));
    }
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

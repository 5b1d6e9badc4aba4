// Work along virtual displacements, and Gauss' principle.
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::audit {
namespace {

constexpr int kPerturbations = 20;

/// Why 8.4 to 8.6 do not hold for a model's laws; empty where they do.
std::string exempt(const Case& of) {
  const Laws laws = laws_of(*of.compiled.model);
  if (laws.has_directed)
    return "a constraint is kept along directions of its own: its reactions work along virtual displacements";
  if (laws.has_other)
    return "a law beside ideal and nonideal: its reactions are no multiples of A, see Kane's identity";
  if (of.compiled.system->rows.empty()) return "no constraints";
  return {};
}

/// Columns: virtual displacements, in units of speeds that make kinetic energies alike.
Matrix displacements(const Equations& at) {
  const Vector unit = at.units();
  const Matrix scaled = at.A * unit.asDiagonal();
  return unit.asDiagonal() * numeric::null_space(scaled, tolerance::kRank);
}

/// vᵀQ for all v, relative to what the equations along v are made of.
template <class Force>
AuditLine work(const Case& of, Judge judge, const Force& force) {
  if (const std::string reason = exempt(of); !reason.empty()) {
    judge.does_not_apply(reason);
    return judge.verdict();
  }
  for (const auto& e : of.evidence) {
    const Matrix Z = displacements(e->at);
    const Vector size = e->at.sizes(e->sample);
    const Vector Q = force(*e);
    const double whole = size.cwiseProduct(e->at.units()).norm();
    for (Eigen::Index k = 0; k < Z.cols(); ++k) {
      Eigen::Index largest = 0;
      Z.col(k).cwiseQuotient(e->at.units()).cwiseAbs().maxCoeff(&largest);
      judge.see(Z.col(k).dot(Q), Z.col(k).cwiseAbs().dot(size) + whole, e->sample.t,
                "virtual displacement mostly along " + of.compiled.speed_name(static_cast<int>(largest)));
    }
    if (Z.cols() == 0) judge.see(0.0, 1.0, e->sample.t, "the constraints leave no virtual displacement");
  }
  return judge.verdict();
}

}  // namespace

AuditLine audit_ideal_work(const Case& of) {
  return work(of, Judge("ideal forces do no virtual work: v.Qi = 0 on a basis of ker A", "8.4", tolerance::kRounded),
              [](const Evidence& e) -> Vector { return e.sample.reaction.Q_ideal(); });
}

AuditLine audit_nonideal_work(const Case& of) {
  if (!of.compiled.system->has_nonideal && exempt(of).empty()) {
    return work(
        of,
        Judge("all constraint forces do the virtual work of C: v.Qc = v.C (here C = 0)", "8.5", tolerance::kRounded),
        [](const Evidence& e) -> Vector { return e.sample.reaction.Q_c; });
  }
  return work(of, Judge("all constraint forces do the virtual work of C: v.Qc = v.C", "8.5", tolerance::kRounded),
              [](const Evidence& e) -> Vector { return e.sample.reaction.Q_c - e.at.C; });
}

AuditLine audit_gauss(const Case& of) {
  Judge judge("Gauss: no admissible change of u' lowers (u' - a).M(u' - a)", "8.6", tolerance::kRounded);
  if (const std::string reason = exempt(of); !reason.empty()) {
    judge.does_not_apply(reason);
    return judge.verdict();
  }
  if (of.compiled.system->has_indefinite_mass) {
    judge.does_not_apply("M is indefinite: the function has no least value");
    return judge.verdict();
  }
  std::mt19937_64 generator(of.seed);
  std::normal_distribution<double> normal;
  for (const auto& e : of.evidence) {
    const Matrix Z = displacements(e->at);
    const Vector size = e->at.sizes(e->sample);
    const double whole = size.cwiseProduct(e->at.units()).norm();
    // M(u' − a), with a never formed: M may be singular.
    const Vector pull = e->at.M * e->sample.reaction.u_dot() - e->at.f - e->at.C;
    if (Z.cols() == 0) judge.see(0.0, 1.0, e->sample.t, "the constraints leave one u' only");
    for (int k = 0; k < kPerturbations && Z.cols() > 0; ++k) {
      Vector weights(Z.cols());
      for (double& w : weights) w = normal(generator);
      const Vector direction = Z * weights.normalized();
      // Sizes from 1 down to rounding of the scaled accelerations: near the least value the linear part shows.
      const double step = whole * std::pow(10.0, -0.7 * k);
      // To both sides: of the two the lower.
      const double change = step * direction.dot(e->at.M * direction) - std::abs(2.0 * direction.dot(pull));
      judge.see(std::max(0.0, -change), direction.cwiseAbs().dot(size) + whole, e->sample.t,
                "a random admissible change of u'");
    }
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

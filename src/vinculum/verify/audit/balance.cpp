// Checks Kane's identity for every speed, and Newton's and Euler's equations of every particle and body. All terms are
// evaluated from definitions.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/verify/audit/forces.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using model::BodyId;
using model::FrameId;
using model::Model;
using model::PointId;

/// Assigns points and frames to the particle or body ("owner") to which they belong. Particles are numbered first.
struct Owner {
  explicit Owner(const Model& of) : model(of), tree(of) {}
  [[nodiscard]] std::optional<std::size_t> of(PointId point) {
    if (const auto particle = model.point(point).particle) return particle->index();
    if (const auto body = tree.carrier_of(point)) return model.particles.size() + body->index();
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> of(FrameId frame) const {
    if (const auto body = model.frame(frame).body) return model.particles.size() + body->index();
    return std::nullopt;
  }
  [[nodiscard]] std::size_t count() const { return model.particles.size() + model.bodies.size(); }
  [[nodiscard]] PointId center(std::size_t i) const {
    return i < model.particles.size() ? model.particles[i].point : model.bodies[i - model.particles.size()].center;
  }
  [[nodiscard]] const std::string& name(std::size_t i) const {
    return i < model.particles.size() ? model.particles[i].name : model.bodies[i - model.particles.size()].name;
  }
  /// Returns the characteristic length of a body: its largest radius of gyration. 0 for a particle.
  [[nodiscard]] double radius(Evidence& e, std::size_t i) const {
    if (!is_body(i)) return 0.0;
    const model::Body& body = model.bodies[i - model.particles.size()];
    const double mass = e.scalar(body.mass).value;
    const double moment =
        std::max({e.scalar(body.inertia.xx).value, e.scalar(body.inertia.yy).value, e.scalar(body.inertia.zz).value});
    return mass > 0.0 ? std::sqrt(moment / mass) : 0.0;
  }
  [[nodiscard]] bool is_body(std::size_t i) const { return i >= model.particles.size(); }
  const Model& model;
  model::KinematicTree tree;
};

/// Resultant force, moment about the mass center, and the magnitudes of their terms.
struct Resultant {
  Vector3 force = Vector3::Constant(Rounded()), moment = force;
  double force_size = 0.0, moment_size = 0.0;
};

/// Directions in which the coordinates permit one owner to move alone, among its six motions (three for a particle).
/// The columns of `along` are the directions. The columns of `speeds` are the speeds that produce them. `missed` is the
/// distance of each direction from the motions that the system can make.
struct FreeDirections {
  Matrix along;
  Vector missed;
  Matrix speeds;
};
/// Partial velocities and partial angular velocities of all owners: six rows per body, three per particle. `first`
/// contains the first row of each owner.
struct PartialMotions {
  PartialMotions(Evidence& e, const Owner& owner) {
    Eigen::Index rows = 0;
    for (std::size_t i = 0; i < owner.count(); ++i) {
      first.push_back(rows);
      rows += owner.is_body(i) ? 6 : 3;
    }
    V = Matrix::Zero(rows, e.sample.u.size());
    for (std::size_t i = 0; i < owner.count(); ++i) {
      V.middleRows(first[i], 3) = values_of(e.partial_velocities(owner.center(i)));
      if (!owner.is_body(i)) continue;
      const model::Body& body = e.model.bodies[i - e.model.particles.size()];
      V.middleRows(first[i] + 3, 3) = values_of(e.partial_angular_velocities(body.frame));
    }
  }
  std::vector<Eigen::Index> first;
  Matrix V;
};

/// Whether some combination of speeds moves no particle and no body.
bool moves_without_matter(Evidence& e, const Owner& owner) {
  Eigen::ColPivHouseholderQR<Matrix> qr(PartialMotions(e, owner).V);
  qr.setThreshold(tolerance::kGeneric);
  return qr.rank() < e.sample.u.size();
}

std::vector<FreeDirections> free_directions(Evidence& e, const Owner& owner) {
  const auto [first, V] = PartialMotions(e, owner);
  const Eigen::Index rows = V.rows();
  Eigen::ColPivHouseholderQR<Matrix> qr(V);
  qr.setThreshold(tolerance::kGeneric);
  const Matrix basis = Matrix(qr.householderQ()).leftCols(qr.rank());
  std::vector<FreeDirections> free;
  for (std::size_t i = 0; i < owner.count(); ++i) {
    const Eigen::Index n = owner.is_body(i) ? 6 : 3;
    Matrix E = Matrix::Zero(rows, n);
    E.middleRows(first[i], n).setIdentity();
    const Matrix missed = E - basis * (basis.transpose() * E);
    const Eigen::JacobiSVD<Matrix> svd(missed, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Eigen::Index keep = 0;
    while (keep < n && svd.singularValues()[n - 1 - keep] < tolerance::kGeneric) ++keep;
    const double rounding = tolerance::kPerStep * static_cast<double>(rows);
    const Matrix along = svd.matrixV().rightCols(keep);
    free.push_back({along, (svd.singularValues().tail(keep).array() + rounding).matrix(), Matrix(qr.solve(E * along))});
  }
  return free;
}

/// \returns whether every action could be assigned to an owner, or acts on a point or frame that cannot move.
bool add_up(Evidence& e, Owner& owner, const std::vector<Action>& actions, std::vector<Resultant>& sums) {
  bool is_complete = true;
  for (const Action& action : actions) {
    const auto of = action.point ? owner.of(*action.point) : owner.of(action.frame);
    if (!of) {
      const RoundedMatrix& v =
          action.point ? e.partial_velocities(*action.point) : e.partial_angular_velocities(action.frame);
      is_complete = is_complete && (Matrix(values_of(v)).isZero(0.0) || size_of(action.value) == 0.0);
      continue;
    }
    Resultant& sum = sums[*of];
    if (!action.point) {
      sum.moment += action.value;
      sum.moment_size += action.magnitude();
      continue;
    }
    const Vector3 arm = e.value(e.model.terms->position(*action.point, owner.center(*of)));
    sum.force += action.value;
    sum.force_size += action.magnitude();
    sum.moment += arm.cross(action.value);
    sum.moment_size += (size_of(arm) + owner.radius(e, *of)) * action.magnitude();
  }
  return is_complete;
}

/// Judges the balance of each owner. Forces on coordinates are included by their power along speeds that move only one
/// body. A motion that moves the other bodies by the fraction `FreeDirections::missed` also does the work of the forces
/// on them.
void see_bodies(Judge& judge, const Evidence& e, const Owner& owner, const std::vector<Resultant>& sums,
                const std::vector<FreeDirections>& free, const Forces& forces) {
  double of_all = 0.0;
  for (const Resultant& sum : sums) of_all += sum.force_size + sum.moment_size;
  for (std::size_t i = 0; i < owner.count(); ++i) {
    const Eigen::Index n = owner.is_body(i) ? 6 : 3;
    const Resultant& sum = sums[i];
    if (free[i].along.cols() == n && !forces.has_coordinates) {
      judge.see(length_of(sum.force), sum.force_size, e.sample.t, owner.name(i) + ", forces");
      if (n == 6)
        judge.see(length_of(sum.moment), sum.moment_size, e.sample.t,
                  owner.name(i) + ", moments about its mass centre");
      continue;
    }
    RoundedVector wrench(n);
    Vector size(n);
    wrench.head(3) = sum.force;
    size.head(3).setConstant(sum.force_size);
    if (n == 6) {
      wrench.tail(3) = sum.moment;
      size.tail(3).setConstant(sum.moment_size);
    }
    for (Eigen::Index k = 0; k < free[i].along.cols(); ++k) {
      const Vector along = free[i].along.col(k), speeds = free[i].speeds.col(k);
      const double of_coordinates = speeds.cwiseAbs().dot(forces.generalized_size);
      judge.see(along.cast<Rounded>().dot(wrench) + speeds.cast<Rounded>().dot(forces.generalized),
                along.cwiseAbs().dot(size) + of_coordinates, e.sample.t,
                owner.name(i) + ", along a motion it has to itself", free[i].missed[k] * (of_all + of_coordinates));
    }
  }
}

}  // namespace

std::vector<AuditLine> audit_balance(const Case& of) {
  Judge kane("Kane's identity for every speed, all forces and inertia from definitions", "8.11", kOfTheSolve);
  Judge bodies("Newton and Euler for every particle and body", "8.11", kOfTheSolve);
  Owner owner(*of.bound->model);
  bool is_complete = true;
  std::size_t held = 0;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const Forces forces(e);
    const std::vector<Action> inert = inertia(e);
    RoundedVector sum = forces.generalized;
    Vector size = forces.generalized_size;
    for (const auto* actions : {&forces.actions, &inert}) {
      for (const Action& action : *actions) {
        sum += Forces::along_speeds(e, action);
        size += lengths_of(action.point ? e.partial_velocities(*action.point)
                                        : e.partial_angular_velocities(action.frame)) *
                action.magnitude();
      }
    }
    for (Eigen::Index r = 0; r < sum.size(); ++r)
      kane.see(sum[r], size[r], e.sample.t, of.bound->speed_name(static_cast<int>(r)));

    std::vector<Resultant> sums(owner.count());
    is_complete = add_up(e, owner, forces.actions, sums) && is_complete;
    (void)add_up(e, owner, inert, sums);
    if (!is_complete) {
      bodies.does_not_apply("a force acts on a point or frame without mass; Kane's identity counts it");
      continue;
    }
    const std::vector<FreeDirections> free = free_directions(e, owner);
    held = 0;
    for (std::size_t i = 0; i < free.size(); ++i) held += free[i].along.cols() < (owner.is_body(i) ? 6 : 3) ? 1 : 0;
    if (forces.has_coordinates && moves_without_matter(e, owner)) {
      bodies.does_not_apply(
          "something acts on coordinates, and some coordinates move no particle and no body; Kane's identity counts "
          "it");
      continue;
    }
    see_bodies(bodies, e, owner, sums, free, forces);
  }
  if (held == owner.count() && owner.count() > 0) {
    bodies.note(
        "coordinates embed joints, whose forces are not reported: only motions that the coordinates leave to one body "
        "alone are balanced");
  } else if (held > 0) {
    bodies.note(fmt::format(
        "of {} of {} the coordinates embed joints: these are balanced along motions they have to themselves", held,
        owner.count()));
  }
  kane.where_nothing("there are no speeds, or nothing acts and nothing moves");
  bodies.where_nothing(owner.count() == 0 ? "no particles and no bodies"
                       : held > 0 ? "coordinates embed joints, whose forces are not reported, and leave no body a "
                                    "motion to itself; see Kane's identity"
                                  : "nothing acts and nothing moves");
  return {kane.verdict(), bodies.verdict()};
}

}  // namespace vinculum::audit

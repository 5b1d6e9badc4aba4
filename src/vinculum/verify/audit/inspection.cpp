// Compares the forces and torques that inspection derives from rows with the System, and checks that forces between two
// bodies have no resultant.
#include "vinculum/model/inspect/inspection.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/verify/audit/forces.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using model::ConstraintId;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;
using model::TermKind;

/// Generalized force Σ v_r·F + Σ ω_r·T of the actions added so far, with the magnitudes of its terms. [nu]
struct Pulled {
  explicit Pulled(Evidence& evidence)
      : e(evidence), Q(RoundedVector::Constant(evidence.sample.u.size(), Rounded())), size(Vector::Zero(Q.size())) {}
  void force(PointId point, const Vector3& F) { add(e.partial_velocities(point), F); }
  void torque(FrameId frame, const Vector3& T) { add(e.partial_angular_velocities(frame), T); }
  void stated(const model::ForceOn& one) {
    const Vector3 F = e.value(one.force);
    force(one.point, F);
    if (one.from) force(*one.from, -F);
  }
  void stated(const model::TorqueOn& one) {
    const Vector3 T = e.value(one.torque);
    torque(one.body, T);
    if (one.from) torque(*one.from, -T);
  }
  void stated(const model::GeneralizedForceOn& one) {
    const RoundedVector D =
        e.at.G.row(static_cast<Eigen::Index>(one.coordinate.index())).transpose() * e.scalar(one.force);
    Q += D;
    size += values_of(D).cwiseAbs();
  }
  void add(const RoundedMatrix& v, const Vector3& F) {
    Q += v.transpose() * F;
    size += lengths_of(v) * size_of(F);
  }
  Evidence& e;
  RoundedVector Q;
  Vector size;
};

void see(Judge& judge, const Evidence& e, const RoundedVector& of_system, const RoundedVector& of_definition,
         const Vector& size, const std::string& what) {
  for (Eigen::Index r = 0; r < of_system.size(); ++r) {
    judge.see(of_system[r] - of_definition[r], size[r] + std::abs(of_system[r].value), e.sample.t,
              what + " along " + e.bound->speed_name(static_cast<int>(r)));
  }
}

/// Returns a scale for each entry of a row: the magnitude of the entry plus the length of the row, in units of speeds
/// with equal kinetic energy. An entry that is 0 only because of the choice of axes contains rounding errors of the
/// other entries, so its own magnitude is not a sufficient scale.
Vector sizes_of_entries(const Evidence& e, const RoundedVector& row) {
  const Vector unit = e.at.units(), entries = values_of(row).cwiseAbs();
  const double length = row.size() > 0 ? entries.cwiseProduct(unit).maxCoeff() : 0.0;
  return entries + length * unit.cwiseInverse();
}

/// Compares the gradient of a row as written with the gradient in the System.
void see_gradient(Judge& judge, const Evidence& e, Eigen::Index row, const RoundedVector& A,
                  const RoundedVector& gradient) {
  const std::string what = e.bound->row_name(static_cast<int>(row)) + ", the row's own gradient";
  if (sim::restricts_speeds(nth(e.bound.embedding(), row))) {
    see(judge, e, A, gradient, sizes_of_entries(e, gradient), what);
    return;
  }
  for (Eigen::Index r = 0; r < gradient.size(); ++r)
    judge.see_cancelled(A[r] - gradient[r], e.sample.t, what + " along " + e.bound->speed_name(static_cast<int>(r)));
}

/// For a law that is neither ideal nor nonideal, compares two values of its reaction: the sum of the forces and torques
/// of all its rows, and its part in the System (its terms in M and f, plus Aᵀλ).
void see_law(Judge& judge, Evidence& e, ConstraintId id, RoundedVector of_system) {
  if (model::acts_on_coordinates(e.model, id)) {
    const RoundedVector R = reaction_of_law(e, id);
    see(judge, e, e.at.reaction(e.bound, id), R, values_of(R).cwiseAbs(), "law of " + e.model.constraint(id).name);
    return;
  }
  Pulled pulled(e);
  for (std::size_t row = 0; row < e.model.constraint(id).rows.size(); ++row) {
    const LawFactors factors = law_factors(e, id, row);
    const auto exert = [&](const model::RowInspection& inspection, Rounded factor) {
      for (const auto& reaction : inspection.forces) pulled.force(reaction.point, factor * e.value(reaction.W));
      for (const auto& reaction : inspection.torques) pulled.torque(reaction.body, factor * e.value(reaction.tau));
    };
    exert(model::inspect_row(e.model, id, row), factors.lambda);
    exert(model::react(e.model, id, row).varied, factors.mu);
    if (e.has_row(id))
      of_system += factors.lambda * e.at.A.row(static_cast<Eigen::Index>(e.first_row(id) + row)).transpose();
  }
  for (const model::VariedState& state : e.model.constraint(id).law->varied_states(e.model, id)) {
    const auto exert = [&](const model::RowInspection& inspection, Rounded factor) {
      for (const auto& reaction : inspection.forces) pulled.force(reaction.point, factor * e.value(reaction.W));
      for (const auto& reaction : inspection.torques) pulled.torque(reaction.body, factor * e.value(reaction.tau));
    };
    exert(model::inspect_rate(e.model, state.rate), e.scalar(state.lambda));
    exert(model::vary_row(e.model, state.rate), e.scalar(state.mu));
  }
  see(judge, e, of_system, pulled.Q, pulled.size, "law of " + e.model.constraint(id).name);
}

/// Whether a row is written in vectors only: it contains no coordinate or speed of its own level, and no derivative.
bool is_written_in_vectors(Term row, model::Level level) {
  return std::ranges::none_of(model::in_order(row), [&](Term term) {
    switch (term.kind()) {
      case TermKind::kCoordinate: return term.order() == static_cast<int>(level);
      case TermKind::kSpeed: return term.order() + 1 == static_cast<int>(level);
      case TermKind::kPartial:
      case TermKind::kRate: return true;
      default: return false;
    }
  });
}

/// Whether every frame and point in a row moves with a body, a particle or the ground, for every speed. Only then can
/// the row be enforced by forces on bodies and particles. Decided by the velocities when one speed is 1 and the others
/// are 0.
class OnMatter {
 public:
  explicit OnMatter(Evidence& e) : e_(e) {}

  bool operator()(Term row) {
    return std::ranges::all_of(model::leaves_as_read(row), [&](Term term) {
      switch (term.kind()) {
        case TermKind::kPosition:
          return has_matter(model::point_of(term)) && has_matter(PointId(std::size_t{term.second()}));
        case TermKind::kVelocity:
        case TermKind::kAcceleration: return has_matter(model::point_of(term)) && turns_with(model::seen_in(term)) >= 0;
        case TermKind::kAngularVelocity:
        case TermKind::kAngularAcceleration:
          return turns_with(model::frame_of(term)) >= 0 && turns_with(model::seen_in(term)) >= 0;
        case TermKind::kBasisVector: return turns_with(model::frame_of(term)) >= 0;
        default: return true;
      }
    });
  }

 private:
  static bool are_equal(const Matrix& a, const Matrix& b) {
    return (a - b).norm() <= tolerance::kGeneric * (a.norm() + b.norm());
  }
  /// Returns the index of a body that turns with the frame; the number of bodies if the frame turns with the ground; −1
  /// if neither.
  int turns_with(FrameId frame) {
    const Matrix turning = values_of(e_.partial_angular_velocities(frame));
    const std::size_t bodies = e_.model.bodies.size();
    if (turning.isZero(0.0)) return static_cast<int>(bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
      if (are_equal(turning, values_of(e_.partial_angular_velocities(e_.model.bodies[b].frame))))
        return static_cast<int>(b);
    }
    return -1;
  }
  bool has_matter(PointId point) {
    if (e_.model.point(point).particle) return true;
    const Matrix moving = values_of(e_.partial_velocities(point));
    if (moving.isZero(0.0)) return true;
    return std::ranges::any_of(e_.model.bodies, [&](const model::Body& body) {
      const Eigen::Vector3d arm = values_of(e_.value(e_.model.terms->position(point, body.center)));
      Matrix carried = values_of(e_.partial_velocities(body.center));
      const Matrix turning = values_of(e_.partial_angular_velocities(body.frame));
      for (Eigen::Index r = 0; r < carried.cols(); ++r) carried.col(r) += Eigen::Vector3d(turning.col(r)).cross(arm);
      return are_equal(moving, carried);
    });
  }

  Evidence& e_;
};

/// Whether the row is unchanged if everything, including the ground, makes the same rigid motion. Then the row's forces
/// have no resultant. It is true if the row contains no velocity relative to the newtonian frame, or belongs to a
/// joint, which subtracts such velocities itself.
bool is_of_relative_motion(const model::Constraint& constraint, Term row) {
  if (!constraint.joint.empty()) return true;
  return std::ranges::none_of(model::in_order(row), [](Term term) {
    switch (term.kind()) {
      case TermKind::kVelocity:
      case TermKind::kAcceleration:
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration: return model::seen_in(term) == model::kNewtonian;
      default: return false;
    }
  });
}

/// Whether every force and torque of the row acts on one of the two bodies of its joint.
bool acts_on_its_sides(model::KinematicTree& tree, const model::Constraint& constraint,
                       const model::RowInspection& inspection) {
  const auto is_side = [&](std::optional<FrameId> solid) {
    return !solid || std::ranges::find(constraint.sides, *solid) != constraint.sides.end();
  };
  return std::ranges::all_of(inspection.forces, [&](const auto& one) { return is_side(tree.solid_of(one.point)); }) &&
         std::ranges::all_of(inspection.torques, [&](const auto& one) { return is_side(one.body); });
}

}  // namespace

AuditLine audit_inspection(const Case& of, Inspect inspect) {
  Judge judge("forces and torques of inspection exert the rows of A, C and efforts", "8.7");
  const Model& model = *of.bound->model;
  int bare = 0, unjudged = 0;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    bare = unjudged = 0;
    Pulled C(e);
    Eigen::Index effort = 0;
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
      const ConstraintId id(c);
      const model::Constraint& constraint = model.constraint(id);
      for (std::size_t row = 0; e.has_row(id) && row < constraint.rows.size(); ++row) {
        if (!e.acts(e.first_row(id) + row)) continue;
        const auto in_system = static_cast<Eigen::Index>(e.first_row(id) + row);
        RoundedVector A = e.at.A.row(in_system);
        for (Eigen::Index r = 0; r < A.size(); ++r) A[r].error += e.at.doubt_of_A(in_system, r);
        const std::string name = of.bound->row_name(static_cast<int>(in_system));
        const RoundedVector gradient = e.row_gradient(id, row);
        const bool has_gradient = values_of(gradient).allFinite();
        if (has_gradient) see_gradient(judge, e, in_system, A, gradient);
        const model::RowInspection inspection = inspect(model, id, row);
        const Term kept = e.kept(id, row);
        const bool is_exerted = is_written_in_vectors(kept, e.level(id, row)) && OnMatter(e)(kept);
        if (inspection.has_bare_part && !is_exerted) {
          ++bare;
          unjudged += has_gradient ? 0 : 1;
          continue;
        }
        Pulled pulled(e);
        for (const auto& reaction : inspection.forces) pulled.force(reaction.point, e.value(reaction.W));
        for (const auto& reaction : inspection.torques) pulled.torque(reaction.body, e.value(reaction.tau));
        see(judge, e, A, pulled.Q, pulled.size, name);
      }
      for (const model::Nonideal& clause : constraint.nonideal) {
        std::visit([&](const auto& one) { C.stated(one); }, clause.what);
      }
      for (const model::Actuator& actuator : constraint.law->actuators()) {
        Pulled pulled(e);
        for (const auto& one : actuator.forces) pulled.stated(one);
        for (const auto& one : actuator.torques) pulled.stated(one);
        for (const auto& one : actuator.generalized) pulled.stated(one);
        see(judge, e, e.at.Gamma.row(effort++), pulled.Q, pulled.size, "effort of " + constraint.name);
      }
    }
    const auto& changes = of.bound->system->changes;
    for (std::size_t k = 0; k < changes.size(); ++k) see_law(judge, e, changes[k].constraint, e.at.law_forces[k]);
    see_places_of_higher_order(judge, e);
    if (of.bound->system->has_nonideal) see(judge, e, e.at.C, C.Q, C.size, "C");
  }
  if (bare > 0)
    judge.note(fmt::format("{} row{} of bare coordinates: no vectors to inspect, judged by the row's own gradient",
                           bare, bare == 1 ? "" : "s"));
  if (bare > 0 && unjudged == bare) {
    judge.note(fmt::format(
        "{} row{} of bare coordinates that are not affine in the accelerations: no vectors to inspect, and no "
        "gradient that does not depend on them",
        bare, bare == 1 ? "" : "s"));
  }
  return judge.verdict();
}

AuditLine audit_reciprocity(const Case& of, Inspect inspect) {
  Judge judge("action = reaction: forces and torques of relative motion, ground included, have no resultant", "8.8");
  const Model& model = *of.bound->model;
  model::TermPool& pool = *model.terms;
  model::KinematicTree tree(model);
  int rows = 0, outside = 0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    const model::Constraint& constraint = model.constraint(id);
    if (!model::has_rows(constraint)) continue;
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      ++rows;
      if (of.evidence.empty() || !is_of_relative_motion(constraint, of.evidence.front()->kept(id, row))) {
        ++outside;
        continue;
      }
      const model::RowInspection inspection = inspect(model, id, row);
      const bool is_on_sides = constraint.sides.empty() || acts_on_its_sides(tree, constraint, inspection);
      for (const auto& evidence : of.evidence) {
        Evidence& e = *evidence;
        if (!e.acts(e.first_row(id) + row)) continue;
        Vector3 force = Vector3::Constant(Rounded()), moment = force;
        double force_size = 0.0, moment_size = 0.0;
        for (const auto& reaction : inspection.forces) {
          const Vector3 W = e.value(reaction.W),
                        arm = e.value(pool.position(reaction.point, tree.origin_of(reaction.point)));
          force += W;
          moment += arm.cross(W);
          force_size += size_of(W);
          moment_size += size_of(arm) * size_of(W);
        }
        for (const auto& reaction : inspection.torques) {
          const Vector3 T = e.value(reaction.tau);
          moment += T;
          moment_size += size_of(T);
        }
        const std::string name = of.bound->row_name(static_cast<int>(e.first_row(id) + row));
        judge.see(length_of(force), force_size, e.sample.t, name + ", force");
        judge.see(length_of(moment), moment_size, e.sample.t, name + ", moment");
        if (!is_on_sides) judge.see(1.0, 1.0, e.sample.t, name + " acts on neither side of its joint");
      }
    }
  }
  if (rows == 0) {
    judge.does_not_apply("no constraints");
  } else if (outside == rows) {
    judge.does_not_apply(
        "every row contains a velocity seen in the newtonian frame: what balances its force is outside the model");
  } else if (outside > 0) {
    judge.note(fmt::format(
        "{} of {} rows contain a velocity seen in the newtonian frame: what balances them is outside the model",
        outside, rows));
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

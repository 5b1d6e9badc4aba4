// Forces and torques that inspection reads off the rows, against the System; those between two bodies among themselves.
#include "vinculum/mechanics/inspect/inspection.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "vinculum/audit/forces.hpp"
#include "vinculum/audit/lines.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/mechanics/inspect/variation.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::audit {
namespace {

using mechanics::ConstraintId;
using mechanics::FrameId;
using mechanics::Model;
using mechanics::PointId;
using mechanics::Term;
using mechanics::TermKind;

/// Σ v_r·F + Σ ω_r·T of what is collected, with the sizes of the terms. [nu]
struct Pulled {
  explicit Pulled(Evidence& evidence)
      : e(evidence), Q(RoundedVector::Constant(evidence.sample.u.size(), Rounded())), size(Vector::Zero(Q.size())) {}
  void force(PointId point, const Vector3& F) { add(e.partial_velocities(point), F); }
  void torque(FrameId frame, const Vector3& T) { add(e.partial_angular_velocities(frame), T); }
  void stated(const mechanics::ForceOn& one) {
    const Vector3 F = e.value(one.force);
    force(one.point, F);
    if (one.from) force(*one.from, -F);
  }
  void stated(const mechanics::TorqueOn& one) {
    const Vector3 T = e.value(one.torque);
    torque(one.body, T);
    if (one.from) torque(*one.from, -T);
  }
  void stated(const mechanics::GeneralizedForceOn& one) {
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
              what + " along " + e.compiled.speed_name(static_cast<int>(r)));
  }
}

/// The gradient of a row as written against that of the System.
void see_gradient(Judge& judge, const Evidence& e, Eigen::Index row, const RoundedVector& A,
                  const RoundedVector& gradient) {
  const std::string what = e.compiled.row_name(static_cast<int>(row)) + ", the row's own gradient";
  if (nth(e.compiled.embedding, row) == sim::Embedding::kNone) {
    see(judge, e, A, gradient, values_of(gradient).cwiseAbs(), what);
    return;
  }
  for (Eigen::Index r = 0; r < gradient.size(); ++r)
    judge.see_cancelled(A[r] - gradient[r], e.sample.t, what + " along " + e.compiled.speed_name(static_cast<int>(r)));
}

/// Forces and torques of a further law, all its rows together, against what it adds to M and f and Aᵀλ.
void see_law(Judge& judge, Evidence& e, ConstraintId id, RoundedVector of_system) {
  if (mechanics::acts_on_coordinates(e.model, id)) {
    const RoundedVector R = reaction_of_law(e, id);
    see(judge, e, e.at.reaction(e.compiled, id), R, values_of(R).cwiseAbs(), "law of " + e.model.constraint(id).name);
    return;
  }
  Pulled pulled(e);
  for (std::size_t row = 0; row < e.model.constraint(id).rows.size(); ++row) {
    const LawFactors factors = law_factors(e, id, row);
    const auto exert = [&](const mechanics::RowInspection& inspection, Rounded factor) {
      for (const auto& reaction : inspection.forces) pulled.force(reaction.point, factor * e.value(reaction.W));
      for (const auto& reaction : inspection.torques) pulled.torque(reaction.body, factor * e.value(reaction.tau));
    };
    exert(mechanics::inspect_row(e.model, id, row), factors.lambda);
    exert(mechanics::react(e.model, id, row).varied, factors.mu);
    if (e.has_row(id))
      of_system += factors.lambda * e.at.A.row(static_cast<Eigen::Index>(e.first_row(id) + row)).transpose();
  }
  see(judge, e, of_system, pulled.Q, pulled.size, "law of " + e.model.constraint(id).name);
}

/// Whether the place moves with a particle or a body.
bool is_on_matter(mechanics::KinematicTree& tree, const Model& model, PointId point) {
  return model.point(point).particle.has_value() || tree.carrier_of(point).has_value();
}

/// Whether a row speaks of particles and bodies relative to each other alone, so that a rigid motion of them all leaves
/// it as it is.
bool is_between_matter(const Model& model, Term row) {
  mechanics::KinematicTree tree(model);
  const auto is_body = [&model](std::uint32_t frame) {
    return model.frame(FrameId(std::size_t{frame})).body.has_value();
  };
  const auto has_matter = [&](std::uint32_t point) { return is_on_matter(tree, model, PointId(std::size_t{point})); };
  return std::ranges::all_of(mechanics::in_order(row), [&](Term term) {
    switch (term.kind()) {
      case TermKind::kPosition: return has_matter(term.index()) && has_matter(term.second());
      case TermKind::kBasisVector: return is_body(term.index());
      case TermKind::kVelocity:
      case TermKind::kAcceleration: return has_matter(term.index()) && is_body(term.second());
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration: return is_body(term.index()) && is_body(term.second());
      case TermKind::kCoordinate:
      case TermKind::kSpeed: return false;
      default: return true;
    }
  });
}

}  // namespace

AuditLine audit_inspection(const Case& of) {
  Judge judge("forces and torques of inspection exert the rows of A, C and efforts", "8.7");
  const Model& model = *of.compiled.model;
  int bare = 0, unjudged = 0;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    bare = unjudged = 0;
    Pulled C(e);
    Eigen::Index effort = 0;
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
      const ConstraintId id(c);
      const mechanics::Constraint& constraint = model.constraint(id);
      for (std::size_t row = 0; e.has_row(id) && row < constraint.rows.size(); ++row) {
        const auto in_system = static_cast<Eigen::Index>(e.first_row(id) + row);
        RoundedVector A = e.at.A.row(in_system);
        for (Eigen::Index r = 0; r < A.size(); ++r) A[r].error += e.at.doubt_of_A(in_system, r);
        const std::string name = of.compiled.row_name(static_cast<int>(in_system));
        const RoundedVector gradient = e.row_gradient(id, row);
        const bool has_gradient = values_of(gradient).allFinite();
        if (has_gradient) see_gradient(judge, e, in_system, A, gradient);
        const mechanics::RowInspection inspection = mechanics::inspect_row(model, id, row);
        if (inspection.has_bare_part) {
          ++bare;
          unjudged += has_gradient ? 0 : 1;
          continue;
        }
        Pulled pulled(e);
        for (const auto& reaction : inspection.forces) pulled.force(reaction.point, e.value(reaction.W));
        for (const auto& reaction : inspection.torques) pulled.torque(reaction.body, e.value(reaction.tau));
        see(judge, e, A, pulled.Q, pulled.size, name);
      }
      for (const mechanics::Nonideal& clause : constraint.nonideal) {
        std::visit([&](const auto& one) { C.stated(one); }, clause.what);
      }
      for (const mechanics::Actuator& actuator : constraint.law->actuators()) {
        Pulled pulled(e);
        for (const auto& one : actuator.forces) pulled.stated(one);
        for (const auto& one : actuator.torques) pulled.stated(one);
        for (const auto& one : actuator.generalized) pulled.stated(one);
        see(judge, e, e.at.Gamma.row(effort++), pulled.Q, pulled.size, "effort of " + constraint.name);
      }
    }
    const auto& changes = of.compiled.system->changes;
    for (std::size_t k = 0; k < changes.size(); ++k) see_law(judge, e, changes[k].constraint, e.at.law_forces[k]);
    if (of.compiled.system->has_nonideal) see(judge, e, e.at.C, C.Q, C.size, "C");
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
  Judge judge("action = reaction: rows between bodies exert no force and no moment on the whole", "8.8");
  const Model& model = *of.compiled.model;
  mechanics::TermPool& pool = *model.terms;
  mechanics::KinematicTree tree(model);
  int rows = 0, outside = 0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    if (!mechanics::has_rows(model.constraint(id))) continue;
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
      ++rows;
      if (!is_between_matter(model, model.constraint(id).rows[row])) {
        ++outside;
        continue;
      }
      const mechanics::RowInspection inspection = inspect(model, id, row);
      for (const auto& evidence : of.evidence) {
        Evidence& e = *evidence;
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
        const std::string name = of.compiled.row_name(static_cast<int>(e.first_row(id) + row));
        judge.see(length_of(force), force_size, e.sample.t, name + ", force");
        judge.see(length_of(moment), moment_size, e.sample.t, name + ", moment");
      }
    }
  }
  if (rows == 0) {
    judge.does_not_apply("no constraints");
  } else if (outside == rows) {
    judge.does_not_apply(
        "every row names something at rest in the newtonian frame, or a coordinate: what balances its force is outside "
        "the model");
  } else if (outside > 0) {
    judge.note(
        fmt::format("{} of {} rows name something at rest in the newtonian frame, or a coordinate: what balances them "
                    "is outside the model",
                    outside, rows));
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

// Judges whether the engine is right to reject a mechanism.
#include "support/mechanisms/refusals.hpp"

#include <algorithm>

#include "support/mechanisms/assembly.hpp"

namespace vinculum::mechanisms {
namespace {

using Vector3 = Eigen::Vector3d;

/// Whether a joint connects a frame without a body with a body. Its rows are written in vectors of that frame, which
/// coordinates turn. Turning them has no effect only where the rows hold.
bool is_in_moving_basis(const Constraint& c) {
  return !c.joint.empty() && (c.A.kind == SideKind::kFrame || c.B.kind == SideKind::kFrame);
}

/// Whether a relation contains a vector of a frame that belongs to no body. Its reaction then acts on coordinates,
/// even if the vector is the axis of the turn and never moves.
bool has_vector_without_body(const Mechanism& m, const Structure& s, const Constraint& c) {
  const auto is_bare = [&](const VectorTerm& one) {
    const int rigid = s.class_of[at(one.frame)];
    const auto is_in = [&](const Body& body) { return !body.removed && s.class_of[at(body.frame)] == rigid; };
    return one.body < 0 && rigid != s.class_of[0] && std::ranges::none_of(m.bodies, is_in);
  };
  const auto holds_bare = [&](const auto& self, const NodePtr& n) -> bool {
    if (!n) return false;
    return std::ranges::any_of(n->vector, is_bare) ||
           std::ranges::any_of(n->arguments, [&](const NodePtr& argument) { return self(self, argument); });
  };
  return holds_bare(holds_bare, c.left) || holds_bare(holds_bare, c.right) || std::ranges::any_of(c.axis, is_bare) ||
         std::ranges::any_of(c.axis2, is_bare);
}

}  // namespace

void judge_refusal(const Mechanism& m, const Structure& s, const Reading& reading, Verdict& verdict) {
  verdict.refused = reading.error_kind;
  verdict.refusal_message = reading.error_message;
  verdict.is_refusal_justified = false;
  const std::string& kind = reading.error_kind;
  Mechanism assembled = m;
  const bool is_consistent = assemble_positions(assembled) && assemble_velocities(assembled);
  State state;
  state.q = guessed_q(assembled);
  state.u = guessed_u(assembled, s);
  state.du.assign(state.u.size(), 0.0);
  const Oracle oracle(assembled, s, state);
  if (kind == "missing-statement") {
    verdict.is_refusal_justified = true;
    verdict.refusal_class = "empty";
  } else if (kind == "assembly") {
    verdict.is_refusal_justified = !is_consistent;
    verdict.refusal_class = is_consistent ? "there is a consistent state at the guess" : "no consistent state";
  } else if (kind == "undetermined" || kind == "unused-coordinate" || kind == "inconsistent" ||
             kind == "singular-kinematics" || kind == "not-unique") {
    if (!is_consistent) {
      verdict.is_refusal_justified = true;
      verdict.refusal_class = "no consistent state";
    } else if (oracle.is_motion_doubtful || !oracle.is_clear()) {
      verdict.is_refusal_justified = true;
      verdict.refusal_class = "rank in doubt";
    } else if (!oracle.is_motion_unique) {
      verdict.is_refusal_justified = true;
      verdict.refusal_class = "the motion is not unique";
    } else if (oracle.has_singular_actuators) {
      verdict.is_refusal_justified = true;
      verdict.refusal_class = "rows kept by actuators depend on others";
    } else if (oracle.unsolvable > 1e-8) {
      verdict.is_refusal_justified = true;
      verdict.refusal_class = "no accelerations";
    }
  } else if (kind == "not-allowed-here" && reading.error_message.find("reveals is not known") != std::string::npos) {
    // the named constraints act on speeds, or on vectors that no single body owns
    verdict.is_refusal_justified = true;
    verdict.refusal_class = "reveal beside what acts on coordinates";
    for (std::size_t c = 0; c < m.constraints.size(); ++c) {
      if (reading.error_message.find("`" + m.constraints[c].name + "`") == std::string::npos) continue;
      const int first = oracle.first_column[c], count = oracle.first_column[c + 1] - first;
      const Eigen::Index bare = oracle.layout.bare;
      const Matrix W = oracle.wrench.middleCols(first, count);
      const auto acts_below = [&](Eigen::Index row) {
        const double own = count > 0 ? W.bottomRows(W.rows() - row).cwiseAbs().maxCoeff() : 0.0;
        return std::max(own, oracle.stated.col(static_cast<Eigen::Index>(c)).tail(W.rows() - row).cwiseAbs().sum()) >
               1e-11;
      };
      if (acts_below(bare)) continue;
      if (is_in_moving_basis(m.constraints[c]) || has_vector_without_body(m, s, m.constraints[c])) {
        verdict.refusal_class = "reveal beside a vector equation in a basis that coordinates turn";
        continue;
      }
      verdict.refusal_class = "reveal: " + kind_of(m.constraints[c]) + " acts on no coordinates";
      verdict.is_refusal_justified = false;
      break;
    }
  } else if (kind == "not-allowed-here" &&
             reading.error_message.find("does not act on one point") != std::string::npos) {
    verdict.refusal_class = "directed: acts at more places";
    verdict.is_refusal_justified = true;
    for (std::size_t c = 0; c < m.constraints.size(); ++c) {
      if (reading.error_message.find("`" + m.constraints[c].name + "`") == std::string::npos) continue;
      // Compare with the same relation under the ideal law: a couple in addition to forces at two points is not
      // allowed.
      Mechanism ideal = assembled;
      ideal.constraints = {assembled.constraints[c]};
      ideal.constraints[0].law = LawKind::kIdeal;
      ideal.constraints[0].actuators.clear();
      ideal.reveals.clear();
      const Structure structure(ideal);
      State at_start = state;
      at_start.u = guessed_u(ideal, structure);
      at_start.du.assign(at_start.u.size(), 0.0);
      const Oracle alone(ideal, structure, at_start);
      bool has_couple = false;
      const Action& natural = assembled.constraints[c].actuators[0];
      for (std::size_t b = 0; b < m.bodies.size() && natural.on == Action::On::kPoint; ++b) {
        if (alone.layout.body[b] < 0) continue;
        for (Eigen::Index k = 0; k < alone.wrench.cols(); ++k) {
          const Vector3 F = alone.wrench.col(k).segment<3>(alone.layout.body[b]);
          Vector3 M = alone.wrench.col(k).segment<3>(alone.layout.body[b] + 3);
          const Vector3 center = values(alone.kinematics().place(m.bodies[b].center));
          for (const int p : {natural.index, natural.from}) {
            if (p < 0 || structure.carrier_of[at(p)] != static_cast<int>(b)) continue;
            M -= (values(alone.kinematics().place(p)) - center).cross(F);
            break;
          }
          has_couple = has_couple || M.norm() > 1e-9;
        }
      }
      const Eigen::Index beside = alone.layout.bare;
      has_couple = has_couple || alone.wrench.bottomRows(alone.layout.size - beside).cwiseAbs().maxCoeff() > 1e-9;
      if (!has_couple && alone.wrench.topRows(beside).cwiseAbs().maxCoeff() > 1e-9) {
        verdict.is_refusal_justified = false;
        verdict.refusal_class = "directed: acts at one place or oppositely at two";
      }
    }
  } else if (kind == "not-allowed-here" && reading.error_message.find("no coordinate moves") != std::string::npos) {
    verdict.refusal_class = "a load on what never moves";
    verdict.is_refusal_justified = true;
  } else if (kind == "non-finite") {
    verdict.refusal_class = "the direction of a vector of no length";
    verdict.is_refusal_justified = true;
  }
  if (verdict.refusal_class.empty()) verdict.refusal_class = "not justified";
  if (!verdict.is_refusal_justified)
    verdict.findings.push_back({"refused", kind + ", " + verdict.refusal_class, 1.0, reading.error_message});
}

}  // namespace vinculum::mechanisms

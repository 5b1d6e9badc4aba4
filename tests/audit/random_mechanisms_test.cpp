// Audits of random mechanisms: correct motions raise no alarm, and forces at wrong points are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "audit/random_motion.hpp"
#include "support/mechanisms/search.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace random_mechanisms_test {

using mechanisms::Tallies;
using model::ConstraintId;
using model::Model;
using model::RowInspection;
using Verdict = AuditLine::Verdict;

TEST(RandomMechanismsUnderAudit, RaiseNoAlarm) {
  Tallies alarms;
  int audited = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::optional<Motion> motion = random_motion(seed);
    if (!motion) continue;
    ++audited;
    const Audit audit = motion->judged(3);
    for (const AuditLine& line : audit.lines) {
      if (line.verdict == Verdict::kBroken) alarms[line.section + " " + line.identity].add(seed, 0);
    }
  }
  std::printf("%d motions audited\n", audited);
  EXPECT_TRUE(alarms.empty()) << mechanisms::table_of(alarms);
  EXPECT_GT(audited, 140);
}

/// Faulty inspections of a row: a force or torque is lost, reversed or halved.
RowInspection with_opposite_force(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = model::inspect_row(model, id, row);
  if (!wrong.forces.empty()) wrong.forces.front().W = -wrong.forces.front().W;
  return wrong;
}
RowInspection without_last_force(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = model::inspect_row(model, id, row);
  if (!wrong.forces.empty()) wrong.forces.pop_back();
  return wrong;
}
RowInspection without_torques(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = model::inspect_row(model, id, row);
  wrong.torques.clear();
  return wrong;
}
RowInspection with_half_a_torque(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = model::inspect_row(model, id, row);
  if (!wrong.torques.empty()) wrong.torques.front().tau = 0.5 * wrong.torques.front().tau;
  return wrong;
}

/// Largest difference, over all forces and torques of all rows, between the correct and a faulty inspection at the
/// first sample.
double difference(const Case& of, Inspect wrong) {
  Evidence& evidence = *of.evidence.front();
  const Model& model = evidence.model;
  double largest = 0.0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    if (!model.constraint(id).law->actuators().empty()) continue;
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
      const RowInspection a = model::inspect_row(model, id, row), b = wrong(model, id, row);
      const auto less = [&](const auto& term) { return size_of(evidence.value(term)); };
      for (std::size_t i = 0; i < a.forces.size(); ++i)
        largest = std::max(largest, less(i < b.forces.size() ? a.forces[i].W - b.forces[i].W : a.forces[i].W));
      for (std::size_t i = 0; i < a.torques.size(); ++i)
        largest =
            std::max(largest, less(i < b.torques.size() ? a.torques[i].tau - b.torques[i].tau : a.torques[i].tau));
    }
  }
  return largest;
}

/// Effect of the forces and torques of a row: their powers along the speeds, and their resultant force and moment.
/// [nu + 6]
Eigen::VectorXd effect_of(Evidence& evidence, const RowInspection& row) {
  const Eigen::Index nu = evidence.sample.u.size();
  Eigen::VectorXd effect = Eigen::VectorXd::Zero(nu + 6);
  for (const auto& force : row.forces) {
    const Eigen::Vector3d W = values_of(evidence.value(force.W));
    const Model& model = evidence.model;
    const model::Term arm = model.terms->position(force.point, model::KinematicTree(model).origin_of(force.point));
    effect.head(nu) += values_of(evidence.partial_velocities(force.point)).transpose() * W;
    effect.segment<3>(nu) += W;
    effect.tail<3>() += Eigen::Vector3d(values_of(evidence.value(arm))).cross(W);
  }
  for (const auto& torque : row.torques) {
    const Eigen::Vector3d tau = values_of(evidence.value(torque.tau));
    effect.head(nu) += values_of(evidence.partial_angular_velocities(torque.body)).transpose() * tau;
    effect.tail<3>() += tau;
  }
  return effect;
}

/// Largest difference between the effects of the correct and a faulty inspection, over all rows and instants. The audit
/// judges only effects. If a couple and the opposite couple are lost together, and both act on bodies that turn only
/// about other axes, there is no difference.
double difference_of_effects(const Case& of, Inspect wrong) {
  double largest = 0.0;
  for (const auto& evidence : of.evidence) {
    const Model& model = evidence->model;
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
      const ConstraintId id(c);
      for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
        const Eigen::VectorXd change =
            effect_of(*evidence, model::inspect_row(model, id, row)) - effect_of(*evidence, wrong(model, id, row));
        largest = std::max(largest, change.cwiseAbs().maxCoeff());
      }
    }
  }
  return largest;
}

TEST(RandomMechanismsUnderAudit, SeesForcesAndTorquesAtWrongPlaces) {
  const std::pair<const char*, Inspect> errors[] = {{"a force with the other sign", &with_opposite_force},
                                                    {"a force that is lost", &without_last_force},
                                                    {"torques that are lost", &without_torques},
                                                    {"half a torque", &with_half_a_torque}};
  for (const auto& [name, inspect] : errors) {
    int made = 0, seen = 0, without_effect = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      const std::optional<Motion> motion = random_motion(seed);
      if (!motion) continue;
      const Case of = case_of(motion->bound, motion->trajectory, {.samples = 2});
      if (audit_inspection(of).verdict == Verdict::kBroken || difference(of, inspect) < 1e-3) continue;
      if (difference_of_effects(of, inspect) < 1e-12) {
        ++without_effect;
        continue;
      }
      ++made;
      const bool is_seen = audit_inspection(of, inspect).verdict == Verdict::kBroken ||
                           audit_reciprocity(of, inspect).verdict == Verdict::kBroken;
      seen += is_seen ? 1 : 0;
      if (!is_seen) std::printf("not seen, seed %llu: %s\n", static_cast<unsigned long long>(seed), name);
    }
    std::printf("%d of %d seen, %d without effect: %s\n", seen, made, without_effect, name);
    EXPECT_EQ(seen, made) << name;
    EXPECT_LT(10 * without_effect, made) << name;
    EXPECT_GT(made, 30) << name;
  }
}

}  // namespace random_mechanisms_test
}  // namespace vinculum::audit

// Random mechanisms under audit: right motions raise no alarm, and forces at wrong places are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "audit/motions.hpp"
#include "support/mechanisms/search.hpp"
#include "vinculum/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using mechanics::ConstraintId;
using mechanics::Model;
using mechanics::RowInspection;
using mechanisms::Tallies;
using Verdict = AuditLine::Verdict;

/// A mechanism's run of 0.05 s with outputs of all forces and torques; nothing where it is refused or stops.
std::optional<Motion> motion_of(std::uint64_t seed) {
  const mechanisms::Mechanism m = mechanisms::random_mechanism(seed);
  const mechanisms::Reading reading = mechanisms::read(m, mechanisms::Structure(m));
  if (!reading.has_motion()) return std::nullopt;
  const std::size_t end = reading.text.rfind("run 0");
  std::optional<Motion> motion(std::in_place, reading.text.substr(0, end) + "run 0.05 tolerance 1e-9\n",
                               [](sim::SimulateOptions& options) { options.output_step = 0.01; });
  if (motion->trajectory.stopped || motion->trajectory.samples.empty()) return std::nullopt;
  return motion;
}

TEST(RandomMechanismsUnderAudit, RaiseNoAlarm) {
  Tallies alarms;
  int audited = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::optional<Motion> motion = motion_of(seed);
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

/// Wrong readings of a row: the first force or torque of the row is lost or turned.
RowInspection with_opposite_force(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = mechanics::inspect_row(model, id, row);
  if (!wrong.forces.empty()) wrong.forces.front().W = -wrong.forces.front().W;
  return wrong;
}
RowInspection without_last_force(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = mechanics::inspect_row(model, id, row);
  if (!wrong.forces.empty()) wrong.forces.pop_back();
  return wrong;
}
RowInspection without_torques(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = mechanics::inspect_row(model, id, row);
  wrong.torques.clear();
  return wrong;
}
RowInspection with_half_a_torque(const Model& model, ConstraintId id, std::size_t row) {
  RowInspection wrong = mechanics::inspect_row(model, id, row);
  if (!wrong.torques.empty()) wrong.torques.front().tau = 0.5 * wrong.torques.front().tau;
  return wrong;
}

/// Largest difference of two readings of any row, in force or torque, at the first sample.
double difference(const Case& of, Inspect wrong) {
  Evidence& evidence = *of.evidence.front();
  const Model& model = evidence.model;
  double largest = 0.0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    if (!model.constraint(id).law->actuators().empty()) continue;
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
      const RowInspection a = mechanics::inspect_row(model, id, row), b = wrong(model, id, row);
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

TEST(RandomMechanismsUnderAudit, SeesForcesAndTorquesAtWrongPlaces) {
  const std::pair<const char*, Inspect> errors[] = {{"a force with the other sign", &with_opposite_force},
                                                    {"a force that is lost", &without_last_force},
                                                    {"torques that are lost", &without_torques},
                                                    {"half a torque", &with_half_a_torque}};
  for (const auto& [name, inspect] : errors) {
    int made = 0, seen = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      const std::optional<Motion> motion = motion_of(seed);
      if (!motion) continue;
      const Case of = case_of(motion->compiled, motion->trajectory, {.samples = 2});
      if (audit_inspection(of).verdict == Verdict::kBroken || difference(of, inspect) < 1e-3) continue;
      ++made;
      const bool is_seen = audit_inspection(of, inspect).verdict == Verdict::kBroken ||
                           audit_reciprocity(of, inspect).verdict == Verdict::kBroken;
      seen += is_seen ? 1 : 0;
      if (!is_seen) std::printf("not seen, seed %llu: %s\n", static_cast<unsigned long long>(seed), name);
    }
    std::printf("%d of %d seen: %s\n", seen, made, name);
    EXPECT_EQ(seen, made) << name;
    EXPECT_GT(made, 30) << name;
  }
}

}  // namespace
}  // namespace vinculum::audit

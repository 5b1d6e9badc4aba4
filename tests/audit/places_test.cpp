#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/lines.hpp"

// Deliberate errors that the audit must find: wrong points and bodies of forces and torques, and wrong uniqueness
// flags.
namespace vinculum::audit {
namespace places_test {

using model::ConstraintId;
using model::Model;
using model::RowInspection;
using Verdict = AuditLine::Verdict;

struct MotionOfText {
  explicit MotionOfText(const std::string& text)
      : bound(test_support::compiled(test_support::model_of_text(text))), dynamics(bound) {
    trajectory = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
    if (trajectory.stopped) throw std::runtime_error(trajectory.stopped->message);
  }
  [[nodiscard]] Case of() const { return case_of(*bound, trajectory, {.samples = 4}); }
  std::shared_ptr<const sim::Binding> bound;
  sim::Dynamics dynamics;
  sim::Trajectory trajectory;
};

const std::string kBegin =
    "model places\nframe N newtonian\npoint O fixed in N\ncoord q0, q1, q2, q3, x, y, z\n"
    "frame R = N quaternion(q0, q1, q2, q3)\nframe T = R rotated 0.3 about z\ngravity -10*N.z\n";
const std::string kStart = "start q0 ~ 1, x ~ 0.5, R.wx ~ 0.3, R.wy ~ 0.1, R.wz ~ 0.8\nrun 0.2\n";
const std::string kPin =
    kBegin +
    "body b frame T mass 2 inertia (0.1, 0.2, 0.3) at O + x*N.x + y*N.y + z*N.z\npoint P = b - 0.5*R.x\n"
    "joint pin: revolute between O of N and P of b axis N.z axis2 R.z\n" +
    kStart;
const std::string kParallel =
    kBegin +
    "coord s\nbody extra frame R mass 1 inertia (0.1, 0.2, 0.3) at O + 3*N.x + s*N.z\n"
    "body b frame R mass 2 inertia (0.1, 0.2, 0.3) at O + x*N.x + y*N.y + z*N.z\npoint P = b - 0.5*R.x\n"
    "joint pin: revolute between O of N and P of b axis N.z axis2 R.z\n" +
    kStart;
const std::string kRelation = kBegin +
                              "body b frame T mass 2 inertia (0.1, 0.2, 0.3) at O + x*N.x + y*N.y + z*N.z\n"
                              "torque on b = 3*N.x\nconstraint upright: dot(R.z, N.y) = 0\n" +
                              kStart;
const std::string kBall = kBegin +
                          "body b frame R mass 2 inertia (0.2, 0.2, 0.2) at O + x*N.x + y*N.y + z*N.z\n"
                          "joint roll: rolling between O of N and b of b surface sphere(0.5) axis N.z\n"
                          "start z ~ 0.5, q0 ~ 1, R.wx ~ 0.3, R.wy ~ 0.4\nrun 0.2\n";

bool is_ground(const Model& model, const model::PointReaction& force) {
  return model::KinematicTree(model).solid_of(force.point) == model::kNewtonian;
}
bool is_ground(const model::BodyReaction& torque) { return torque.body == model::kNewtonian; }

/// Faulty inspections of rows, each with a model in which it makes a difference.
struct Error {
  std::string what, text;
  Inspect inspect;
};
const std::vector<Error> kErrors = {
    {"the torque on the body is lost", kPin,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       std::erase_if(wrong.torques, [](const auto& one) { return !is_ground(one); });
       return wrong;
     }},
    {"the torques on both sides are lost", kPin,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       wrong.torques.clear();
       return wrong;
     }},
    {"a torque is taken for a force on coordinates", kPin,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       wrong.has_bare_part = wrong.has_bare_part || !wrong.torques.empty();
       wrong.torques.clear();
       return wrong;
     }},
    {"the same of a relation", kRelation,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       wrong.has_bare_part = true;
       wrong.torques.clear();
       return wrong;
     }},
    {"a torque acts on a parallel body", kParallel,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       for (auto& torque : wrong.torques) {
         if (!is_ground(torque)) torque.body = model.bodies[0].frame;
       }
       return wrong;
     }},
    {"a force acts on a parallel body", kParallel,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       for (auto& force : wrong.forces) {
         if (!is_ground(model, force)) force.point = model.bodies[0].center;
       }
       return wrong;
     }},
    {"the ground's force has the body's sign", kBall,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       for (auto& force : wrong.forces) {
         if (is_ground(model, force)) force.W = -force.W;
       }
       return wrong;
     }},
    {"the ground's force is lost", kBall,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       std::erase_if(wrong.forces, [&](const auto& force) { return is_ground(model, force); });
       return wrong;
     }},
    {"the ground's torque is lost", kPin,
     [](const Model& model, ConstraintId id, std::size_t row) {
       RowInspection wrong = model::inspect_row(model, id, row);
       std::erase_if(wrong.torques, [](const auto& one) { return is_ground(one); });
       return wrong;
     }},
};

TEST(Places, ErrorsOfThemAreSeenAndRightOnesPass) {
  for (const Error& error : kErrors) {
    SCOPED_TRACE(error.what);
    const MotionOfText motion(error.text);
    const Case of = motion.of();
    EXPECT_NE(audit_inspection(of).verdict, Verdict::kBroken);
    EXPECT_NE(audit_reciprocity(of).verdict, Verdict::kBroken);
    const bool is_seen = audit_inspection(of, error.inspect).verdict == Verdict::kBroken ||
                         audit_reciprocity(of, error.inspect).verdict == Verdict::kBroken;
    EXPECT_TRUE(is_seen);
  }
}

const std::string kTwice =
    "model rope\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
    "gravity -10*N.y\nconstraint a: norm(pos(P, O)) = 1\nconstraint b: dot(pos(P, O), pos(P, O)) = 1\n"
    "output F = force(a, P)\noutput both = force(a, P) + force(b, P)\noutput share = multiplier(a)\n"
    "start x = 0.6, y ~ -0.8\nrun 0.3\n";

TEST(Places, WrongFlagsOfUniquenessAreSeen) {
  // Entries of the outputs: F.x, F.y, F.z, both.x, both.y, both.z, share
  const MotionOfText motion(kTwice);
  EXPECT_EQ(audit_uniqueness(motion.of()).verdict, Verdict::kHolds);
  for (std::size_t entry = 0; entry < 7; ++entry) {
    MotionOfText wrong(kTwice);
    for (sim::Sample& sample : wrong.trajectory.samples) sample.output_unique[entry] ^= 1;
    EXPECT_EQ(audit_uniqueness(wrong.of()).verdict, Verdict::kBroken) << entry;
  }
}

}  // namespace places_test
}  // namespace vinculum::audit

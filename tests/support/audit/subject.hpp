#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "support/motion/test_models.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

/// Shared by tests of the audit: motions that tests damage, and the names of the lines that should find the damage.
namespace vinculum::audit {

using namespace sim;

using model::ModelBuilder;
using model::StartCondition;
using model::StartKind;
using model::Term;
using testing::run_for;
using testing::Sketch;
using Verdict = AuditLine::Verdict;

/// A compiled model and a run of it, which a test may damage. Parts that a test changes are copies.
struct Subject {
  explicit Subject(std::shared_ptr<const Binding> of, double duration = 1.0)
      : bound(*of), compiled(*of->compiled), system(*compiled.system) {
    Dynamics dynamics(of);
    SimulateOptions options = run_for(duration, 1e-10);
    options.accounts = sim::audit_accounts;
    trajectory = simulate(dynamics, options);
    EXPECT_FALSE(trajectory.stopped) << testing::reason(trajectory);
  }
  Audit judged() {
    compiled.system = std::make_shared<equations::System>(system);
    bound.compiled = std::make_shared<CompiledModel>(compiled);
    return audit(bound, trajectory, {.samples = 6});
  }
  Binding bound;
  CompiledModel compiled;
  equations::System system;
  Trajectory trajectory;
};

inline Subject subject(Sketch sketch, double duration = 1.0) { return Subject(*sketch.try_compile(), duration); }

inline const AuditLine& line(const Audit& audit, const std::string& beginning) {
  for (const AuditLine& one : audit.lines) {
    if (one.identity.starts_with(beginning)) return one;
  }
  throw std::runtime_error("no line " + beginning);
}

inline std::string broken(const Audit& audit, bool all = false) {
  std::string names;
  for (const AuditLine& one : audit.lines) {
    if (one.verdict == Verdict::kBroken || all)
      names += one.section + " " + one.identity + ": " + one.where +
               fmt::format(" by {:.1e} of {:.1e}\n", one.worst, one.allowed);
  }
  return names;
}

// Names of the lines of the report.
inline constexpr const char* kSpeeds = "speeds";
inline constexpr const char* kResiduals = "constraint residuals";
inline constexpr const char* kRows = "A u' = b";
inline constexpr const char* kMotion = "M u' = f";
inline constexpr const char* kIdealWork = "ideal forces";
inline constexpr const char* kWork = "all constraint forces";
inline constexpr const char* kGauss = "Gauss";
inline constexpr const char* kInspection = "forces and torques of inspection";
inline constexpr const char* kReciprocity = "action = reaction";
inline constexpr const char* kEnergy = "dE/dt";
inline constexpr const char* kFormulations = "explicit = ";
inline constexpr const char* kKane = "Kane";
inline constexpr const char* kBodies = "Newton and Euler";
inline constexpr const char* kStored = "reactions return";
inline constexpr const char* kInvariants = "invariants";
inline constexpr const char* kRevealed = "revealed";
inline constexpr const char* kKept = "quantities of `conserve`";
inline constexpr const char* kUniqueness = "the outputs marked";
inline constexpr const char* kSides = "every step is";

inline void expect_broken(const Audit& audit, std::initializer_list<const char*> lines) {
  EXPECT_FALSE(audit.holds());
  for (const char* one : lines)
    EXPECT_EQ(line(audit, one).verdict, Verdict::kBroken) << one << "\nresiduals are\n" << broken(audit, true);
}
inline void expect_unbroken(const Audit& audit, std::initializer_list<const char*> lines) {
  for (const char* one : lines) EXPECT_NE(line(audit, one).verdict, Verdict::kBroken) << broken(audit);
}

/// A particle on a slide with friction as a stated force, and a second one connected to it by a rod: forces of all
/// kinds.
struct Pair {
  explicit Pair(double gravity = -9.81, bool has_from = true, double spring = 3.0, double friction = 0.7)
      : sketch("pair") {
    P = sketch.particle("p", 1.0, 3);
    Q = sketch.particle("q", 2.0, 3);
    ModelBuilder& b = sketch.builder;
    b.add_gravity(sketch.number(gravity) * sketch.axis(2));
    const Term pull = sketch.number(0.8) * b.axis(Sketch::frame(), 1);
    b.add_force(P, pull, has_from ? std::optional(Q) : std::nullopt);
    b.add_spring(P, sketch.origin, sketch.number(spring), sketch.number(0.5));
    slide = b.add_constraint("slide", sketch.dot(sketch.from_origin(P), sketch.axis(2)) -
                                          0.3 * sketch.dot(sketch.from_origin(P), sketch.axis(0)));
    rod = b.add_constraint("rod", sketch.square(b.pos(Q, P)) - sketch.number(1.0));
    b.add_nonideal_force(slide, P, sketch.number(-friction) * b.vel(P), std::nullopt);
    sketch.start_all({0.0, 0.4, 0.0, 0.8, 0.4, -0.6}, {0.5, 0.2, 0.15, 0.5, 0.2, 0.15}, StartKind::kGuess);
  }
  Sketch sketch;
  model::PointId P, Q;
  model::ConstraintId slide, rod;
};

inline Subject pair_of(Pair pair) { return Subject(*pair.sketch.try_compile(), 0.5); }

/// Audits motion and System of one model as motion and System of another with the same coordinates and rows.
inline Audit judged_as(Pair derived, Pair stated) {
  Subject subject = pair_of(std::move(derived));
  const auto other = *stated.sketch.try_compile();
  subject.compiled.model = other->compiled->model;
  subject.system.model = other->compiled->model;
  return subject.judged();
}

}  // namespace vinculum::audit

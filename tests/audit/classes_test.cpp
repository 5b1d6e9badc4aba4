// Deliberate errors that the audit must find: errors of friction, of forces that contacts share, and of rows that are
// satisfied up to rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/motions.hpp"
#include "audit/wrong_runs.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/verify/audit/equations.hpp"

namespace vinculum::audit {
namespace classes_test {

using sim::FrictionState;
using sim::Sample;

std::string text_of(const std::string& folder, const std::string& name) {
  return test_support::read_text(std::string(VINCULUM_SOURCE) + "/tests/" + folder + "/" + name + ".vin");
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// An error, the model in which it is made, and the audit line that must report it.
struct Error {
  std::string what, text;
  std::function<void(Motion&)> make;
  std::string section;  ///< section of the identity in theory.md
  std::string where;    ///< text that must occur in the reported constraint, body or coordinate
};

/// Checks that the audit finds each error, and that it passes the motion without the error.
void expect_seen(const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    SCOPED_TRACE(error.what);
    Motion motion(error.text);
    const Audit right = motion.judged();
    EXPECT_TRUE(right.holds()) << broken_lines(right);
    error.make(motion);
    const Audit wrong = motion.judged();
    bool is_seen = false;
    for (const AuditLine& line : wrong.lines) {
      is_seen = is_seen || (line.verdict == AuditLine::Verdict::kBroken && line.section == error.section &&
                            line.where.find(error.where) != std::string::npos);
    }
    EXPECT_TRUE(is_seen) << error.section << ", " << error.where << " is not among the broken lines:\n"
                         << broken_lines(wrong);
  }
}

using At = std::function<bool(const Sample&)>;
using Change = std::function<void(FrictionState&)>;

bool always(const Sample&) { return true; }
bool at_start(const Sample& sample) { return sample.t == 0.0; }
At after(double t) {
  return [=](const Sample& sample) { return sample.t > t; };
}
void stick(FrictionState& friction) { friction.sticks.assign(friction.sticks.size(), 1); }
void lose(FrictionState& friction) { friction.direction.setZero(); }
void reverse(FrictionState& friction) { friction.direction *= -1.0; }

/// Computes samples again in another friction mode. The mode is wrong, but motion and forces are consistent with it.
std::function<void(Motion&)> forced(const At& at, const Change& change) {
  return [=](Motion& motion) {
    sim::Dynamics dynamics(std::make_shared<const sim::Binding>(motion.binding()));
    for (Sample& sample : motion.trajectory.samples) {
      if (!at(sample)) continue;
      FrictionState friction = sample.friction;
      change(friction);
      sim::Mode mode = dynamics.mode();
      set_friction(mode, friction);
      Vector y(sample.q.size() + sample.u.size() + sample.z.size());
      y << sample.q, sample.u, sample.z;
      if (const auto done = dynamics.report(mode, sample.t, y.data(), sample); !done)
        throw std::runtime_error(done.error().message);
    }
  };
}

/// Changes only the stored friction state of samples; motion and forces stay the same.
std::function<void(Motion&)> stated(const At& at, const Change& change) {
  return [=](Motion& motion) {
    for (Sample& sample : motion.trajectory.samples) {
      if (at(sample)) change(sample.friction);
    }
  };
}

/// Sets the uniqueness flag of one output entry at all instants.
std::function<void(Motion&)> flagged(std::size_t entry, bool is_unique) {
  return [=](Motion& motion) {
    const auto flag = static_cast<char>(is_unique);
    int changed = 0;
    for (Sample& sample : motion.trajectory.samples) {
      changed += sample.output_unique.at(entry) != flag ? 1 : 0;
      sample.output_unique.at(entry) = flag;
    }
    EXPECT_GT(changed, 0) << "the flags are so already";
  };
}

std::function<void(Motion&)> run_as(const std::string& text, const Changed& change) {
  return [=](Motion& motion) { motion = Motion(text, change); };
}

const std::string kDriven = text_of("friction", "drive_of_places");
const double kFirstReversal = 0.5235987755982988;  // [s] the first zero of cos(3 t)
const std::string kFromRest = replaced(kDriven, "A*sin(w*t)", "A*(1 - cos(w*t))");
const std::string kSmoothly = text_of("friction", "drive_that_starts_smoothly");
const std::string kYoke = text_of("friction", "yoke_passes_its_dead_centers");

TEST(ClassesOfErrors, MissedReversalsOfFrictionAreSeen) {
  expect_seen({
      {"no reversal of a drive is met", kDriven, run_as(kDriven, without_sources), "4.6", "direction of sliding"},
      {"no reversal of a slider is met", kYoke, run_as(kYoke, without_sources), "4.6", "direction of sliding"},
      {"reversals are met 1e-3 s late", kDriven, run_as(kDriven, late(1e-3)), "10.5", "slides or sticks"},
      {"friction is 0 after the first reversal", kDriven, stated(after(kFirstReversal), lose), "4.6", "direction"},
  });
}

TEST(ClassesOfErrors, ContactsThatStickWhereTheyMustSlipAreSeen) {
  const Change stick_without_force = [](FrictionState& friction) { stick(friction), lose(friction); };
  expect_seen({
      {"from the start", kDriven, forced(always, stick), "4.6", "velocity of what sticks"},
      {"after the first reversal", kDriven, forced(after(kFirstReversal), stick_without_force), "4.6", "what sticks"},
      {"where a motion begins", kFromRest, forced(at_start, stick), "4.6", "stick or slip without a change"},
      {"where a motion begins smoothly", kSmoothly, forced(at_start, stick), "4.6", "stick or slip without a change"},
  });
}

TEST(ClassesOfErrors, WrongDirectionsOfFrictionAreSeen) {
  expect_seen({
      {"along the slip", kDriven, forced(always, reverse), "4.6", "direction of sliding"},
      {"along a motion that begins", kFromRest, forced(at_start, reverse), "4.6", "direction reversed"},
      {"along a motion that begins smoothly", kSmoothly, forced(at_start, reverse), "4.6", "direction reversed"},
      {"none where a motion begins", kFromRest, forced(at_start, lose), "4.6", "no direction of friction"},
  });
}

const std::string kTwoContacts = text_of("friction", "two_contacts_at_one_point");  // outputs: Rf (0 to 2), Rw (3 to
                                                                                    // 5), both
const std::string kBench = text_of("friction", "bench_rests_on_two_rough_feet");    // outputs: both, RA (entries 1 to
                                                                                    // 3), RC (4 to 6)
const std::string kDwell = text_of("friction", "drive_that_dwells");                // outputs: F, R, both, normal
const std::string kBrake = text_of("friction", "brake_beside_a_rough_floor");       // outputs: R, both, a

TEST(ClassesOfErrors, WrongFlagsOfForcesThatContactsShareAreSeen) {
  expect_seen({
      {"two contacts at one point: Rf.x is unique", kTwoContacts, flagged(0, true), "3.5", "Rf"},
      {"two feet: RA.x is unique", kBench, flagged(1, true), "3.5", "RA"},
      {"a drive at rest: its force is unique", kDwell, flagged(0, true), "3.5", "F"},
      {"a driven contact at rest: its friction is unique", kDwell, flagged(1, true), "3.5", "R"},
      {"a brake beside friction at rest: R is unique", kBrake, flagged(0, true), "3.5", "R"},
      {"two feet: the normal force RA.y is not unique", kBench, flagged(2, false), "3.5", "RA"},
      {"two feet: the sum of their friction is not unique", kBench, flagged(0, false), "3.5", "both"},
  });
}

TEST(ClassesOfErrors, AShareBeyondItsBoundIsSeenThoughTheSumIsRight) {
  // The normal forces are 78.1 N and 118.1 N, and the two feet together resist 50 N. Error: the first foot gets 1.2
  // times its bound.
  const Change overdo = [](FrictionState& friction) {
    const double bound_A = 0.3 * 78.1, bound_C = 0.3 * 118.1;
    friction.direction[0] = 1.2;
    friction.direction[3] = (50.0 - 1.2 * bound_A) / bound_C;
  };
  expect_seen({{"the first foot", kBench, stated(always, overdo), "4.6", "fA, force of what sticks over its bound"}});
}

const std::string kSleeve = text_of("cases", "rows_that_hold_up_to_rounding");
const std::string kWeld = text_of("cases", "weld_of_one_rigid_frame");
const std::string kCross = text_of("cases", "unique_torque_flagged");  // entries: Tz, Fx, Fy, T (3 to 5)

std::function<void(Motion&)> multiplied(Eigen::Index row, double lambda) {
  return [=](Motion& motion) {
    for (Sample& sample : motion.trajectory.samples)
      sample.reaction.total.lambda[row] = sample.reaction.ideal.lambda[row] = lambda;
  };
}

/// Error: a row 0 = 0 has a coefficient that is a rounding error, and the motion obeys this row. With a multiplier of
/// 1e17, the model moves along the other rows, and the reactions are consistent with this motion.
std::function<void(Motion&)> taken_for_a_row(std::size_t row, std::size_t speed) {
  return [=](Motion& motion) {
    motion.bound.rows.embedding.at(row) = sim::Embedding::kNone;
    const expr::Expr q = motion.system.q[0];
    motion.system.rows[row].A.set(
        speed, expr::sine(q + 0.3) - (std::cos(0.3) * expr::sine(q) + std::sin(0.3) * expr::cosine(q)));
    motion.compiled.system = std::make_shared<equations::System>(motion.system);
    const auto own = static_cast<Eigen::Index>(row);
    int changed = 0;
    for (Sample& sample : motion.trajectory.samples) {
      const Equations at(motion.binding(), sample);
      const Matrix A = values_of(at.A), M = values_of(at.M);
      if (A.row(own).isZero(0.0)) continue;
      ++changed;
      // M δu' = Aᵀ δλ with A δu' = 0 for the other rows, for a given change δλ of this row's multiplier.
      const Eigen::Index nu = M.rows(), nc = A.rows();
      Matrix others = A;
      others.row(own).setZero();
      Matrix K = Matrix::Zero(nu + nc, nu + nc);
      K << M, -others.transpose(), others, Matrix::Zero(nc, nc);
      Vector r = Vector::Zero(nu + nc);
      const double lambda = 10.0 / A.row(own).norm();
      r.head(nu) = lambda * A.row(own).transpose();
      const Vector x = Eigen::CompleteOrthogonalDecomposition<Matrix>(K).solve(r);
      Vector more = x.tail(nc);
      more[own] += lambda;
      const Vector Q = A.transpose() * more;
      for (solve::Solution* one : {&sample.reaction.total, &sample.reaction.ideal})
        one->u += x.head(nu), one->lambda += more, one->Q += Q;
      sample.reaction.Q_c += Q;
    }
    EXPECT_GT(changed, 0) << "the coefficient is 0";
  };
}

TEST(ClassesOfErrors, MultipliersOfRowsThatHoldByThemselvesAreSeen) {
  const std::string zero = "the multiplier of a row that is 0 = 0";
  expect_seen({
      {"1e15 of a turn of a sleeve", kSleeve, multiplied(2, 1e15), "8.3", "j[3], " + zero},
      {"1e-3 of the other turn", kSleeve, multiplied(3, 1e-3), "8.3", "j[4], " + zero},
      {"1e83 of a weld", kWeld, multiplied(5, 1e83), "8.3", "j[6], " + zero},
  });
}

TEST(ClassesOfErrors, MotionsThatObeyCoefficientsOfRoundingSizeAreSeen) {
  const std::string zero = "the multiplier of a row that is 0 = 0";
  expect_seen({
      {"a turn of a sleeve", kSleeve, taken_for_a_row(2, 0), "8.3", "j[3], " + zero},
      {"the other turn", kSleeve, taken_for_a_row(3, 4), "8.3", "j[4], " + zero},
      {"a turn of a weld", kWeld, taken_for_a_row(3, 1), "8.3", "j[4], " + zero},
  });
}

TEST(ClassesOfErrors, WrongFlagsBesideCoefficientsOfRoundingSizeAreSeen) {
  const std::string sleeve = replaced(kSleeve, "run 0\n", "output couple = torque(j, b1) in R\nrun 0\n");
  expect_seen({
      {"a unique torque is not unique", kCross, flagged(0, false), "3.5", "Tz"},
      {"an entry of it is not unique", kCross, flagged(3, false), "3.5", "T"},
      {"a force along redundant rows is unique", kCross, flagged(1, true), "3.5", "Fx"},
      {"a torque of rows that are 0 = 0 is unique", sleeve, flagged(3, true), "3.5", "couple"},
  });
}

}  // namespace classes_test
}  // namespace vinculum::audit

#include <gtest/gtest.h>

#include <bit>
#include <optional>

#include "support/models.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/start/assembly.hpp"

// Only t, y and the mode change in a run. A run that continues from copies of these three has the same bits. Evaluation
// without side effects does not change them.
namespace vinculum {
namespace mode_test {

constexpr double kStep = 1e-3;
constexpr int kSteps = 12;

/// A motion with its own mode: steps of Heun's method, each followed by a projection as in a run.
class Walk {
 public:
  Walk(sim::Dynamics& dynamics, equations::Formulation formulation) : dynamics_(dynamics) {
    const auto start = sim::assemble(dynamics_);
    if (!start) return;
    y_.resize(start->q.size() + start->u.size() + start->z.size());
    y_ << start->q, start->u, start->z;
    dynamics_.set_formulation(formulation);
    mode_ = dynamics_.mode();
    if (!sim::settle_friction(dynamics_, mode_, t_, y_.data())) return;
    dynamics_.set_scale(Vector::Ones(y_.size()), 1e-9);
    mode_.knows_sizes = false;
    dynamics_.learn_row_sizes(mode_, t_, y_);
    goes_on_ = true;
  }
  void step(double h = kStep) {
    Vector first(y_.size()), second(y_.size());
    goes_on_ = goes_on_ && dynamics_.derivative(mode_, t_, y_.data(), first.data());
    if (!goes_on_) return;
    const Vector ahead = y_ + h * first;
    goes_on_ = dynamics_.derivative(mode_, t_ + h, ahead.data(), second.data()).has_value();
    if (!goes_on_) return;
    y_ += 0.5 * h * (first + second);
    t_ += h;
    goes_on_ = dynamics_.project(mode_, t_, y_.data()).has_value();
  }
  void look() {
    const sim::Mode& mode = mode_;
    sim::Sample sample;
    sim::Matrices matrices;
    numeric::SparseRows A;
    Vector residual;
    (void)dynamics_.report(mode, t_, y_.data(), sample);
    (void)dynamics_.matrices(mode, t_, y_.data(), matrices);
    sim::EquationsOf(dynamics_).gradients(mode, t_, y_.data(), A, residual);
    (void)sim::EquationsOf(dynamics_).regularity(mode, t_, y_.data());
    Vector elsewhere = y_;
    if (y_.size() > 0) elsewhere[0] += kStep;
    Vector rates(y_.size());
    (void)dynamics_.derivative(mode, t_, elsewhere.data(), rates.data());
    (void)dynamics_.project(mode, t_, elsewhere.data());
    if (sim::FrictionReading reading; !mode.friction.sticks.empty())
      (void)sim::FrictionOf(dynamics_).read(mode, t_, y_.data(), reading);
  }

  sim::Dynamics& dynamics_;
  sim::Mode mode_;
  double t_ = 0.0;
  Vector y_;
  bool goes_on_ = false;
};

void expect_same_bits(const Walk& a, const Walk& b) {
  ASSERT_EQ(a.goes_on_, b.goes_on_);
  for (Eigen::Index i = 0; i < a.y_.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.y_[i]), std::bit_cast<std::uint64_t>(b.y_[i])) << "component " << i;
  }
}

class Modes : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Modes, AreAllThatChangesAndOnlyByMoving) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()));
  for (const equations::Formulation formulation : equations::kFormulations) {
    if (bound->compiled->system->higher && formulation != equations::Formulation::kExplicit) continue;
    SCOPED_TRACE(std::string(to_string(formulation)));
    sim::Dynamics alone(bound), seen(bound), shared(bound), other(bound);
    // The motion `beside` has longer steps. It alternates with `in_turn` on the same Dynamics. A fourth motion
    // continues from a copy.
    Walk plain(alone, formulation), watched(seen, formulation), in_turn(shared, formulation),
        beside(shared, formulation);
    std::optional<Walk> copied;
    for (int k = 0; k < 2 * kSteps; ++k) {
      if (k == kSteps) {
        copied.emplace(other, formulation);
        copied->mode_ = plain.mode_;
        copied->t_ = plain.t_;
        copied->y_ = plain.y_;
        copied->goes_on_ = plain.goes_on_;
      }
      plain.step();
      watched.look();
      watched.step();
      beside.step(3.0 * kStep);
      in_turn.step();
      if (copied) copied->step();
    }
    expect_same_bits(plain, watched);
    expect_same_bits(plain, in_turn);
    expect_same_bits(plain, *copied);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Modes, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace mode_test
}  // namespace vinculum

#include <gtest/gtest.h>

#include <bit>
#include <optional>

#include "support/models.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/start/assembly.hpp"

// What changes during a run beside t and y is its mode: a copy of it goes on with the same bits, and looking changes
// none of it.
namespace vinculum {
namespace {

constexpr double kStep = 1e-3;
constexpr int kSteps = 12;

/// Steps of Heun's method, each projected as those of a run are.
class Walk {
 public:
  Walk(const std::shared_ptr<const sim::Binding>& plant, equations::Formulation formulation) : dynamics_(plant) {
    const auto start = sim::assemble(dynamics_);
    if (!start) return;
    y_.resize(start->q.size() + start->u.size() + start->z.size());
    y_ << start->q, start->u, start->z;
    dynamics_.set_formulation(formulation);
    if (!sim::settle_friction(dynamics_, t_, y_.data())) return;
    dynamics_.set_scale(Vector::Ones(y_.size()), 1e-9);
    dynamics_.learn_row_sizes(t_, y_);
    goes_on_ = true;
  }
  void step() {
    Vector first(y_.size()), second(y_.size());
    goes_on_ = goes_on_ && dynamics_.derivative(t_, y_.data(), first.data());
    if (!goes_on_) return;
    const Vector ahead = y_ + kStep * first;
    goes_on_ = dynamics_.derivative(t_ + kStep, ahead.data(), second.data()).has_value();
    if (!goes_on_) return;
    y_ += 0.5 * kStep * (first + second);
    t_ += kStep;
    goes_on_ = dynamics_.project(t_, y_.data()).has_value();
  }
  void look() {
    sim::Sample sample;
    sim::Matrices matrices;
    numeric::SparseRows A;
    Vector residual;
    (void)dynamics_.report(t_, y_.data(), sample);
    (void)dynamics_.matrices(dynamics_.mode(), t_, y_.data(), matrices);
    dynamics_.gradients(dynamics_.mode(), t_, y_.data(), A, residual);
    (void)dynamics_.regularity(dynamics_.mode(), t_, y_.data());
    Vector elsewhere = y_;
    if (y_.size() > 0) elsewhere[0] += kStep;
    Vector rates(y_.size());
    (void)dynamics_.derivative(dynamics_.mode(), t_, elsewhere.data(), rates.data());
    (void)dynamics_.project(dynamics_.mode(), t_, elsewhere.data());
    if (sim::FrictionReading reading; !dynamics_.mode().friction.sticks.empty())
      (void)dynamics_.read_friction(dynamics_.mode(), t_, y_.data(), reading);
  }

  sim::Dynamics dynamics_;
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
  const auto plant = test_support::compiled(test_support::model_of_file(GetParam()));
  for (const equations::Formulation formulation : equations::kFormulations) {
    if (plant->compiled->system->higher && formulation != equations::Formulation::kExplicit) continue;
    SCOPED_TRACE(std::string(to_string(formulation)));
    Walk plain(plant, formulation), watched(plant, formulation);
    std::optional<Walk> copied;
    sim::Mode mode;
    for (int k = 0; k < 2 * kSteps; ++k) {
      if (k == kSteps) {
        mode = plain.dynamics_.mode();
        copied.emplace(plant, formulation);
        copied->dynamics_.set_mode(mode);
        copied->t_ = plain.t_;
        copied->y_ = plain.y_;
        copied->goes_on_ = plain.goes_on_;
      }
      plain.step();
      watched.look();
      watched.step();
      if (copied) copied->step();
    }
    expect_same_bits(plain, watched);
    expect_same_bits(plain, *copied);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Modes, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace
}  // namespace vinculum

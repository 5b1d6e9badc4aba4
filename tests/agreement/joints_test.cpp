#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "support/model/two_bodies.hpp"
#include "support/models.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/run/simulate.hpp"

// Every joint of the table, between the ground and a body and between two bodies. The forces are checked by Newton's
// and Euler's equations of each body.
namespace vinculum {
namespace joints_test {

using model::BodyId;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;
using model::testing::First;
using model::testing::JointCase;
using model::testing::TwoBodies;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// Reads outputs of a model as vectors, in the order in which they were added.
class Readings {
 public:
  Readings(std::shared_ptr<const sim::Binding> bound, Vector values)
      : bound_(std::move(bound)), values_(std::move(values)) {}
  [[nodiscard]] Vector3 operator[](std::size_t output) const {
    return values_.segment<3>(bound_->compiled->output_columns[output].first);
  }

 private:
  std::shared_ptr<const sim::Binding> bound_;
  Vector values_;
};

/// Indices of the outputs of one body.
struct BodyProbe {
  BodyId id;
  FrameId frame;
  std::size_t r, a, omega, alpha,
      couple;  ///< center relative to O, its acceleration, ω and α in the body's frame, torque of the joint
  std::size_t omega_N;
};
struct PointProbe {
  PointId id;
  std::optional<BodyId> carrier;
  std::size_t r, v, force;
};

class JointBench {
 public:
  JointBench(First first, const JointCase& joint) : two(first, joint) {
    model::ModelBuilder& b = two.builder;
    two.add_guesses();
    const Model& model = b.model();
    std::vector<BodyId> ids;
    if (two.a) ids.push_back(*two.a);
    ids.push_back(two.b);
    for (const BodyId id : ids) {
      const FrameId frame = b.frame_of(id);
      bodies.push_back({id, frame, read(b.pos(b.center_of(id), two.origin)), read(b.acc(b.center_of(id))),
                        read(b.omega(frame), frame),
                        read(b.terms().angular_acceleration(frame, Model::newtonian()), frame),
                        read(model::torque_on(model, two.id, frame)), read(b.omega(frame))});
    }
    for (const PointId id : model::points_of(model, two.id)) {
      points.push_back({id, model::carrier_of(model, id), read(b.pos(id, two.origin)), read(b.vel(id)),
                        read(model::total_force(model, two.id, id))});
    }
    S = read(b.pos(two.S, two.origin));
    force = read(two.force);
    torque = read(two.torque);
    auto finished = b.finish();
    if (!finished) throw std::runtime_error(finished.error().message);
    model_ = *finished;
    bound = test_support::compiled(model_);
    dynamics = std::make_unique<sim::Dynamics>(bound);
  }

  /// A state on the constraints, with its full report.
  sim::Sample consistent_state(double t0 = 0.3) {
    sim::AssemblyOptions options;
    options.t0 = t0;
    const auto start = sim::assemble(*dynamics, options);
    if (!start) throw std::runtime_error(start.error().message);
    sim::Sample sample;
    const auto done = dynamics->report(t0, state_of(*start).data(), sample);
    if (!done) throw std::runtime_error(done.error().message);
    return sample;
  }

  /// The outputs at other speeds u. Velocities are functions of u at every state.
  Readings at_speeds(const sim::Sample& sample, const Vector& u) const {
    const codegen::Kernel& kernel = *bound->outputs.kernel;
    Vector inputs = Vector::Zero(static_cast<Eigen::Index>(kernel.input_count()));
    inputs[0] = sample.t;
    inputs.segment(1, sample.q.size()) = sample.q;
    inputs.segment(1 + sample.q.size(), u.size()) = u;
    Vector outputs(static_cast<Eigen::Index>(kernel.output_count()));
    std::vector<double> workspace(kernel.workspace_size());
    kernel.evaluate(inputs.data(), bound->outputs.constants.data(), outputs.data(), workspace.data());
    return {bound, outputs};
  }

  [[nodiscard]] Readings read_back(const sim::Sample& sample) const { return {bound, sample.outputs}; }

  static Vector state_of(const sim::Start& start) {
    Vector y(start.q.size() + start.u.size());
    y << start.q, start.u;
    return y;
  }

  [[nodiscard]] double mass(BodyId id) const { return model_->body(id).mass.value(); }
  [[nodiscard]] Matrix3 inertia(BodyId id) const {
    const model::Inertia& I = model_->body(id).inertia;
    Matrix3 result;
    result << I.xx.value(), I.xy.value(), I.zx.value(), I.xy.value(), I.yy.value(), I.yz.value(), I.zx.value(),
        I.yz.value(), I.zz.value();
    return result;
  }
  /// Rotation matrix of a body from its quaternion; columns are its axes in N.
  [[nodiscard]] Matrix3 rotation(const sim::Sample& sample, FrameId frame) const {
    const auto& e = model_->frame(frame).quaternion->e;
    return Eigen::Quaterniond(sample.q[e[0].value], sample.q[e[1].value], sample.q[e[2].value], sample.q[e[3].value])
        .normalized()
        .toRotationMatrix();
  }

  TwoBodies two;
  std::vector<BodyProbe> bodies;
  std::vector<PointProbe> points;
  std::size_t S = 0, force = 0, torque = 0;
  std::shared_ptr<const sim::Binding> bound;
  std::unique_ptr<sim::Dynamics> dynamics;

 private:
  std::size_t read(Term vector, FrameId frame = Model::newtonian()) {
    two.builder.add_output("out" + std::to_string(count_), vector, frame);
    return count_++;
  }
  std::size_t count_ = 0;
  std::shared_ptr<const Model> model_;
};

struct Case {
  First first;
  std::size_t index;
};
void PrintTo(const Case& c, std::ostream* out) { *out << model::testing::joint_cases()[c.index].name; }

class EveryJoint : public ::testing::TestWithParam<Case> {
 protected:
  EveryJoint() : joint(model::testing::joint_cases()[GetParam().index]), bench(GetParam().first, joint) {}

  /// Largest |m a − Σ F| and |I α + ω × I ω − Σ T| over the bodies, with the reported forces and torques.
  double imbalance(const sim::Sample& sample) {
    const Readings read = bench.read_back(sample);
    double worst = 0.0;
    for (const BodyProbe& body : bench.bodies) {
      const bool is_b = body.id == bench.two.b;
      const Vector3 center = read[body.r];
      const double m = bench.mass(body.id);
      Vector3 force = m * Vector3(0.3, -0.4, -9.81);
      Vector3 moment = read[body.couple];
      if (is_b) {
        force += Vector3(0.7, -1.2, 0.4);
        moment += (read[bench.S] - center).cross(Vector3(0.7, -1.2, 0.4));
      }
      moment += (is_b ? 1.0 : -1.0) * read[bench.torque];
      for (const PointProbe& point : bench.points) {
        if (!(point.carrier == body.id)) continue;
        force += read[point.force];
        moment += (read[point.r] - center).cross(read[point.force]);
      }
      const Matrix3 R = bench.rotation(sample, body.frame), I = bench.inertia(body.id);
      const Vector3 omega = read[body.omega], alpha = read[body.alpha];
      worst = std::max(worst, (m * read[body.a] - force).cwiseAbs().maxCoeff());
      worst = std::max(worst, (I * alpha + omega.cross(I * omega) - R.transpose() * moment).cwiseAbs().maxCoeff());
    }
    return worst;
  }

  const model::JointInfo& info() const { return model::joint_info(joint.kind); }

  JointCase joint;
  JointBench bench;
};

TEST_P(EveryJoint, TakesAsManyFreedomsAsItHasRows) {
  const sim::Sample sample = bench.consistent_state();
  EXPECT_EQ(bench.bound->compiled->nc(), info().rows);
  EXPECT_EQ(sample.rank, info().rows);
  EXPECT_EQ(bench.bound->compiled->nu(), GetParam().first == First::kBody ? 12 : 6);
  for (const char is_unique : sample.row_unique) EXPECT_TRUE(is_unique);
  EXPECT_LT(sample.residual.maxCoeff(), 1e-12);
}

TEST_P(EveryJoint, BalancesNewtonAndEulerForEachBody) {
  const sim::Sample sample = bench.consistent_state();
  EXPECT_LT(imbalance(sample), 1e-11);
  // The forces must not be zero.
  EXPECT_GT(sample.reaction.lambda().cwiseAbs().maxCoeff(), 1e-3);
}

TEST_P(EveryJoint, HasReactionsThatAreOppositeOnItsTwoBodies) {
  const sim::Sample sample = bench.consistent_state();
  const Readings read = bench.read_back(sample);
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (const PointProbe& point : bench.points) {
    ASSERT_TRUE(point.carrier.has_value());
    force += read[point.force];
    moment += read[point.r].cross(read[point.force]);
  }
  for (const BodyProbe& body : bench.bodies) moment += read[body.couple];
  if (GetParam().first == First::kGround) {
    // The opposite force acts on the ground, so there is no second body to check.
    EXPECT_GT(force.norm() + moment.norm(), 1e-3);
    return;
  }
  EXPECT_LT(force.norm(), 1e-11);
  EXPECT_LT(moment.norm(), 1e-11);
}

TEST_P(EveryJoint, HasTheGeneralizedForcesOfItsForcesAndTorques) {
  const sim::Sample sample = bench.consistent_state();
  const Readings read = bench.read_back(sample);
  const Readings none = bench.at_speeds(sample, Vector::Zero(bench.bound->compiled->nu()));
  Vector Q = Vector::Zero(bench.bound->compiled->nu());
  for (int r = 0; r < bench.bound->compiled->nu(); ++r) {
    const Readings one = bench.at_speeds(sample, Vector::Unit(bench.bound->compiled->nu(), r));
    for (const PointProbe& point : bench.points) Q[r] += (one[point.v] - none[point.v]).dot(read[point.force]);
    for (const BodyProbe& body : bench.bodies) Q[r] += (one[body.omega_N] - none[body.omega_N]).dot(read[body.couple]);
  }
  EXPECT_LT((Q - sample.reaction.Q_c).cwiseAbs().maxCoeff(), 1e-11);

  // No virtual work: vᵀQ = 0 for every v with A v = 0.
  sim::Matrices matrices;
  Vector y(sample.q.size() + sample.u.size());
  y << sample.q, sample.u;
  ASSERT_TRUE(bench.dynamics->matrices(bench.dynamics->mode(), sample.t, y.data(), matrices));
  const auto decomposed = matrices.A.fullPivLu();
  EXPECT_EQ(decomposed.rank(), info().rows);
  if (decomposed.dimensionOfKernel() == 0) return;
  EXPECT_LT((decomposed.kernel().transpose() * Q).cwiseAbs().maxCoeff(), 1e-11);
}

TEST_P(EveryJoint, HoldsAlongARun) {
  const sim::Sample begin = bench.consistent_state();
  sim::SimulateOptions options;
  options.duration = 0.4;
  options.tolerance = 1e-9;
  options.output_step = 0.1;
  const sim::Start start{begin.t, begin.q, begin.u};
  const sim::Trajectory run = sim::simulate(*bench.dynamics, start, options);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_LT(run.worst_residual.maxCoeff(), 1e-12);
  for (const sim::Sample& sample : run.samples) {
    EXPECT_EQ(sample.rank, info().rows);
    EXPECT_LT(imbalance(sample), 1e-11 * std::max(1.0, sample.reaction.lambda().cwiseAbs().maxCoeff() / 100.0));
  }
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < model::testing::joint_cases().size(); ++i) {
    cases.push_back({First::kGround, i});
    cases.push_back({First::kBody, i});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Joints, EveryJoint, ::testing::ValuesIn(every_case()), [](const auto& instance) {
  return model::testing::joint_cases()[instance.param.index].name +
         (instance.param.first == First::kBody ? "_of_bodies" : "_to_ground");
});

}  // namespace joints_test
}  // namespace vinculum

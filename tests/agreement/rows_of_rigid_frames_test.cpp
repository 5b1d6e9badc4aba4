#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Two bodies of one rigid frame. Their frames differ by one to four constant rotations about basis vectors and oblique
// axes. The attitude rows of a joint between them are satisfied identically, up to rounding, and must be recognized as
// such. The position rows remain.
namespace vinculum {
namespace rows_of_rigid_frames_test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;

constexpr double kG = 9.81;

std::string vector_in(const std::string& frame, const Vector3& v) {
  return fmt::format("({}*{}.x + {}*{}.y + {}*{}.z)", v.x(), frame, v.y(), frame, v.z(), frame);
}

/// Random numbers with two decimals, as they are written in a text.
class Decimals {
 public:
  explicit Decimals(unsigned seed) : generator_(seed) {}
  double operator()(double low, double high) {
    return std::round(std::uniform_real_distribution<double>(low, high)(generator_) * 100.0) / 100.0;
  }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(generator_); }
  Vector3 vector() { return {(*this)(0.1, 1.0), (*this)(-1.0, -0.1), (*this)(0.1, 1.0)}; }

 private:
  std::mt19937 generator_;
};

/// Frames that differ by constant rotations, and the attitude R of the last frame in the first frame.
struct Chain {
  std::string text, last;
  Matrix3d R = Matrix3d::Identity();
};

/// \param goes_back  the rotations are undone in reverse order, so that the last frame has the attitude of the first,
/// up to rounding.
Chain chain_from(const std::string& first, int turns, bool goes_back, Decimals& some) {
  Chain chain{"", first};
  std::vector<std::pair<double, Vector3>> made;
  const auto turn = [&](double angle, const Vector3& axis, const std::string& axis_text) {
    const std::string next = fmt::format("T{}", made.size());
    chain.text += fmt::format("frame {} = {} rotated {} about {}\n", next, chain.last, angle, axis_text);
    chain.last = next;
    chain.R = chain.R * AngleAxisd(angle, axis.normalized()).toRotationMatrix();
    made.emplace_back(angle, axis);
  };
  for (int k = 0; k < turns; ++k) {
    const bool is_oblique = some.below(3) != 0;
    const Vector3 axis = is_oblique ? some.vector() : Vector3(Vector3::Unit(some.below(3)));
    turn(some(0.2, 1.5), axis, vector_in(chain.last, axis));
  }
  for (int k = turns; goes_back && k-- > 0;)
    turn(-made[static_cast<std::size_t>(k)].first, made[static_cast<std::size_t>(k)].second,
         vector_in(chain.last, made[static_cast<std::size_t>(k)].second));
  return chain;
}

struct Joint {
  std::string name;
  bool keeps_attitude;  ///< the frame of B must have the attitude of A
  int rank;             ///< rank of the remaining rows, those for positions
  /// The statement after "between P of … and Q of …". \param a, b  the same direction, written in A and in B
  std::function<std::string(const std::string& a, const std::string& b)> rest;
  std::string start = "";  ///< start values in addition to P = Q
};

std::vector<Joint> joints() {
  const auto axes = [](const std::string& a, const std::string& b) { return " axis " + a + " axis2 " + b; };
  const auto axis = [](const std::string& a, const std::string&) { return " axis " + a; };
  const auto none = [](const std::string&, const std::string&) { return std::string(); };
  const auto with = [](std::string more, auto base) {
    return [more, base](const std::string& a, const std::string& b) { return base(a, b) + more; };
  };
  return {
      {"revolute", false, 3, axes},
      {"prismatic", true, 2, axis},
      {"cylindrical", false, 2, axes},
      {"spherical", false, 3, none},
      {"planar", false, 1, axes},
      {"fixed", true, 3, none},
      {"screw", false, 3, with(" pitch 0.3", axes)},
      {"distance", false, 1, with(" length 0.7", none)},
      {"gear", false, 1, with(" ratio 1.3", axis)},
      {"point_on_surface", false, 1,
       [](const std::string&, const std::string& b) { return " surface plane axis2 " + b; }},
      {"blade", false, 1, axis},
      {"rolling", false, 3, with(" surface sphere(0.3)", axis)},
      {"prescribed_position", false, 3,
       [](const std::string& a, const std::string&) { return " prescribed 0.2*" + a; }},
      {"prescribed_orientation", true, 0,
       [](const std::string& a, const std::string&) { return " prescribed 0*" + a; }},
      {"prescribed_velocity", false, 3, [](const std::string& a, const std::string&) { return " prescribed 0*" + a; }},
  };
}

enum class Side { kBodies, kTurned, kGround };

/// \param side  kTurned: A is the body of the turned frame.
std::string model_of(const Joint& joint, Side side, int turns, unsigned seed) {
  Decimals some(seed);
  const bool is_ground = side == Side::kGround;
  const Chain chain = chain_from(is_ground ? "N" : "R", turns, joint.keeps_attitude, some);
  const Vector3 in_first = some.vector(), in_last = chain.R.transpose() * in_first;
  const Vector3 p = some.vector(), q = some.vector();
  std::string text = R"(model one_rigid_frame
frame N newtonian
point O fixed in N
coord u, v, w
gravity -9.81*N.z
)";
  if (!is_ground) {
    text += R"(coord q0, q1, q2, q3, x, y, z
frame R = N quaternion(q0, q1, q2, q3)
body b0 frame R mass 2 inertia (0.1, 0.2, 0.3) at O + x*N.x + y*N.y + z*N.z
)";
  }
  text += chain.text;
  text += fmt::format("body b1 frame {} mass 1 inertia (0.1, 0.2, 0.25) at O + u*N.x + v*N.y + w*N.z\n", chain.last);
  text += "point P0 = " + std::string(is_ground ? "O" : "b0") + " + " + vector_in(is_ground ? "N" : "R", p) + "\n";
  text += "point P1 = b1 + " + vector_in(chain.last, q) + "\n";
  const std::string a = vector_in(is_ground ? "N" : "R", in_first), b = vector_in(chain.last, in_last);
  const std::string first = is_ground ? "P0 of N" : "P0 of b0", second = "P1 of b1";
  text += side == Side::kTurned
              ? fmt::format("joint j: {} between {} and {}{}\n", joint.name, second, first, joint.rest(b, a))
              : fmt::format("joint j: {} between {} and {}{}\n", joint.name, first, second, joint.rest(a, b));
  if (!is_ground) text += "start q0 ~ 0.8, q1 ~ 0.6, R.wx = 1, R.wy = 2, R.wz = 3\n";
  text += "start u ~ 0.5, v ~ 0.4, w ~ 0.3\nrun 0.2 tolerance 1e-10\n";
  if (is_ground)
    text += "output m = 1*acc(b1)\n";
  else
    text +=
        "output m = 2*acc(b0) + acc(b1)\noutput w_ = [dot(omega(R), R.x), dot(omega(R), R.y), dot(omega(R), R.z)]\n";
  return text;
}

void expect_rows_of_places_alone(const Joint& joint, Side side, int turns, unsigned seed) {
  const std::string text = model_of(joint, side, turns, seed);
  SCOPED_TRACE(fmt::format("{} turns {} side {} seed {}\n{}", joint.name, turns, static_cast<int>(side), seed, text));
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_EQ(run.counts.fallbacks, 0);
  for (const sim::Sample& sample : run.samples) {
    ASSERT_EQ(sample.rank, joint.rank) << sample.t;
    EXPECT_TRUE(sample.reaction.lambda().allFinite());
    EXPECT_LT(sample.reaction.lambda().cwiseAbs().maxCoeff(), 1e4) << sample.reaction.lambda().transpose();
    EXPECT_LT(sample.residual.maxCoeff(), 1e-13);
    if (side == Side::kGround) continue;
    // Linear momentum: gravity is the only external force on the two bodies.
    EXPECT_LT((sample.outputs.head<3>() - Vector3(0.0, 0.0, -3.0 * kG)).norm(), 1e-10) << sample.t;
  }
  if (side != Side::kGround) {
    EXPECT_LT((run.start().outputs.segment<3>(3) - Vector3(1, 2, 3)).norm(), 1e-12);
  }
  // Rows that are satisfied identically have no force, and their multipliers are flagged as not unique.
  const auto& bound = dynamics.binding();
  const Vector& lambda = run.end().reaction.lambda();
  for (int row = 0; row < bound->nc(); ++row) {
    if (dynamics.binding().embedding()[static_cast<std::size_t>(row)] != sim::Embedding::kWhole) continue;
    EXPECT_EQ(lambda[row], 0.0);
    EXPECT_EQ(run.end().row_unique[static_cast<std::size_t>(row)], 0);
  }
}

class JointsOfOneRigidFrame : public ::testing::TestWithParam<int> {};

TEST_P(JointsOfOneRigidFrame, HaveTheRowsOfTheirPlacesAlone) {
  const Joint joint = joints()[static_cast<std::size_t>(GetParam())];
  unsigned seed = 100 * static_cast<unsigned>(GetParam());
  for (const Side side : {Side::kBodies, Side::kTurned, Side::kGround}) {
    for (int turns = 1; turns <= 4; ++turns) expect_rows_of_places_alone(joint, side, turns, ++seed);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointsOfOneRigidFrame, ::testing::Range(0, static_cast<int>(joints().size())),
                         [](const auto& instance) { return joints()[static_cast<std::size_t>(instance.param)].name; });

}  // namespace rows_of_rigid_frames_test
}  // namespace vinculum

#include "vinculum/model/joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "support/model/newtonian.hpp"
#include "support/model/two_bodies.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/joint_vectors.hpp"
#include "vinculum/model/rigid_vectors.hpp"

namespace vinculum::model {
namespace {

using testing::N;

using testing::First;
using testing::JointCase;
using testing::TwoBodies;

TEST(JointTable, HasOneRowForEachKindAndName) {
  std::set<std::string_view> names;
  for (const JointInfo& info : joint_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_joint(info.name), &info);
    EXPECT_EQ(&joint_info(info.kind), &info);
    EXPECT_EQ(info.takes & info.needs, info.needs) << info.name;
    EXPECT_EQ(info.takes & info.one_of, info.one_of) << info.name;
    EXPECT_EQ(info.needs & info.one_of, 0) << info.name;
    EXPECT_EQ(joint_row_dimensions(info.kind).size(), static_cast<std::size_t>(info.rows)) << info.name;
    EXPECT_TRUE(info.signature.starts_with(info.name)) << info.name;
    // The signature contains the words of the allowed arguments; those of optional ones are in brackets.
    const std::pair<JointPart, std::string> parts[] = {
        {kJointAxis, " axis "},       {kJointAxis2, "axis2 "},           {kJointRatio, " ratio "},
        {kJointPitch, " pitch "},     {kJointLength, " length "},        {kJointRadius, "radius "},
        {kJointSurface, " surface "}, {kJointPrescribed, " prescribed "}};
    for (const auto& [part, word] : parts) {
      EXPECT_EQ(info.signature.find(word) != std::string_view::npos, (info.takes & part) != 0) << info.name << word;
    }
  }
  EXPECT_EQ(joint_table().size(), 16u);
  EXPECT_EQ(find_joint("hinge"), nullptr);
  for (const SurfaceInfo& info : surface_table()) {
    EXPECT_EQ(find_surface(info.name), &info);
    EXPECT_EQ(&surface_info(info.kind), &info);
    EXPECT_TRUE(info.signature.starts_with(info.name));
  }
}

TEST(JointTable, EveryRowIsTried) {
  std::set<JointKind> tried;
  for (const JointCase& joint : testing::joint_cases()) tried.insert(joint.kind);
  EXPECT_EQ(tried.size(), joint_table().size());
}

TEST(Joint, HasTheRowsOfTheTable) {
  for (const JointCase& joint : testing::joint_cases()) {
    TwoBodies two(First::kBody, joint);
    const Constraint& stated = two.builder.model().constraint(two.id);
    EXPECT_EQ(stated.rows.size(), static_cast<std::size_t>(joint_info(joint.kind).rows)) << joint.name;
    EXPECT_EQ(stated.joint, joint_info(joint.kind).name) << joint.name;
    EXPECT_TRUE(stated.row_dimensions.empty()) << joint.name;
  }
}

TEST(Joint, RowsHaveDimensionsOfTheirOwnInAModelWithUnits) {
  for (const JointInfo& info : joint_table()) {
    for (const JointCase& joint : testing::joint_cases()) {
      if (joint.kind != info.kind) continue;
      TwoBodies two(First::kBody, joint);
      two.builder.model().has_units = true;
      const ConstraintId again = add_joint(two.builder, "again", two.spec);
      const Constraint& stated = two.builder.model().constraint(again);
      EXPECT_EQ(stated.row_dimensions, joint_row_dimensions(info.kind)) << joint.name;
      for (std::size_t k = 0; k < stated.rows.size(); ++k) {
        // A row is a length or a number at position level, or a velocity at velocity level.
        const bool is_velocity = stated.row_dimensions[k] == make_dimension(0, 1, -1);
        EXPECT_EQ(level_of(two.builder.model(), stated.rows[k]) == Level::kVelocity, is_velocity) << joint.name << k;
      }
      break;
    }
  }
}

Instant instant_of(const Model& model, double shift = 0.0) {
  Instant at;
  at.t = 0.7;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const double x = static_cast<double>(i) + shift;
    at.q.push_back(0.4 + 0.5 * std::sin(1.3 * x));
    at.q_dot.push_back(std::cos(2.1 * x));
    at.q_ddot.push_back(std::sin(0.7 * x));
  }
  return at;
}

TEST(Joint, VectorFormOfARowIsItsRateAtAnyState) {
  int compared = 0;
  for (const First first : {First::kGround, First::kBody}) {
    for (const JointCase& joint : testing::joint_cases()) {
      // The stated rate of this joint equals the derivative of its row only where the row is satisfied; the next test
      // checks this.
      if (joint.name == "point_on_ellipsoid") continue;
      TwoBodies two(first, joint);
      const Model& model = two.builder.model();
      const Constraint& stated = model.constraint(two.id);
      for (std::size_t k = 0; k < stated.rows.size(); ++k) {
        if (k >= stated.row_rates.size() || !stated.row_rates[k].is_valid()) continue;
        TermValues values(model, instant_of(model));
        EXPECT_NEAR(values.scalar(stated.row_rates[k]).value, values.scalar(stated.rows[k]).rate, 1e-13) << joint.name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 2 * (11 + 3));
}

TEST(Joint, VectorFormOfARowIsItsRateOnTheEllipsoid) {
  for (const JointCase& joint : testing::joint_cases()) {
    if (joint.name != "point_on_ellipsoid") continue;
    // The ellipsoid is scaled so that the given state satisfies the row.
    TwoBodies two(First::kBody, joint);
    const Model& model = two.builder.model();
    Instant at = instant_of(model);
    TermValues values(model, at);
    const JetVector d = values.vector(two.builder.pos(two.P, two.Q), two.B);
    const double a[] = {0.7, 0.9, 1.1};
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += d[k].value * d[k].value / (a[k] * a[k]);
    JointSpec spec = two.spec;
    for (std::size_t k = 0; k < 3; ++k) spec.surface_lengths[k] = two.builder.number(std::sqrt(sum) * a[k]);
    const Constraint& stated = model.constraint(add_joint(two.builder, "here", spec));
    TermValues here(model, at);
    EXPECT_NEAR(here.scalar(stated.rows[0]).value, 0.0, 1e-15);
    EXPECT_NEAR(here.scalar(stated.row_rates[0]).value, here.scalar(stated.rows[0]).rate, 1e-13);
  }
}

TEST(Joint, GearsTurnInTheInverseRatioOfTheirTeeth) {
  // An external gear pair and an internal one, with fixed axes at distance d. The row is −d/(1 + ratio) (ω_A + ratio
  // ω_B).
  for (const double ratio : {1.7, 1.0, -2.5, -0.4}) {
    ModelBuilder b("gears");
    const auto q = b.add_coordinate("q"), r = b.add_coordinate("r");
    const FrameId A = b.add_rotated_frame("A", N, b.q(q), 2), B = b.add_rotated_frame("B", N, b.q(r), 2);
    const PointId O = b.add_fixed_point("O", N);
    const double d = 0.3;
    const Inertia inertia{b.number(1.0), b.number(1.0), b.number(1.0), b.number(0.0), b.number(0.0), b.number(0.0)};
    const BodyId a = b.add_body("a", A, b.number(1.0), inertia, O, b.terms().zero_vector());
    const BodyId w = b.add_body("w", B, b.number(1.0), inertia, O, d * b.axis(N, 0));
    JointSpec spec;
    spec.kind = JointKind::kGear;
    spec.first_point = b.center_of(a);
    spec.second_point = b.center_of(w);
    spec.first_body = A;
    spec.second_body = B;
    spec.axis = b.axis(A, 2);
    spec.ratio = b.number(ratio);
    const Constraint& stated = b.model().constraint(add_joint(b, "mesh", spec));
    const Instant at = instant_of(b.model());
    TermValues values(b.model(), at);
    EXPECT_NEAR(values.scalar(stated.rows[0]).value, -d / (1.0 + ratio) * (at.q_dot[0] + ratio * at.q_dot[1]), 1e-14)
        << ratio;
  }
}

class Vectors : public ::testing::Test {
 protected:
  Vectors() : b("vectors") {
    const auto q = b.add_coordinate("q"), r = b.add_coordinate("r");
    A = b.add_rotated_frame("A", Model::newtonian(), b.q(q), 0);
    B = b.add_rotated_frame("B", A, b.q(r), 1);
    p = b.parameter(b.add_parameter("p", 0.6));
  }
  std::array<double, 3> in(FrameId frame, Term vector) {
    TermValues values(b.model(), instant_of(b.model()));
    const JetVector v = values.vector(vector, frame);
    return {v[0].value, v[1].value, v[2].value};
  }
  ModelBuilder b;
  FrameId A, B;
  Term p;
};

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

TEST_F(Vectors, TriadIsRightHandedAlongAnyAxis) {
  const auto A_ = [&](int k) { return b.axis(A, k); };
  for (const Term axis : {A_(0), A_(1), -A_(2), 3.0 * A_(1), -2.0 * A_(0), A_(0) + A_(1), 0.1 * A_(0) - 5.0 * A_(2),
                          p * A_(2), p * A_(0) + A_(1), b.axis(B, 1)}) {
    const Triad triad = triad_about(b.terms(), axis, A);
    const auto a = in(A, triad.a), e1 = in(A, triad.e1), e2 = in(A, triad.e2), given = in(A, axis);
    EXPECT_NEAR(dot(a, given), std::sqrt(dot(given, given)), 1e-15);
    EXPECT_NEAR(dot(a, a), 1.0, 1e-15);
    EXPECT_NEAR(dot(e1, e1), 1.0, 1e-15);
    EXPECT_NEAR(dot(a, e1), 0.0, 1e-15);
    const auto third = cross(a, e1);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(third[k], e2[k], 1e-15);
  }
  const Triad plain = triad_about(b.terms(), A_(2), A);
  EXPECT_TRUE(plain.a == A_(2) && plain.e1 == A_(0) && plain.e2 == A_(1));
}

TEST_F(Vectors, TriadAboutAVectorOfATurnedFrameIsChosenOnce) {
  // The axis is perpendicular to two basis vectors of the frame, exactly to one and up to rounding to the other.
  const FrameId turned = b.add_rotated_frame("T", A, b.number(0.5 * std::numbers::pi), 0);
  KinematicTree tree(b.model());
  const Term axis = b.axis(A, 2);
  const Triad triad = triad_about(b.terms(), axis, turned, in_basis_of(b.model(), tree, axis, turned));
  EXPECT_TRUE(triad.e1 == b.terms().unit(b.terms().cross(axis, b.axis(turned, 0))));
}

TEST_F(Vectors, CounterpartHasTheSameMeasureNumbers) {
  const Term vectors[] = {b.axis(A, 1), 0.3 * b.axis(A, 0) - p * b.axis(A, 2),
                          b.terms().unit(b.axis(A, 0) + p * b.axis(A, 1)),
                          2.0 * b.axis(A, 0) + b.axis(Model::newtonian(), 0)};
  for (const Term vector : vectors) {
    const auto before = in(A, vector), after = in(B, counterpart(b.terms(), vector, A, B));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(before[k], after[k], 1e-15);
  }
  EXPECT_TRUE(counterpart(b.terms(), b.axis(A, 1), A, B) == b.axis(B, 1));
}

// v rotated by the rotation vector theta = angle · k, by Rodrigues' formula.
std::array<double, 3> rodrigues(const std::array<double, 3>& theta, const std::array<double, 3>& v) {
  const double angle = std::sqrt(dot(theta, theta));
  if (angle == 0.0) return v;
  const std::array<double, 3> k = {theta[0] / angle, theta[1] / angle, theta[2] / angle}, across = cross(k, v);
  std::array<double, 3> turned;
  for (std::size_t i = 0; i < 3; ++i) {
    turned[i] = std::cos(angle) * v[i] + std::sin(angle) * across[i] + (1.0 - std::cos(angle)) * dot(k, v) * k[i];
  }
  return turned;
}

TEST_F(Vectors, TurnIsARotationByItsVector) {
  const auto theta = [&](double x, double y, double z) {
    return x * b.axis(A, 0) + y * b.axis(A, 1) + z * b.axis(A, 2);
  };
  const Term v = 0.4 * b.axis(A, 0) - 0.7 * b.axis(A, 1) + 1.3 * b.axis(A, 2);
  for (const Term by : {theta(0.7, 0.0, 0.0), theta(0.0, -1.9, 0.0), theta(0.3, -0.2, 0.1), theta(0.3, 0.4, 0.0),
                        theta(2.0, 1.0, -2.0), theta(0.001, 0.002, 0.0), b.axis(A, 2), p * theta(1.0, 2.0, 3.0)}) {
    const auto turned = in(A, Turn(b.terms(), by).of(v)), expected = rodrigues(in(A, by), in(A, v));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(turned[k], expected[k], 3e-15);
  }
}

TEST_F(Vectors, TurnIsSmoothWhereItsVectorPassesZero) {
  // The rotation angle is t − 0.7, about a fixed direction and about a moving one; the test evaluates at t = 0.7.
  const Term s = b.time() - 0.7;
  const Term v = b.axis(A, 0);
  for (const Term by : {s * b.axis(A, 2), s * b.axis(A, 2) + s * s * b.axis(A, 1)}) {
    TermValues values(b.model(), instant_of(b.model()));
    const JetVector turned = values.vector(Turn(b.terms(), by).of(v), A);
    EXPECT_NEAR(turned[0].value, 1.0, 1e-15);
    EXPECT_NEAR(turned[1].rate, 1.0, 1e-15);  // ω × v = A.z × A.x
    EXPECT_NEAR(turned[0].second, -1.0, 1e-14);
    EXPECT_TRUE(std::isfinite(turned[2].second));
  }
}

}  // namespace
}  // namespace vinculum::model

#include "vinculum/model/surface_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>

#include "support/model/two_bodies.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using testing::First;
using testing::TwoBodies;

/// A surface with numbers, for tests.
struct Shape {
  SurfaceKind kind;
  std::vector<double> lengths = {};
  int axis = 2;  ///< index of the axis of the body along which the axis of the surface is
};

const std::vector<Eigen::Vector3d> kCorners = {{0.1, 0.3, 0.05}, {0.1, -0.2, 0.05}, {0.1, -0.1, -0.3}};

/// Signed distance, or another function that is 0 on the surface, of a point in the axes of the body.
double level(const Shape& shape, const Eigen::Vector3d& x) {
  const std::vector<double>& l = shape.lengths;
  const double z = x[shape.axis], rho = std::sqrt(std::max(0.0, x.squaredNorm() - z * z));
  switch (shape.kind) {
    case SurfaceKind::kPlane: return z;
    case SurfaceKind::kSphere: return x.norm() - l[0];
    case SurfaceKind::kHollowSphere: return l[0] - x.norm();
    case SurfaceKind::kDisk: return std::hypot(rho - l[0], z);
    case SurfaceKind::kTorus: return std::hypot(rho - l[0], z) - l[1];
    case SurfaceKind::kEllipsoid: return x.cwiseQuotient(Eigen::Vector3d(l[0], l[1], l[2])).norm() - 1.0;
    case SurfaceKind::kCapsule: return std::hypot(rho, std::max(0.0, std::abs(z) - 0.5 * l[1])) - l[0];
    case SurfaceKind::kCylinder: return std::max(rho - l[0], std::abs(z) - 0.5 * l[1]);
    case SurfaceKind::kBox: return (x.cwiseAbs() - 0.5 * Eigen::Vector3d(l[0], l[1], l[2])).maxCoeff();
    case SurfaceKind::kPolygon: {
      double nearest = 1.0;
      for (const Eigen::Vector3d& corner : kCorners) nearest = std::min(nearest, (x - corner).norm());
      return nearest;  // only its corners touch
    }
  }
  return 0.0;
}

/// A random point of the surface, in the axes of the body.
Eigen::Vector3d point_of(const Shape& shape, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Eigen::Vector3d d;
  do {
    d = {unit(random), unit(random), unit(random)};
  } while (d.norm() < 0.1 || d.norm() > 1.0);
  d.normalize();
  const std::vector<double>& l = shape.lengths;
  const Eigen::Vector3d a = Eigen::Vector3d::Unit(shape.axis);
  const Eigen::Vector3d rim = (d - d.dot(a) * a).normalized();
  switch (shape.kind) {
    case SurfaceKind::kSphere: return l[0] * d;
    case SurfaceKind::kDisk: return l[0] * rim;
    case SurfaceKind::kTorus: return l[0] * rim + l[1] * (unit(random) * rim + unit(random) * a).normalized();
    case SurfaceKind::kEllipsoid: return d.cwiseProduct(Eigen::Vector3d(l[0], l[1], l[2]));
    case SurfaceKind::kCapsule: return l[0] * d + (d.dot(a) > 0.0 ? 0.5 : -0.5) * l[1] * std::abs(unit(random)) * a;
    case SurfaceKind::kCylinder: return l[0] * std::abs(unit(random)) * rim + 0.5 * l[1] * unit(random) * a;
    case SurfaceKind::kBox: return 0.5 * Eigen::Vector3d(unit(random) * l[0], unit(random) * l[1], unit(random) * l[2]);
    case SurfaceKind::kPolygon: {
      const double s = std::abs(unit(random)), t = (1.0 - s) * std::abs(unit(random));
      return s * kCorners[0] + t * kCorners[1] + (1.0 - s - t) * kCorners[2];
    }
    case SurfaceKind::kPlane:
    case SurfaceKind::kHollowSphere: break;
  }
  return Eigen::Vector3d::Zero();
}

const std::vector<Shape> kShapes = {{SurfaceKind::kPlane},
                                    {SurfaceKind::kPlane, {}, 1},
                                    {SurfaceKind::kSphere, {0.3}},
                                    {SurfaceKind::kHollowSphere, {4.0}},
                                    {SurfaceKind::kDisk, {0.25}, 0},
                                    {SurfaceKind::kTorus, {0.3, 0.1}},
                                    {SurfaceKind::kEllipsoid, {0.2, 0.3, 0.5}},
                                    {SurfaceKind::kCapsule, {0.15, 0.7}, 1},
                                    {SurfaceKind::kCylinder, {0.2, 0.5}},
                                    {SurfaceKind::kBox, {0.3, 0.5, 0.8}},
                                    {SurfaceKind::kPolygon}};

void state(const Shape& shape, TwoBodies& two, FrameId frame, SurfaceKind& kind, std::vector<Term>& lengths,
           Term& axis) {
  kind = shape.kind;
  for (const double length : shape.lengths) lengths.push_back(two.builder.number(length));
  if (shape.kind == SurfaceKind::kPolygon)
    for (const Eigen::Vector3d& c : kCorners) lengths.push_back(two.along(frame, c[0], c[1], c[2]));
  if (shape.axis != 2) axis = 3.0 * two.builder.axis(frame, shape.axis);
}

Eigen::Vector3d numbers(TermValues& values, Term vector, FrameId frame) {
  const JetVector v = values.vector(vector, frame);
  return {v[0].value, v[1].value, v[2].value};
}

/// A random state of two free bodies, one or two units apart.
Instant random_state(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Instant at;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    at.q.push_back(unit(random));
    at.q_dot.push_back(unit(random));
    at.q_ddot.push_back(unit(random));
  }
  // The first four of seven coordinates are a quaternion, which has length 1 and no rate of it.
  for (std::size_t i = 0; i < at.q.size(); i += 7) {
    Eigen::Map<Eigen::Vector4d> e(at.q.data() + i), rate(at.q_dot.data() + i);
    e.normalize();
    rate -= rate.dot(e) * e.eval();
  }
  return at;
}

TEST(SurfaceContact, HasTheGapOfThePointsThatAreNearestToEachOther) {
  std::mt19937 random(20261129);
  int pairs = 0;
  for (const Shape& one : kShapes) {
    for (const Shape& other : kShapes) {
      if (!may_touch(one.kind, other.kind)) continue;
      ++pairs;
      const std::string name =
          std::string(surface_info(one.kind).name) + " and " + std::string(surface_info(other.kind).name);
      TwoBodies two(First::kBody, {"ball", JointKind::kSpherical});
      JointSpec spec;
      spec.kind = JointKind::kContact;
      spec.first_point = two.P;
      spec.second_point = two.Q;
      spec.first_body = two.A;
      spec.second_body = two.B;
      state(one, two, two.A, spec.surface, spec.surface_lengths, spec.axis);
      state(other, two, two.B, spec.surface2, spec.surface2_lengths, spec.axis2);
      std::vector<std::string> names;
      for (int i = contact_count(one.kind, other.kind, {spec.surface_lengths.size(), spec.surface2_lengths.size()});
           i > 0; --i)
        names.push_back("touch" + std::to_string(i));
      const std::vector<ContactPlace> places = add_contact_places(two.builder, names, spec);
      // One of the surfaces has an exact signed distance: its level. The other one touches it with its parts.
      const auto is_round = [](const Shape& shape) {
        return shape.kind == SurfaceKind::kPlane || shape.kind == SurfaceKind::kHollowSphere;
      };
      const bool is_first = is_round(one) || (!is_round(other) && one.kind == SurfaceKind::kSphere);
      const Shape &base = is_first ? one : other, &part = is_first ? other : one;
      const PointId of_base = is_first ? two.P : two.Q, of_part = is_first ? two.Q : two.P;
      const FrameId base_frame = is_first ? two.A : two.B, part_frame = is_first ? two.B : two.A;
      for (int repeat = 0; repeat < 2; ++repeat) {
        TermValues now(two.builder.model(), random_state(two.builder.model(), random));
        const auto place_of = [&](Term vector) { return level(base, numbers(now, vector, base_frame)); };
        double least = 1e9, depth_of_least = 1.0;
        for (const ContactPlace& place : places) {
          const double gap = now.scalar(place.gap).value;
          EXPECT_NEAR(now.scalar(place.rate).value, now.scalar(place.gap).rate, 1e-12) << name;
          EXPECT_NEAR(gap, place_of(two.builder.pos(place.Q, of_base)), 1e-12) << name;
          // The nearest part is on the surface; the others may be inside, such as the upper end of a capsule.
          const double depth = level(part, numbers(now, two.builder.pos(place.P, of_part), part_frame));
          EXPECT_LE(depth, 1e-12) << name;
          if (gap < least) depth_of_least = depth;
          least = std::min(least, gap);
        }
        EXPECT_NEAR(depth_of_least, 0.0, 1e-12) << name;
        double nearest = 1e9;
        for (int i = 0; i < 1000; ++i) {
          const Eigen::Vector3d x = point_of(part, random);
          nearest =
              std::min(nearest, place_of(two.builder.pos(of_part, of_base) + two.along(part_frame, x[0], x[1], x[2])));
        }
        EXPECT_GE(nearest, least - 1e-12) << name;
        EXPECT_LE(nearest, least + 0.15) << name;
      }
    }
  }
  EXPECT_EQ(pairs, 2 * (2 * 8 + 7 + 4) + 1);
}

TEST(SurfaceContact, KnowsConvexPolygons) {
  const auto is_polygon = [](std::vector<double> corners) { return is_convex(corners); };
  EXPECT_TRUE(is_polygon({0, 0, 1, 1, 0, 1, 0, 1, 1}));
  EXPECT_TRUE(is_polygon({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_TRUE(is_polygon({0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0}));       // the other direction around it
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 0, 0}));                        // two corners
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 0, 0, 2, 0, 0}));               // on a line
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0}));      // a corner on an edge
  EXPECT_FALSE(is_polygon({0, 0, 0, 2, 0, 0, 0.5, 0.5, 0, 0, 2, 0}));  // a corner inside
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0}));      // edges cross
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 0, 0, 1, 1, 0.3, 0, 1, 0}));    // not in a plane
  EXPECT_FALSE(is_polygon({0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0}));      // a corner twice
  // a star with five corners, whose edges turn all to the same side
  EXPECT_FALSE(is_polygon({0, 1, 0, 0.59, -0.81, 0, -0.95, 0.31, 0, 0.95, 0.31, 0, -0.59, -0.81, 0}));
}

}  // namespace
}  // namespace vinculum::model

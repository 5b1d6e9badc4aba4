#include "vinculum/model/surface_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>

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

/// Minimum of a convex function of x in [low, high], by golden section.
template <class Function>
double least_of(double low, double high, const Function& f) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  double left = high - ratio * (high - low), right = low + ratio * (high - low), of_left = f(left), of_right = f(right);
  for (int i = 0; i < 56; ++i) {
    if (of_left < of_right) {
      high = std::exchange(right, left);
      of_right = of_left;
      left = high - ratio * (high - low);
      of_left = f(left);
    } else {
      low = std::exchange(left, right);
      of_left = of_right;
      right = low + ratio * (high - low);
      of_right = f(right);
    }
  }
  return std::min(of_left, of_right);
}

/// Distance of a point from the triangle of `kCorners`.
double distance_to_plate(const Eigen::Vector3d& x) {
  return least_of(0.0, 1.0, [&](double s) {
    return least_of(0.0, 1.0 - s, [&](double t) {
      return (x - s * kCorners[0] - t * kCorners[1] - (1.0 - s - t) * kCorners[2]).norm();
    });
  });
}

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
    case SurfaceKind::kPolygon: return distance_to_plate(x);
    case SurfaceKind::kPoint: return x.norm();
    case SurfaceKind::kGround: break;
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
    case SurfaceKind::kHollowSphere:
    case SurfaceKind::kPoint:
    case SurfaceKind::kGround: break;
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
                                    {SurfaceKind::kPolygon},
                                    {SurfaceKind::kPoint}};

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

/// A joint `contact` of these surfaces between the bodies A and B.
JointSpec contact_of(TwoBodies& two, const Shape& one, const Shape& other) {
  JointSpec spec;
  spec.kind = JointKind::kContact;
  spec.first_point = two.P;
  spec.second_point = two.Q;
  spec.first_body = two.A;
  spec.second_body = two.B;
  state(one, two, two.A, spec.surface, spec.surface_lengths, spec.axis);
  state(other, two, two.B, spec.surface2, spec.surface2_lengths, spec.axis2);
  return spec;
}

TEST(SurfaceContact, HasTheGapOfThePointsThatAreNearestToEachOther) {
  std::mt19937 random(20261129);
  int pairs = 0;
  for (const Shape& one : kShapes) {
    for (const Shape& other : kShapes) {
      // Two polygons touch in a plane only (corner_contact_test.cpp); capsules touch boxes with edges, too
      // (box_contact_test.cpp).
      const auto both = [&](SurfaceKind a, SurfaceKind b) { return one.kind == a && other.kind == b; };
      const bool has_edges = both(SurfaceKind::kPolygon, SurfaceKind::kPolygon) ||
                             both(SurfaceKind::kBox, SurfaceKind::kCapsule) ||
                             both(SurfaceKind::kCapsule, SurfaceKind::kBox);
      if (has_edges || !may_touch(one.kind, other.kind)) continue;
      ++pairs;
      const std::string name =
          std::string(surface_info(one.kind).name) + " and " + std::string(surface_info(other.kind).name);
      TwoBodies two(First::kBody, {"ball", JointKind::kSpherical});
      const JointSpec spec = contact_of(two, one, other);
      std::vector<std::string> names;
      for (int i = contact_count(one.kind, other.kind, {spec.surface_lengths.size(), spec.surface2_lengths.size()});
           i > 0; --i)
        names.push_back("touch" + std::to_string(i));
      const std::vector<ContactPlace> places = add_contact_places(two.builder, names, spec);
      // One of the surfaces has an exact signed distance: its level. The contact points are on the other one.
      const auto is_round = [](const Shape& shape) {
        return shape.kind == SurfaceKind::kPlane || shape.kind == SurfaceKind::kHollowSphere;
      };
      const bool is_first = is_round(one) || (!is_round(other) && one.kind == SurfaceKind::kSphere) ||
                            (one.kind == SurfaceKind::kCapsule && other.kind == SurfaceKind::kCapsule);
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
  // two planes with 9 surfaces, the hollow sphere with 8, the sphere with 7 others in both orders; two spheres, two
  // capsules
  EXPECT_EQ(pairs, 2 * (2 * 9 + 8 + 7) + 2);
}

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// One contact between two surfaces of two free bodies, at poses given in numbers.
class Pair {
 public:
  Pair(const Shape& one, const Shape& other) {
    place_ = add_contact_places(two_.builder, {"touch"}, contact_of(two_, one, other)).front();
  }

  struct Measured {
    Jet gap, rate;
    Vector3d from_P, from_Q;  ///< the contact point, in the axes of A and of B
  };
  /// \param of_A, of_B  attitudes of the bodies
  /// \param PQ  in the axes of A
  Measured at(const Quaterniond& of_A, const Quaterniond& of_B, const Vector3d& PQ, std::mt19937& random) {
    TermValues now(two_.builder.model(), pose(of_A, of_B, PQ, random));
    return {now.scalar(place_.gap), now.scalar(place_.rate), numbers(now, two_.builder.pos(place_.Q, two_.P), two_.A),
            numbers(now, two_.builder.pos(place_.P, two_.Q), two_.B)};
  }

 private:
  /// A state with random rates.
  Instant pose(const Quaterniond& of_A, const Quaterniond& of_B, const Vector3d& PQ, std::mt19937& random) {
    Instant at = random_state(two_.builder.model(), random);
    const Vector3d P(0.1, -0.2, 0.15), Q(-0.2, 0.1, -0.1);  // from the mass centers, as in `TwoBodies`
    const std::array<Vector3d, 2> centers = {Vector3d::Zero(), of_A * (P + PQ) - of_B * Q};
    const std::array<Quaterniond, 2> attitudes = {of_A, of_B};
    for (std::size_t body = 0; body < 2; ++body) {
      double *q = at.q.data() + 7 * body, *rates = at.q_dot.data() + 7 * body;
      Eigen::Map<Eigen::Vector4d> e(q), e_rate(rates);
      e << attitudes[body].w(), attitudes[body].vec();
      e_rate -= e_rate.dot(e) * e.eval();
      Eigen::Map<Vector3d>(q + 4) = centers[body];
    }
    return at;
  }

  TwoBodies two_{First::kBody, {"ball", JointKind::kSpherical}};
  ContactPlace place_;
};

/// Compares the contact of two surfaces, in both orders, with a distance that is found by minimization.
class Comparison {
 public:
  Comparison(Shape one, Shape other)
      : one_(std::move(one)), other_(std::move(other)), pair_(one_, other_), reverse_(other_, one_) {}

  /// \param gap  expected
  /// \param of_rate, tolerance  of the rate; of the gap and the contact point
  void expect(double gap, const Quaterniond& B_in_A, const Vector3d& PQ, double of_rate = 1e-10,
              double tolerance = 1e-10) {
    const Quaterniond of_A = attitude();
    const Pair::Measured now = pair_.at(of_A, of_A * B_in_A, PQ, random);
    EXPECT_NEAR(now.gap.value, gap, tolerance);
    EXPECT_NEAR(now.rate.value, now.gap.rate, of_rate);
    // The contact point is on the second surface.
    EXPECT_NEAR(level(one_, now.from_P), gap, tolerance);
    EXPECT_NEAR(level(other_, now.from_Q), 0.0, tolerance);
    const Pair::Measured turned = reverse_.at(of_A, of_A * B_in_A.inverse(), -(B_in_A.inverse() * PQ), random);
    EXPECT_NEAR(turned.gap.value, gap, tolerance);
    EXPECT_NEAR(turned.rate.value, turned.gap.rate, of_rate);
    second_rates = {now.rate.rate - now.gap.second, turned.rate.rate - turned.gap.second};
    contact = now.from_P;
  }

  Quaterniond attitude() {
    std::normal_distribution<double> normal;
    return Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
  }
  Vector3d vector(double size) {
    std::uniform_real_distribution<double> unit(-size, size);
    return {unit(random), unit(random), unit(random)};
  }

  std::mt19937 random{20261130};
  std::array<double, 2> second_rates{};  ///< of the last pose: second derivatives of the gap, minus those by the rate
  Vector3d contact;                      ///< of the last pose: from P, in the axes of A

 private:
  Shape one_, other_;
  Pair pair_, reverse_;
};

/// −1, 0 or 1: below, inside or above the interval [−limit, limit].
int region(double x, double limit) { return x < -limit ? -1 : x > limit ? 1 : 0; }

/// Distance of two segments with the middles 0 and PQ along u and v, and the half lengths a and b.
double distance_of_segments(const Vector3d& u, double a, const Vector3d& PQ, const Vector3d& v, double b) {
  return least_of(-a, a,
                  [&](double s) { return least_of(-b, b, [&](double t) { return (PQ + t * v - s * u).norm(); }); });
}

TEST(SurfaceContact, OfTwoCapsulesIsAtTheNearestPointsOfTheirSegments) {
  const Shape one{SurfaceKind::kCapsule, {0.15, 0.7}, 1}, other{SurfaceKind::kCapsule, {0.1, 0.5}, 0};
  Comparison capsules(one, other);
  std::map<std::array<int, 2>, int> regions;  // which segments touch with their ends
  for (int i = 0; i < 200; ++i) {
    const Quaterniond B_in_A = capsules.attitude();
    const Vector3d PQ = capsules.vector(0.7), u = Vector3d::UnitY(), v = B_in_A * Vector3d::UnitX();
    const double distance = distance_of_segments(u, 0.35, PQ, v, 0.25);
    if (distance < 0.1) continue;  // deep inside each other
    capsules.expect(distance - 0.25, B_in_A, PQ);
    for (const double difference : capsules.second_rates) EXPECT_NEAR(difference, 0.0, 1e-7);
    // Where the contact is determines the region: on the line from Q to the nearest point of the second segment.
    double best = 1e9, t_best = 0.0, s_best = 0.0;
    for (double t = -0.25; t < 0.2501; t += 0.01) {
      const double s = std::clamp((PQ + t * v).dot(u), -0.35, 0.35), here = (PQ + t * v - s * u).norm();
      if (here < best) best = here, t_best = t, s_best = s;
    }
    ++regions[{region(s_best, 0.349), region(t_best, 0.249)}];
  }
  for (const int s : {-1, 0, 1})
    for (const int t : {-1, 0, 1}) EXPECT_GE((regions[{s, t}]), 5) << s << ' ' << t;
}

TEST(SurfaceContact, OfParallelCapsulesIsInTheMiddleOfTheirOverlap) {
  Comparison capsules({SurfaceKind::kCapsule, {0.15, 0.7}, 2}, {SurfaceKind::kCapsule, {0.1, 0.5}, 2});
  struct Case {
    double shift, middle;  // of B along the axis; of the overlap
  };
  // B at the middle of A, half beyond the ends of A's segment, and with its end at A's end
  const std::array<Case, 5> cases = {{{0.0, 0.0}, {0.05, 0.05}, {0.3, 0.2}, {-0.5, -0.3}, {0.6, 0.35}}};
  for (const Case& one : cases) {
    for (const bool is_opposite : {false, true}) {
      const Quaterniond B_in_A = is_opposite ? Quaterniond(0, 1, 0, 0) : Quaterniond::Identity();
      capsules.expect(0.15, B_in_A, {0.24, 0.32, one.shift}, 1e-3);
      EXPECT_NEAR(capsules.contact.z(), one.middle, 1e-3);
    }
  }
  // end to end: on one line, and with parallel axes at a distance
  capsules.expect(0.05, Quaterniond::Identity(), {0, 0, 0.9}, 1e-3);
  capsules.expect(std::hypot(0.3, 0.4) - 0.25, Quaterniond::Identity(), {0.3, 0, 1.0}, 1e-3);
  // Nearly parallel, with PQ nearly in the plane of the axes, and with PQ normal to them. Below an angle of 1e-3 the
  // contact point moves quickly from one end to the other one: the gap has an error of 1e-6 times its lengths, and the
  // rate is not tested.
  for (const Vector3d& PQ : {Vector3d(0.4, 0.1, 0.2), Vector3d(0, 0.4, 0.2)}) {
    for (double angle = 1e-16; angle < 0.1; angle *= 10.0) {
      const Vector3d v(std::sin(angle), 0.0, std::cos(angle));
      const Quaterniond B_in_A(Eigen::AngleAxisd(angle, Vector3d::UnitY()));
      const double distance = distance_of_segments(Vector3d::UnitZ(), 0.35, PQ, v, 0.25);
      const bool is_exact = angle > 2e-3;
      capsules.expect(distance - 0.25, B_in_A, PQ, is_exact ? 1e-10 : 10.0, is_exact ? 1e-10 : 1e-6);
    }
  }
}

TEST(SurfaceContact, OfASphereAndACylinderIsOnItsSideItsEndsAndItsRims) {
  Comparison pair({SurfaceKind::kSphere, {0.3}}, {SurfaceKind::kCylinder, {0.2, 0.5}, 1});
  const auto distance = [](const Vector3d& center) {
    return least_of(-0.25, 0.25, [&](double y) {
      return least_of(-0.2, 0.2, [&](double x) {
        const double end = std::sqrt(0.04 - x * x);  // of the chord along z
        return (center - Vector3d(x, y, std::clamp(center.z(), -end, end))).norm();
      });
    });
  };
  std::map<std::array<int, 2>, int> regions;  // along the axis, across it
  for (int i = 0; i < 150; ++i) {
    const Quaterniond B_in_A = pair.attitude();
    const Vector3d center = pair.vector(0.6);  // of the sphere, in the axes of the cylinder
    const double rho = std::hypot(center.x(), center.z());
    if (std::abs(center.y()) < 0.27 && rho < 0.22) continue;
    pair.expect(distance(center) - 0.3, B_in_A, B_in_A * -center);
    for (const double difference : pair.second_rates) EXPECT_NEAR(difference, 0.0, 1e-8);
    ++regions[{region(center.y(), 0.25), region(rho, 0.2)}];
  }
  EXPECT_GE((regions[{0, 1}]), 5);
  for (const int end : {-1, 1}) {
    EXPECT_GE((regions[{end, 0}]), 2);
    EXPECT_GE((regions[{end, 1}]), 5);
  }
  // on the axis, and on the boundaries of the regions
  const Quaterniond B_in_A = pair.attitude();
  for (const Vector3d& center : {Vector3d(0, 0.65, 0), Vector3d(0, -0.35, 0), Vector3d(0.12, 0.65, 0.16)})
    pair.expect(std::abs(center.y()) - 0.55, B_in_A, B_in_A * -center);
  pair.expect(0.0, B_in_A, B_in_A * -Vector3d(0.3, 0.25, 0.4));
}

TEST(SurfaceContact, OfASphereAndAPolygonIsOnItsFaceItsEdgesAndItsCorners) {
  Comparison pair({SurfaceKind::kSphere, {0.05}}, {SurfaceKind::kPolygon});
  int faces = 0, corners = 0, edges = 0;
  for (int i = 0; i < 200; ++i) {
    const Quaterniond B_in_A = pair.attitude();
    const Vector3d center = pair.vector(0.4);  // of the sphere, in the axes of the plate x = 0.1
    const double distance = distance_to_plate(center);
    if (distance < 0.01) continue;
    pair.expect(distance - 0.05, B_in_A, B_in_A * -center);
    for (const double difference : pair.second_rates) EXPECT_NEAR(difference, 0.0, 1e-7);
    double to_corner = 1e9;
    for (const Vector3d& corner : kCorners) to_corner = std::min(to_corner, (center - corner).norm());
    const bool is_face = std::abs(distance - std::abs(center.x() - 0.1)) < 1e-9,
               is_corner = to_corner - distance < 1e-9;
    ++(is_face ? faces : is_corner ? corners : edges);
  }
  EXPECT_GE(faces, 15);
  EXPECT_GE(edges, 15);
  EXPECT_GE(corners, 15);
  // in the plane of the plate, outside its edge z = 0.05
  pair.expect(0.35, Quaterniond::Identity(), -Vector3d(0.1, 0.1, 0.45));
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

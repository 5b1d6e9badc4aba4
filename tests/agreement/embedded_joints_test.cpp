#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "support/model/two_bodies.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Motions with every kind of joint, stated by rows, are compared with motions in which the same joint is embedded in
// the coordinates or written as rows by hand.
namespace vinculum {
namespace embedded_joints_test {

using model::BodyId;
using model::FrameId;
using model::JointKind;
using model::JointSpec;
using model::Model;
using model::ModelBuilder;
using model::PointId;
using model::StartCondition;
using model::SurfaceKind;
using model::Term;
using model::testing::Embedding;
using model::testing::First;
using model::testing::JointCase;
using model::testing::TwoBodies;
using Vector3 = Eigen::Vector3d;

struct Pair {
  JointCase joint;
  Embedding embedding;
};

/// One way to state the system, ready to run. Outputs per body: position of the center, velocity, ω in the body's
/// frame, and the body's axes.
class Route {
 public:
  Route(First first, const JointCase& joint, const Embedding* embedding) : two(first, joint, embedding) {
    ModelBuilder& b = two.builder;
    std::vector<BodyId> bodies;
    if (two.a) bodies.push_back(*two.a);
    bodies.push_back(two.b);
    for (const BodyId body : bodies) {
      const FrameId frame = b.frame_of(body);
      for (const auto& [vector, in] : {std::pair{b.pos(b.center_of(body), two.origin), Model::newtonian()},
                                       {b.vel(b.center_of(body)), Model::newtonian()},
                                       {b.omega(frame), frame},
                                       {b.axis(frame, 0), Model::newtonian()},
                                       {b.axis(frame, 1), Model::newtonian()},
                                       {b.axis(frame, 2), Model::newtonian()}}) {
        b.add_output("out" + std::to_string(b.model().outputs.size()), vector, in);
      }
    }
    if (b.complete_speeds()) throw std::runtime_error("speeds");
  }

  /// Adds a guess for the start of the coordinate or speed of this name.
  void guess(const std::string& name, double value) {
    const Model& model = two.builder.model();
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      if (model.coordinates[i].name == name) return two.guess(StartCondition::On::kCoordinate, i, value);
    }
    for (std::size_t i = 0; i < model.speeds.size(); ++i) {
      if (model.speeds[i].name == name) return two.guess(StartCondition::On::kSpeed, i, value);
    }
    throw std::runtime_error("no " + name);
  }

  sim::Trajectory run(double duration) {
    auto model = two.builder.finish();
    if (!model) throw std::runtime_error(model.error().message);
    sim::Dynamics dynamics(test_support::compiled(*model));
    sim::SimulateOptions options;
    options.duration = duration;
    options.tolerance = 1e-11;
    options.output_step = duration / 4.0;
    return sim::simulate(dynamics, options);
  }

  TwoBodies two;
};

/// Lets the system stated by rows start at the first sample of the other system, given by its outputs.
void start_as(Route& rows, const Vector& outputs) {
  const auto body = [&](const std::string& frame, const std::string& name, Eigen::Index at) {
    const auto vector = [&](Eigen::Index k) { return Vector3(outputs.segment<3>(at + 3 * k)); };
    Eigen::Matrix3d R;
    R << vector(3), vector(4), vector(5);
    const Eigen::Quaterniond e(R);
    const double parts[] = {e.w(), e.x(), e.y(), e.z()};
    for (std::size_t k = 0; k < 4; ++k) rows.guess(frame + "e" + std::to_string(k), parts[k]);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const std::string axis(1, "xyz"[k]);
      rows.guess(name + axis, vector(0)[k]);
      rows.guess(name + axis + "'", vector(1)[k]);
      rows.guess(frame + ".w" + axis, vector(2)[k]);
    }
  };
  const bool has_a = outputs.size() > 18;
  if (has_a) body("A", "a", 0);
  body("B", "b", has_a ? 18 : 0);
}

Term coordinate(TwoBodies& t, const std::string& name) { return t.builder.q(t.builder.add_coordinate(name)); }
Term place(TwoBodies& t, FrameId frame) {
  const Term x = coordinate(t, "x"), y = coordinate(t, "y"), z = coordinate(t, "z");
  return x * t.builder.axis(frame, 0) + y * t.builder.axis(frame, 1) + z * t.builder.axis(frame, 2);
}
/// A frame that is turned about several axes in succession, each an axis of the frame reached so far.
FrameId turned(TwoBodies& t, const std::string& name, FrameId parent,
               std::initializer_list<std::pair<Term, int>> turns) {
  std::vector<model::SimpleRotation> rotations;
  for (const auto& [angle, axis] : turns) rotations.push_back({axis, {}, angle});
  return t.builder.add_frame(name, parent, rotations);
}

const Pair kRevolute = {
    {"revolute", JointKind::kRevolute, [](ModelBuilder& b, JointSpec& s) { s.axis = b.axis(s.first_body, 2); }},
    {[](TwoBodies& t) {
      return std::pair{turned(t, "B", t.A, {{coordinate(t, "x"), 2}}), t.builder.terms().zero_vector()};
    }}};
const Pair kPrismatic = {
    {"prismatic", JointKind::kPrismatic, [](ModelBuilder& b, JointSpec& s) { s.axis = b.axis(s.first_body, 0); }},
    {[](TwoBodies& t) {
      const Term s = coordinate(t, "x");
      return std::pair{turned(t, "B", t.A, {{t.builder.number(0.0), 2}}), s * t.builder.axis(t.A, 0)};
    }}};
const Pair kCylindrical = {
    {"cylindrical", JointKind::kCylindrical, [](ModelBuilder& b, JointSpec& s) { s.axis = b.axis(s.first_body, 1); }},
    {[](TwoBodies& t) {
      const Term angle = coordinate(t, "x"), s = coordinate(t, "y");
      return std::pair{turned(t, "B", t.A, {{angle, 1}}), s * t.builder.axis(t.A, 1)};
    }}};
const Pair kUniversal = {{"universal", JointKind::kUniversal,
                          [](ModelBuilder& b, JointSpec& s) {
                            s.axis = b.axis(s.first_body, 0);
                            s.axis2 = b.axis(s.second_body, 1);
                          }},
                         {[](TwoBodies& t) {
                           const Term one = coordinate(t, "x"), other = coordinate(t, "y");
                           return std::pair{turned(t, "B", t.A, {{one, 0}, {other, 1}}),
                                            t.builder.terms().zero_vector()};
                         }}};
const Pair kSpherical = {{"spherical", JointKind::kSpherical}, {[](TwoBodies& t) {
                           return std::pair{t.quaternion_frame("C", t.A), t.builder.terms().zero_vector()};
                         }}};
const Pair kPlanar = {
    {"planar", JointKind::kPlanar, [](ModelBuilder& b, JointSpec& s) { s.axis = b.axis(s.first_body, 2); }},
    {[](TwoBodies& t) {
      const Term angle = coordinate(t, "x"), x = coordinate(t, "y"), y = coordinate(t, "z");
      return std::pair{turned(t, "B", t.A, {{angle, 2}}), x * t.builder.axis(t.A, 0) + y * t.builder.axis(t.A, 1)};
    }}};
const Pair kFixed = {{"fixed", JointKind::kFixed}, {[](TwoBodies& t) {
                       return std::pair{turned(t, "B", t.A, {{t.builder.number(0.0), 0}}),
                                        t.builder.terms().zero_vector()};
                     }}};
const Pair kScrew = {{"screw", JointKind::kScrew,
                      [](ModelBuilder& b, JointSpec& s) {
                        s.axis = b.axis(s.first_body, 2);
                        s.pitch = b.number(0.7);
                      }},
                     {[](TwoBodies& t) {
                       const Term angle = coordinate(t, "x");
                       return std::pair{turned(t, "B", t.A, {{angle, 2}}),
                                        (0.7 / (2.0 * M_PI) * angle + 0.2) * t.builder.axis(t.A, 2)};
                     }}};
const Pair kDistance = {
    {"distance", JointKind::kDistance, [](ModelBuilder& b, JointSpec& s) { s.length = b.number(0.8); }},
    {[](TwoBodies& t) {
      const FrameId B = t.quaternion_frame("C");
      const FrameId rod = turned(t, "rod", t.A, {{coordinate(t, "x"), 2}, {coordinate(t, "y"), 1}});
      return std::pair{B, 0.8 * t.builder.axis(rod, 0)};
    }}};
const Pair kPointOnPlane = {{"point_on_plane", JointKind::kPointOnSurface,
                             [](ModelBuilder&, JointSpec& s) { s.surface = SurfaceKind::kPlane; }},
                            {[](TwoBodies& t) {
                              const FrameId B = t.quaternion_frame("C");
                              const Term x = coordinate(t, "x"), y = coordinate(t, "y");
                              return std::pair{B, x * t.builder.axis(B, 0) + y * t.builder.axis(B, 1)};
                            }}};
const Pair kPointOnTorus = {{"point_on_torus", JointKind::kPointOnSurface,
                             [](ModelBuilder& b, JointSpec& s) {
                               s.surface = SurfaceKind::kTorus;
                               s.surface_lengths = {b.number(0.7), b.number(0.2)};
                             }},
                            {[](TwoBodies& t) {
                              const FrameId B = t.quaternion_frame("C");
                              const FrameId around = turned(t, "around", B, {{coordinate(t, "x"), 2}});
                              const FrameId tube = turned(t, "tube", around, {{coordinate(t, "y"), 1}});
                              return std::pair{B, -(0.7 * t.builder.axis(around, 0) + 0.2 * t.builder.axis(tube, 0))};
                            }}};
const Pair kPointOnEllipsoid = {{"point_on_ellipsoid", JointKind::kPointOnSurface,
                                 [](ModelBuilder& b, JointSpec& s) {
                                   s.surface = SurfaceKind::kEllipsoid;
                                   s.surface_lengths = {b.number(0.5), b.number(0.7), b.number(0.9)};
                                 }},
                                {[](TwoBodies& t) {
                                  ModelBuilder& b = t.builder;
                                  const FrameId B = t.quaternion_frame("C");
                                  const Term x = coordinate(t, "x"), y = coordinate(t, "y");
                                  return std::pair{
                                      B, -(0.5 * (b.cos(x) * b.cos(y)) * b.axis(B, 0) +
                                           0.7 * (b.sin(x) * b.cos(y)) * b.axis(B, 1) + 0.9 * b.sin(y) * b.axis(B, 2))};
                                }}};
const Pair kPrescribedPosition = {
    {"prescribed_position", JointKind::kPrescribedPosition,
     [](ModelBuilder& b, JointSpec& s) {
       s.prescribed = b.sin(2.0 * b.time()) * b.axis(s.first_body, 0) + b.time() * b.axis(s.first_body, 1);
     }},
    {[](TwoBodies& t) {
      ModelBuilder& b = t.builder;
      return std::pair{t.quaternion_frame("C"), b.sin(2.0 * b.time()) * b.axis(t.A, 0) + b.time() * b.axis(t.A, 1)};
    }}};
const Pair kPrescribedOrientation = {
    {"prescribed_orientation", JointKind::kPrescribedOrientation,
     [](ModelBuilder& b, JointSpec& s) { s.prescribed = b.sin(2.0 * b.time()) * b.axis(s.first_body, 1); }},
    {[](TwoBodies& t) {
      const FrameId B = turned(t, "B", t.A, {{t.builder.sin(2.0 * t.builder.time()), 1}});
      return std::pair{B, place(t, Model::newtonian())};
    }}};

/// Velocity of the point of B at the offset `offset` from Q, relative to the point of A at the same position. The
/// latter has the offset PQ + `offset` from P.
Term slip(TwoBodies& t, Term PQ, Term offset) {
  ModelBuilder& b = t.builder;
  const Term of_B = b.vel(t.Q) + b.terms().cross(b.omega(t.B), offset);
  if (t.A == Model::newtonian()) return of_B;
  return of_B - b.vel(t.P) - b.terms().cross(b.omega(t.A), PQ + offset);
}

void no_slip(TwoBodies& t, Term PQ, Term offset) {
  const Term directions[] = {t.builder.axis(t.A, 0), t.builder.axis(t.A, 1)};
  t.builder.add_constraint("no_slip", slip(t, PQ, offset), directions);
}

const Pair kRollingSphere = {
    {"rolling_sphere", JointKind::kRolling,
     [](ModelBuilder& b, JointSpec& s) {
       s.axis = b.axis(s.first_body, 2);
       s.surface = SurfaceKind::kSphere;
       s.surface_lengths = {b.number(0.4)};
     }},
    {[](TwoBodies& t) {
       const Term x = coordinate(t, "x"), y = coordinate(t, "y");
       return std::pair{t.quaternion_frame("C"),
                        x * t.builder.axis(t.A, 0) + y * t.builder.axis(t.A, 1) + 0.4 * t.builder.axis(t.A, 2)};
     },
     [](TwoBodies& t) { no_slip(t, t.builder.pos(t.Q, t.P), -0.4 * t.builder.axis(t.A, 2)); }}};
/// Coordinates: yaw, lean and spin, where the spin axis is B.y.
Pair rolling_ring(const std::string& name, SurfaceKind kind, double R, double r) {
  return {{name, JointKind::kRolling,
           [=](ModelBuilder& b, JointSpec& s) {
             s.axis = b.axis(s.first_body, 2);
             s.axis2 = b.axis(s.second_body, 1);
             s.surface = kind;
             s.surface_lengths = {b.number(R)};
             if (kind == SurfaceKind::kTorus) s.surface_lengths.push_back(b.number(r));
           }},
          {[=](TwoBodies& t) {
             ModelBuilder& b = t.builder;
             const Term lean = coordinate(t, "lean");
             const FrameId yawed = turned(t, "yawed", t.A, {{coordinate(t, "yaw"), 2}});
             const FrameId leaned = turned(t, "leaned", yawed, {{lean, 0}});
             const FrameId B = turned(t, "B", leaned, {{coordinate(t, "spin"), 1}});
             const Term x = coordinate(t, "x"), y = coordinate(t, "y");
             return std::pair{B, x * b.axis(t.A, 0) + y * b.axis(t.A, 1) + (R * b.cos(lean) + r) * b.axis(t.A, 2)};
           },
           [=](TwoBodies& t) {
             ModelBuilder& b = t.builder;
             const FrameId leaned = b.model().frame(t.B).parent;
             no_slip(t, b.pos(t.Q, t.P), -R * b.axis(leaned, 2) - r * b.axis(t.A, 2));
           }}};
}
const Pair kRollingDisk = rolling_ring("rolling_disk", SurfaceKind::kDisk, 0.5, 0.0);
const Pair kRollingTorus = rolling_ring("rolling_torus", SurfaceKind::kTorus, 0.5, 0.1);
/// Coordinates: two angles of the line of centers. There is no slip along two directions that are perpendicular to this
/// line and turn with it.
Pair rolling_on_sphere(const std::string& name, double radius) {
  return {{name, JointKind::kRolling,
           [=](ModelBuilder& b, JointSpec& s) {
             s.radius = b.number(radius);
             s.surface = SurfaceKind::kSphere;
             s.surface_lengths = {b.number(0.3)};
           }},
          {[=](TwoBodies& t) {
             const FrameId B = t.quaternion_frame("C");
             const FrameId centers = turned(t, "centers", t.A, {{coordinate(t, "x"), 2}, {coordinate(t, "y"), 1}});
             return std::pair{B, (radius > 0.0 ? radius + 0.3 : -radius - 0.3) * t.builder.axis(centers, 0)};
           },
           [=](TwoBodies& t) {
             ModelBuilder& b = t.builder;
             const FrameId centers = model::FrameId(b.model().frames.size() - 1);
             const double side = radius > 0.0 ? -0.3 : 0.3;
             const Term directions[] = {b.axis(centers, 1), b.axis(centers, 2)};
             b.add_constraint("no_slip", slip(t, b.pos(t.Q, t.P), side * b.axis(centers, 0)), directions);
           }}};
}
const Pair kRollingOnSphere = rolling_on_sphere("rolling_on_sphere", 0.7);
const Pair kRollingInside = rolling_on_sphere("rolling_inside_sphere", -1.6);
/// Coordinates: two angles of the contact on A's sphere, heading about the normal, lean about the tangent, spin about
/// B.z.
Pair ring_on_sphere(const std::string& name, double radius, SurfaceKind kind, double R, double r) {
  const double side = radius > 0.0 ? 1.0 : -1.0;
  const auto frame_above = [](TwoBodies& t, int steps) {
    FrameId frame = t.B;
    for (int k = 0; k < steps; ++k) frame = t.builder.model().frame(frame).parent;
    return frame;
  };
  return {{name, JointKind::kRolling,
           [=](ModelBuilder& b, JointSpec& s) {
             s.radius = b.number(radius);
             s.axis2 = b.axis(s.second_body, 2);
             s.surface = kind;
             s.surface_lengths = {b.number(R)};
             if (kind == SurfaceKind::kTorus) s.surface_lengths.push_back(b.number(r));
           }},
          {[=](TwoBodies& t) {
             ModelBuilder& b = t.builder;
             const FrameId normal = turned(t, "normal", t.A, {{coordinate(t, "x"), 2}, {coordinate(t, "y"), 1}});
             const FrameId headed = turned(t, "headed", normal, {{coordinate(t, "heading"), 0}});
             const FrameId leaned = turned(t, "leaned", headed, {{coordinate(t, "lean"), 1}});
             const FrameId B = turned(t, "B", leaned, {{coordinate(t, "spin"), 2}});
             return std::pair{B, (side * radius + side * r) * b.axis(normal, 0) + side * R * b.axis(leaned, 0)};
           },
           [=](TwoBodies& t) {
             ModelBuilder& b = t.builder;
             const FrameId leaned = frame_above(t, 1), headed = frame_above(t, 2);
             const Term to_contact = -side * R * b.axis(leaned, 0) - side * r * b.axis(headed, 0);
             const Term directions[] = {b.axis(headed, 1), b.axis(headed, 2)};
             b.add_constraint("no_slip", slip(t, b.pos(t.Q, t.P), to_contact), directions);
           }}};
}
const Pair kDiskOnSphere = ring_on_sphere("rolling_disk_on_sphere", 0.7, SurfaceKind::kDisk, 0.4, 0.0);
const Pair kDiskInside = ring_on_sphere("rolling_disk_inside_sphere", -1.6, SurfaceKind::kDisk, 0.4, 0.0);
const Pair kTorusOnSphere = ring_on_sphere("rolling_torus_on_sphere", 0.7, SurfaceKind::kTorus, 0.4, 0.1);
const Pair kTorusInside = ring_on_sphere("rolling_torus_inside_sphere", -1.6, SurfaceKind::kTorus, 0.4, 0.1);

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = {kRevolute,
                                        kPrismatic,
                                        kCylindrical,
                                        kUniversal,
                                        kSpherical,
                                        kPlanar,
                                        kFixed,
                                        kScrew,
                                        kDistance,
                                        kPointOnPlane,
                                        kPointOnTorus,
                                        kPointOnEllipsoid,
                                        kPrescribedPosition,
                                        kPrescribedOrientation,
                                        kRollingSphere,
                                        kRollingDisk,
                                        kRollingTorus,
                                        kRollingOnSphere,
                                        kRollingInside,
                                        kDiskOnSphere,
                                        kDiskInside,
                                        kTorusOnSphere,
                                        kTorusInside};
  return all;
}

struct Case {
  First first;
  std::size_t index;
};
void PrintTo(const Case& c, std::ostream* out) { *out << pairs()[c.index].joint.name; }

class EmbeddedJoint : public ::testing::TestWithParam<Case> {};

TEST_P(EmbeddedJoint, MovesAsTheJointOfRows) {
  const Pair& pair = pairs()[GetParam().index];
  constexpr double kDuration = 0.5;
  Route embedded(GetParam().first, pair.joint, &pair.embedding);
  const Model& model = embedded.two.builder.model();
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const bool is_of_a = embedded.two.a && i < 7;
    const double of_a[] = {0.9, 0.2, -0.15, 0.1, 0.1, -0.2, 0.3};
    embedded.two.guess(StartCondition::On::kCoordinate, i, is_of_a ? of_a[i] : 0.3 + 0.15 * static_cast<double>(i % 4));
  }
  for (std::size_t i = 0; i < model.speeds.size(); ++i) {
    embedded.two.guess(StartCondition::On::kSpeed, i, 0.6 - 0.35 * static_cast<double>((3 * i) % 5));
  }
  const sim::Trajectory by_coordinates = embedded.run(kDuration);
  ASSERT_FALSE(by_coordinates.stopped) << by_coordinates.stopped->message;

  Route rows(GetParam().first, pair.joint, nullptr);
  start_as(rows, by_coordinates.start().outputs);
  const sim::Trajectory by_rows = rows.run(kDuration);
  ASSERT_FALSE(by_rows.stopped) << by_rows.stopped->message;

  ASSERT_EQ(by_rows.samples.size(), by_coordinates.samples.size());
  EXPECT_LT((by_rows.start().outputs - by_coordinates.start().outputs).cwiseAbs().maxCoeff(), 1e-13);
  for (std::size_t i = 1; i < by_rows.samples.size(); ++i) {
    EXPECT_LT((by_rows.samples[i].outputs - by_coordinates.samples[i].outputs).cwiseAbs().maxCoeff(), 1e-9)
        << by_rows.samples[i].t;
  }
  // The mechanism must have moved.
  EXPECT_GT((by_rows.end().outputs - by_rows.start().outputs).cwiseAbs().maxCoeff(), 0.01);
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < pairs().size(); ++i) {
    // A body that is fixed to the ground does not move.
    if (pairs()[i].joint.kind != JointKind::kFixed) cases.push_back({First::kGround, i});
    cases.push_back({First::kBody, i});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Joints, EmbeddedJoint, ::testing::ValuesIn(every_case()), [](const auto& instance) {
  return pairs()[instance.param.index].joint.name +
         (instance.param.first == First::kBody ? "_of_bodies" : "_to_ground");
});

}  // namespace embedded_joints_test
}  // namespace vinculum

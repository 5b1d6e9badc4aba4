#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A mechanism as data: what the random search generates, prints as a model text and evaluates with its own kinematics.
/// It knows nothing of the engine. Numbers without units.
namespace vinculum::mechanisms {

/// c + Σ factor·coordinate + rate·t.
struct Affine {
  double constant = 0.0;
  std::vector<std::pair<int, double>> coordinates = {};
  double rate = 0.0;
  [[nodiscard]] bool is_constant() const { return coordinates.empty() && rate == 0.0; }
};

/// A sum of multiples of basis vectors. `body` ≥ 0: the text names the body in place of its frame.
struct VectorTerm {
  Affine factor = {};
  int frame = 0, axis = 0, body = -1;
};
using LinearVector = std::vector<VectorTerm>;

enum class FrameKind { kNewtonian, kAbout, kSequence, kQuaternion, kAxes };
struct Frame {
  std::string name;
  FrameKind kind = FrameKind::kNewtonian;
  int parent = -1;
  Affine angle = {};          ///< kAbout
  int letter = -1;            ///< kAbout: x, y, z of the parent; -1: about `axis`
  LinearVector axis = {};     ///< kAbout about a vector; kAxes: the first one
  LinearVector axis2 = {};    ///< kAxes
  int first = 0, second = 1;  ///< kAxes: which axes of the frame the two vectors are
  std::string sequence = {};  ///< kSequence: "body123", "space313"
  std::vector<Affine> angles = {};
  std::vector<int> quaternion = {};  ///< kQuaternion: four coordinates
};

enum class PointKind { kFixed, kOffset, kCenter, kParticle };
struct Point {
  std::string name;
  PointKind kind = PointKind::kOffset;
  int base = -1;  ///< point that it is set off from
  LinearVector offset = {};
  int on_body = -1;  ///< `point P on B = …`
};
struct Body {
  std::string name;
  int frame = 0, center = -1;  ///< center: its point of kind kCenter
  double mass = 1.0;
  bool removed = false;              ///< by the shrinker
  std::vector<double> inertia = {};  ///< Ixx Iyy Izz [Ixy Iyz Izx]; one number: `inertia plane`
};
struct Particle {
  std::string name;
  int point = -1;
  double mass = 1.0;
  bool removed = false;
};

struct Coordinate {
  std::string name;
  double q = 0.0, rate = 0.0;  ///< guesses for the start
};

/// A scalar or vector expression of a relation.
enum class NodeKind {
  kNumber,
  kCoordinate,
  kTime,
  kAdd,
  kSubtract,
  kMultiply,
  kDot,
  kNorm,
  kSine,  // scalars
  kLinear,
  kPosition,
  kVelocity,
  kVelocityIn,
  kAcceleration,
  kOmega,
  kOmegaIn,
  kAlpha,  // vectors
  kVectorAdd,
  kVectorSubtract,
  kScale,
  kCross,
  kUnit
};
struct Node;
using NodePtr = std::shared_ptr<const Node>;
struct Node {
  NodeKind kind;
  double number = 0.0;
  int i = -1, j = -1;       ///< coordinate and order of its derivative; points; frames
  bool names_body = false;  ///< kOmega, kAlpha, kOmegaIn, kVelocityIn: i (j) is a body and not a frame
  LinearVector vector = {};
  std::vector<NodePtr> arguments = {};
};

/// One side of a joint.
enum class SideKind { kGround, kBody, kParticle, kFrame };
struct Side {
  SideKind kind = SideKind::kGround;
  int index = -1;
  bool operator==(const Side&) const = default;
};

/// A force on a point or a torque on a body (or a generalized force on a coordinate), with the opposite elsewhere.
struct Action {
  enum class On { kPoint, kBody, kCoordinate } on = On::kPoint;
  int index = -1;
  bool has_from = false;
  bool from_ground = false;  ///< torques: from N
  int from = -1;             ///< point or body
  NodePtr value = {};        ///< vector (scalar on a coordinate); of an actuator its direction
  double scale = 1.0;        ///< of an actuator
};

enum class LawKind { kIdeal, kDirected, kVia };

struct Constraint {
  std::string name;
  // a relation: left = right, scalars, or vectors with a row for each direction of `along`
  NodePtr left = {}, right = {};
  bool is_vector = false;
  std::vector<LinearVector> along = {};  ///< empty: x, y, z of the newtonian frame
  double scaled_by = 1.0;                ///< a redundant copy may be a multiple
  // a joint
  std::string joint = {};  ///< kind; empty: a relation
  Side A = {}, B = {};
  int P = -1, Q = -1;
  bool P_is_center = false, Q_is_center = false;  ///< written as center(A)
  LinearVector axis = {}, axis2 = {};
  double number = 0.0;  ///< ratio, pitch, length, radius
  bool has_radius = false;
  std::string surface = {};
  std::vector<double> lengths = {};
  NodePtr prescribed = {};  ///< vector of time
  // clauses
  LawKind law = LawKind::kIdeal;
  std::vector<LinearVector> directions = {};  ///< kDirected, one a row
  std::vector<Action> actuators = {};         ///< kVia
  std::vector<Action> nonideal = {};
};

struct Load {
  enum class Kind { kGravity, kForce, kTorque, kSpring, kGeneralized } kind = Kind::kGravity;
  LinearVector gravity = {};
  Action action = {};
  int P = -1, Q = -1;
  double stiffness = 0.0, length = 0.0, damping = 0.0;
};

struct Reveal {
  std::string name;
  bool is_torque = false;
  int index = -1;  ///< point; body
  std::vector<LinearVector> along = {};
};

struct Item {
  enum class Kind { kFrame, kPoint, kBody, kParticle } kind;
  int index;
};

/// Items refer to others by index. What nothing refers to is not printed.
struct Mechanism {
  unsigned long long seed = 0;
  bool is_plane = false;
  std::vector<Coordinate> coordinates = {};
  std::vector<Frame> frames = {};  ///< 0 is the newtonian frame
  std::vector<Point> points = {};  ///< 0 is the origin O
  std::vector<Body> bodies = {};
  std::vector<Particle> particles = {};
  std::vector<Constraint> constraints = {};
  std::vector<Load> loads = {};
  std::vector<Reveal> reveals = {};
  std::vector<Item> order = {};  ///< of declaration
  /// Guesses for the rates of quaternion frames: w of frame f at 3 f.
  std::vector<double> spin = {};
  double t0 = 0.0;

  /// The frame that is fixed in it, through constant turns, and is turned by a coordinate or by time itself; the
  /// newtonian frame for frames fixed there.
  [[nodiscard]] int class_of(int frame) const;
  [[nodiscard]] bool is_turned_by_constants(int frame) const;
  /// Bodies of a class.
  [[nodiscard]] std::vector<int> bodies_in(int rigid_class) const;
  /// The body that the point is fixed in: ≥ 0; kGroundCarrier; kNoCarrier.
  static constexpr int kGroundCarrier = -1, kNoCarrier = -2;
  [[nodiscard]] int carrier_of(int point) const;
  [[nodiscard]] bool is_fixed_vector(const LinearVector& vector, int rigid_class) const;
  [[nodiscard]] std::optional<int> particle_at(int point) const;
  [[nodiscard]] std::optional<int> body_centered_at(int point) const;
  [[nodiscard]] bool is_quaternion_part(int coordinate) const;
  /// Highest derivative in a relation: 0, 1, 2.
  [[nodiscard]] static int level_of(const Constraint& relation);
  [[nodiscard]] int row_count(const Constraint& constraint) const;
};

/// What a mechanism needs of its frames, points and coordinates: [index] whether it is used.
struct Used {
  std::vector<char> frames = {}, points = {}, coordinates = {};
};
[[nodiscard]] Used used_by(const Mechanism& mechanism);

/// Extra lines after the model: the texts of outputs.
struct Question {
  std::string name, expression;
};
/// The model as text, with outputs and a `run 0`.
[[nodiscard]] std::string text_of(const Mechanism& mechanism, const std::vector<Question>& questions = {},
                                  const std::string& last_line = "run 0");
[[nodiscard]] std::string text_of(const Mechanism& mechanism, const LinearVector& vector);
[[nodiscard]] std::string number_text(double x);

}  // namespace vinculum::mechanisms

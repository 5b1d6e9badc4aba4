#pragma once

#include <vector>

#include "support/mechanisms/jet.hpp"
#include "support/mechanisms/mechanism.hpp"

/// Positions, velocities and accelerations of a mechanism by formulas of the tests, and their changes in any small
/// motion, including motions that the coordinates do not permit.
namespace vinculum::mechanisms {

/// A motion variable: the rate of a coordinate, or a measure number of the angular velocity of a quaternion frame.
struct Speed {
  int coordinate = -1;
  int frame = -1, axis = 0;
};

/// Properties of a mechanism that are used repeatedly.
struct Structure {
  explicit Structure(const Mechanism& mechanism);
  Used used;
  std::vector<int> class_of;                ///< [frames]
  std::vector<std::vector<int>> bodies_in;  ///< [frames] bodies of the class with this root
  /// [frames] Owner of the vectors of a frame: a body, kGroundCarrier, or kNoCarrier. In a class with several bodies
  /// the owner is the body of the frame itself, else of the nearest frame above, else the first body (docs/theory.md
  /// §5.2).
  std::vector<int> owner_of;
  /// [points] Body or ground that a point belongs to, or kNoCarrier. If the point is fixed in the body or ground that
  /// it is offset from, that one; else the ground if it is fixed there; else, among the bodies whose vectors define
  /// its offset, the only one in which it is fixed.
  std::vector<int> carrier_of;
  /// used coordinates in order; the three speeds of a quaternion at the position of its first coordinate
  std::vector<Speed> speeds;

 private:
  void find_carriers(const Mechanism& mechanism);
};

/// The coordinates as functions of time near an instant.
struct Motion {
  Jet t;
  std::vector<Jet> q;
};
/// \param q  [coordinates]; u, du [speeds].
[[nodiscard]] Motion motion_of(const Mechanism& mechanism, const Structure& structure, double t,
                               const std::vector<double>& q, const std::vector<double>& u,
                               const std::vector<double>& du);

/// A small motion. kSpeed: a motion that the coordinates permit. From kBodyShift to kBare: each body, each particle
/// and the ground moves alone, and massless frames and points follow what they are attached to; such motions measure
/// the force of a row on each of them. kBare: one speed changes while all bodies are held. kPointShift: one named
/// point moves alone, as an independent argument of a row. kRevealShift: a point moves with everything offset from
/// it. kRevealTurn: the frame of a body turns with everything that turns with it: other bodies of this frame, and
/// vectors that belong to one of them.
struct Mode {
  enum class Kind {
    kNone,
    kSpeed,
    kBodyShift,
    kBodyTurn,
    kParticleShift,
    kGroundShift,
    kGroundTurn,
    kBare,
    kPointShift,
    kRevealShift,
    kRevealTurn
  } kind = Kind::kNone;
  int index = -1;
  std::array<double, 3> direction{};
  [[nodiscard]] bool is_freed() const { return kind >= Kind::kBodyShift && kind <= Kind::kPointShift; }
};

struct Pose {
  M3 R;
  V3 r, omega;  ///< position of its reference point; angular velocity
};

class Kinematics {
 public:
  /// \param nominal  the same motion without a mode; null: this object is the nominal motion.
  /// \param level    first perturbed derivative: 0 positions, 1 velocities, 2 accelerations.
  Kinematics(const Mechanism& mechanism, const Structure& structure, const Motion& motion,
             const Kinematics* nominal = nullptr, Mode mode = {}, int level = 0);

  [[nodiscard]] const M3& R(int frame) const { return R_[static_cast<std::size_t>(frame)]; }
  [[nodiscard]] const M3& R_of_body(int body) const { return body_R_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] const V3& place(int point) const { return r_[static_cast<std::size_t>(point)]; }
  [[nodiscard]] V3 velocity(int point) const;
  [[nodiscard]] V3 acceleration(int point) const;
  [[nodiscard]] V3 vector(const LinearVector& v) const;
  [[nodiscard]] Pose pose(const Side& side) const;
  /// Pose of a side of a joint. If the side is a frame without a body, it turns with the body of `point`, provided that
  /// both have the same rigid frame.
  [[nodiscard]] Pose pose(const Side& side, int point) const;
  /// Velocity of the material point of a side at a place.
  [[nodiscard]] static V3 velocity_of(const Pose& pose, const V3& place) {
    return rate(pose.r) + cross(pose.omega, place - pose.r);
  }
  [[nodiscard]] Jet coordinate(int i) const { return q_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Jet time() const { return t_; }
  [[nodiscard]] Jet value(const Affine& a) const;
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  [[nodiscard]] const Structure& structure() const { return s_; }
  /// The motion without a mode.
  [[nodiscard]] const Kinematics& nominal() const { return nominal_ != nullptr ? *nominal_ : *this; }

 private:
  void move_coordinates(const Motion& motion);
  void set_frame(int f);
  void set_point(int p);
  [[nodiscard]] M3 turned_from_parent(int f) const;
  [[nodiscard]] V3 carried(int point, int carrier) const;
  [[nodiscard]] M3 turned(const M3& R) const;
  [[nodiscard]] bool begins_to_turn(int frame) const;

  const Mechanism& m_;
  const Structure& s_;
  const Kinematics* nominal_;
  Mode mode_;
  Jet ramp_;
  V3 direction_;
  Jet t_;
  std::vector<Jet> q_;
  std::vector<M3> R_, body_R_;
  std::vector<V3> r_;
  std::vector<char> is_placed_, is_turned_;  ///< [points]; [frames] turned in kRevealTurn
};

/// Value of a node of a relation.
[[nodiscard]] Jet scalar_value(const Node& node, const Kinematics& at);
[[nodiscard]] V3 vector_value(const Node& node, const Kinematics& at);

}  // namespace vinculum::mechanisms

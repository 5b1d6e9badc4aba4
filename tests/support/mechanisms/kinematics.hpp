#pragma once

#include <vector>

#include "support/mechanisms/jet.hpp"
#include "support/mechanisms/mechanism.hpp"

/// Places, velocities and accelerations of a mechanism by the tests' own formulas, and how they change in any small
/// motion, those that the coordinates do not allow included.
namespace vinculum::mechanisms {

/// A motion variable: the rate of a coordinate, or a measure number of the angular velocity of a quaternion frame.
struct Speed {
  int coordinate = -1;
  int frame = -1, axis = 0;
};

/// What is asked about a mechanism again and again.
struct Structure {
  explicit Structure(const Mechanism& mechanism);
  Used used;
  std::vector<int> class_of;                ///< [frames]
  std::vector<std::vector<int>> bodies_in;  ///< [frames] of the class with this root
  /// [frames] whose vectors they are: a body, kGroundCarrier, or kNoCarrier. Of a class with several bodies those of
  /// the body of the frame itself, else of the nearest frame above, else of the first one (docs/theory.md §5.2).
  std::vector<int> owner_of;
  /// [points] the body or the ground that the place belongs to, or kNoCarrier: that from which it is set off if it
  /// rests in it; else the ground if it rests there; else the only body at rest with it of those whose vectors set it
  /// off.
  std::vector<int> carrier_of;
  std::vector<Speed> speeds;  ///< used coordinates in order, a quaternion's three at the place of its first one

 private:
  void find_carriers(const Mechanism& mechanism);
};

/// Coordinates as functions of time near an instant.
struct Motion {
  Jet t;
  std::vector<Jet> q;
};
/// \param q  [coordinates]; u, du [speeds].
[[nodiscard]] Motion motion_of(const Mechanism& mechanism, const Structure& structure, double t,
                               const std::vector<double>& q, const std::vector<double>& u,
                               const std::vector<double>& du);

/// A small motion. kSpeed is one that the coordinates allow. In all kinds from kBodyShift to kBare each body, particle
/// and the ground moves alone, while frames and points without mass follow what they hang from: such motions measure
/// the force that a row puts on each of them. kBare moves one speed with all bodies held. kPointShift moves one named
/// point and nothing else, as an argument of a row of its own. kRevealShift moves a point with all that is set off from
/// it, kRevealTurn the frame given to a body with all that turns with it: other bodies of this frame, and vectors that
/// belong to one of them.
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
  V3 r, omega;  ///< of its reference point; angular velocity
};

class Kinematics {
 public:
  /// \param nominal  the same motion without a mode; null: this is it.
  /// \param level    the perturbation begins with this derivative: 0 moves places, 1 velocities, 2 accelerations.
  Kinematics(const Mechanism& mechanism, const Structure& structure, const Motion& motion,
             const Kinematics* nominal = nullptr, Mode mode = {}, int level = 0);

  [[nodiscard]] const M3& R(int frame) const { return R_[static_cast<std::size_t>(frame)]; }
  [[nodiscard]] const M3& R_of_body(int body) const { return body_R_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] const V3& place(int point) const { return r_[static_cast<std::size_t>(point)]; }
  [[nodiscard]] V3 velocity(int point) const;
  [[nodiscard]] V3 acceleration(int point) const;
  [[nodiscard]] V3 vector(const LinearVector& v) const;
  [[nodiscard]] Pose pose(const Side& side) const;
  /// Of a side of a joint: a bare frame belongs to the body that carries the side's point, where both are of one rigid
  /// frame.
  [[nodiscard]] Pose pose(const Side& side, int point) const;
  /// Velocity of the matter of a side at a place.
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
  std::vector<char> is_placed_, is_turned_;  ///< [points]; [frames] of kRevealTurn
};

/// A node of a relation.
[[nodiscard]] Jet scalar_value(const Node& node, const Kinematics& at);
[[nodiscard]] V3 vector_value(const Node& node, const Kinematics& at);

}  // namespace vinculum::mechanisms

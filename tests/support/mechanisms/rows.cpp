#include "support/mechanisms/rows.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace vinculum::mechanisms {
namespace {

/// The value of a vector without its derivatives (constant measure numbers).
V3 held(const V3& a) {
  return each([&](int k) { return Jet(a[k].value()); });
}

class JointReader {
 public:
  JointReader(const Constraint& c, const Kinematics& k)
      : c_(c),
        A_(k.pose(c.A, c.P)),
        B_(k.pose(c.B, c.Q)),
        P_(k.place(c.P)),
        Q_(k.place(c.Q)),
        d_(Q_ - P_),
        way_(k.velocity(c.Q) - k.velocity(c.P)) {
    const Kinematics& nominal = k.nominal();
    V3 numbers = v3(0, 0, 1);  // measure numbers of a in A
    if (!c.axis.empty()) {
      numbers = unit(held(in_frame(nominal.pose(c.A, c.P).R, nominal.vector(c.axis))));
      a_ = A_.R * numbers;
    } else {
      a_ = A_.R[2];
    }
    b_ = c.axis2.empty() ? B_.R * numbers
                         : B_.R * unit(held(in_frame(nominal.pose(c.B, c.Q).R, nominal.vector(c.axis2))));
    if (c.axis.empty() && c.axis2.empty()) b_ = B_.R[2];
    // e1, e2: the next axes of A if a is one of its axes, else any two directions
    V3 e1;
    int along = -1;
    for (int i = 0; i < 3; ++i) {
      if (std::abs(std::abs(numbers[i].value()) - 1.0) < 1e-14) along = i;
    }
    if (along >= 0) {
      const bool is_negative = numbers[along].value() < 0.0;
      e1 = basis((along + (is_negative ? 2 : 1)) % 3);
    } else {
      int least = 0;
      for (int i = 1; i < 3; ++i) {
        if (std::abs(numbers[i].value()) < std::abs(numbers[least].value())) least = i;
      }
      e1 = held(unit(cross(numbers, basis(least))));
    }
    numbers_ = {numbers, e1, held(cross(numbers, e1))};
    e1_ = A_.R * e1;
    e2_ = A_.R * numbers_[2];
    if (c.prescribed) prescribed_ = vector_value(*c.prescribed, k);
  }

  std::vector<Row> rows() {
    const std::string& kind = c_.joint;
    if (kind == "revolute") {
      shift({a_, e1_, e2_});
      keep_axis();
    } else if (kind == "prismatic") {
      shift({e1_, e2_});
      keep_attitude(numbers_);
    } else if (kind == "cylindrical") {
      shift({e1_, e2_});
      keep_axis();
    } else if (kind == "universal") {
      shift({A_.R[0], A_.R[1], A_.R[2]});
      add(dot(a_, b_));
    } else if (kind == "spherical") {
      shift({A_.R[0], A_.R[1], A_.R[2]});
    } else if (kind == "planar") {
      shift({a_});
      keep_axis();
    } else if (kind == "fixed") {
      shift({A_.R[0], A_.R[1], A_.R[2]});
      keep_attitude({basis(0), basis(1), basis(2)});
    } else if (kind == "screw") {
      shift({e1_, e2_});
      keep_axis();
      const Jet advance = dot(way_, a_), turn = dot(B_.omega - A_.omega, a_);
      add(advance - Jet(c_.number / (2.0 * std::numbers::pi)) * turn, 1);
    } else if (kind == "gear") {
      add(dot(slip_at(contact()), unit(cross(a_, d_))), 1);
    } else if (kind == "distance") {
      add(norm(d_) - Jet(c_.number));
    } else if (kind == "point_on_surface") {
      add(gap_of_point());
    } else if (kind == "blade") {
      add(-dot(slip_at(P_), a_), 1);
    } else if (kind == "rolling") {
      const V3 n = normal();
      const Jet distance = c_.has_radius ? Jet(c_.number < 0 ? -1.0 : 1.0) * norm(d_) - Jet(c_.number) : dot(d_, n);
      add(distance - support(n).first);
      const V3 slip = slip_at(contact());
      if (!c_.has_radius) {
        add(dot(slip, e1_), 1);
        add(dot(slip, e2_), 1);
      } else {
        // e1 and e2 after the smallest rotation that takes a to n
        const V3 pole = c_.axis.empty() ? A_.R[2] : a_, t1 = c_.axis.empty() ? A_.R[0] : e1_,
                 t2 = c_.axis.empty() ? A_.R[1] : e2_;
        for (const V3& e : {t1, t2}) add(dot(slip, e - (dot(n, e) / (Jet(1.0) + dot(n, pole))) * (pole + n)), 1);
      }
    } else if (kind == "prescribed_position") {
      for (int i = 0; i < 3; ++i) add(dot(d_ - prescribed_, A_.R[i]));
    } else if (kind == "prescribed_orientation") {
      const Jet angle = norm(prescribed_);
      const V3 along = reciprocal(angle) * prescribed_;
      const auto turned = [&](const V3& e) {
        return cos(angle) * e + sin(angle) * cross(along, e) + ((Jet(1.0) - cos(angle)) * dot(along, e)) * along;
      };
      for (int i = 0; i < 3; ++i) add(dot(B_.R[(i + 1) % 3], turned(A_.R[(i + 2) % 3])));
    } else if (kind == "prescribed_velocity") {
      const V3 v = slip_at(Q_) - prescribed_;
      for (int i = 0; i < 3; ++i) add(dot(v, A_.R[i]), 1);
    } else {
      throw std::logic_error("no joint " + kind);
    }
    return std::move(rows_);
  }

  V3 contact() {
    if (c_.joint == "gear") return P_ + Jet(1.0 / (1.0 + c_.number)) * d_;
    if (c_.joint == "rolling") return Q_ + support(normal()).second;
    return c_.joint == "prescribed_velocity" ? Q_ : P_;
  }

 private:
  void add(const Jet& value, int level = 0) { rows_.push_back({value, level}); }
  void shift(const std::vector<V3>& directions) {
    for (const V3& e : directions) add(dot(d_, e));
  }
  void keep_axis() {
    add(-dot(b_, e2_));
    add(dot(b_, e1_));
  }
  void keep_attitude(const std::array<V3, 3>& triad) {
    for (std::size_t i = 0; i < 3; ++i) add(dot(B_.R * triad[(i + 1) % 3], A_.R * triad[(i + 2) % 3]));
  }
  /// Velocity of B's material point at a place minus the velocity of A's material point there.
  V3 slip_at(const V3& place) const { return Kinematics::velocity_of(B_, place) - Kinematics::velocity_of(A_, place); }

  V3 normal() const { return c_.has_radius ? Jet(c_.number < 0 ? -1.0 : 1.0) * unit(d_) : a_; }
  /// Height of the center of B's surface above the touched plane with normal n, and the vector to the contact point.
  std::pair<Jet, V3> support(const V3& n) const {
    const auto length = [&](std::size_t i) { return Jet(c_.lengths[i]); };
    if (c_.surface == "sphere") return {length(0), -(length(0) * n)};
    if (c_.surface == "ellipsoid") {
      Jet square(0.0);
      V3 sum;
      for (int i = 0; i < 3; ++i) {
        const Jet a2 = length(at(i)) * length(at(i)), along = dot(n, B_.R[i]);
        square = square + a2 * along * along;
        sum = sum + (a2 * along) * B_.R[i];
      }
      return {sqrt(square), -(reciprocal(sqrt(square)) * sum)};
    }
    const V3 in_plane = n - dot(n, b_) * b_;
    const std::pair<Jet, V3> ring{length(0) * norm(in_plane), -(length(0) * unit(in_plane))};
    if (c_.surface == "disk") return ring;
    return {ring.first + length(1), ring.second - length(1) * n};  // torus
  }
  Jet gap_of_point() const {
    const V3 p = P_ - Q_;
    const auto length = [&](std::size_t i) { return Jet(c_.lengths[i]); };
    if (c_.surface == "plane") return dot(p, b_);
    if (c_.surface == "sphere") return norm(p) - length(0);
    if (c_.surface == "torus") return norm(p - length(0) * unit(p - dot(p, b_) * b_)) - length(1);
    Jet f(-1.0);
    V3 gradient;
    for (int i = 0; i < 3; ++i) {
      const Jet a2 = length(at(i)) * length(at(i)), x = dot(p, B_.R[i]);
      f = f + x * x / a2;
      gradient = gradient + (Jet(2.0) * x / a2) * B_.R[i];
    }
    return f / norm(gradient);
  }

  const Constraint& c_;
  Pose A_, B_;
  V3 P_, Q_, d_, way_, a_, b_, e1_, e2_, prescribed_;
  std::array<V3, 3> numbers_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> rows_of(const Constraint& c, const Kinematics& k) {
  if (!c.joint.empty()) return JointReader(c, k).rows();
  const int level = Mechanism::level_of(c);
  const Jet scale(c.scaled_by);
  if (!c.is_vector) return {{scale * (scalar_value(*c.left, k) - scalar_value(*c.right, k)), level}};
  const V3 difference = scale * (vector_value(*c.left, k) - vector_value(*c.right, k));
  std::vector<Row> rows;
  if (c.along.empty()) {
    for (int i = 0; i < 3; ++i) rows.push_back({dot(difference, k.R(0)[i]), level});
  }
  for (const LinearVector& e : c.along) rows.push_back({dot(difference, k.vector(e)), level});
  return rows;
}

V3 contact_of(const Constraint& joint, const Kinematics& at) { return JointReader(joint, at).contact(); }

bool acts_at_contact(const Constraint& c) {
  return c.joint == "gear" || c.joint == "blade" || c.joint == "rolling" || c.joint == "point_on_surface" ||
         c.joint == "prescribed_velocity";
}

}  // namespace vinculum::mechanisms

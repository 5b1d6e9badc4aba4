#include "support/mechanisms/expected.hpp"

#include <algorithm>

namespace vinculum::mechanisms {
namespace {

using Vector3 = Eigen::Vector3d;
using What = Asked::What;

/// A vector that depends linearly on the unknowns of one constraint.
struct Share {
  Matrix of_unknowns;  ///< [3 × columns of the constraint]
  Vector3 stated = Vector3::Zero();
};

class Answers {
 public:
  Answers(const Oracle& oracle, const Reading& reading, const Asked& asked)
      : o_(oracle), m_(oracle.mechanism()), reading_(reading), a_(asked) {}

  std::optional<Expected> answer() {
    if (a_.what == What::kReveal) {
      const Oracle::Revealed& one = o_.reveals[at(a_.constraint)][at(a_.k - 1)];
      return Expected{Vector::Constant(1, one.value), {one.gradient}};
    }
    first_ = o_.first_column[at(a_.constraint)];
    count_ = o_.first_column[at(a_.constraint) + 1] - first_;
    switch (a_.what) {
      case What::kMultiplier: return multiplier();
      case What::kEffort: return Expected{Vector::Constant(1, o_.lambda[first_ + a_.k - 1]), {unit(a_.k - 1)}};
      case What::kGeneralized: return generalized();
      case What::kResultant: {
        if (reports_massless()) return std::nullopt;
        const int body = o_.layout.body[at(a_.body)];
        return of(block(body), o_.lambda, true);
      }
      case What::kTorque:
      case What::kTorqueAlong: {
        const std::optional<Share> couple = couple_on(a_.body);
        if (!couple) return std::nullopt;
        const Expected whole = of(*couple, o_.lambda, true);
        return a_.what == What::kTorque ? whole : along(whole);
      }
      case What::kGroundTorque: {
        const std::optional<Share> couple = couple_on(Mechanism::kGroundCarrier);
        if (!couple) return std::nullopt;
        return of(*couple, o_.lambda, true);
      }
      case What::kGroundResultant: {
        if (reports_massless()) return std::nullopt;
        return of(block(Layout::kGroundForce), o_.lambda, true);
      }
      default: break;
    }
    const Spot spot = spot_of(o_, constraint(), name_of_point(m_, a_));
    const std::optional<Share> share = share_at(spot);
    if (!share) return std::nullopt;
    switch (a_.what) {
      case What::kForceAlong: return along(of(*share, o_.lambda, true));
      case What::kReaction: return of(*share, o_.lambda, false);
      case What::kIdealForce: return of(*share, o_.lambda_ideal, false);
      case What::kNonidealForce: {
        Expected difference = of(*share, o_.lambda, true);
        difference.values -= of(*share, o_.lambda_ideal, false).values;
        return difference;
      }
      default: return of(*share, o_.lambda, true);
    }
  }

 private:
  [[nodiscard]] const Constraint& constraint() const { return m_.constraints[at(a_.constraint)]; }
  [[nodiscard]] Vector unit(int k) const { return Vector::Unit(o_.lambda.size(), first_ + k); }

  /// One vector: three successive entries of the layout, including the forces that clauses of the text state there.
  [[nodiscard]] Share block(int entry) const {
    return {o_.wrench.block(entry, first_, 3, count_), o_.stated.block<3, 1>(entry, a_.constraint)};
  }

  [[nodiscard]] Expected of(const Share& share, const Vector& unknowns, bool with_stated) const {
    Expected expected{share.of_unknowns * unknowns.segment(first_, count_), {}};
    if (with_stated) expected.values += share.stated;
    for (int k = 0; k < 3; ++k) {
      Vector gradient = Vector::Zero(o_.lambda.size());
      gradient.segment(first_, count_) = share.of_unknowns.row(k).transpose();
      expected.gradients.push_back(gradient);
    }
    return expected;
  }

  [[nodiscard]] Expected along(const Expected& whole) const {
    const Vector3 e = values(o_.kinematics().vector(a_.along));
    Expected result{Vector::Constant(1, e.dot(Vector3(whole.values))), {Vector::Zero(o_.lambda.size())}};
    for (int k = 0; k < 3; ++k) result.gradients[0] += e[k] * whole.gradients[at(k)];
    return result;
  }

  /// Whether a force stated at a massless point is listed there, instead of at the body that carries the point.
  [[nodiscard]] bool reports_massless() const {
    return std::ranges::any_of(reading_.forces.on_points, [&](const Exerted& one) {
      return one.constraint == constraint().name && spot_of(o_, constraint(), one.on).massless >= 0;
    });
  }
  [[nodiscard]] bool names_massless() const {
    return reports_massless() || names_massless_in(constraint().left) || names_massless_in(constraint().right) ||
           (!constraint().joint.empty() && (is_massless(constraint().P) || is_massless(constraint().Q)));
  }
  [[nodiscard]] bool is_massless(int point) const {
    return o_.structure().carrier_of[at(point)] == Mechanism::kNoCarrier && !m_.particle_at(point);
  }
  [[nodiscard]] bool names_massless_in(const NodePtr& n) const {
    if (!n) return false;
    const bool is_place = n->kind == NodeKind::kPosition || n->kind == NodeKind::kVelocity ||
                          n->kind == NodeKind::kVelocityIn || n->kind == NodeKind::kAcceleration;
    if (is_place && (is_massless(n->i) || (n->kind == NodeKind::kPosition && is_massless(n->j)))) return true;
    return std::ranges::any_of(n->arguments, [&](const NodePtr& argument) { return names_massless_in(argument); });
  }

  /// Force at one point: of the rows, and of the clauses that name the point.
  [[nodiscard]] std::optional<Share> share_at(const Spot& spot) const {
    const Constraint& c = constraint();
    const bool is_ideal = c.law == LawKind::kIdeal;
    const auto entry = [&] {
      return spot.particle >= 0  ? o_.layout.particle[at(spot.particle)]
             : spot.carrier >= 0 ? o_.layout.body[at(spot.carrier)]
                                 : Layout::kGroundForce;
    };
    if (spot.massless >= 0 || spot.is_coincident || names_massless()) return std::nullopt;
    if (spot.carrier == Mechanism::kNoCarrier && spot.particle < 0) return std::nullopt;
    if (spot.is_contact) {
      Share share = block(entry());
      share.stated.setZero();
      if (!is_ideal) return std::nullopt;
      return share;
    }
    Share share{Matrix::Zero(3, count_), o_.stated_at(a_.constraint, spot.point)};
    if (is_ideal && acts_at_contact(c)) {
      // The joint names two points; the force acts at one of them only.
      const bool acts_here = ((c.joint == "blade" || c.joint == "point_on_surface") && spot.point == c.P) ||
                             (c.joint == "prescribed_velocity" && spot.point == c.Q);
      if (acts_here) share.of_unknowns = o_.wrench.block(entry(), first_, 3, count_);
    } else {
      share.of_unknowns = o_.share_of_point(a_.constraint, spot.point);
    }
    return share;
  }

  /// Couple: moment about the mass center minus the moments of the forces at points.
  [[nodiscard]] std::optional<Share> couple_on(int body) const {
    if (reports_massless()) return std::nullopt;
    const bool is_ground = body < 0;
    const int entry = is_ground ? Layout::kGroundForce : o_.layout.body[at(body)];
    Share couple = block(entry + 3);
    Share rest = block(entry);  // force at points that are not requested separately
    std::optional<Vector3> other;
    const auto less = [&](const Vector3& lever, const Share& share) {
      for (Eigen::Index k = 0; k < count_; ++k)
        couple.of_unknowns.col(k) -= lever.cross(Vector3(share.of_unknowns.col(k)));
      couple.stated -= lever.cross(share.stated);
    };
    const Vector3 center =
        is_ground ? Vector3(Vector3::Zero()) : values(o_.kinematics().place(m_.bodies[at(body)].center));
    for (const std::string& name : points_of(reading_, m_, a_.constraint)) {
      const Spot spot = spot_of(o_, constraint(), name);
      if (spot.carrier != body || spot.particle >= 0) continue;
      const std::optional<Share> share = share_at(spot);
      if (!share) {
        if (other) return std::nullopt;
        other = spot.r - center;
        continue;
      }
      less(spot.r - center, *share);
      rest.of_unknowns -= share->of_unknowns;
      rest.stated -= share->stated;
    }
    if (other) less(*other, rest);
    // the couple is only defined if the listed forces are all that act on the body
    if (!other && rest.of_unknowns.cwiseAbs().sum() > 1e-9) return std::nullopt;
    return couple;
  }

  [[nodiscard]] Expected multiplier() const {
    const Constraint& c = constraint();
    Expected expected{o_.lambda.segment(first_, count_), {}};
    for (int k = 0; k < count_; ++k) expected.gradients.push_back(unit(k));
    expected.groups = exchangeable_rows(m_, c);
    return expected;
  }

  [[nodiscard]] Expected generalized() const {
    const Eigen::Index nu = o_.J.cols();
    Expected expected{Vector(nu), std::vector<Vector>(static_cast<std::size_t>(nu))};
    const Vector Q = o_.generalized.middleCols(first_, count_) * o_.lambda.segment(first_, count_) +
                     o_.stated_generalized.col(a_.constraint);
    for (Eigen::Index r = 0; r < nu; ++r) {
      const auto place = reading_.place_of_speed[static_cast<std::size_t>(r)];
      expected.values[static_cast<Eigen::Index>(place)] = Q[r];
      Vector gradient = Vector::Zero(o_.lambda.size());
      gradient.segment(first_, count_) = o_.generalized.row(r).segment(first_, count_).transpose();
      expected.gradients[place] = gradient;
    }
    return expected;
  }

  const Oracle& o_;
  const Mechanism& m_;
  const Reading& reading_;
  const Asked& a_;
  int first_ = 0, count_ = 0;
};

}  // namespace

std::vector<std::vector<int>> exchangeable_rows(const Mechanism& m, const Constraint& c) {
  const int own = c.A.kind == SideKind::kBody    ? m.bodies[at(c.A.index)].frame
                  : c.A.kind == SideKind::kFrame ? c.A.index
                                                 : 0;
  const auto shares_frame = [&] {
    return std::ranges::count_if(m.bodies, [&](const Body& b) { return !b.removed && b.frame == own; }) > 1;
  };
  const bool is_own = c.axis.size() == 1 && c.axis[0].frame == own;
  if (is_own && (c.A.kind != SideKind::kBody || !shares_frame())) return {};
  if (c.joint == "revolute") return {{0}, {1, 2}, {3, 4}};
  if (c.joint == "prismatic") return {{0, 1}, {2}, {3, 4}};
  if (c.joint == "cylindrical") return {{0, 1}, {2, 3}};
  if (c.joint == "planar") return {{0}, {1, 2}};
  if (c.joint == "screw") return {{0, 1}, {2, 3}, {4}};
  if (c.joint == "rolling") return {{0}, {1, 2}};
  return {};
}

std::vector<std::string> points_of(const Reading& reading, const Mechanism& m, int constraint) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Exerted& one : reading.forces.on_points) {
    if (one.constraint == m.constraints[at(constraint)].name) add(one.on);
  }
  for (const Answer& answer : reading.answers) {
    if (answer.asked.what == What::kGroundForce && answer.asked.constraint == constraint)
      add(name_of_point(m, answer.asked));
  }
  return names;
}

std::string name_of_point(const Mechanism& m, const Asked& a) {
  return a.contact.empty() ? m.points[at(a.point)].name : m.constraints[at(a.constraint)].name + a.contact;
}

Spot spot_of(const Oracle& oracle, const Constraint& c, const std::string& name) {
  const Mechanism& m = oracle.mechanism();
  Spot spot;
  // a contact point of this joint, or of another joint at the same place
  for (const Constraint& joint : m.constraints) {
    if (name != joint.name + ".P" && name != joint.name + ".Q") continue;
    const Side& side = name.ends_with(".P") ? joint.A : joint.B;
    spot.carrier = side.kind == SideKind::kBody ? side.index : Mechanism::kGroundCarrier;
    spot.is_contact = joint.name == c.name;
    spot.is_coincident = !spot.is_contact;
    spot.r = values(contact_of(joint, oracle.kinematics()));
    return spot;
  }
  // the point of a body that coincides with another point
  if (const auto on = name.find(" on "); on != std::string::npos) {
    spot = spot_of(oracle, c, name.substr(0, on));
    spot.particle = spot.point = spot.massless = -1;
    spot.is_coincident = true;
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].name == name.substr(on + 4)) spot.carrier = static_cast<int>(b);
    }
    return spot;
  }
  for (std::size_t p = 0; p < m.points.size(); ++p) {
    if (m.points[p].name != name || oracle.structure().used.points[p] == 0) continue;
    spot.point = static_cast<int>(p);
    spot.r = values(oracle.kinematics().place(spot.point));
    if (const auto particle = m.particle_at(spot.point)) {
      spot.particle = *particle;
    } else {
      spot.carrier = oracle.structure().carrier_of[at(spot.point)];
      if (spot.carrier == Mechanism::kNoCarrier) spot.massless = spot.point;
    }
    break;
  }
  return spot;
}

Vector sizes_of(const Oracle& o, int constraint) {
  const int first = o.first_column[at(constraint)], count = o.first_column[at(constraint) + 1] - first;
  Vector sizes = o.stated.col(constraint).cwiseAbs();
  for (int k = 0; k < count; ++k) sizes += o.wrench.col(first + k).cwiseAbs();
  return sizes;
}

std::optional<Expected> expected_answer(const Oracle& oracle, const Reading& reading, const Asked& asked) {
  return Answers(oracle, reading, asked).answer();
}

}  // namespace vinculum::mechanisms

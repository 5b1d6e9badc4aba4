#include "vinculum/model/joint.hpp"

#include <array>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/ground.hpp"
#include "vinculum/model/joint_vectors.hpp"
#include "vinculum/model/rigid_vectors.hpp"
#include "vinculum/model/surface_contact.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// The rows of one joint while they are built.
class JointRows {
 public:
  JointRows(ModelBuilder& builder, std::string name, const JointSpec& spec)
      : builder_(builder),
        pool_(builder.terms()),
        name_(std::move(name)),
        spec_(spec),
        tree_(builder.model()),
        A_(spec.first_body),
        B_(spec.second_body) {
    if (spec.axis.is_valid()) {
      // If A has no body of its own, the triad stays in basis vectors of A, because the vectors of B get the same
      // measure numbers as the vectors of A.
      stated_ = triad_about(pool_, first() == A_ ? own(spec.axis, A_) : spec.axis, A_,
                            in_basis_of(builder.model(), tree_, spec.axis, A_));
      in_A_ = {own(stated_.a, first()), own(stated_.e1, first()), own(stated_.e2, first())};
      b_ = in_B(stated_.a);
    }
    if (spec.axis2.is_valid()) b_ = own(direction_of(spec.axis2), second());
  }

  void add() {
    switch (spec_.kind) {
      case JointKind::kRevolute:
        shift_along({in_A_.a, in_A_.e1, in_A_.e2});
        keep_axis();
        break;
      case JointKind::kPrismatic:
        shift_along({in_A_.e1, in_A_.e2});
        keep_attitude(stated_);
        break;
      case JointKind::kCylindrical:
        shift_along({in_A_.e1, in_A_.e2});
        keep_axis();
        break;
      case JointKind::kUniversal:
        shift_along(axes_of(A_));
        row(pool_.dot(in_A_.a, b_));
        break;
      case JointKind::kSpherical: shift_along(axes_of(A_)); break;
      case JointKind::kPlanar:
        shift_along({in_A_.a});
        keep_axis();
        break;
      case JointKind::kFixed:
        shift_along(axes_of(A_));
        keep_attitude({pool_.basis_vector(A_, 0), pool_.basis_vector(A_, 1), pool_.basis_vector(A_, 2)});
        break;
      case JointKind::kScrew: add_screw(); break;
      case JointKind::kGear: add_gear(); break;
      case JointKind::kDistance: row(pool_.norm(between()) - spec_.length); break;
      case JointKind::kPointOnSurface: add_point_on_surface(); break;
      case JointKind::kBlade: {
        const PointId Q = builder_.add_point_on(name_ + ".Q", B_, spec_.first_point, pool_.zero_vector());
        row(pool_.dot(relative_velocity(spec_.first_point, Q), in_A_.a));
        break;
      }
      case JointKind::kRolling: add_rolling(); break;
      case JointKind::kPrescribedPosition:
        for (const Term e : axes_of(A_)) row(pool_.dot(between() - spec_.prescribed, e));
        break;
      case JointKind::kPrescribedOrientation: {
        const Turn turn(pool_, spec_.prescribed);
        for (int k = 0; k < 3; ++k) row(pool_.dot(axis(B_, (k + 1) % 3), turn.of(axis(A_, (k + 2) % 3))));
        break;
      }
      case JointKind::kPrescribedVelocity: {
        const PointId P = builder_.add_point_on(name_ + ".P", A_, spec_.second_point, pool_.zero_vector());
        const Term velocity = relative_velocity(spec_.second_point, P) - spec_.prescribed;
        for (const Term e : axes_of(A_)) row(pool_.dot(velocity, e));
        break;
      }
      case JointKind::kContact: VINCULUM_EXPECTS(false); break;
    }
  }

  std::vector<ContactPlace> contacts(const std::vector<std::string>& names) {
    const auto placed = [&](SurfaceKind kind, const std::vector<Term>& lengths, PointId center, FrameId frame,
                            PointId other, Term stated) {
      PlacedSurface surface{kind, lengths, center, axis(frame, 2), {axis(frame, 0), axis(frame, 1), axis(frame, 2)}};
      if (stated.is_valid()) surface.axis = own(direction_of(stated), frame);
      if (kind == SurfaceKind::kPolygon)
        for (Term& corner : surface.lengths) corner = own(corner, frame);
      if (kind == SurfaceKind::kGround) {
        const Term arm = pool_.position(other, center);
        const auto at = [&](std::size_t k) { return pool_.dot(arm, surface.basis[k]); };
        surface.lengths = {
            height_at(lengths.front(), place_on_ground(pool_, other, center, frame), {at(0), at(1), at(2)})};
      }
      return surface;
    };
    const PlacedSurface first = placed(spec_.surface, spec_.surface_lengths, spec_.first_point, A_, spec_.second_point,
                                       spec_.axis),
                        second = placed(spec_.surface2, spec_.surface2_lengths, spec_.second_point, B_,
                                        spec_.first_point, spec_.axis2);
    const std::vector<SurfaceContact> all = contacts_of(pool_, first, second);
    VINCULUM_EXPECTS(names.size() == all.size());
    std::vector<ContactPlace> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ContactPlace& place = places.emplace_back();
      place.name = names[i];
      place.gap = all[i].gap;
      place.P = builder_.add_point_on(place.name + ".P", A_, all[i].base, all[i].to_contact);
      place.Q = builder_.add_point_on(place.name + ".Q", B_, all[i].base, all[i].to_contact);
      place.slip = relative_velocity(place.Q, place.P);
      // The contact point moves over both surfaces only perpendicular to the normal, as in `add_rolling`.
      place.rate = pool_.dot(place.slip, all[i].normal);
      place.sides = sides();
    }
    return places;
  }

  JointPosition position() {
    if (spec_.kind != JointKind::kRevolute) return {pool_.dot(between(), in_A_.a), {}, {}, {}};
    JointPosition position;
    position.rate = pool_.dot(relative_spin(), in_A_.a);
    position.value = angle_of_frames();
    if (position.value.is_valid()) return position;
    const Term of_B = spec_.axis2.is_valid() ? own(triad_about(pool_, spec_.axis2, B_).e1, second()) : in_B(stated_.e1);
    position.sine = pool_.dot(of_B, in_A_.e2);
    position.cosine = pool_.dot(of_B, in_A_.e1);
    return position;
  }

  /// The two solids A and B if the points P and Q are fixed in them, and the solids whose vectors the prescribed vector
  /// contains. Empty if the points are not fixed in them, or if that vector contains positions or motions.
  std::vector<FrameId> sides() {
    const bool are_solids =
        tree_.solid_of(spec_.first_point) == first() && tree_.solid_of(spec_.second_point) == second();
    if (!are_solids) return {};
    std::vector<FrameId> all{first(), second()};
    if (!spec_.prescribed.is_valid()) return all;
    for (const Term leaf : leaves_as_read(spec_.prescribed)) {
      switch (leaf.kind()) {
        case TermKind::kBasisVector: all.push_back(tree_.carrying_frame(frame_of(leaf))); break;
        case TermKind::kPosition:
        case TermKind::kVelocity:
        case TermKind::kAcceleration:
        case TermKind::kAngularVelocity:
        case TermKind::kAngularAcceleration:
        case TermKind::kPartial:
        case TermKind::kRate: return {};
        default: break;
      }
    }
    return all;
  }

  std::vector<Term> rows;
  std::vector<Term> rates;  ///< [rows] rate that inspection reads instead of the row; invalid: it reads the row itself

 private:
  void row(Term relation, Term rate = {}) {
    rows.push_back(relation);
    rates.push_back(rate);
  }

  /// The solid of one end (A or B) of the joint. It is the solid of the end's point if the point belongs to the rigid
  /// frame that the end names; otherwise the solid of that frame.
  FrameId solid_of(PointId point, FrameId frame) {
    const auto of_point = tree_.solid_of(point);
    return of_point && tree_.are_one_rigid_frame(*of_point, frame) ? *of_point : tree_.solid_of(frame).value_or(frame);
  }
  FrameId first() { return builder_.model().frame(A_).body ? A_ : solid_of(spec_.first_point, A_); }
  FrameId second() { return builder_.model().frame(B_).body ? B_ : solid_of(spec_.second_point, B_); }
  /// A vector of one end of the joint, written in vectors of the solid on which its torque acts.
  Term own(Term vector, FrameId solid) { return in_vectors_of(builder_.model(), tree_, vector, solid); }

  /// The vector of B with the same measure numbers in B as `vector` has in A. The measure numbers must be plain
  /// numbers, because basis vectors inside them would be interpreted as vectors of B.
  Term in_B(Term vector) {
    const Term in_basis = in_basis_of(builder_.model(), tree_, vector, A_);
    return own(counterpart(pool_, in_basis, A_, B_), second());
  }

  Term axis(FrameId frame, int k) { return own(pool_.basis_vector(frame, k), frame == A_ ? first() : second()); }
  std::vector<Term> axes_of(FrameId frame) { return {axis(frame, 0), axis(frame, 1), axis(frame, 2)}; }
  /// Position of Q relative to P.
  Term between() const { return pool_.position(spec_.second_point, spec_.first_point); }

  /// vel(point) − vel(other) in the newtonian frame, where `other` is the material point of the other solid at the same
  /// position. A point of the ground is included, so that inspection finds the reaction on the ground.
  Term relative_velocity(PointId point, PointId other) const {
    return pool_.velocity(point, Model::newtonian()) - pool_.velocity(other, Model::newtonian());
  }

  void shift_along(const std::vector<Term>& directions) {
    for (const Term e : directions) row(pool_.dot(between(), e));
  }

  /// Rows that keep b parallel to a: the components of b along e2 and e1, which rotations about −e1 and e2 change.
  void keep_axis() {
    row(-pool_.dot(b_, in_A_.e2));
    row(pool_.dot(b_, in_A_.e1));
  }

  /// Rows that keep a triad of A parallel to the triad of B with the same measure numbers. Row k increases with a
  /// rotation of B about vector k of the triad.
  void keep_attitude(const Triad& A) {
    const Triad B{in_B(A.a), in_B(A.e1), in_B(A.e2)};
    row(pool_.dot(B.e1, own(A.e2, first())));
    row(pool_.dot(B.e2, own(A.a, first())));
    row(pool_.dot(B.a, own(A.e1, first())));
  }

  void add_screw() {
    shift_along({in_A_.e1, in_A_.e2});
    keep_axis();
    // If the other rows are satisfied, the line PQ is parallel to a. Then this rate of advance is the same in A as in
    // the newtonian frame.
    const Term advance = relative_velocity(spec_.second_point, spec_.first_point);
    row(pool_.dot(advance, in_A_.a) - spec_.pitch / (2.0 * kPi) * pool_.dot(relative_spin(), in_A_.a));
  }

  /// Angular velocity of B relative to A. The ground is included, so that inspection finds the torque on the ground.
  Term relative_spin() const {
    const auto turning = [&](FrameId side) {
      return side == Model::newtonian() ? pool_.ground_angular_velocity()
                                        : pool_.angular_velocity(side, Model::newtonian());
    };
    return turning(B_) - turning(A_);
  }

  /// Angle from A to B about a, as a sum of the angles that define the frames between them. Invalid if a is not the
  /// same basis vector of both, or if a frame between them turns about another vector.
  Term angle_of_frames() {
    const bool is_negated = stated_.a.kind() == TermKind::kVectorNegate;
    const Term base = is_negated ? stated_.a.operand(0) : stated_.a;
    if (base.kind() != TermKind::kBasisVector || frame_of(base) != A_) return {};
    const auto axis = static_cast<int>(base.second());
    if (spec_.axis2.is_valid()) {
      const Term same = pool_.basis_vector(B_, axis);
      if (direction_of(spec_.axis2) != (is_negated ? -same : same)) return {};
    }
    const FrameId common = tree_.common_parent(A_, B_);
    const Term of_A = angle_below(common, A_, axis), of_B = angle_below(common, B_, axis);
    if (!of_A.is_valid() || !of_B.is_valid()) return {};
    return is_negated ? of_A - of_B : of_B - of_A;
  }

  /// Sum of the angles about the basis vector `axis` from the frame `above` down to `frame`; invalid if a rotation
  /// between them is about another vector.
  Term angle_below(FrameId above, FrameId frame, int axis) {
    Term sum = pool_.number(0.0);
    for (const FrameId one : tree_.path_down(above, frame)) {
      const Frame& turned = builder_.model().frame(one);
      if (turned.quaternion) return {};
      for (const SimpleRotation& rotation : turned.rotations) {
        if (rotation.angle.is_zero()) continue;
        const bool is_negated = rotation.axis < 0 && rotation.direction.kind() == TermKind::kVectorNegate;
        const Term direction = is_negated ? rotation.direction.operand(0) : rotation.direction;
        const bool is_about =
            rotation.axis < 0 ? direction == pool_.basis_vector(turned.parent, axis) : rotation.axis == axis;
        if (!is_about) return {};
        sum = is_negated ? sum - rotation.angle : sum + rotation.angle;
      }
    }
    return sum;
  }

  void add_gear() {
    const Term arm = between() / (spec_.ratio + 1.0);
    const PointId P = builder_.add_point_on(name_ + ".P", A_, spec_.first_point, arm);
    const PointId Q = builder_.add_point_on(name_ + ".Q", B_, spec_.first_point, arm);
    row(pool_.dot(relative_velocity(Q, P), pool_.unit(pool_.cross(in_A_.a, between()))));
  }

  void add_point_on_surface() {
    const Term d = pool_.position(spec_.first_point, spec_.second_point);
    const Term b = b_.is_valid() ? b_ : axis(B_, 2);
    Term gap, normal;
    switch (spec_.surface) {
      case SurfaceKind::kPlane:
        gap = pool_.dot(d, b);
        normal = b;
        break;
      case SurfaceKind::kSphere:
        gap = pool_.norm(d) - length(0);
        normal = pool_.unit(d);
        break;
      case SurfaceKind::kTorus: {
        const Term from_circle = d - length(0) * pool_.unit(d - pool_.dot(d, b) * b);
        gap = pool_.norm(from_circle) - length(1);
        normal = pool_.unit(from_circle);
        break;
      }
      case SurfaceKind::kEllipsoid: {
        // With f = (Σ (x_i/a_i)² − 1)/2, f/|∇f| is the distance from the ellipsoid to first order. If the row is this
        // distance, its multiplier is the normal force.
        Term f = pool_.number(-1.0), gradient = pool_.zero_vector();
        for (int i = 0; i < 3; ++i) {
          const Term x = pool_.dot(d, axis(B_, i)), a = length(static_cast<std::size_t>(i));
          f = f + x * x / (a * a);
          gradient = gradient + x / (a * a) * axis(B_, i);
        }
        gap = 0.5 * f / pool_.norm(gradient);
        normal = pool_.unit(gradient);
        break;
      }
      default: VINCULUM_EXPECTS(false); break;
    }
    const PointId Q = builder_.add_point_on(name_ + ".Q", B_, spec_.first_point, pool_.zero_vector());
    row(gap, pool_.dot(relative_velocity(spec_.first_point, Q), normal));
  }

  /// B's surface, with the axis b.
  PlacedSurface surface_of_B(Term b) {
    return {spec_.surface, spec_.surface_lengths, spec_.second_point, b, {axis(B_, 0), axis(B_, 1), axis(B_, 2)}};
  }

  void add_rolling() {
    const bool is_plane = !spec_.radius.is_valid();
    VINCULUM_EXPECTS(!is_plane || spec_.axis.is_valid());
    const SurfaceContact at = is_plane ? contacts_on_plane(pool_, spec_.first_point, in_A_.a, surface_of_B(b_)).front()
                                       : contact_on_sphere(pool_, spec_.first_point, spec_.radius,
                                                           surface_of_B(b_.is_valid() ? b_ : axis(B_, 2)));
    const PointId P = builder_.add_point_on(name_ + ".P", A_, spec_.second_point, at.to_contact);
    const PointId Q = builder_.add_point_on(name_ + ".Q", B_, spec_.second_point, at.to_contact);
    const Term slip = relative_velocity(Q, P);
    // The contact point moves over B only perpendicular to n. So the rate of the gap is the relative velocity, along n,
    // of the two material points in contact.
    row(at.gap, pool_.dot(slip, at.normal));
    const auto [t1, t2] = is_plane ? std::pair{in_A_.e1, in_A_.e2} : tangents_of_sphere(at.normal);
    row(pool_.dot(slip, t1));
    row(pool_.dot(slip, t2));
  }

  /// Tangents of A's sphere at n: the vectors e1 and e2 of the axis (without axis: of A's z), rotated by the shortest
  /// rotation that takes a to n. They are smooth except at n = −a. One such point is unavoidable, because no continuous
  /// tangent field covers a sphere. Two tangent fields with a jump between them would make the rows discontinuous.
  std::pair<Term, Term> tangents_of_sphere(Term n) {
    const Triad pole = spec_.axis.is_valid() ? in_A_ : Triad{axis(A_, 2), axis(A_, 0), axis(A_, 1)};
    const Term along = pool_.dot(n, pole.a);
    const auto tangent = [&](Term e) { return e - pool_.dot(n, e) / (along + 1.0) * (pole.a + n); };
    return {tangent(pole.e1), tangent(pole.e2)};
  }

  Term length(std::size_t i) const {
    VINCULUM_EXPECTS(i < spec_.surface_lengths.size());
    return spec_.surface_lengths[i];
  }

  static constexpr double kPi = 3.14159265358979323846;

  ModelBuilder& builder_;
  TermPool& pool_;
  std::string name_;
  const JointSpec& spec_;
  KinematicTree tree_;
  FrameId A_, B_;
  Triad stated_;  ///< triad about the axis, in vectors of A_
  Triad in_A_;    ///< the same triad in vectors of A's solid
  Term b_;
};

bool has_parts(const JointSpec& spec, std::uint16_t parts) {
  const std::array<std::pair<JointPart, Term>, 7> stated = {{{kJointAxis, spec.axis},
                                                             {kJointAxis2, spec.axis2},
                                                             {kJointRatio, spec.ratio},
                                                             {kJointPitch, spec.pitch},
                                                             {kJointLength, spec.length},
                                                             {kJointRadius, spec.radius},
                                                             {kJointPrescribed, spec.prescribed}}};
  for (const auto& [part, term] : stated) {
    if ((parts & part) != 0 && !term.is_valid()) return false;
  }
  return true;
}

}  // namespace

ConstraintId add_joint(ModelBuilder& builder, std::string name, const JointSpec& spec, SourceRange range,
                       std::string text) {
  const JointInfo& info = joint_info(spec.kind);
  const auto is_particle = [&](PointId point) { return builder.model().point(point).particle.has_value(); };
  VINCULUM_EXPECTS(has_parts(spec, info.needs));
  VINCULUM_EXPECTS(spec.first_body != spec.second_body || is_particle(spec.first_point) ||
                   is_particle(spec.second_point));
  JointRows joint(builder, name, spec);
  joint.add();
  VINCULUM_ENSURES(static_cast<int>(joint.rows.size()) == info.rows);
  const bool has_units = builder.model().has_units;
  const ConstraintId id = builder.add_rows(std::move(name), std::move(joint.rows),
                                           has_units ? joint_row_dimensions(spec.kind) : std::vector<Dimension>{},
                                           std::string(info.name), range, std::move(text));
  model::Constraint& constraint = builder.model().constraints[id.index()];
  constraint.row_rates = std::move(joint.rates);
  constraint.sides = joint.sides();
  return id;
}

std::vector<ContactPlace> add_contact_places(ModelBuilder& builder, const std::vector<std::string>& names,
                                             const JointSpec& spec) {
  VINCULUM_EXPECTS(spec.kind == JointKind::kContact && spec.first_body != spec.second_body);
  return JointRows(builder, {}, spec).contacts(names);
}

JointPosition joint_position(ModelBuilder& builder, const JointSpec& spec) {
  VINCULUM_EXPECTS(joint_position_dimension(spec.kind).has_value() && has_parts(spec, joint_info(spec.kind).needs));
  return JointRows(builder, {}, spec).position();
}

}  // namespace vinculum::model

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/append_only.hpp"
#include "vinculum/base/content_table.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/base/id.hpp"
#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum {
struct Rounded;
}

/// Module model: the mechanics that a text describes, as frames, points, loads and constraints, in vectors.
namespace vinculum::model {

using ParameterId = Id<struct ParameterTag>;
using CoordinateId = Id<struct CoordinateTag>;
using SpeedId = Id<struct SpeedTag>;
using FrameId = Id<struct FrameTag>;
using PointId = Id<struct PointTag>;
using ParticleId = Id<struct ParticleTag>;
using BodyId = Id<struct BodyTag>;
using RevealId = Id<struct RevealTag>;
using StateId = Id<struct StateTag>;
using SlideId = Id<struct SlideTag>;
using LoadId = Id<struct LoadTag>;
using ConstraintId = Id<struct ConstraintTag>;
using TermId = Id<struct TermTag>;

enum class TermType : std::uint8_t { kScalar, kVector };

/// Kind of a Term. A condition is a scalar with the value 1 (true) or 0 (false).
enum class TermKind : std::uint8_t {
  // scalar leaves
  kNumber,  ///< a constant number; `value`
  kTime,
  kParameter,        ///< `index`: ParameterId
  kCoordinate,       ///< `index`: CoordinateId; `order` 0 to 3: q, q', q'', q'''
  kSpeed,            ///< `index`: SpeedId; `order` 0, 1, 2: u, u', u''
  kMultiplier,       ///< `index`: ConstraintId, `second`: row; λ of the actual motion, with all `nonideal` forces
  kIdealMultiplier,  ///< `index`: ConstraintId, `second`: row; λ of the ideal part Qi (theory.md §4)
  /// index: ConstraintId, second: SpeedId; an entry of Aᵀλ plus the forces of the constraint's `nonideal` clauses
  kGeneralizedForce,
  kGeneralizedIdealForce,  ///< `index`: ConstraintId, `second`: SpeedId; an entry of the ideal part Aᵀλ_ideal
  kDeparture,     ///< `index`: ConstraintId, `second`: row; residual b − A a of the row at the free acceleration a
  kSystemVector,  ///< `index`: SystemVector, `second`: SpeedId; an entry of a vector of the whole model
  kLawEnergy,     ///< `index`: ConstraintId of higher order; its contribution to the effective energy (theory.md §6.5)
  kEffort,  ///< `index`: ConstraintId, `second`: actuator, counted from 0; the effort of that actuator (theory.md §6.9)
  kState,   ///< `index`: StateId; an extra first-order state, or a multiplier that is a state
  kSlideDirection,  ///< `index`: SlideId, `second`: 0, 1, 2; a measure number of a friction direction (theory.md §4.6)
  // scalars from operands
  kFunction,  ///< operation `op` on 1 to 3 scalars (not kConstant, kSymbol, kTable)
  kTable,     ///< the argument x is the operand; `index`: table of the pool; `order`: derivative of the spline
  kDot,
  kNorm,
  /// ∂(operand 0)/∂(operand 1), scalars: an entry of `jacobian`. Operand 1 is a kCoordinate of order 0 or 1, a kSpeed
  /// of order 0 or kTime. For a derivative by q, q' or t, the other two are held fixed. For a derivative by u_r, q'
  /// changes as q' = G u + g, and q and t are held fixed
  kPartial,
  /// Time derivative of order 1 to 3 of the scalar operand 0, for scalars that no rule of `time_derivative` covers
  kRate,
  // vector leaves
  kZeroVector,
  kBasisVector,      ///< `index`: FrameId, `second`: axis 0, 1, 2
  kPosition,         ///< `index`: PointId to, `second`: PointId from
  kVelocity,         ///< `index`: PointId, `second`: FrameId it is seen in
  kAcceleration,     ///< `index`: PointId, `second`: FrameId it is seen in
  kAngularVelocity,  ///< `index`: FrameId, `second`: FrameId it is seen in
  kAngularAcceleration,
  // vectors from operands
  kVectorAdd,
  kVectorSubtract,
  kVectorNegate,
  kScale,  ///< operands: scalar, vector
  kCross,
  kUnit,
  kVectorSelect,  ///< operands: condition, vector, vector
};

/// Vectors with one entry per speed that belong to the whole model and not to a single constraint (theory.md §3.1,
/// 4.4).
enum class SystemVector : std::uint8_t {
  kFreeAcceleration,  ///< a = M⁻¹ f, the acceleration without constraints
  kIdealForce,        ///< Qi, the ideal part of the constraint force
  kConstraintForce    ///< Qc = Qi + Qni, the whole constraint force
};
inline constexpr std::size_t kSystemVectors = 3;

class TermPool;

/// A typed symbolic expression, scalar or vector; vectors are not resolved into components. A Term refers to a node of
/// a TermPool and is cheap to copy.
class Term {
 public:
  Term() = default;
  Term(TermPool* pool, TermId id) : pool_(pool), id_(id) {}
  [[nodiscard]] bool is_valid() const { return pool_ != nullptr; }
  [[nodiscard]] TermPool& pool() const { return *pool_; }
  [[nodiscard]] TermId id() const { return id_; }
  [[nodiscard]] TermKind kind() const;
  [[nodiscard]] TermType type() const;
  [[nodiscard]] bool is_scalar() const { return type() == TermType::kScalar; }
  [[nodiscard]] bool is_vector() const { return type() == TermType::kVector; }
  [[nodiscard]] bool is_zero() const;  ///< the number 0 or the zero vector
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] double value() const;     ///< value of a kNumber
  [[nodiscard]] Rounded rounded() const;  ///< the value with its error bound
  [[nodiscard]] std::uint32_t index() const;
  [[nodiscard]] std::uint32_t second() const;
  [[nodiscard]] int order() const;
  [[nodiscard]] expr::Op op() const;  ///< the operation of a kFunction
  [[nodiscard]] int operand_count() const;
  [[nodiscard]] Term operand(int i) const;
  friend bool operator==(const Term& a, const Term& b) { return a.pool_ == b.pool_ && a.id_ == b.id_; }

 private:
  TermPool* pool_ = nullptr;
  TermId id_;
};

/// Stores Terms. Equal terms share one node, and operands have smaller ids than the terms that use them. The builder
/// functions simplify numbers, zeros and ones. Contracts check the types of operands. Several threads may read and add
/// terms at the same time.
class TermPool {
 public:
  struct Node {
    TermKind kind{};
    TermType type{};
    std::uint8_t order = 0;
    expr::Op op{};
    std::uint32_t index = 0;
    std::uint32_t second = 0;
    float doubt = 0.0F;  ///< kNumber: bound of its relative error
    double value = 0.0;
    TermId operands[3];
  };

  TermPool() = default;
  TermPool(const TermPool&) = delete;
  TermPool& operator=(const TermPool&) = delete;

  [[nodiscard]] const Node& node(TermId id) const { return nodes_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// A number as typed in a text, with the error bound of `as_stated`.
  Term number(double value);
  /// A number with its error bound, like a constant of expr::Graph. It becomes 0 if the error bound includes 0.
  Term number(const Rounded& value);
  Term time();
  Term parameter(ParameterId id);
  Term coordinate(CoordinateId id, int order = 0);
  Term speed(SpeedId id, int order = 0);
  Term multiplier(ConstraintId id, int row);
  Term ideal_multiplier(ConstraintId id, int row);
  Term generalized_force(ConstraintId id, SpeedId speed);
  Term generalized_ideal_force(ConstraintId id, SpeedId speed);
  Term departure(ConstraintId id, int row);
  Term system_vector(SystemVector which, SpeedId speed);
  Term law_energy(ConstraintId id);
  Term effort(ConstraintId id, int actuator);
  Term state(StateId id);
  Term slide_direction(SlideId id, int component);
  Term partial(Term of, Term by);
  Term rate(Term of, int order = 1);
  Term function(expr::Op op, Term first, Term second = {}, Term third = {});
  Term table(std::shared_ptr<const expr::Spline> spline, int derivative_order, Term x);
  Term zero_vector();
  Term basis_vector(FrameId frame, int axis);
  Term position(PointId to, PointId from);
  Term velocity(PointId point, FrameId seen_in);
  Term acceleration(PointId point, FrameId seen_in);
  Term angular_velocity(FrameId frame, FrameId seen_in);
  Term angular_acceleration(FrameId frame, FrameId seen_in);
  /// Angular velocity and acceleration of the newtonian frame relative to itself. Both are zero, but a row can contain
  /// them, and inspection reads the torque on the ground from them.
  Term ground_angular_velocity();
  Term ground_angular_acceleration();
  Term dot(Term a, Term b);
  Term cross(Term a, Term b);
  Term norm(Term a);
  Term unit(Term a);
  Term scale(Term factor, Term vector);
  Term vector_select(Term condition, Term if_true, Term if_false);
  Term vector_add(Term a, Term b);
  Term vector_subtract(Term a, Term b);
  Term vector_negate(Term a);
  [[nodiscard]] const std::shared_ptr<const expr::Spline>& spline(std::uint32_t index) const { return splines_[index]; }

 private:
  Term intern(const Node& node);
  std::mutex growing_;
  AppendOnly<Node> nodes_;
  ContentTable<TermTag> interned_;
  AppendOnly<std::shared_ptr<const expr::Spline>> splines_;
};

// These are inline because every traversal of terms calls them.
inline TermKind Term::kind() const { return pool_->node(id_).kind; }
inline TermType Term::type() const { return pool_->node(id_).type; }
inline bool Term::is_number() const { return kind() == TermKind::kNumber; }
inline double Term::value() const {
  VINCULUM_EXPECTS(is_number());
  return pool_->node(id_).value;
}
inline bool Term::is_zero() const {
  const TermPool::Node& node = pool_->node(id_);
  return node.kind == TermKind::kZeroVector || (node.kind == TermKind::kNumber && node.value == 0.0);
}
inline std::uint32_t Term::index() const { return pool_->node(id_).index; }
inline std::uint32_t Term::second() const { return pool_->node(id_).second; }
inline int Term::order() const { return pool_->node(id_).order; }
inline expr::Op Term::op() const { return pool_->node(id_).op; }
inline int Term::operand_count() const {
  const TermPool::Node& node = pool_->node(id_);
  return node.operands[2].is_valid() ? 3 : node.operands[1].is_valid() ? 2 : node.operands[0].is_valid() ? 1 : 0;
}
inline Term Term::operand(int i) const {
  const TermPool::Node& node = pool_->node(id_);
  VINCULUM_EXPECTS(i >= 0 && i < 3 && node.operands[i].is_valid());
  return Term(pool_, node.operands[i]);
}

/// Arithmetic on scalars and vectors; scalar * vector and vector / scalar are allowed.
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator-(Term a);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator*(double a, Term b);
Term operator*(Term a, double b);
Term operator/(Term a, double b);
Term operator/(double a, Term b);
Term operator+(Term a, double b);
Term operator+(double a, Term b);
Term operator-(Term a, double b);
Term operator-(double a, Term b);

/// Level of an equation or expression: the highest derivative it contains after expansion (language.md, small print).
enum class Level : std::uint8_t {
  kPosition,
  kVelocity,
  kAcceleration,
  kThird
};  // kThird: only for relations of theory.md §6.5
[[nodiscard]] std::string_view to_string(Level level);

}  // namespace vinculum::model

#pragma once

#include <memory>
#include <optional>

#include "vinculum/base/outcome.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Derivatives of coordinates that relations may hold; those above the second are for relations of theory.md §6.5.
inline constexpr int kHighestDerivative = 8;
/// The level of what holds derivatives of this order: from the third on it is the order.
[[nodiscard]] constexpr Level level_of_derivative(int order) { return static_cast<Level>(order); }

/// Total time derivative of a scalar, or of a vector as seen in `frame`: d/dt(pos(P,O)) = vel(P) − vel(O),
/// d/dt(B.x) = cross(omega(B), B.x), … Not valid (a Term without pool) where a derivative above
/// the highest of a coordinate would be needed.   Source: theory.md §2; Kane's transport theorem.
[[nodiscard]] Term time_derivative(const Model& model, Term term, FrameId frame = Model::newtonian());

/// Those seen in the newtonian frame of terms that share parts, each part differentiated once. The model must not
/// change meanwhile.
class TimeDerivatives {
 public:
  explicit TimeDerivatives(const Model& model);
  ~TimeDerivatives();
  [[nodiscard]] Term of(Term term);

 private:
  std::unique_ptr<class Differentiator> differentiator_;
};

/// The highest derivative that the term holds once every point and frame in it is expanded.
[[nodiscard]] Level level_of(const Model& model, Term term);

/// Whether the term holds an extra state: a relation that does is a functional one (theory.md §6.10).
[[nodiscard]] bool holds_state(Term term);
/// How often a relation is to be differentiated along the motion, with the rates of states inserted, until
/// accelerations enter; nothing where they do not up to kMostOfFunctional. Of a relation without states 2 − its level.
inline constexpr int kMostOfFunctional = 4;
[[nodiscard]] std::optional<int> order_of_accelerations(const Model& model, Term relation);
/// Derivative `order` of a scalar.   \pre it is a term
[[nodiscard]] Term derivative_of(const Model& model, Term scalar, int order);

/// The term with positions, velocities and accelerations of points that carry no mass expanded through their bases down
/// to particles, points fixed in the newtonian frame and bare coordinates: what remains are the places a force can act
/// at.
[[nodiscard]] Term expand_massless(const Model& model, Term term);

/// The term in the language's own notation with the model's names: `cross(vel(P2), N.z)`, `2*q1*N.x`.
[[nodiscard]] std::string to_text(const Model& model, Term term);

}  // namespace vinculum::model

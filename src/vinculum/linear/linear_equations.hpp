#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/compiled/motion_gradient.hpp"
#include "vinculum/compiled/parameter_rates.hpp"
#include "vinculum/compiled/switches.hpp"

namespace vinculum::linear {

/// The equations near a state: y' = F(t, y, p), outputs h(t, y, p), and the conditions c(t, y) = 0 that every state of
/// the motion satisfies: rows at position and velocity level, norms of quaternions, hidden conditions of constraints of
/// higher order. Subscripts are derivatives.
struct NearState {
  Vector F, h, c;        ///< [ny], [outputs], [conditions]
  Matrix F_y, h_y, c_y;  ///< [ny × ny], [outputs × ny], [conditions × ny]
  Matrix F_p, h_p;       ///< [ny × parameters], [outputs × parameters]
};

/// Evaluates `NearState` with exact derivatives, for every reaction law. Derived from the model a second time, so that
/// its graph may grow.
class LinearEquations {
 public:
  struct Quantities {
    std::vector<std::size_t> outputs;     ///< indices into Model::outputs; all their components
    std::vector<std::size_t> parameters;  ///< indices into Model::parameters
  };
  /// \returns kNotUnique, with the reason, if the motion does not depend smoothly on its state (friction that may
  /// stick, and the other cases of `sim::motion_equations`), if an output depends on other quantities than state,
  /// accelerations and forces, or if a parameter occurs in a constraint of position or velocity level
  [[nodiscard]] static Outcome<LinearEquations> make(std::shared_ptr<const sim::Binding> bound,
                                                     const Quantities& wanted);

  /// \param y  [q, u, z]   \param u_dot  [nu] initial guess of the accelerations
  /// \returns kNonFinite or kUndetermined if the equations have no solution or no derivative at the state
  [[nodiscard]] Outcome<void> at(double t, const Vector& y, const Vector& u_dot, NearState& near);
  /// The text of a switch of the equations (`if`, `abs`, a knot of a table) whose corner or jump is at this state.
  [[nodiscard]] std::optional<std::string> corner(double t, const Vector& y);

  [[nodiscard]] const equations::System& system() const { return *equations_.system; }
  /// [conditions] 1 if the condition contains no speed
  [[nodiscard]] const std::vector<char>& is_position() const { return is_position_; }
  /// [nz] 1 for a state that only events, samples or inputs change, so that z' = 0 identically
  [[nodiscard]] const std::vector<char>& is_held() const { return is_held_; }
  [[nodiscard]] Eigen::Index nq() const { return static_cast<Eigen::Index>(system().q.size()); }
  [[nodiscard]] Eigen::Index nu() const { return static_cast<Eigen::Index>(system().u.size()); }
  [[nodiscard]] Eigen::Index ny() const { return nq() + nu() + static_cast<Eigen::Index>(system().z.size()); }
  /// Whether the equations and conditions contain the time.
  [[nodiscard]] bool depend_on_time() const;
  /// Name of a component of y in messages: "x", "x'", "mu(c)".
  [[nodiscard]] std::string name(Eigen::Index component) const;

 private:
  LinearEquations(std::shared_ptr<const sim::Binding> bound, sim::MotionEquations equations)
      : bound_(std::move(bound)), equations_(std::move(equations)) {}
  [[nodiscard]] Outcome<void> add_outputs(std::span<const std::size_t> outputs);
  [[nodiscard]] Outcome<void> find_conditions(std::span<const std::size_t> parameters);
  void find_held();
  void compile();

  std::shared_ptr<const sim::Binding> bound_;
  sim::MotionEquations equations_;  ///< S also has the outputs
  std::vector<expr::Expr> conditions_;
  std::vector<char> is_position_, is_held_;
  sim::ParameterRates parameters_;
  std::vector<expr::Entry> c_y_;
  std::unique_ptr<sim::MotionGradient> gradient_;
  std::unique_ptr<expr::TaylorSeries> condition_values_, surface_values_;
  std::unique_ptr<sim::Switches> switches_;
};

}  // namespace vinculum::linear

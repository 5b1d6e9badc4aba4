#pragma once

#include <memory>
#include <vector>

#include "vinculum/compiled/motion_gradient.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/sensitivity/values_at.hpp"

namespace vinculum::sensitivity {

/// The reported quantities of a model in addition to its state: outputs and multipliers.
struct ShownColumns {
  struct Rows {
    int first = 0, count = 0;  ///< rows of `shown`; count 0: the quantity has no derivative
  };
  std::vector<Rows> outputs;      ///< [outputs]
  std::vector<Rows> multipliers;  ///< [constraints]
  int count = 0;                  ///< number of rows
};

/// The equations of a model in one mode, with exact derivatives by the state and by parameters: y' = F(t, y, p), the
/// conditions c(t, y, p) = 0 that every state of the mode satisfies, and the quantities that are reported.
class ModeEquations {
 public:
  virtual ~ModeEquations() = default;
  /// Derivatives of F at a state.   \param u_dot  initial guess of the accelerations
  /// \returns false if the equations have no solution or no finite derivative there
  [[nodiscard]] virtual bool at(double t, const double* y, ConstVector u_dot) = 0;
  [[nodiscard]] virtual ConstMatrix F_y() const = 0;  ///< [ny × ny]   \pre `at`
  [[nodiscard]] virtual Matrix F_p() const = 0;       ///< [ny × parameters]   \pre `at`
  /// Derivatives of the reported quantities along changes S of the state.
  /// \param S, by_p  [ny × columns]; [parameters × columns] change of each parameter   \param shown  [rows × columns]
  [[nodiscard]] virtual bool shown_at(double t, const double* y, ConstVector u_dot, const Matrix& S, const Matrix& by_p,
                                      Matrix& shown) = 0;
  /// Contacts that stick.
  [[nodiscard]] virtual std::vector<std::size_t> sticking() const { return {}; }
  /// Derivatives of the margins of the contacts that stick (FrictionEquations) along columns; time passes along the
  /// last one.   \param Y, P  [ny × columns]; [parameters × columns]   \param along  [sticking × columns]
  [[nodiscard]] virtual bool margins_along(double t, const double* y, ConstVector u_dot, const Matrix& Y,
                                           const Matrix& P, Matrix& along);
  /// Changes S as little as possible, relative to typical sizes, until c_y S + c_p by_p = 0.   \returns false if the
  /// conditions have no finite derivative
  [[nodiscard]] bool project(double t, const double* y, const Vector& scale, const Matrix& by_p, Matrix& S);

 protected:
  explicit ModeEquations(ValuesAt conditions) : conditions_(std::move(conditions)) {}

 private:
  ValuesAt conditions_;
};

/// A mode outside of switching surfaces.
class SmoothMode final : public ModeEquations {
 public:
  /// The expressions contain no switches and no directions of friction.
  struct Parts {
    sim::MotionEquations motion;
    std::vector<expr::Expr> conditions;  ///< c, functions of state and parameters
    std::vector<expr::Expr> shown;       ///< functions of state and unknowns
    std::vector<expr::Expr> margins;     ///< as FrictionEquations::margins
    std::vector<std::size_t> sticking;   ///< contacts of `margins`
  };
  SmoothMode(Parts parts, std::span<const double> parameters, const sim::ParameterRates& rates);

  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot) override { return motion_->at(t, y, u_dot); }
  [[nodiscard]] ConstMatrix F_y() const override { return motion_->F_y(); }
  [[nodiscard]] Matrix F_p() const override { return motion_->F_p() * rates_; }
  [[nodiscard]] bool shown_at(double t, const double* y, ConstVector u_dot, const Matrix& S, const Matrix& by_p,
                              Matrix& shown) override;
  [[nodiscard]] std::vector<std::size_t> sticking() const override { return sticking_; }
  [[nodiscard]] bool margins_along(double t, const double* y, ConstVector u_dot, const Matrix& Y, const Matrix& P,
                                   Matrix& along) override;
  /// F and the reported quantities themselves.   \returns false as `at`
  [[nodiscard]] bool values_at(double t, const double* y, ConstVector u_dot, Vector& F, Vector& shown);

 private:
  Matrix rates_;
  std::unique_ptr<sim::MotionGradient> motion_, shown_;  ///< `shown_` is null if nothing is reported
  std::unique_ptr<sim::MotionGradient> margins_;         ///< its state is (y, t); null if no contact sticks
  std::vector<std::size_t> sticking_;
  Eigen::Index ny_, shown_count_;
};

/// A sliding mode on switching surfaces s_k = 0 (SurfaceMotion): F = F₀ + Σ_k α_k D_k with ṡ = 0. Differentiated,
///
///   dF = dF₀ + Σ_k α_k dD_k + Σ_k D_k dα_k,    W dα = −(d ṡ at fixed F + ∇s (dF₀ + Σ_k α_k dD_k)),    W_jk = ∇s_j·D_k
class SlidingMode final : public ModeEquations {
 public:
  /// \param faces  [surfaces + 1] the regions as in Mode::faces; they must outlive this object
  /// \param surfaces  s of (t, y)   \param rates  ṡ of (t, y, F), where F are further components of the state
  SlidingMode(std::vector<SmoothMode*> faces, ValuesAt conditions, ValuesAt surfaces, ValuesAt rates)
      : ModeEquations(std::move(conditions)),
        faces_(std::move(faces)),
        surfaces_(std::move(surfaces)),
        rates_(std::move(rates)) {}

  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot) override;
  [[nodiscard]] ConstMatrix F_y() const override { return F_y_; }
  [[nodiscard]] Matrix F_p() const override { return F_p_; }
  [[nodiscard]] bool shown_at(double t, const double* y, ConstVector u_dot, const Matrix& S, const Matrix& by_p,
                              Matrix& shown) override;

 private:
  std::vector<SmoothMode*> faces_;
  ValuesAt surfaces_, rates_;
  Matrix F_y_, F_p_, alpha_y_, alpha_p_;
  Vector weights_;  ///< [faces] 1 − Σ α, α
};

/// Makes the equations of a model in each mode. Derived once, in a graph of its own.
class ModeFamily {
 public:
  /// \param parameters  indices into Model::parameters: those by which the motion is differentiated
  /// \returns kNotUnique, with the reason, if the reactions are not a smooth function of the state in any mode
  [[nodiscard]] static Outcome<ModeFamily> make(std::shared_ptr<const sim::Binding> bound,
                                                std::span<const std::size_t> parameters);

  /// The equations in a mode; made when the mode is first met.
  [[nodiscard]] ModeEquations& in(const sim::Mode& mode);
  /// x − y of switching surfaces with the sides of a mode; for a floor x minus the integer between the sides.
  /// \param surfaces  indices   \param levels  [surfaces] value of x − y on the surface
  [[nodiscard]] ValuesAt surfaces(const sim::Mode& mode, std::span<const std::size_t> surfaces,
                                  std::span<const double> levels);
  [[nodiscard]] const sim::Switches::Surface& surface(std::size_t k) const { return watches_->switches.surfaces()[k]; }
  /// Expressions of the state in the regions of a mode.
  [[nodiscard]] std::vector<expr::Expr> in_regions(const sim::Mode& mode, std::span<const expr::Expr> values);
  [[nodiscard]] ValuesAt values(std::vector<expr::Expr> f) const {
    return {std::move(f), motion_, bound_->parameters, rates_};
  }
  /// What decides about the equations of friction: 0 for a contact that sticks, else its direction along a line.
  [[nodiscard]] std::vector<double> key_of(const sim::FrictionState& friction) const;
  /// [slides] As lines_of_friction.
  [[nodiscard]] const std::vector<Vector>& lines() const { return lines_; }
  [[nodiscard]] const ShownColumns& columns() const { return columns_; }
  [[nodiscard]] const equations::System& system() const { return *motion_.system; }
  [[nodiscard]] const sim::MotionEquations& motion() const { return motion_; }
  [[nodiscard]] const sim::ParameterRates& rates() const { return rates_; }

 private:
  struct Made {
    std::vector<double> sides, friction;
    std::unique_ptr<ModeEquations> equations;
  };
  [[nodiscard]] std::unique_ptr<SmoothMode> smooth(const sim::Mode& mode);
  [[nodiscard]] std::unique_ptr<SlidingMode> sliding(const sim::Mode& mode);
  ModeFamily(std::shared_ptr<const sim::Binding> bound, sim::MotionEquations motion);
  void find_conditions();
  void find_shown();

  std::shared_ptr<const sim::Binding> bound_;
  sim::MotionEquations motion_;
  sim::ParameterRates rates_;
  std::unique_ptr<sim::Watches> watches_;  ///< null without switching surfaces; numbers them as the motion does
  std::vector<expr::Expr> conditions_, shown_;
  ShownColumns columns_;
  std::vector<Vector> lines_;
  std::vector<Made> made_;
  std::vector<std::unique_ptr<SmoothMode>> faces_;  ///< of sliding modes
};

}  // namespace vinculum::sensitivity

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "vinculum/names.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

/// The equations of a model at arbitrary states, for integrators, controllers and optimizers of other programs: M u' =
/// f + C + Aᵀλ, A u' = b (docs/theory.md §0).
///
/// A state is t [s] and y = [q, u, z]: coordinates, speeds, extra states, in SI units and in the order of
/// `Model::coordinates`, `speeds` and `states`. Matrices are written row by row into memory of the caller. Every
/// function may be called at any state, also at states that violate the constraints. Results depend on t and y alone:
/// conditions have the truth value of the state, and contacts stick or slip as in a motion that begins there. If
/// several accelerations satisfy the constraints, the function returns those nearest to the unconstrained acceleration.
///
/// After the first call no function allocates. Exceptions are models with dry friction (stick and slip are decided anew
/// in each call) and relations that are not linear in the accelerations. An object serves one thread; any number of
/// objects may share a Model.
/// \returns each function returns an Error if a span does not have the stated length, or if the equations have no
/// solution at the state.
class Evaluator {
 public:
  struct Own;
  explicit Evaluator(std::unique_ptr<Own> own);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  [[nodiscard]] int coordinate_count() const;           ///< nq
  [[nodiscard]] int speed_count() const;                ///< nu
  [[nodiscard]] int state_count() const;                ///< nz
  [[nodiscard]] int size() const;                       ///< length of y: nq + nu + nz
  [[nodiscard]] int row_count() const;                  ///< nc, number of rows of A
  [[nodiscard]] std::span<const double> start() const;  ///< y at the start of the model [nq + nu + nz]
  [[nodiscard]] double start_time() const;              ///< t at the start [s]

  /// y' = [q', u', z'].   \param y_dot  [nq + nu + nz]
  [[nodiscard]] Result<void> derivative(double t, std::span<const double> y, std::span<double> y_dot);
  /// Changes q and u to the nearest state that satisfies the constraints, in the metric of M. z is unchanged.
  [[nodiscard]] Result<void> project(double t, std::span<double> y);

  /// \param M  [nu × nu]
  [[nodiscard]] Result<void> mass_matrix(double t, std::span<const double> y, std::span<double> M);
  /// f + C: given forces minus the inertia bias, plus the forces of `nonideal` clauses.   \param bias  [nu]
  [[nodiscard]] Result<void> bias(double t, std::span<const double> y, std::span<double> bias);
  /// Constraints at acceleration level, A u' = b.   \param A  [nc × nu]   \param b  [nc]
  [[nodiscard]] Result<void> rows(double t, std::span<const double> y, std::span<double> A, std::span<double> b);
  /// Residual of each row at position and at velocity level; 0 if the row has no such level.
  /// \param position  [nc]   \param velocity  [nc]
  [[nodiscard]] Result<void> misses(double t, std::span<const double> y, std::span<double> position,
                                    std::span<double> velocity);
  /// Multipliers λ. If they are not unique, the multipliers of least norm; `Model::forces` reports uniqueness.
  /// \param lambda  [nc]
  [[nodiscard]] Result<void> multipliers(double t, std::span<const double> y, std::span<double> lambda);
  /// As `Simulation::inverse_dynamics`; without constraints M u' − f − C.   \param u_dot  [nu]   \param forces  [nu]
  [[nodiscard]] Result<void> inverse_dynamics(double t, std::span<const double> y, std::span<const double> u_dot,
                                              std::span<double> forces);
  struct Energies {
    double kinetic = 0.0, potential = 0.0;  ///< [J] NaN if the model states a Lagrangian
    double total = 0.0;                     ///< [J] as in `Trajectory::energy`
  };
  [[nodiscard]] Result<Energies> energies(double t, std::span<const double> y);

  /// A point or a frame, found by name once and used in many calls. Handles from `Model::point` and `Model::frame`
  /// convert to it.
  struct Place {
    Place() = default;  ///< of no model
    Place(PointHandle point) : index(point.index), model(point.model) {}
    Place(FrameHandle frame) : is_frame(true), index(frame.index), model(frame.model) {}
    bool is_frame = false;
    std::size_t index = 0;
    std::uint64_t model = 0;  ///< as in `Handle`
  };
  /// As `Model::point`. The place is compiled now; otherwise by the first function that uses it.
  [[nodiscard]] Result<Place> point(std::string_view name);
  /// As `Model::frame`, likewise.
  [[nodiscard]] Result<Place> frame(std::string_view name);
  /// For a point: its position relative to the newtonian origin, in the newtonian frame [3]. For a frame: its three
  /// unit vectors, one after the other [9].   `position`, `velocity` and `jacobian` return an Error for a place of
  /// another model.
  [[nodiscard]] Result<void> position(Place place, double t, std::span<const double> y, std::span<double> position);
  /// Velocity of a point or angular velocity of a frame, in the newtonian frame.   \param velocity  [3]
  [[nodiscard]] Result<void> velocity(Place place, double t, std::span<const double> y, std::span<double> velocity);
  /// Derivative of `velocity` with respect to the speeds: velocity = J u + a function of t and q.   \param J  [3 × nu]
  [[nodiscard]] Result<void> jacobian(Place place, double t, std::span<const double> y, std::span<double> J);

 private:
  std::unique_ptr<Own> own_;
};

}  // namespace vinculum

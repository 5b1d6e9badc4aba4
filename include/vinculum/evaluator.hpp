#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "vinculum/trajectory.hpp"

namespace vinculum {

/// Equations of a model at states of the caller's choice: for integrators, controllers and optimizers of other
/// programs. M u' = f + C + Aᵀλ, A u' = b (docs/theory.md §0).
///
/// A state is t [s] and y = [q, u, z]: coordinates, speeds, extra states, in SI units and in the order of
/// `Model::coordinates`, `speeds` and `states`. Matrices are written row by row into memory of the caller. Every
/// function may be called at any state, also off the constraints, and its result depends on t and y alone: conditions
/// hold as the state says, contacts stick or slide as in a motion that begins there, and of several accelerations that
/// satisfy the constraints those nearest to the free ones count.
///
/// After the first call a function allocates nothing, but for models with dry friction, whose state is settled at each
/// call, and for relations that are not linear in the accelerations.
/// One object serves one thread; any number of them share a Model. Each function returns an Error if a span does not
/// have the length that is stated, or if the equations have no solution at the state.
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
  [[nodiscard]] int size() const;                       ///< of y, nq + nu + nz
  [[nodiscard]] int row_count() const;                  ///< nc, rows of A
  [[nodiscard]] std::span<const double> start() const;  ///< y of the model's start [nq + nu + nz]
  [[nodiscard]] double start_time() const;              ///< t of it [s]

  /// y' = [q', u', z'].   \param y_dot  [nq + nu + nz]
  [[nodiscard]] Result<void> derivative(double t, std::span<const double> y, std::span<double> y_dot);
  /// Changes y to the nearest state that satisfies the constraints, in the metric of M. z stays.
  [[nodiscard]] Result<void> project(double t, std::span<double> y);

  /// \param M  [nu × nu]
  [[nodiscard]] Result<void> mass_matrix(double t, std::span<const double> y, std::span<double> M);
  /// f + C: given forces less the inertia bias, and the forces that `nonideal` clauses state.   \param bias  [nu]
  [[nodiscard]] Result<void> bias(double t, std::span<const double> y, std::span<double> bias);
  /// Rows of acceleration level.   \param A  [nc × nu]   \param b  [nc]
  [[nodiscard]] Result<void> rows(double t, std::span<const double> y, std::span<double> A, std::span<double> b);
  /// By how much the state misses each row, at position and at velocity level; 0 if the row has no such level.
  /// \param position  [nc]   \param velocity  [nc]
  [[nodiscard]] Result<void> misses(double t, std::span<const double> y, std::span<double> position,
                                    std::span<double> velocity);
  /// λ, of least norm if they are not unique (`Model::forces` says which are).   \param lambda  [nc]
  [[nodiscard]] Result<void> multipliers(double t, std::span<const double> y, std::span<double> lambda);
  /// As `Simulation::inverse_dynamics`: without constraints M u' − f − C.   \param u_dot  [nu]   \param forces  [nu]
  [[nodiscard]] Result<void> inverse_dynamics(double t, std::span<const double> y, std::span<const double> u_dot,
                                              std::span<double> forces);
  struct Energies {
    double kinetic = 0.0, potential = 0.0;  ///< [J] NaN if the model states a Lagrangian
    double total = 0.0;                     ///< [J] as `Trajectory::energy` has it
  };
  [[nodiscard]] Result<Energies> energies(double t, std::span<const double> y);

  /// A point or a frame of the model, found once by its name.
  struct Place {
    int index = -1;
  };
  /// A point, a particle or the mass center of a body.   \returns an Error that names the points there are.
  [[nodiscard]] Result<Place> point(std::string_view name);
  /// A frame, or that of a body.   \returns an Error that names the frames there are.
  [[nodiscard]] Result<Place> frame(std::string_view name);
  /// Whether it is a frame; false for a place of another evaluator.
  [[nodiscard]] bool is_frame(Place place) const;
  /// Of a point: its position from the newtonian origin, measured in the newtonian frame.
  /// Of a frame: its three unit vectors, one after the other.   \param position  [3], or [9]
  [[nodiscard]] Result<void> position(Place place, double t, std::span<const double> y, std::span<double> position);
  /// Velocity of a point, angular velocity of a frame, in the newtonian frame.   \param velocity  [3]
  [[nodiscard]] Result<void> velocity(Place place, double t, std::span<const double> y, std::span<double> velocity);
  /// Its derivatives by the speeds: velocity = J u + a function of t and q.   \param J  [3 × nu]
  [[nodiscard]] Result<void> jacobian(Place place, double t, std::span<const double> y, std::span<double> J);

 private:
  std::unique_ptr<Own> own_;
};

}  // namespace vinculum

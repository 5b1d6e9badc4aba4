#include "vinculum/linear/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/linear/symmetry.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;

constexpr int kMostChoices = 4;           // choices of independent speeds that are tried to find a steady motion
constexpr double kNearby = 0.0001;        // distance to a neighboring state, in typical sizes
constexpr double kDependentSooner = 1e3;  // weight of speeds that change along the motion
// displacements of moving coordinates, in typical sizes, at which a steady motion must have the same linear system
constexpr std::array kDisplacements = {0.37, -1.3};

/// The time that makes the rates of coordinates and the rates of speeds equally large in A.
double time_of(const LinearEquations& equations, const Tangent& tangent, const Matrix& A, const Vector& scale) {
  const Vector size = scale(tangent.independent);
  const Matrix relative = size.cwiseInverse().asDiagonal() * A * size.asDiagonal();
  const Index nq = equations.nq(), nu = equations.nu();
  const auto is_speed = [&](Index i) {
    const Index component = tangent.independent[static_cast<std::size_t>(i)];
    return component >= nq && component < nq + nu;
  };
  double rates = 0.0, forces = 0.0, other = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      double& largest = is_speed(i) == is_speed(j) ? other : is_speed(i) ? forces : rates;
      largest = std::max(largest, std::abs(relative(i, j)));
    }
  }
  if (forces > 0.0 && rates > 0.0) return std::sqrt(rates / forces);
  return other > 0.0 ? 1.0 / other : 1.0;
}

class Linearizer {
 public:
  Linearizer(LinearEquations& equations, const sim::Binding& bound) : equations_(equations), bound_(bound) {}

  [[nodiscard]] Outcome<Linearization> run(double t, const Vector& y, const Vector& u_dot,
                                           const std::vector<LinearInput>& inputs) {
    if (auto known = prepare(t, y, u_dot); !known) return fail(std::move(known.error()));
    choose();
    if (is_singular()) {
      Failure failure;
      failure.t = t;
      failure.kind = FailureKind::kRankDrop;
      failure.message =
          "the constraints have a lower rank than at neighboring states, so the motion has no linear system here";
      failure.advice = "linearize at a state away from the singular configuration";
      return fail(std::move(failure));
    }
    if (result_.reference == Reference::kMoving) find_symmetry();
    Linearization& of = result_;
    add_inputs(inputs);
    of.modes = modes_of(of.A, of.scale(of.tangent.independent));
    of.stability = stability();
    return std::move(of);
  }

 private:
  [[nodiscard]] Outcome<void> prepare(double t, const Vector& y, const Vector& u_dot) {
    result_.t = t;
    result_.y = y;
    if (const auto text = equations_.corner(t, y)) {
      Failure failure;
      failure.t = t;
      failure.kind = FailureKind::kNotUnique;
      failure.message = fmt::format("the equations have a corner or a jump at this state: `{}` changes there", *text);
      failure.advice = "linearize at a state on one side of it, or use a smooth function";
      return fail(std::move(failure));
    }
    if (auto done = equations_.at(t, y, u_dot, near_); !done) return done;
    result_.y_dot = near_.F;
    result_.outputs = near_.h;
    result_.scale = sizes_near(equations_, bound_, y);
    preference_.is_held.assign(static_cast<std::size_t>(y.size()), 0);
    for (std::size_t i = 0; i < equations_.is_held().size(); ++i) {
      if (equations_.is_held()[i] == 0) continue;
      const Index component = equations_.nq() + equations_.nu() + static_cast<Index>(i);
      preference_.is_held[static_cast<std::size_t>(component)] = 1;
      result_.held.push_back(component);
    }
    preference_.scale = result_.scale;
    preference_.weight = Vector::Ones(y.size());
    return {};
  }

  /// Chooses independent components. If speeds change although the motion may be steady, as the velocity of a body that
  /// moves on a circle, other speeds are chosen.
  void choose() {
    Linearization& of = result_;
    std::optional<Linearization> first;
    for (int k = 0; k < kMostChoices; ++k) {
      use(choose_tangent(equations_, near_.c_y, preference_));
      if (judge()) return;
      if (!first) first = of;
      if (k > 0 && of.tangent.independent == first->tangent.independent) break;
      for (const Index component : changing_) preference_.weight[component] = kDependentSooner;
    }
    of = *std::move(first);
    of.moving.clear();
    of.reference = Reference::kMoving;
  }

  /// Decides whether the motion is steady in a frame that moves along a symmetry.
  void find_symmetry() {
    Linearization& of = result_;
    const Vector size = sizes();
    const auto symmetries = find_symmetries(equations_, of.tangent, size, time_, of.t, of.y, near_);
    auto symmetry = symmetry_of_motion(symmetries, size, time_, of.y, of.y_dot);
    if (!symmetry) return;
    of.reference = Reference::kSteady;
    of.moving.clear();
    for (Index i = 0; i < of.y.size(); ++i) {
      if (std::abs(of.y_dot[i]) * time_ > tolerance::kConditioned * size[i] || !symmetry->S.row(i).isZero(0.0))
        of.moving.push_back(i);
    }
    of.S = std::move(symmetry->S);
    of.A = ((near_.F_y - of.S) * of.tangent.T)(of.tangent.independent, Eigen::all);
  }

  void use(Tangent tangent) {
    result_.tangent = std::move(tangent);
    result_.A = (near_.F_y * result_.tangent.T)(result_.tangent.independent, Eigen::all);
    time_ = time_of(equations_, result_.tangent, result_.A, result_.scale);
    preference_.scale.segment(equations_.nq(), equations_.nu()) =
        result_.scale.segment(equations_.nq(), equations_.nu());
  }

  /// Typical sizes of the independent components, with speeds in units of the typical time.
  [[nodiscard]] Vector sizes() const {
    Vector size = result_.scale;
    size.segment(equations_.nq(), equations_.nu()) /= time_;
    return size;
  }

  [[nodiscard]] bool is_speed(Index component) const {
    return component >= equations_.nq() && component < equations_.nq() + equations_.nu();
  }

  /// Decides what the reference is. \returns false if it is a moving one
  [[nodiscard]] bool judge() {
    Linearization& of = result_;
    const Vector size = sizes();
    const Vector rates = of.y_dot.cwiseQuotient(size) * time_;
    of.moving.clear();
    of.worst = -1;
    if (rates.size() == 0 || rates.cwiseAbs().maxCoeff(&of.worst) <= tolerance::kConditioned) {
      of.reference = Reference::kEquilibrium;
      return true;
    }
    of.reference = Reference::kSteady;
    return find_moving(rates, size) && of.moving.size() < of.tangent.independent.size() && stays_the_same();
  }

  /// Finds the components that move, and those whose rates depend on them. \returns whether no speed is among them;
  /// otherwise `changing_` has the speeds that were found first
  [[nodiscard]] bool find_moving(const Vector& rates, const Vector& size) {
    Linearization& of = result_;
    const auto& independent = of.tangent.independent;
    const Matrix A = without_rounding(of.A, size(independent));
    std::vector<char> is_moving(independent.size(), 0);
    changing_.clear();
    for (std::size_t i = 0; i < independent.size(); ++i)
      is_moving[i] = std::abs(rates[independent[i]]) > tolerance::kConditioned ? 1 : 0;
    for (std::vector<char> before; before != is_moving && changing_.empty();) {
      for (std::size_t i = 0; i < independent.size(); ++i) {
        if (is_moving[i] != 0 && is_speed(independent[i])) changing_.push_back(independent[i]);
      }
      before = is_moving;
      for (std::size_t i = 0; i < is_moving.size(); ++i) {
        for (std::size_t k = 0; k < is_moving.size(); ++k) {
          if (before[k] != 0 && A(static_cast<Index>(i), static_cast<Index>(k)) != 0.0) is_moving[i] = 1;
        }
      }
    }
    for (std::size_t i = 0; i < independent.size(); ++i) {
      if (is_moving[i] != 0) of.moving.push_back(independent[i]);
    }
    const auto is_smaller = [&](Index a, Index b) { return std::abs(rates[a]) < std::abs(rates[b]); };
    if (!changing_.empty()) of.worst = *std::ranges::max_element(changing_, is_smaller);
    return changing_.empty();
  }

  /// Whether the linear system of the components that do not move is the same at other values of the moving ones and at
  /// other times.
  [[nodiscard]] bool stays_the_same() {
    const Linearization& of = result_;
    std::vector<Index> still;  // positions in `independent`
    for (std::size_t i = 0; i < of.tangent.independent.size(); ++i) {
      if (std::ranges::find(of.moving, of.tangent.independent[i]) == of.moving.end())
        still.push_back(static_cast<Index>(i));
    }
    const Vector size = sizes();
    std::vector<Index> components;
    for (const Index i : still) components.push_back(of.tangent.independent[static_cast<std::size_t>(i)]);
    const Vector part = size(components);
    const auto relative = [&](const Matrix& A) {
      return Matrix(part.cwiseInverse().asDiagonal() * A(still, still) * part.asDiagonal());
    };
    const Matrix reference = relative(of.A);
    for (const double displacement : kDisplacements) {
      Vector y = of.y;
      for (const Index component : of.moving) y[component] += displacement * size[component];
      NearState there = near_;
      Tangent tangent = of.tangent;
      const double t = of.t + std::abs(displacement) * time_;
      if (!meet_conditions(equations_, tangent, of.scale, t, y, there)) return false;
      compute_tangent(there.c_y, of.scale, tangent);
      const Matrix A = relative((there.F_y * tangent.T)(tangent.independent, Eigen::all));
      const double rates = (there.F - of.y_dot)(components).cwiseQuotient(part).cwiseAbs().maxCoeff() * time_;
      if (!(rates <= tolerance::kHalfDigits)) return false;
      if (!((A - reference).cwiseAbs().maxCoeff() <= tolerance::kHalfDigits * reference.cwiseAbs().maxCoeff()))
        return false;
    }
    return true;
  }

  /// Whether fewer components are dependent than at a neighboring state, or no neighboring state is found.
  [[nodiscard]] bool is_singular() {
    const Tangent& tangent = result_.tangent;
    if (near_.c.size() == 0 || tangent.independent.empty()) return false;
    Vector y = result_.y;
    double share = 1.0;  // unequal displacements, so that they do not keep a symmetry
    for (const Index i : tangent.independent) y[i] += kNearby * (share *= 0.9) * sizes()[i];
    NearState there = near_;
    if (!meet_conditions(equations_, tangent, result_.scale, result_.t, y, there)) return true;
    return choose_tangent(equations_, there.c_y, preference_).dependent.size() != tangent.dependent.size();
  }

  void add_inputs(const std::vector<LinearInput>& inputs) {
    Linearization& of = result_;
    const auto columns = static_cast<Index>(inputs.size());
    of.C = near_.h_y * of.tangent.T;
    of.B = Matrix::Zero(of.A.rows(), columns);
    of.D = Matrix::Zero(of.C.rows(), columns);
    for (Index k = 0; k < columns; ++k) {
      const LinearInput& input = inputs[static_cast<std::size_t>(k)];
      const Vector column = input.is_parameter ? near_.F_p.col(input.index) : near_.F_y.col(input.index);
      of.B.col(k) = column(of.tangent.independent);
      of.D.col(k) = input.is_parameter ? near_.h_p.col(input.index) : near_.h_y.col(input.index);
    }
    of.scale = sizes();
  }

  [[nodiscard]] Stability stability() const {
    if (result_.reference == Reference::kMoving) return Stability::kUnknown;
    const Modes& modes = result_.modes;
    bool is_decided = true;
    for (Index k = 0; k < modes.eigenvalues.size(); ++k) {
      const double real = modes.eigenvalues[k].real();
      if (real > modes.uncertainty[k]) return Stability::kUnstable;
      is_decided = is_decided && real < -modes.uncertainty[k];
    }
    if (!is_decided) return Stability::kUndecided;
    if (modes.zeros.empty()) return Stability::kStable;
    const bool are_simple = std::ranges::none_of(
        modes.zeros, [](const ZeroEigenvalue& zero) { return zero.why == ZeroEigenvalue::Why::kDrift; });
    return are_simple ? Stability::kStableUpToZeros : Stability::kUndecided;
  }

  LinearEquations& equations_;
  const sim::Binding& bound_;
  NearState near_;
  Preference preference_;
  std::vector<Index> changing_;  ///< independent speeds that change along the motion
  double time_ = 1.0;            ///< [s] typical time of the linear system
  Linearization result_;
};

}  // namespace

Vector sizes_near(const LinearEquations& equations, const sim::Binding& bound, const Vector& y) {
  const Vector q = y.head(equations.nq()), z = y.tail(equations.ny() - equations.nq() - equations.nu());
  const Vector q_size = sim::coordinate_reach(bound, q);
  Vector size(y.size());
  size << q_size, sim::displacement_scale(bound, q_size),
      sim::state_reach(*bound.compiled->system, bound.parameters, q, z);
  return size.cwiseMax(tolerance::kLeast);
}

Outcome<Linearization> linearize(LinearEquations& equations, const sim::Binding& bound, double t, const Vector& y,
                                 const Vector& u_dot, const std::vector<LinearInput>& inputs) {
  return Linearizer(equations, bound).run(t, y, u_dot, inputs);
}

}  // namespace vinculum::linear

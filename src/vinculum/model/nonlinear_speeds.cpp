#include "vinculum/model/nonlinear_speeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/row_space.hpp"

namespace vinculum::model {
namespace {

constexpr int kStatesTried = 3, kMostStates = 60;

/// Random values of the time, the coordinates and their first two time derivatives.
class RandomInstant {
 public:
  explicit RandomInstant(const Model& model) : model_(model) {}
  Instant draw() {
    Instant at;
    at.t = uniform_(generator_);
    at.q = vector();
    normalize_quaternions(model_, at.q);
    at.q_dot = vector();
    at.q_ddot.assign(at.q.size(), 0.0);
    at.parameters = declared_values(model_);
    return at;
  }
  std::vector<double> vector() {
    std::vector<double> numbers(model_.coordinates.size());
    for (double& x : numbers) x = 2.0 * uniform_(generator_);
    return numbers;
  }
  /// Perturbs the parameters, so that no special parameter value makes a speed affine by chance.
  void change_parameters(Instant& at) {
    for (double& x : at.parameters) x += 0.5 * uniform_(generator_) * (x != 0.0 ? std::abs(x) : 1.0);
  }

 private:
  const Model& model_;
  std::mt19937_64 generator_{20020607};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

double value_of_speed(const Model& model, Term term, const Instant& at) {
  return TermValues(model, at).scalar(term).value;
}

/// The row ∂(definition)/∂q' at an instant. [nq]
std::vector<double> gradient_by_rates(const Model& model, Term definition, const Instant& at) {
  TermValues values(model, at);
  std::vector<double> row;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Term rate = model.terms->coordinate(CoordinateId(i), 1);
    row.push_back(values.scalar(model.terms->partial(definition, rate)).value);
  }
  return row;
}

bool is_finite_row(const std::vector<double>& row) {
  return std::ranges::all_of(row, [](double x) { return std::isfinite(x); });
}

/// Gradients ∂/∂q' of the definitions of all speeds at random states at which they are finite. [states][speeds, then
/// nonlinear speeds][nq]
struct Gradients {
  std::vector<double> q;
  std::vector<std::vector<double>> rows;
};
std::vector<Gradients> gradients_of(const Model& model) {
  RandomInstant random(model);
  std::vector<Gradients> all;
  for (int trial = 0; trial < kMostStates && all.size() < kStatesTried; ++trial) {
    const Instant at = random.draw();
    Gradients one{at.q, {}};
    for (const Speed& speed : model.speeds) one.rows.push_back(gradient_by_rates(model, speed.definition, at));
    for (const NonlinearSpeed& speed : model.nonlinear_speeds)
      one.rows.push_back(gradient_by_rates(model, speed.speed.definition, at));
    if (std::ranges::all_of(one.rows, is_finite_row)) all.push_back(std::move(one));
  }
  return all;
}

Failure not_new(std::string message, std::size_t speed) {
  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.message = std::move(message);
  failure.coordinates = {static_cast<int>(speed)};
  return failure;
}

}  // namespace

bool is_affine_in_rates(const Model& model, Term definition) {
  RandomInstant random(model);
  int tried = 0;
  for (int trial = 0; trial < kMostStates && tried < kStatesTried; ++trial) {
    Instant at = random.draw();
    random.change_parameters(at);
    const std::vector<double> along = random.vector();
    std::array<double, 3> f{};
    for (double& value : f) {
      value = value_of_speed(model, definition, at);
      for (std::size_t i = 0; i < along.size(); ++i) at.q_dot[i] += along[i];
    }
    const double bend = f[2] - 2.0 * f[1] + f[0], size = std::abs(f[0]) + std::abs(f[1]) + std::abs(f[2]);
    if (!std::isfinite(bend)) continue;
    ++tried;
    if (std::abs(bend) > tolerance::kGeneric * size) return false;
  }
  return true;
}

std::optional<Failure> place_nonlinear_speeds(Model& model) {
  if (model.nonlinear_speeds.empty()) return std::nullopt;
  const std::size_t count = model.speeds.size();
  const std::vector<Gradients> states = gradients_of(model);
  if (states.empty()) return not_new("the definitions of the speeds are not finite at any state tried", count);
  std::vector<RowSpace> spaces(states.size());
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (const Frame& frame : model.frames) {
      if (frame.quaternion) spaces[s].join(gauge_row(frame.quaternion->e, states[s].q));
    }
  }
  const auto join = [&](std::size_t row) {
    bool is_new = false;
    for (std::size_t s = 0; s < states.size(); ++s) is_new |= spaces[s].join(states[s].rows[row]);
    return is_new;
  };
  for (std::size_t r = 0; r < count; ++r) {
    if (!model.speeds[r].is_default) join(r);
  }
  for (std::size_t k = 0; k < model.nonlinear_speeds.size(); ++k) {
    if (join(count + k)) continue;
    return not_new("the speed `" + model.nonlinear_speeds[k].speed.name +
                       "` is not a new function of the derivatives of the coordinates: the speeds stated before it and "
                       "those that are affine already determine it",
                   count + k);
  }
  std::size_t next = 0;
  for (std::size_t r = 0; r < count; ++r) {
    if (!model.speeds[r].is_default || join(r)) continue;
    if (next < model.nonlinear_speeds.size()) model.nonlinear_speeds[next++].in_place_of = SpeedId(r);
  }
  return std::nullopt;
}

std::vector<ShownSpeed> shown_speeds(const Model& model) {
  std::vector<ShownSpeed> shown;
  const auto& nonlinear = model.nonlinear_speeds;
  std::size_t next = 0;
  const auto show_those_before = [&](std::size_t speed) {
    for (; next < nonlinear.size() && nonlinear[next].speeds_before <= speed; ++next)
      shown.push_back({&nonlinear[next].speed, nonlinear[next].in_place_of, next});
  };
  for (std::size_t r = 0; r < model.speeds.size(); ++r) {
    show_those_before(r);
    const SpeedId id(r);
    if (std::ranges::find(nonlinear, id, &NonlinearSpeed::in_place_of) == nonlinear.end())
      shown.push_back({&model.speeds[r], id, {}});
  }
  show_those_before(model.speeds.size());
  return shown;
}

}  // namespace vinculum::model

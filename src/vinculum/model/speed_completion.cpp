#include "vinculum/model/speed_completion.hpp"

#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/model/row_space.hpp"

namespace vinculum::model {
namespace {

constexpr int kStates = 3, kMaxTrials = 60;

/// The row r with ω_axis = r·q', where ω_axis is a measure number of a frame's angular velocity in the frame itself.
/// The frame has a unit quaternion with ω = 2 (e0 e' − e0' e − e × e'), where e are its last three coordinates.
std::vector<double> turning_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q, std::size_t axis) {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  std::vector<double> row(q.size(), 0.0);
  row[e[0].index()] = -2.0 * q[e[axis + 1].index()];
  row[e[axis + 1].index()] = 2.0 * q[e[0].index()];
  row[e[k + 1].index()] = -2.0 * q[e[j + 1].index()];
  row[e[j + 1].index()] = 2.0 * q[e[k + 1].index()];
  return row;
}

/// The stated speeds y = Y q' + y0 at a random state.
struct Rows {
  std::vector<double> q;
  std::vector<std::vector<double>> Y;
  std::vector<bool> is_affine;
  bool is_finite = true;
};

Rows rows_at_random_state(const Model& model, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const std::size_t nq = model.coordinates.size();
  Instant at;
  at.t = uniform(generator);
  for (std::size_t i = 0; i < nq; ++i) at.q.push_back(uniform(generator));
  normalize_quaternions(model, at.q);
  at.q_dot.assign(nq, 0.0);
  at.q_ddot.assign(nq, 0.0);
  at.parameters = declared_values(model);
  const auto definitions = [&](const std::vector<double>& q_dot) {
    Instant instant = at;
    instant.q_dot = q_dot;
    TermValues values(model, std::move(instant));
    std::vector<double> y;
    for (const Speed& speed : model.speeds) y.push_back(values.scalar(speed.definition).value);
    return y;
  };

  Rows rows;
  rows.q = at.q;
  const std::vector<double> y0 = definitions(at.q_dot);
  rows.Y.assign(model.speeds.size(), std::vector<double>(nq, 0.0));
  std::vector<double> any(nq);
  for (std::size_t i = 0; i < nq; ++i) {
    any[i] = 2.0 * uniform(generator);
    std::vector<double> one(nq, 0.0);
    one[i] = 1.0;
    const std::vector<double> y = definitions(one);
    for (std::size_t r = 0; r < y.size(); ++r) rows.Y[r][i] = y[r] - y0[r];
  }
  const std::vector<double> y_any = definitions(any);
  for (std::size_t r = 0; r < y0.size(); ++r) {
    double predicted = y0[r], size = std::fabs(y0[r]);
    for (std::size_t i = 0; i < nq; ++i) {
      predicted += rows.Y[r][i] * any[i];
      size += std::fabs(rows.Y[r][i] * any[i]);
    }
    if (!std::isfinite(y_any[r]) || !std::isfinite(predicted)) rows.is_finite = false;
    rows.is_affine.push_back(std::fabs(y_any[r] - predicted) <= tolerance::kGeneric * (1.0 + size));
  }
  return rows;
}

Failure singular(std::string message, int speed) {
  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.message = std::move(message);
  failure.coordinates = {speed};
  return failure;
}

/// Adds each of the default speeds B.wx, B.wy, B.wz that is independent of the earlier speeds.
void add_turning_speeds(Model& model, FrameId id, std::vector<RowSpace>& spaces,
                        const std::vector<std::vector<double>>& q) {
  const Frame& frame = model.frame(id);
  TermPool& pool = *model.terms;
  const Term omega = pool.angular_velocity(id, frame.parent);
  const Dimension per_time = model.has_units ? make_dimension(0, 0, -1) : Dimension{};
  for (int axis = 0; axis < 3; ++axis) {
    bool independent = spaces.empty();
    for (std::size_t s = 0; s < spaces.size(); ++s) {
      independent |= spaces[s].join(turning_row(frame.quaternion->e, q[s], static_cast<std::size_t>(axis)));
    }
    if (!independent) continue;
    model.speeds.push_back(Speed{frame.name + ".w" + "xyz"[axis], pool.dot(omega, pool.basis_vector(id, axis)), true,
                                 per_time, frame.range});
  }
}

}  // namespace

std::optional<Failure> complete_speeds(Model& model) {
  const std::size_t nq = model.coordinates.size(), stated = model.speeds.size();
  std::vector<RowSpace> spaces;
  std::vector<std::vector<double>> q_of_states;
  if (stated > 0) {
    std::mt19937_64 generator(20020607);
    std::vector<Rows> states;
    for (int trial = 0; trial < kMaxTrials && states.size() < kStates; ++trial) {
      Rows rows = rows_at_random_state(model, generator);
      if (rows.is_finite) states.push_back(std::move(rows));
    }
    if (states.empty()) return singular("the definitions of the speeds are not finite at any state tried", 0);
    spaces.resize(states.size());
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (const Frame& frame : model.frames) {
        if (frame.quaternion) spaces[s].join(gauge_row(frame.quaternion->e, states[s].q));
      }
      q_of_states.push_back(states[s].q);
    }
    for (std::size_t r = 0; r < stated; ++r) {
      const std::string& name = model.speeds[r].name;
      bool independent = false;
      for (std::size_t s = 0; s < states.size(); ++s) {
        if (!states[s].is_affine[r]) {
          return singular("the definition of `" + name + "` is not affine in the derivatives of the coordinates",
                          static_cast<int>(r));
        }
        independent |= spaces[s].join(states[s].Y[r]);
      }
      if (level_of(model, model.speeds[r].definition) == Level::kPosition) {
        return singular("the definition of `" + name + "` contains no derivative of a coordinate", static_cast<int>(r));
      }
      if (!independent) {
        return singular("the speed `" + name + "` is not a new combination of the derivatives of the coordinates: " +
                            std::to_string(r) + " speed" + (r == 1 ? "" : "s") + " before it already determine it",
                        static_cast<int>(r));
      }
    }
  }
  std::vector<FrameId> turned_by(nq);  // for each coordinate of a quaternion, the frame of that quaternion
  std::size_t count = nq;
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    if (!model.frames[f].quaternion) continue;
    --count;
    for (const CoordinateId q : model.frames[f].quaternion->e) turned_by[q.index()] = FrameId(f);
  }
  std::vector<bool> is_done(model.frames.size(), false);
  for (std::size_t i = 0; i < nq && model.speeds.size() < count; ++i) {
    if (turned_by[i].is_valid()) {
      if (!is_done[turned_by[i].index()]) add_turning_speeds(model, turned_by[i], spaces, q_of_states);
      is_done[turned_by[i].index()] = true;
      continue;
    }
    bool independent = spaces.empty();
    std::vector<double> row(nq, 0.0);
    row[i] = 1.0;
    for (RowSpace& space : spaces) independent |= space.join(row);
    if (!independent) continue;
    const Coordinate& q = model.coordinates[i];
    const Dimension per_time = model.has_units ? make_dimension(0, 0, -1) : Dimension{};
    model.speeds.push_back(
        Speed{q.name + "'", model.terms->coordinate(CoordinateId(i), 1), true, q.dimension * per_time, q.range});
  }
  return place_nonlinear_speeds(model);
}

}  // namespace vinculum::model

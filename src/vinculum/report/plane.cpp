#include "vinculum/report/plane.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::report {
namespace {

using model::kNewtonian;
using model::Model;
using model::Term;

/// The model at several general states. A property that holds at all of them is assumed to hold at every state.
class GeneralStates {
 public:
  explicit GeneralStates(const Model& model) : model_(model) {}

  [[nodiscard]] bool vanishes(Term scalar, Term size) const {
    return std::ranges::all_of(kSeeds, [&](double seed) {
      model::TermValues values(model_, state(seed));
      const double value = values.scalar(scalar).value, scale = values.scalar(size).value;
      return std::isfinite(value) && std::fabs(value) <= tolerance::kGeneric * (scale + tolerance::kLeast);
    });
  }

 private:
  static constexpr std::array<double, 3> kSeeds = {0.37, 1.13, 2.71};
  [[nodiscard]] model::Instant state(double seed) const {
    model::Instant instant;
    instant.t = seed;
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      instant.q.push_back(std::sin(seed * static_cast<double>(3 * i + 1)));
      instant.q_dot.push_back(std::cos(seed * static_cast<double>(5 * i + 2)));
    }
    instant.q_ddot.assign(model_.coordinates.size(), 0.0);
    instant.parameters = model::declared_values(model_);
    return instant;
  }
  const Model& model_;
};

/// Returns the index of the axis of the newtonian frame that is perpendicular to the motion of all masses; nothing if
/// there is no such axis.
std::optional<int> normal_of(const Model& model, const GeneralStates& states) {
  model::TermPool& pool = *model.terms;
  const auto moves_across = [&](model::PointId point, Term axis) {
    const Term v = pool.velocity(point, kNewtonian);
    return states.vanishes(pool.dot(v, axis), pool.norm(v));
  };
  for (int k = 0; k < 3; ++k) {
    const Term axis = pool.basis_vector(kNewtonian, k);
    const bool is_normal =
        std::ranges::all_of(model.particles, [&](const auto& one) { return moves_across(one.point, axis); }) &&
        std::ranges::all_of(model.bodies, [&](const model::Body& body) {
          const Term omega = pool.angular_velocity(body.frame, kNewtonian);
          return moves_across(body.center, axis) &&
                 states.vanishes(pool.norm(pool.cross(omega, axis)), pool.norm(omega));
        });
    if (is_normal) return k;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> out_of_plane(const Model& model, const std::vector<Column>& columns,
                                      const sim::Sample& sample) {
  std::vector<std::string> names;
  const GeneralStates states(model);
  std::optional<std::optional<int>> normal;
  model::TermPool& pool = *model.terms;
  for (const Column& column : columns) {
    if (column.shape != Column::Shape::kVector || !column.is_unique) continue;
    std::array<bool, 3> is_open{};
    for (int k = 0; k < 3; ++k) is_open[static_cast<std::size_t>(k)] = !column.is_unique(sample, k);
    if (std::ranges::none_of(is_open, std::identity{})) continue;
    if (!normal) normal = normal_of(model, states);
    if (!*normal) return names;
    const auto frame = std::ranges::find(model.frames, column.frame, &model::Frame::name);
    if (frame == model.frames.end()) continue;
    const model::FrameId in(static_cast<std::size_t>(frame - model.frames.begin()));
    std::optional<std::size_t> along;
    for (int k = 0; k < 3; ++k) {
      const Term across = pool.cross(pool.basis_vector(in, k), pool.basis_vector(kNewtonian, **normal));
      if (states.vanishes(pool.norm(across), pool.number(1.0))) along = static_cast<std::size_t>(k);
    }
    if (!along) continue;
    const std::size_t i = (*along + 1) % 3, j = (*along + 2) % 3;
    const bool is_open_in_plane = is_open[i] || is_open[j];
    // Components in the plane are not unique either, so the plane model is not the only reason.
    if (is_open[*along] && is_open_in_plane) continue;
    // A plane model does not determine forces perpendicular to the plane, and moments in the plane. Other components
    // are not unique because constraints or contacts share a force.
    const auto output = std::ranges::find(model.outputs, column.name, &model::Output::name);
    const bool is_moment = column.unit().si == "N*m" || (output != model.outputs.end() && output->is_moment);
    if (is_open_in_plane != is_moment) continue;
    const bool has_shares = std::ranges::find(sample.friction.sticks, char{1}) != sample.friction.sticks.end();
    if (is_open_in_plane && has_shares) continue;  // sticking contacts may share moments in the plane
    for (std::size_t k = 0; k < 3; ++k) {
      if (is_open[k]) names.push_back(entry_name(column, static_cast<int>(k)));
    }
  }
  return names;
}

}  // namespace vinculum::report

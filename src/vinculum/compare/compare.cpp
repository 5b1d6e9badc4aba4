#include "vinculum/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compare/ladder.hpp"
#include "vinculum/compare/start.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::compare {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Number of points at the start of a run for which every step is stored, because boundary layers are at the start.
constexpr std::size_t kEveryStep = 50000;
// Number of points stored over the rest of the run.
constexpr double kLaterPoints = 10000.0;

TrackPoint track_point(const Sample& sample) {
  return {sample.t, sample.q, sample.u, sample.z, sample.q_dot, sample.reaction.u_dot(), sample.z_dot};
}

bool has_multipliers(const Variant& variant) {
  return std::ranges::any_of(variant.bound->compiled->model->constraints,
                             [](const model::Constraint& constraint) { return !constraint.law->mu().empty(); });
}

Group group_of(const Variant& variant, const std::string& output) {
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, output) != names.end();
  };
  return is_among(variant.forces)     ? Group::kForces
         : is_among(variant.powers)   ? Group::kPowers
         : is_among(variant.energies) ? Group::kEnergies
                                      : Group::kOutputs;
}

/// Position of a quantity in a sample.
struct Source {
  enum class Of { kQ, kU, kZ, kOutput } of{};
  Eigen::Index place = 0;
  [[nodiscard]] double value(const Sample& sample) const {
    switch (of) {
      case Of::kQ: return sample.q[place];
      case Of::kU: return sample.u[place];
      case Of::kZ: return sample.z[place];
      case Of::kOutput: break;
    }
    return sample.outputs[place];
  }
};

/// Returns all quantities of a variant, each with its position in a sample.
std::vector<std::pair<Quantity, Source>> quantities_of(const Variant& variant) {
  const Binding& bound = *variant.bound;
  const model::Model& model = *bound->model;
  std::vector<std::pair<Quantity, Source>> result;
  const auto add = [&](std::string name, Group group, const Dimension& dimension, const UnitText& unit, Source::Of of,
                       std::size_t place) {
    result.push_back({{std::move(name), group, dimension, 1.0, unit}, {of, static_cast<Eigen::Index>(place)}});
  };
  const auto add_all = [&](const auto& variables, Group group, Source::Of of) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      add(variables[i].name, group, variables[i].dimension, unit_of(model, variables[i]), of, i);
  };
  add_all(model.coordinates, Group::kCoordinates, Source::Of::kQ);
  add_all(model.speeds, Group::kSpeeds, Source::Of::kU);
  add_all(model.states, Group::kStates, Source::Of::kZ);
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const model::Output& output = model.outputs[i];
    const Group group = group_of(variant, output.name);
    const sim::OutputColumns& columns = bound->output_columns[i];
    const std::vector<UnitText> units = units_of(model, output);
    for (int k = 0; k < columns.count; ++k) {
      std::string name = output.name;
      Dimension dimension = output.dimension;
      UnitText unit = units[std::min(static_cast<std::size_t>(k), units.size() - 1)];
      if (group == Group::kForces && columns.count == bound->nu()) {
        // Component r of a generalized force times u_r is a power; this gives its dimension.
        const auto r = static_cast<std::size_t>(k);
        name += " on " + model.speeds[r].name;
        if (model.has_units) dimension = make_dimension(1, 2, -3) / model.speeds[r].dimension;
        const bool is_moment = dimension == make_dimension(1, 2, -2);
        unit = is_moment ? model::unit_of_force(model, true) : model::unit_of(model, dimension);
      } else if (columns.count > 1) {
        const bool is_vector = output.value.is_valid() && output.value.is_vector();
        name += is_vector ? std::string(".") + "xyz"[k] : fmt::format("[{}]", k + 1);
      }
      add(std::move(name), group, dimension, unit, Source::Of::kOutput, static_cast<std::size_t>(columns.first + k));
    }
  }
  return result;
}

std::vector<double> times_of(const std::vector<Compared>& variants, double duration) {
  std::vector<double> times;
  for (const Compared& one : variants) {
    std::vector<double> own;
    for (const Sample& sample : one.trajectory.samples) own.push_back(sample.t);
    // If the motion stops early, its last state is not at an output time.
    if (one.trajectory.stopped && own.size() > 1) own.pop_back();
    const bool is_longer =
        times.empty() || (!own.empty() && own.back() > times.back() + tolerance::kSameTime * duration);
    if (is_longer) times = std::move(own);
  }
  return times;
}

/// Returns the values of one variant at the sample times of the comparison; column k belongs to quantity k, NaN if the
/// variant lacks it.
Matrix values_of(const Comparison& comparison, const Variant& variant, const Trajectory& trajectory, double duration) {
  Matrix values = Matrix::Constant(static_cast<Eigen::Index>(comparison.times.size()),
                                   static_cast<Eigen::Index>(comparison.quantities.size()), kNone);
  std::vector<std::pair<std::size_t, Source>> columns;
  for (const auto& [quantity, source] : quantities_of(variant)) {
    const auto found = std::ranges::find_if(comparison.quantities, [&](const Quantity& one) {
      return one.name == quantity.name && one.group == quantity.group && one.dimension == quantity.dimension;
    });
    columns.emplace_back(static_cast<std::size_t>(found - comparison.quantities.begin()), source);
  }
  std::size_t k = 0;
  for (const Sample& sample : trajectory.samples) {
    while (k < comparison.times.size() && comparison.times[k] < sample.t - tolerance::kSameTime * duration) ++k;
    if (k == comparison.times.size() || std::fabs(comparison.times[k] - sample.t) > tolerance::kSameTime * duration)
      continue;
    for (const auto& [column, source] : columns)
      values(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(column)) = source.value(sample);
  }
  return values;
}

/// Collects the quantities of all variants, ordered by group, without duplicates.
void collect_quantities(const std::vector<Variant>& variants, Comparison& comparison) {
  for (const Group group : kGroups) {
    for (const Variant& variant : variants) {
      for (auto& [quantity, source] : quantities_of(variant)) {
        const bool is_known = std::ranges::any_of(comparison.quantities, [&, &its = quantity](const Quantity& one) {
          return one.name == its.name && one.group == its.group && one.dimension == its.dimension;
        });
        if (quantity.group == group && !is_known) comparison.quantities.push_back(quantity);
      }
    }
  }
}

/// Largest magnitude in one variant among the quantities of the same group and dimension.
double largest_alike(const Comparison& comparison, std::size_t variant, const Quantity& quantity) {
  double largest = 0.0;
  for (std::size_t i = 0; i < comparison.quantities.size(); ++i) {
    const Quantity& other = comparison.quantities[i];
    if (other.group != quantity.group || !(other.dimension == quantity.dimension)) continue;
    for (const double value : comparison.values[variant].col(static_cast<Eigen::Index>(i))) {
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
  }
  return largest;
}

/// Largest speed whose product with a force of this dimension is a power; 0 if there is none.
double speed_against(const Comparison& comparison, const Dimension& force) {
  double largest = 0.0;
  for (const Quantity& quantity : comparison.quantities) {
    const bool is_plain = quantity.dimension.is_dimensionless() && force.is_dimensionless();  // model without units
    if (quantity.group != Group::kSpeeds || !(is_plain || quantity.dimension * force == make_dimension(1, 2, -3)))
      continue;
    for (std::size_t v = 0; v < comparison.values.size(); ++v)
      largest = std::max(largest, largest_alike(comparison, v, quantity));
  }
  return largest;
}

/// Finds the scale of each quantity. Largest values are taken among the quantities of the same group and dimension.
///   1. The largest value in the first variant; if this is 0 up to rounding, the largest value in all variants.
///   2. For powers: at least the largest energy divided by the duration.
///   3. For forces that are 0 up to rounding in all variants: the force that has this power at the largest speed.
///   4. If the scale is still a rounding error (a system at rest): a unit formed from a mass, a length and a time.
void find_scales(Comparison& comparison, const Binding& bound, double duration) {
  const model::Model& model = *bound->model;
  const model::ModelUnits units(model, bound.parameters, model::stated_places(model, bound.parameters));
  double energy = 0.0;
  for (Quantity& quantity : comparison.quantities) {
    double own = largest_alike(comparison, 0, quantity), all = own;
    for (std::size_t v = 1; v < comparison.values.size(); ++v)
      all = std::max(all, largest_alike(comparison, v, quantity));
    if (quantity.group == Group::kEnergies) energy = std::max(energy, all);
    if (!(own > tolerance::kConditioned * all)) own = all;
    quantity.scale = own > 0.0 ? own : 1.0;
  }
  for (Quantity& quantity : comparison.quantities) {
    if (quantity.group == Group::kPowers && energy > 0.0) quantity.scale = std::max(quantity.scale, energy / duration);
    if (quantity.group != Group::kForces) continue;
    const double speed = speed_against(comparison, quantity.dimension);
    const double spending = speed > 0.0 ? energy / (duration * speed) : 0.0;
    double largest = 0.0;
    for (std::size_t v = 0; v < comparison.values.size(); ++v)
      largest = std::max(largest, largest_alike(comparison, v, quantity));
    if (largest <= tolerance::kConditioned * spending) quantity.scale = spending;
  }
  for (Quantity& quantity : comparison.quantities) {
    const double typical = units.of(quantity.dimension);
    if (quantity.scale <= tolerance::kRounded * typical) quantity.scale = typical;
  }
}

/// Records the states of a variant at a subset of its steps, if the residuals of laws need them, and reports progress.
class TrackSink final : public sim::Sink {
 public:
  TrackSink(std::vector<TrackPoint>& track, double gap, bool wants_states)
      : track_(track), gap_(gap), wants_states_(wants_states) {}
  Wants wants() const override { return {.states = wants_states_}; }
  void state(const Sample& sample) override {
    if (!wants_states_) return;
    if (track_.size() < kEveryStep || sample.t - track_.back().t >= gap_) track_.push_back(track_point(sample));
  }
  /// Stores both states of a jump, so that nothing is interpolated across it.
  void jumped(const Sample& before, const Sample& after) override {
    if (!wants_states_) return;
    if (track_.empty() || track_.back().t != before.t) track_.push_back(track_point(before));
    track_.push_back(track_point(after));
  }
  void reached(double t) override {
    if (on_progress) on_progress(t);
  }
  std::function<void(double t)> on_progress;

 private:
  std::vector<TrackPoint>& track_;
  double gap_;
  bool wants_states_;
};

class Comparing {
 public:
  Comparing(const std::vector<Variant>& variants, const CompareOptions& options)
      : variants_(variants), options_(options) {}

  Comparison run() {
    VINCULUM_EXPECTS(!variants_.empty());
    const VariantStarts starts = starts_of(variants_);
    result_.start = starts.common;
    const bool needs_steps = options_.has_law_residuals && std::ranges::any_of(variants_, has_multipliers);
    tracks_.resize(variants_.size());
    for (std::size_t i = 0; i < variants_.size(); ++i) run_variant(i, starts.variants[i], needs_steps);
    const double duration = variants_.front().options.duration;
    result_.times = times_of(result_.variants, duration);
    collect_quantities(variants_, result_);
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      result_.values.push_back(values_of(result_, variants_[i], result_.variants[i].trajectory, duration));
    }
    find_scales(result_, *variants_.front().bound, duration);
    for (std::size_t i = 0; i < variants_.size(); ++i) part(i);
    if (options_.has_law_residuals) {
      for (const Variant& law : variants_) {
        std::vector<LawResidual>& line = result_.residuals.emplace_back();
        for (std::size_t i = 0; i < variants_.size(); ++i)
          line.push_back(law_residual(law.bound, *variants_[i].bound, tracks_[i]));
      }
    }
    for (const Ladder& ladder : options_.ladders) result_.ladders.push_back(climb(variants_, ladder, result_));
    return std::move(result_);
  }

 private:
  void run_variant(std::size_t i, const VariantStart& start, bool needs_steps) {
    const Variant& variant = variants_[i];
    Compared& compared = result_.variants.emplace_back();
    compared.name = variant.name;
    compared.start = start.note;
    if (!start.start) {
      compared.trajectory.stopped = start.failure;
      return;
    }
    compared.steps_by_stability = steps_by_stability(variant, *start.start);
    if (compared.steps_by_stability > options_.most_steps) {
      compared.not_run = fmt::format(
          "its fastest rate needs {:.2g} steps or more of an explicit method, {:.2g} are allowed; the method radau has "
          "no such bound",
          compared.steps_by_stability, options_.most_steps);
      return;
    }
    SimulateOptions options = variant.options;
    std::vector<TrackPoint>& track = tracks_[i];
    TrackSink sink(track, options.duration / kLaterPoints, needs_steps);
    if (options_.on_progress) sink.on_progress = [this, i](double t) { options_.on_progress(i, t); };
    options.sinks.push_back(&sink);
    sim::Dynamics dynamics(variant.bound);
    compared.trajectory = sim::simulate(dynamics, *start.start, options);
    if (!needs_steps) {
      for (const Sample& sample : compared.trajectory.samples) track.push_back(track_point(sample));
    }
    // If the motion stops early, accelerations need not exist at its last state.
    if (compared.trajectory.stopped && track.size() > 1) track.pop_back();
  }

  void part(std::size_t i) {
    Compared& compared = result_.variants[i];
    for (std::size_t quantity = 0; quantity < result_.quantities.size(); ++quantity) {
      compared.quantities.push_back(parting(result_, 0, i, quantity));
    }
    for (const Group group : kGroups) compared.groups[static_cast<std::size_t>(group)] = parting(result_, 0, i, group);
    compared.events = event_differences(result_.variants.front().trajectory, compared.trajectory,
                                        *variants_.front().bound->compiled->model, variants_.front().options.duration);
    for (std::size_t k = 0; k < result_.times.size(); ++k) {
      const double both =
          result_.values[0](static_cast<Eigen::Index>(k), 0) + result_.values[i](static_cast<Eigen::Index>(k), 0);
      if (std::isfinite(both)) compared.t_compared = result_.times[k];
    }
  }

  const std::vector<Variant>& variants_;
  const CompareOptions& options_;
  std::vector<std::vector<TrackPoint>> tracks_;
  Comparison result_;
};

}  // namespace

std::string_view to_string(Group group) {
  switch (group) {
    case Group::kCoordinates: return "coordinates";
    case Group::kSpeeds: return "speeds";
    case Group::kForces: return "forces of constraints";
    case Group::kEnergies: return "energies";
    case Group::kPowers: return "powers of constraints";
    case Group::kStates: return "states";
    case Group::kOutputs: break;
  }
  return "outputs";
}

Comparison compare(const std::vector<Variant>& variants, const CompareOptions& options) {
  return Comparing(variants, options).run();
}

}  // namespace vinculum::compare

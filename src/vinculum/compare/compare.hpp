#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/compare/events.hpp"
#include "vinculum/compare/law_residual.hpp"
#include "vinculum/run/simulate.hpp"

/// Compares one model under several reaction laws or in several formulations.
namespace vinculum::compare {

using sim::Binding;
using sim::CompiledModel;
using sim::SimulateOptions;
using sim::Start;
using sim::Trajectory;

/// One variant of the model. All variants have the same coordinates and speeds; they differ in their reaction laws or
/// in their options.
struct Variant {
  std::string name;
  std::shared_ptr<const Binding> bound;
  SimulateOptions options;
  /// Names of the outputs that were added for the comparison; all other outputs are those of the model.
  std::vector<std::string> forces, powers, energies;
};

/// Variants of one law whose parameter κ (stiffness, damping or added inertia of a penalty) or c takes increasing or
/// decreasing values.
struct Ladder {
  std::string parameter;              ///< "kappa", "c"
  std::vector<std::size_t> variants;  ///< indices of its variants, two or more
  std::vector<double> values;         ///< [variants] value of the parameter, > 0, in SI units
};

struct CompareOptions {
  std::vector<Ladder> ladders;
  bool has_law_residuals = true;  ///< compute residuals of laws; off for variants that differ only in formulation
  double most_steps = 1e6;        ///< a variant with a larger estimate (Compared::steps_by_stability) is not run
  std::function<void(std::size_t variant, double t)> on_progress;
};

enum class Group { kCoordinates, kSpeeds, kForces, kEnergies, kPowers, kStates, kOutputs };
inline constexpr std::array kGroups = {Group::kCoordinates, Group::kSpeeds, Group::kForces, Group::kEnergies,
                                       Group::kPowers,      Group::kStates, Group::kOutputs};
[[nodiscard]] std::string_view to_string(Group group);

/// One column of numbers that all or some variants have: a coordinate, a component of a generalized force, and so on.
struct Quantity {
  std::string name;
  Group group{};
  Dimension dimension;
  /// Scale of differences: largest magnitude among the quantities of the same group and dimension in the first variant,
  /// or in all variants if it is 0 in the first. For powers it is at least the largest energy divided by the duration.
  /// For forces that are only rounding errors in all variants, it is the force that has this power at the largest
  /// speed.
  double scale = 1.0;
  UnitText unit = {};  ///< unit as declared; N*m for a moment
};

/// Difference between the values of one quantity in two variants, over the sample times that both variants have.
struct Parting {
  bool is_there = false;  ///< whether both variants have some sample time in common
  double largest = 0.0;
  double t = 0.0;    ///< [s] time of `largest`
  double end = 0.0;  ///< difference at the last common sample time
};

/// One variant, and its differences from the first variant.
struct Compared {
  std::string name;
  Trajectory trajectory;
  std::string start;                ///< difference of its start from the common start; may be empty
  std::string not_run;              ///< reason why it has no trajectory; may be empty
  double steps_by_stability = 0.0;  ///< least number of steps with which an explicit method stays stable, from the
                                    ///< fastest rate at the start; 0: not computed
  double t_compared = 0.0;          ///< [s] time up to which the variant is compared with the first variant
  std::vector<Parting> quantities;  ///< [quantities] difference from the first variant, in SI units
  /// Largest difference in each group, relative to the scales of the quantities.
  std::array<Parting, kGroups.size()> groups;
  std::vector<EventDifference> events;  ///< events of this motion and of the first
  [[nodiscard]] bool has_motion() const { return trajectory.samples.size() > 1; }
};

/// Differences between the variants of a ladder and a reference variant, whose law is the limit of the ladder's law.
struct LadderResult {
  Ladder ladder;
  std::size_t reference = 0;  ///< variant relative to which differences are taken
  std::string limit;          ///< limit of the parameter: "kappa without bound", "c to 0"; empty if theory states none
  std::string no_limit;       ///< reason why there is no limit
  double theory = 0.0;        ///< order of convergence of the coordinates in theory; 0: none
  struct Rung {
    double coordinates = 0.0,
           speeds = 0.0;  ///< largest relative difference over the common sample times; NaN: no motion
    double coordinates_order = 0.0,
           speeds_order = 0.0;  ///< observed order relative to the previous rung; NaN: none, or below the resolution
  };
  std::vector<Rung> rungs;
};

struct Comparison {
  std::vector<double> times;  ///< [s] sample times of all variants; some variants may end earlier
  std::vector<Quantity> quantities;
  std::vector<Compared> variants;
  std::vector<Matrix> values;  ///< [variant] [times × quantities]; NaN if the variant lacks the quantity or the time
  std::vector<std::vector<LawResidual>> residuals;  ///< [law][motion] residuals of the laws along the motions; empty if
                                                    ///< not requested
  std::vector<LadderResult> ladders;
  std::string start;  ///< description of the common start, as a sentence
};

/// Runs all variants and compares their motions. All start from the coordinates and speeds of the first variant that
/// enforces its constraints exactly. So a variant that only approximates its constraints by penalties also starts on
/// them. Multipliers μ that are states start with the values that each law states. An added-inertia realization (a
/// penalty of large inertia κ on the constraint function F) starts with κF = μ(0), where μ(0) is taken from the first
/// variant of the same constraint that has a μ. For this its speeds are changed by the least amount (theory.md §6.8).
/// Differences are taken at the samples. Within a ladder they are relative to the first variant whose law is the limit
/// of the ladder's law; otherwise they are relative to the first variant.
/// \pre variants have the same coordinates, speeds, duration and output step.
[[nodiscard]] Comparison compare(const std::vector<Variant>& variants, const CompareOptions& options = {});

}  // namespace vinculum::compare

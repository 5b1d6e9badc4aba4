#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/compare/events.hpp"
#include "vinculum/compare/law_residual.hpp"
#include "vinculum/run/simulate.hpp"

/// Comparison of one model under several reaction laws or in several formulations.
namespace vinculum::compare {

using sim::Binding;
using sim::CompiledModel;
using sim::SimulateOptions;
using sim::Start;
using sim::Trajectory;

/// One variant of the model. All variants have the same coordinates and speeds; they differ in reaction laws or
/// options.
struct Variant {
  std::string name;
  std::shared_ptr<const Binding> bound;
  SimulateOptions options;
  /// names of outputs added for the comparison; all other outputs are the model's own
  std::vector<std::string> forces, powers, energies;
};

/// Variants of one law whose parameter κ or c takes increasing or decreasing values.
struct Ladder {
  std::string parameter;              ///< "kappa", "c"
  std::vector<std::size_t> variants;  ///< two or more
  std::vector<double> values;         ///< > 0, SI
};

struct CompareOptions {
  std::vector<Ladder> ladders;
  bool has_law_residuals = true;  ///< compute residuals of laws; off if variants differ only in formulation
  double most_steps = 1e6;        ///< a variant that needs more steps, judged by its fastest rate, is not run
  std::function<void(std::size_t variant, double t)> on_progress;
};

enum class Group { kCoordinates, kSpeeds, kForces, kEnergies, kPowers, kStates, kOutputs };
inline constexpr std::array kGroups = {Group::kCoordinates, Group::kSpeeds, Group::kForces, Group::kEnergies,
                                       Group::kPowers,      Group::kStates, Group::kOutputs};
[[nodiscard]] std::string_view to_string(Group group);

/// One column of numbers that variants have: a coordinate, an entry of a generalized force, and so on.
struct Quantity {
  std::string name;
  Group group{};
  Dimension dimension;
  /// Largest magnitude among the quantities of the same group and dimension in the first variant, or in all variants if
  /// it is 0 there. Powers: at least the largest energy divided by the duration. Forces that are rounding in all
  /// variants: the force that has this power at the largest speed.
  double scale = 1.0;
  UnitText unit = {};  ///< as declared; a moment in N*m
};

/// Difference between two columns, over the times that both have.
struct Parting {
  bool is_there = false;  ///< there is a time that both have
  double largest = 0.0;
  double t = 0.0;    ///< [s] time of `largest`
  double end = 0.0;  ///< at the last time that both have
};

/// One variant, and its differences from the first.
struct Compared {
  std::string name;
  Trajectory trajectory;
  std::string start;                ///< how its start differs from the common one; may be empty
  std::string not_run;              ///< why there is no trajectory; may be empty
  double steps_by_stability = 0.0;  ///< least number of steps of an explicit method that the fastest rate at the start
                                    ///< asks for; 0: not looked at
  double t_compared = 0.0;          ///< [s] time up to which it is compared with the first
  std::vector<Parting> quantities;  ///< [quantities] in SI units
  /// largest difference in each group, relative to the scale of the quantity
  std::array<Parting, kGroups.size()> groups;
  std::vector<EventDifference> events;  ///< events of this motion and of the first
  [[nodiscard]] bool has_motion() const { return trajectory.samples.size() > 1; }
};

/// Differences between the variants of a ladder and the law that they tend to.
struct LadderResult {
  Ladder ladder;
  std::size_t reference = 0;  ///< variant relative to which differences are taken
  std::string limit;          ///< "kappa without bound", "c to 0"; empty if theory gives no limit
  std::string no_limit;       ///< reason why there is no limit
  double theory = 0.0;        ///< order of convergence of the coordinates predicted by theory; 0: none
  struct Rung {
    double coordinates = 0.0,
           speeds = 0.0;  ///< largest relative difference over the times that both have; NaN: no motion
    double coordinates_order = 0.0,
           speeds_order = 0.0;  ///< order relative to the previous rung; NaN: none, or below the resolution
  };
  std::vector<Rung> rungs;
};

struct Comparison {
  std::vector<double> times;  ///< [s] sample times of all variants; a variant that stops has only the first ones
  std::vector<Quantity> quantities;
  std::vector<Compared> variants;
  std::vector<Matrix> values;  ///< [variant] [times × quantities], NaN if a variant lacks the quantity or the time
  std::vector<std::vector<LawResidual>> residuals;  ///< [law][motion]; empty if not requested
  std::vector<LadderResult> ladders;
  std::string start;  ///< the common start, as a sentence
};

/// Runs all variants and compares them. All start from the coordinates and speeds of the first variant that enforces
/// its constraints, so that a variant which only realizes them (by penalties) starts on them. Multipliers μ start as
/// each law states. An added-inertia realization starts with κF = μ(0) of the first variant of that constraint with a
/// μ: its speeds are changed by the least amount that achieves this (theory.md §6.8). Differences are taken at the
/// samples. In a ladder they are relative to the first variant whose law the ladder tends to, else to the first
/// variant.
/// \pre variants have the same coordinates, speeds, duration and output step.
[[nodiscard]] Comparison compare(const std::vector<Variant>& variants, const CompareOptions& options = {});

}  // namespace vinculum::compare

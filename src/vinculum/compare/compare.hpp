#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/compare/law_residual.hpp"
#include "vinculum/run/simulate.hpp"

/// One model under several laws of reaction, or by several formulations, side by side.
namespace vinculum::compare {

using sim::Binding;
using sim::CompiledModel;
using sim::SimulateOptions;
using sim::Start;
using sim::Trajectory;

/// A model as it is compared: variants have the same coordinates and speeds and differ in laws of reaction or in
/// options.
struct Variant {
  std::string name;
  std::shared_ptr<const Binding> bound;
  SimulateOptions options;
  std::vector<std::string> forces, powers, energies;  ///< outputs to be read as such; others are the model's own
};

/// Variants whose parameter κ or c runs through values that rise or fall.
struct Ladder {
  std::string parameter;              ///< "kappa", "c"
  std::vector<std::size_t> variants;  ///< two or more
  std::vector<double> values;         ///< > 0, SI
};

struct CompareOptions {
  std::vector<Ladder> ladders;
  bool has_law_residuals = true;  ///< off where variants differ in formulation only
  double most_steps = 1e6;        ///< a variant whose fastest rate asks for more steps than these is not run
  std::function<void(std::size_t variant, double t)> on_progress;
};

enum class Group { kCoordinates, kSpeeds, kForces, kEnergies, kPowers, kStates, kOutputs };
inline constexpr std::array kGroups = {Group::kCoordinates, Group::kSpeeds, Group::kForces, Group::kEnergies,
                                       Group::kPowers,      Group::kStates, Group::kOutputs};
[[nodiscard]] std::string_view to_string(Group group);

/// One column of numbers that variants have: a coordinate, an entry of a generalized force, …
struct Quantity {
  std::string name;
  Group group{};
  Dimension dimension;
  double scale = 1.0;  ///< largest magnitude of its group and dimension in the first variant; in all where it vanishes
                       ///< there. Powers: at least the largest energy over the duration; forces that are rounding in
                       ///< all: what has that power at the largest speed
  UnitText unit = {};  ///< as declared; a moment in N*m
};

/// How far one thing is from another, over the times that both have.
struct Parting {
  bool is_there = false;  ///< both have it at some time
  double largest = 0.0;
  double t = 0.0;    ///< [s] when
  double end = 0.0;  ///< at the last time that both have
};

/// One variant, and how far it parts from the first.
struct Compared {
  std::string name;
  Trajectory trajectory;
  std::string start;    ///< in which way its start differs from the common one; may be empty
  std::string not_run;  ///< why there is no trajectory; may be empty
  double steps_by_stability =
      0.0;                  ///< least number of steps that the fastest rate at the start asks for; 0: not looked at
  double t_compared = 0.0;  ///< [s] compared with the first up to here
  std::vector<Parting> quantities;             ///< [quantities] in SI
  std::array<Parting, kGroups.size()> groups;  ///< the largest of a group, each relative to its scale
  [[nodiscard]] bool has_motion() const { return trajectory.samples.size() > 1; }
};

/// How the distance from a law falls along a ladder.
struct LadderResult {
  Ladder ladder;
  std::size_t reference = 0;  ///< the variant that distances are from
  std::string limit;          ///< "kappa without bound", "c to 0"; empty where theory knows of none
  std::string no_limit;       ///< why not
  double theory = 0.0;        ///< order that theory predicts of the coordinates; 0: none
  struct Rung {
    double coordinates = 0.0,
           speeds = 0.0;  ///< relative distance, largest over the times that both have; NaN: no motion
    double coordinates_order = 0.0,
           speeds_order = 0.0;  ///< against the rung before; NaN: none, or below what the tolerance resolves
  };
  std::vector<Rung> rungs;
};

struct Comparison {
  std::vector<double> times;  ///< [s] of all variants' samples; one that stops has the first ones
  std::vector<Quantity> quantities;
  std::vector<Compared> variants;
  std::vector<Matrix> values;                       ///< [variant] [times × quantities], NaN where there is none
  std::vector<std::vector<LawResidual>> residuals;  ///< [law][motion]; empty where not asked for
  std::vector<LadderResult> ladders;
  std::string start;  ///< where the variants start
};

/// Runs all variants and compares. All start from the coordinates and speeds of the first one that keeps its
/// constraints, so that one which only realises them starts on them; multipliers μ start as each law states. Added
/// inertia starts with κF = μ(0) of the first variant of that constraint that has a μ: its speeds are shifted by the
/// least change (theory.md §6.8). Distances are taken over the samples; a ladder's from the first variant to whose law
/// it tends, else from the first variant.
/// \pre variants share coordinates and speeds, and duration and output step of their options.
[[nodiscard]] Comparison compare(const std::vector<Variant>& variants, const CompareOptions& options = {});

}  // namespace vinculum::compare

#pragma once

#include "vinculum/api/shared.hpp"

namespace vinculum {

/// Evaluates the forces and couples of all constraints at a sample.
struct ForceTable {
  enum class Kind { kForce, kResultant, kCouple, kMultiplier, kRevealed };
  struct Entry {
    Kind kind{};
    std::size_t constraint = 0;  ///< index of the constraint, or of the reveal
    std::string on;              ///< name of the point or body that the force acts on; empty for a multiplier
    int first = 0;               ///< first of the entry's `count` columns in the outputs of `kernel`
    int count = 3;               ///< a revealed force has a measure number for each of its directions
    int uniqueness =
        -1;  ///< index into Sample::point_force_unique or body_wrench_unique; for a multiplier its first row
    /// first of three columns: position of the point, or of the mass center of the body; −1 for a multiplier
    int place = -1;
  };
  std::vector<Entry> entries;  ///< of constraints
  std::vector<Entry> reveals;
  sim::BoundKernel kernel;  ///< inputs: the symbols of a report; outputs: the columns of all entries

  [[nodiscard]] const Entry* find(Kind kind, std::string_view constraint, std::string_view on) const;
  /// [columns] Values of all columns at a sample.
  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
  /// [columns] \param numbers  values of the symbols of a report (sim::report_symbols)
  [[nodiscard]] std::vector<double> at(std::span<const double> numbers) const;
  /// True if a component has the same value for all multipliers that satisfy the equations.
  [[nodiscard]] bool is_unique(const Entry& entry, const sim::Sample& sample, int component) const;
  [[nodiscard]] Forces forces(const sim::Sample& sample) const;

  std::shared_ptr<const model::Model> model;
};

/// Makes the table. It derives its own copy of the equations, because building the kernel adds nodes to their graph.
/// \param frame  frame of the components of vectors
[[nodiscard]] Outcome<std::shared_ptr<const ForceTable>> make_force_table(
    const sim::Binding& bound, model::FrameId frame = model::Model::newtonian());

}  // namespace vinculum

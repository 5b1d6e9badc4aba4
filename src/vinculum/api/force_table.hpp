#pragma once

#include "vinculum/api/shared.hpp"

namespace vinculum {

/// Forces and couples of all constraints as functions of a sample. Vectors are in the newtonian frame.
struct ForceTable {
  enum class Kind { kForce, kResultant, kCouple, kMultiplier };
  struct Entry {
    Kind kind{};
    std::size_t constraint = 0;
    std::string on;  ///< point or body; empty for a multiplier
    int first = 0;   ///< first column of the kernel
    int count = 3;
    int uniqueness =
        -1;  ///< index into Sample::point_force_unique or body_wrench_unique; of a multiplier its first row
  };
  std::vector<Entry> entries;
  sim::BoundKernel kernel;  ///< inputs: the symbols of a report; outputs: all columns

  [[nodiscard]] const Entry* find(Kind kind, std::string_view constraint, std::string_view on) const;
  /// Values of all columns at a sample. [output_count]
  [[nodiscard]] std::vector<double> at(const sim::Sample& sample) const;
  /// Whether a component is the same for all multipliers that satisfy the equations.
  [[nodiscard]] bool is_unique(const Entry& entry, const sim::Sample& sample, int component) const;
  [[nodiscard]] Forces forces(const sim::Sample& sample) const;

  std::shared_ptr<const model::Model> model;
};

/// Derives separate equations, because lowering adds nodes to their graph.
[[nodiscard]] Outcome<std::shared_ptr<const ForceTable>> make_force_table(const sim::Binding& bound);

}  // namespace vinculum

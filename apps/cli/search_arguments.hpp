#pragma once

#include <array>

#include "command.hpp"

namespace vinculum::cli {

/// Options of the commands that search an equilibrium or a steady motion.
struct SearchArguments {
  std::string unknowns, hold, moving;
  bool steady = false;

  std::array<CLI::Option*, 4> add(CLI::App* command) {
    return {command->add_option("--unknowns", unknowns,
                                "coordinates, speeds and states that the search may change, such as \"x,a\" (default: "
                                "all)"),
            command->add_option("--hold", hold, "coordinates, speeds and states that keep their values"),
            command->add_option("--moving", moving,
                                "for a steady motion: speeds that are constant instead of 0, and coordinates that may "
                                "move"),
            command->add_flag("--steady", steady,
                              "search a steady motion along a symmetry of the equations, such as a rotation of the "
                              "whole system about the vertical")};
  }
  [[nodiscard]] EquilibriumOptions options() const {
    return {.near = {},
            .unknowns = words_of(unknowns),
            .hold = words_of(hold),
            .moving = words_of(moving),
            .steady = steady};
  }
};

}  // namespace vinculum::cli

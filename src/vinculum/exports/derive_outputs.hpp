#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_code_writer.hpp"

namespace vinculum::report {

/// One number of an output of the model.
struct ProgramOutput {
  std::string name;  ///< "T", "F.x", "c[2]"
  UnitText unit;
  expr::Expr value;  ///< [SI] in t, q, u, z, u', λ, efforts and acts
};

/// The outputs that a program can compute from a state and what its function `accelerations` returns.
struct ProgramOutputs {
  std::vector<ProgramOutput> entries;
  std::vector<std::string> omitted;  ///< names of outputs with other quantities, such as the motion without constraints
};
[[nodiscard]] ProgramOutputs program_outputs(const Derivation& derivation);

/// Adds the function `outputs` to a program. \pre there are entries
void write_outputs(CodeWriter& writer, const Derivation& derivation, const ProgramOutputs& outputs);

/// The lines of the header of a program about its outputs; empty if the model has none.
[[nodiscard]] std::string contents_of_outputs(const ProgramOutputs& outputs, bool has_units);

}  // namespace vinculum::report

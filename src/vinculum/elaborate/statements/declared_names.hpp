#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/unit.hpp"
#include "vinculum/diag/source.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

struct Context;

/// A name that a model text declares, as an editor shows it.
struct DeclaredName {
  std::string name;             ///< "q", "q[2]" of a family, "x.P" of a component that is used as x
  std::string kind;             ///< "coordinate", "particle", "component", …
  diag::SourceRange range;      ///< of the name in its declaration
  diag::SourceRange statement;  ///< that declares it
  /// The component or loop outside which the name is not visible; empty for names of the model.
  diag::SourceRange scope = {};
  UnitText unit = {};                      ///< empty if the quantity has no unit, or if the text leaves it unknown
  std::optional<double> value = {};        ///< of a parameter, in SI units
  std::string quantity = {};               ///< of a quantity: "a scalar", "a vector", "a list of 3"
  std::vector<std::string> comments = {};  ///< above its statement, and behind it, without `#`
};

/// The names of a model after the elaboration of a text that may have errors, in the order of the text. Names of
/// statements with errors have no unit.
[[nodiscard]] std::vector<DeclaredName> declared_names(const Context& context);

/// Names of a file that no model has in this form: components and their parameters, names inside components, variables
/// of loops, names of uses, and the model's own name. Their units are unknown.
[[nodiscard]] std::vector<DeclaredName> written_names(const lang::ModelFile& file, const diag::SourceText& source);

}  // namespace vinculum::elaborate

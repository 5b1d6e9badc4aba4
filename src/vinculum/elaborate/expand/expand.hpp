#pragma once

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/elaborate/expand/constants.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Returns the file as if it had been written without build-time statements. `for` and `if` are evaluated with the
/// current parameter values, including overrides. Members of indexed families become single names `q[2]`, included
/// files are inserted, and each `use … as x` of a component becomes the component's statements with the prefix `x.`.
/// The result contains none of these statements, and no Name in it has indices.
///
/// Ranges still refer to the text of the user; the text of included files is appended to `source` (diag/source.hpp).
///
/// \param constants  receives the parameters in the order of the file, and evaluates expressions.
/// \param options    included files must be in or below `options.folder`.
/// \param sink       receives errors. Faulty statements are left out; names that they would declare are in the result's
/// `names_at_fault`.
[[nodiscard]] lang::ModelFile expand(const lang::ModelFile& file, diag::SourceText& source, const Options& options,
                                     Constants& constants, diag::Sink& sink);

}  // namespace vinculum::elaborate

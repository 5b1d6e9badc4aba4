#pragma once

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/elaborate/expand/constants.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// The file as if it had been written without build-time statements. `for` and `if` are evaluated with the current
/// parameter values (including overrides), indexed families become single names `q[2]`, included files are inserted,
/// and each `use` of a component becomes its statements with the prefix `x.`. The result contains none of these
/// statements, and no Name has indices.
///
/// Ranges still refer to the text of the user; the text of included files is appended to `source` (diag/source.hpp).
/// \param constants  receives the parameters in order, and evaluates expressions.
/// Files must be below `options.folder`.
/// Errors go to the sink; faulty statements are left out, and names that they would declare are in `names_at_fault`.
[[nodiscard]] lang::ModelFile expand(const lang::ModelFile& file, diag::SourceText& source, const Options& options,
                                     Constants& constants, diag::Sink& sink);

}  // namespace vinculum::elaborate

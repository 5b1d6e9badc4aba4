#pragma once

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/elaborate/expand/constants.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// The file as if it had been written out by hand: `for` and `if` by the values that the parameters have (overrides
/// included), indexed families as single names `q[2]`, included files in their place, each `use` of a component as its
/// statements under the name `x.`. What comes out holds none of these statements, and no Name has indices.
///
/// Ranges keep pointing at what the user wrote: text of included files is appended to `source` (diag/source.hpp).
/// \param constants  takes up the parameters as they come, and knows their numbers.
/// Files are read below `options.folder` only.
/// Errors go to the sink; what they stand in is left out, and the names it would declare are in `names_at_fault`.
[[nodiscard]] lang::ModelFile expand(const lang::ModelFile& file, diag::SourceText& source, const Options& options,
                                     Constants& constants, diag::Sink& sink);

}  // namespace vinculum::elaborate

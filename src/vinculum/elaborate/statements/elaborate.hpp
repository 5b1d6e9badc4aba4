#pragma once

#include <functional>
#include <memory>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/model/builder.hpp"

namespace vinculum::elaborate {

/// Meaning out of text: names, kinds, units, levels, constraint rows. Reports everything that is wrong in one run, one
/// diagnostic for one root cause (what depends on a faulty name is silently left out).
/// \param source  takes up the texts of included files behind its own; the model keeps a copy of all.
/// \returns the model, or null when there was an error.
[[nodiscard]] std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& file, diag::SourceText& source,
                                                            const Options& options, diag::Sink& sink);

/// What a caller changes on the way: the statements behind their expansion, before anything means something; and the
/// model when all statements have been taken up.
struct Changes {
  std::function<void(lang::ModelFile&)> statements;
  std::function<void(model::ModelBuilder&)> model;
};
[[nodiscard]] std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& file, diag::SourceText& source,
                                                            const Options& options, const Changes& changes,
                                                            diag::Sink& sink);

}  // namespace vinculum::elaborate

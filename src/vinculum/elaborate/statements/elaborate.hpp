#pragma once

#include <functional>
#include <memory>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/model/builder.hpp"

namespace vinculum::elaborate {

/// Builds a model from its syntax tree: resolves names, and checks kinds, units, levels and constraint rows. Reports
/// all errors in one run, with one diagnostic per root cause. Statements that depend on a faulty name are left out
/// without a report.
/// \param source  the texts of included files are appended to it; the model keeps a copy.
/// \returns the model, or null after an error.
[[nodiscard]] std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& file, diag::SourceText& source,
                                                            const Options& options, diag::Sink& sink);

struct Context;

/// Changes that the caller makes during elaboration: to the statements after expansion, and to the model after all
/// statements have been processed.
struct Changes {
  std::function<void(lang::ModelFile&)> statements;
  std::function<void(model::ModelBuilder&)> model;
  /// Receives everything that was read, also after errors. It is called once per attempt; the last one counts.
  std::function<void(const Context&)> read = {};
};
[[nodiscard]] std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& file, diag::SourceText& source,
                                                            const Options& options, const Changes& changes,
                                                            diag::Sink& sink);

}  // namespace vinculum::elaborate

#pragma once

#include <memory>

#include "vinculum/elaborate/check/table_options.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// The value of a table at x. Outside the table's range: no value, the value at the end, or the line with the slope at
/// the end. The latter two are written with `min` and `max`, so the ends of the range are switching surfaces.
[[nodiscard]] model::Term table_term(model::TermPool& pool, const std::shared_ptr<const expr::Spline>& table,
                                     Outside outside, model::Term x);

}  // namespace vinculum::elaborate

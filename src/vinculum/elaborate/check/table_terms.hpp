#pragma once

#include <memory>

#include "vinculum/elaborate/check/table_options.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// The value of a table at x. Outside its range: no value, or the end value (with the slope there), written with `min`
/// and `max`, whose switching surfaces are the ends of the range.
[[nodiscard]] model::Term table_term(model::TermPool& pool, const std::shared_ptr<const expr::Spline>& table,
                                     Outside outside, model::Term x);

}  // namespace vinculum::elaborate

#pragma once

#include <optional>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Scale and dimension of a unit as written in the model, `[kg*m/s^2]`. Reports each unknown unit, and exponents
/// without meaning.
/// \returns nothing after an error.
[[nodiscard]] std::optional<UnitValue> read_unit(const lang::Unit& unit, Reporter& reporter);
/// The unit as text for people, "kN*mm", and with every factor in SI, "N*m".  \pre `read_unit` succeeded for this unit
[[nodiscard]] UnitText text_of(const lang::Unit& unit);
/// Whether a quantity in this unit contains an odd power of an angle: true for `[deg]`, `[rad/s]`, `[N*m]`; false for
/// `[J]`, `[N*m/rad]` and `[N*m*s]` (a coefficient of angular rates).
[[nodiscard]] bool turns(const lang::Unit& unit);

}  // namespace vinculum::elaborate

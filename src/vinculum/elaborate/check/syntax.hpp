#pragma once

#include "vinculum/lang/walk.hpp"

/// Properties of expressions that depend only on their text.
namespace vinculum::elaborate {

/// Whether any number, declaration or start value of the file has a unit; if so, units are checked in the whole file.
[[nodiscard]] bool states_units(const lang::ModelFile& file);

/// A number without a unit, with or without a sign: it takes the unit of the thing it is assigned to or compared with.
[[nodiscard]] bool is_bare_number(const lang::Expression& expression);
/// Collects the numbers that multiply the rest of a product, also below signs, but not in divisors or powers.
void numbers_among_factors(const lang::Expression& expression, std::vector<const lang::Expression*>& numbers);

/// Arithmetic of numbers without units and `pi`: `-1/3`, `sqrt(2)`. It is dimensionless, unless a unit closes its
/// declaration.
[[nodiscard]] bool is_numeric(const lang::Expression& expression);

/// The expression as a plain name; null if it is not one.
[[nodiscard]] const lang::NameReference* as_name(const lang::Expression& expression);

}  // namespace vinculum::elaborate

#pragma once

#include "vinculum/lang/walk.hpp"

/// Properties of expressions that depend only on their text.
namespace vinculum::elaborate {

/// Whether any number, declaration or start value of the file has a unit; if so, units are checked in the whole file.
[[nodiscard]] bool states_units(const lang::ModelFile& file);

/// Whether the expression is a number without a unit, with or without a sign. It takes the unit of the quantity to
/// which it is assigned or with which it is compared.
[[nodiscard]] bool is_bare_number(const lang::Expression& expression);
/// Collects the numbers that are factors of the whole expression, including those below signs. Divisors and powers are
/// excluded.
void numbers_among_factors(const lang::Expression& expression, std::vector<const lang::Expression*>& numbers);

/// Whether the expression is arithmetic of numbers without units and `pi`: `-1/3`, `sqrt(2)`. Its value is
/// dimensionless, unless a unit ends its declaration.
[[nodiscard]] bool is_numeric(const lang::Expression& expression);

/// Height of the tree: 1 for a name or a number.
[[nodiscard]] int height_of(const lang::Expression& expression);

/// Whether a name is `x`, `y` or `z`.
[[nodiscard]] bool is_axis_letter(const std::string& name);
/// 0, 1 or 2 for the names `x`, `y` and `z`; −1 for any other expression.
[[nodiscard]] int axis_letter(const lang::Expression& expression);

/// The expression as a plain name; null if it is something else.
[[nodiscard]] const lang::NameReference* as_name(const lang::Expression& expression);

}  // namespace vinculum::elaborate

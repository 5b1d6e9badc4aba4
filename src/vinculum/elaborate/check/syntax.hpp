#pragma once

#include "vinculum/lang/walk.hpp"

/// What elaboration asks of expressions as they are written, before they mean anything.
namespace vinculum::elaborate {

/// Whether any number, declaration or start value of the file has a unit: then the whole file is checked.
[[nodiscard]] bool states_units(const lang::ModelFile& file);

/// A number without a unit, with or without a sign: it takes the unit of what it is set or compared to.
[[nodiscard]] bool is_bare_number(const lang::Expression& expression);
/// The numbers that multiply the rest of a product, under signs too; not those behind a `/` or in powers.
void numbers_among_factors(const lang::Expression& expression, std::vector<const lang::Expression*>& numbers);

/// Arithmetic of numbers without units and `pi`: `-1/3`, `sqrt(2)`. It has no dimension, unless a unit closes its
/// declaration.
[[nodiscard]] bool is_numeric(const lang::Expression& expression);

/// The expression as a plain name, or null.
[[nodiscard]] const lang::NameReference* as_name(const lang::Expression& expression);

}  // namespace vinculum::elaborate

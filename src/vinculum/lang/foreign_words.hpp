#pragma once

#include <string>
#include <string_view>

/// Words that people bring along from other languages, and what is written here instead. Each function returns a hint,
/// empty for a word that none of the tables has.
namespace vinculum::lang {

/// A word that begins a line: `var`, `float`, `print`.
[[nodiscard]] std::string hint_for_foreign_statement(std::string_view word);
/// A function: `diff`, `lambda`, `ln`.
[[nodiscard]] std::string hint_for_foreign_function(std::string_view word);
/// The kind of joint that such a word means: `revolute` for `hinge`; empty where none is meant.
[[nodiscard]] std::string joint_meant(std::string_view word);
/// The option of a statement that such a word means: `step` for `dt`; empty where none is meant.
[[nodiscard]] std::string option_meant(std::string_view word);
/// A name of a quantity or a thing: `PI`, `time`, `g`.
[[nodiscard]] std::string hint_for_foreign_name(std::string_view word);
/// The variable whose time derivative such a word may mean: `x` of `x_dot`, `xdot`, `dx`, `x_ddot`, `dxdt`; with its
/// primes: "x'", "x''". Empty where it is not of that form.
[[nodiscard]] std::string derivative_meant(std::string_view word);

}  // namespace vinculum::lang

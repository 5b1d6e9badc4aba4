#pragma once

#include <string>
#include <string_view>

/// Words from other languages and what to write instead. Each function returns a hint, or an empty text if the word is
/// in no table.
namespace vinculum::lang {

/// For a word that begins a line: `var`, `float`, `print`.
[[nodiscard]] std::string hint_for_foreign_statement(std::string_view word);
/// For a function: `diff`, `lambda`, `ln`.
[[nodiscard]] std::string hint_for_foreign_function(std::string_view word);
/// The kind of joint that the word means: `revolute` for `hinge`; empty if there is none.
[[nodiscard]] std::string joint_meant(std::string_view word);
/// The option of a statement that the word means: `step` for `dt`; empty if there is none.
[[nodiscard]] std::string option_meant(std::string_view word);
/// For the name of a quantity: `PI`, `time`, `g`.
[[nodiscard]] std::string hint_for_foreign_name(std::string_view word);
/// The derivative that the word may mean, with primes: "x'" for `x_dot`, `xdot`, `dx`, `dxdt`, "x''" for `x_ddot`.
/// Empty if it is not of such a form.
[[nodiscard]] std::string derivative_meant(std::string_view word);

}  // namespace vinculum::lang

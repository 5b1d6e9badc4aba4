#pragma once

#include <string>
#include <string_view>

/// Words that are used in other modeling or programming languages, and what to write instead. Each function returns an
/// empty text if the word is in no table.
namespace vinculum::lang {

/// Hint for a word that begins a line: `var`, `float`, `print`.
[[nodiscard]] std::string hint_for_foreign_statement(std::string_view word);
/// Hint for the name of a function: `diff`, `lambda`, `ln`.
[[nodiscard]] std::string hint_for_foreign_function(std::string_view word);
/// Hint for a kind of joint that needs no joint here, or another statement: `free`, `bushing`.
[[nodiscard]] std::string hint_for_foreign_joint(std::string_view word);
/// The kind of joint that the word means: `revolute` for `hinge`.
[[nodiscard]] std::string joint_meant(std::string_view word);
/// The option of a statement that the word means: `step` for `dt`.
[[nodiscard]] std::string option_meant(std::string_view word);
/// Hint for the name of a quantity: `PI`, `time`, `g`.
[[nodiscard]] std::string hint_for_foreign_name(std::string_view word);
/// The derivative that the word may mean, with primes: "x'" for `x_dot`, `xdot`, `dx`, `dxdt`, "x''" for `x_ddot`.
[[nodiscard]] std::string derivative_meant(std::string_view word);

}  // namespace vinculum::lang

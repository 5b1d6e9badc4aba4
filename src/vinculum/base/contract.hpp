#pragma once

#include <stdexcept>
#include <string>

namespace vinculum {

/// A contract inside the program was broken: a defect of Vinculum, never an error of a model. The message has the
/// condition and its place; the command shows it with "please report".
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void contract_broken(const char* condition, const char* file, int line) {
  throw InternalError(std::string("contract broken: ") + condition + " at " + file + ":" + std::to_string(line));
}

}  // namespace vinculum

/// Precondition at the head of a function.
#define VINCULUM_EXPECTS(condition) \
  ((condition) ? static_cast<void>(0) : ::vinculum::contract_broken(#condition, __FILE__, __LINE__))
/// Postcondition or invariant in a body.
#define VINCULUM_ENSURES(condition) VINCULUM_EXPECTS(condition)

#pragma once

#include <stdexcept>
#include <string>

namespace vinculum {

/// A contract inside the program was broken: a defect of Vinculum, never an error of a model. The message contains the
/// condition and its place in the source; the command adds "please report".
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void contract_broken(const char* condition, const char* file, int line) {
  throw InternalError(std::string("contract broken: ") + condition + " at " + file + ":" + std::to_string(line));
}

}  // namespace vinculum

/// Checks a precondition at the beginning of a function.
#define VINCULUM_EXPECTS(condition) \
  ((condition) ? static_cast<void>(0) : ::vinculum::contract_broken(#condition, __FILE__, __LINE__))
/// Checks a postcondition or an invariant within a function.
#define VINCULUM_ENSURES(condition) VINCULUM_EXPECTS(condition)

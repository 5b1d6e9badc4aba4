#pragma once

#include <limits>
#include <string>
#include <vector>

#include "vinculum/outcome.hpp"

namespace vinculum {

/// One thing that is wrong with the text of a model, or worth knowing about it.
struct Diagnostic {
  std::string kind;      ///< "unknown-name"; each has a page in docs/errors
  std::string severity;  ///< "error", "warning", "notice"
  std::string place;     ///< "crank.vin:8:10": file, line, column from 1
  std::string message;   ///< what was found and what was expected
  std::string hint;      ///< what to do; may be empty
};

/// All that was said about a text, in the order of its places.
struct Diagnostics {
  std::vector<Diagnostic> all;
  std::string text;  ///< as a good compiler shows it: the line, a caret under the token, the hint; may be empty
  std::string json;  ///< docs/json.md, `check --json`; an array, `[]` where there is nothing to say
};

/// Why there is no result. A value: the library never prints, and throws only at defects (std::logic_error).
struct Error {
  enum class About {
    kCall,    ///< what was asked for is not possible: a file that is not there, a name that the model does not have
    kModel,   ///< the model's text is wrong: see `diagnostics`
    kMotion,  ///< the motion cannot start or go on
  };
  About about{};
  std::string kind;          ///< "not-unique": as in `expect stop: KIND`; "call" and "model" of the others
  std::string message = {};  ///< one sentence with the numbers
  double t = std::numeric_limits<double>::quiet_NaN();  ///< [s] of a motion: when
  std::string place = {};                               ///< "crank.vin:14:12"; empty where no text has caused it
  Diagnostics diagnostics = {};                         ///< of a model
  std::string rendered = {};                            ///< what `text` and `json` return
  std::string rendered_json = {};

  /// For people: with place, line, caret and hint as far as there are. Ends in a newline.
  [[nodiscard]] const std::string& text() const { return rendered; }
  /// For programs: an array of diagnostics of a model, else {"kind", "message", "t", "where"}.
  [[nodiscard]] const std::string& json() const { return rendered_json; }
};

/// What a call of the door gives: a value, or an Error.
template <class T>
using Result = Outcome<T, Error>;

}  // namespace vinculum

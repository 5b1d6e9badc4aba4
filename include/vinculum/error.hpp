#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/outcome.hpp"

namespace vinculum {

/// One error, warning or notice about the text of a model.
struct Diagnostic {
  std::string kind;      ///< such as "unknown-name"; each kind has a page in docs/errors
  std::string severity;  ///< "error", "warning", "notice"
  std::string place;     ///< such as "crank.vin:8:10": file, line and column, both counted from 1
  std::string message;   ///< the fault, in most cases with what was expected
  std::string hint;      ///< what to do; may be empty
};

/// All diagnostics of a text, sorted by place.
struct Diagnostics {
  std::vector<Diagnostic> all;
  std::string text;  ///< for people: the line, a caret under the token, the hint; empty if there are no diagnostics
  std::string json;  ///< an array in the format of docs/json.md, `check --json`; `[]` if there are none
};

/// Why there is no result. Errors are values: the library never prints, and throws only std::logic_error, for defects
/// of the library or of the calling program.
struct Error {
  enum class About {
    kCall,    ///< the call is not possible: a missing file, a name that the model does not have
    kModel,   ///< the text of the model is wrong; see `diagnostics`
    kMotion,  ///< the motion cannot start or cannot continue
  };
  Error() = default;
  Error(About is_about, std::string its_kind, std::string its_message = {},
        double time = std::numeric_limits<double>::quiet_NaN(), std::string its_place = {})
      : about(is_about),
        kind(std::move(its_kind)),
        message(std::move(its_message)),
        t(time),
        place(std::move(its_place)) {}
  About about{};
  std::string kind;          ///< for kMotion as in `expect stop: KIND`, such as "not-unique"; else "call" or "model"
  std::string message = {};  ///< one sentence, with the numbers
  double t = std::numeric_limits<double>::quiet_NaN();  ///< [s] time of the failure of a motion; else NaN
  std::string place = {};        ///< such as "crank.vin:14:12"; empty if no part of the text is the cause
  Diagnostics diagnostics = {};  ///< if `about` is kModel

  /// Whether the run ended where the model says, by an event with `stop` or by `terminate when`: a success.
  [[nodiscard]] bool is_stated_end() const { return kind == "event" || kind == "terminated"; }
  /// For people, with place, line, caret and hint if they are known. Ends with a newline.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// For programs: an array of diagnostics if `about` is kModel, else {"kind", "message", "t", "where"}.
  [[nodiscard]] const std::string& json() const { return json_; }
  void set_text(std::string text) { text_ = std::move(text); }
  void set_json(std::string json) { json_ = std::move(json); }

 private:
  std::string text_, json_;
};

/// The result of a function of the public API: a value, or an Error.
template <class T>
using Result = Outcome<T, Error>;

}  // namespace vinculum

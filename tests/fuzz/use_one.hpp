#pragma once

#include <exception>
#include <string>

#include "vinculum/vinculum.hpp"

namespace vinculum::test_support {

/// Does the work of `vinculum derive`, `explain`, `run` and `audit` on a text, for one millisecond of motion. A
/// motion that cannot start or continue must be an error with a message; a broken contract is a fault.
/// \param is_model  set to whether the text is a valid model   \returns a description of a fault, or "".
inline std::string use_one(const std::string& text, bool& is_model) try {
  const auto says = [](const auto& result, const char* what) {
    return !result && result.error().text().empty() ? std::string(what) + ": an error says nothing" : std::string();
  };
  const auto model = Model::from_text(text, {.backend = Backend::kInterpreter});
  is_model = static_cast<bool>(model);
  if (!model) return says(model, "check");
  if (std::string fault = says(model->derive(), "derive"); !fault.empty()) return fault;
  if (std::string fault = says(model->explain(), "explain"); !fault.empty()) return fault;
  constexpr double kUntil = 0.001;
  constexpr double kMostSteps = 20;
  const auto motion = model->run({.until = kUntil, .record = {.audit = true}, .most_steps = kMostSteps});
  if (!motion) return says(motion, "run");
  if (motion->text().empty() || motion->json().empty()) return "a run says nothing";
  if (motion->stopped() != nullptr && motion->stopped()->text().empty()) return "a stop says nothing";
  constexpr int kInstants = 2;
  return motion->audit(kInstants).text().empty() ? "an audit says nothing" : "";
} catch (const std::exception& error) {
  return error.what();
}

}  // namespace vinculum::test_support

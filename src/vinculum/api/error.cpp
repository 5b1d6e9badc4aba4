#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/api/shared.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/report/failure_report.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string place_of(const diag::SourceText& source, diag::SourceRange range) {
  const diag::Position at = source.position(range.begin);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

std::string_view name_of(diag::Severity severity) {
  return severity == diag::Severity::kError ? "error" : severity == diag::Severity::kWarning ? "warning" : "notice";
}

}  // namespace

Unexpected<Error> wrong_call(std::string message) {
  Error error{Error::About::kCall, "call", std::move(message)};
  error.set_text("vinculum: " + error.message + "\n");
  error.set_json(text_of({{"kind", error.kind}, {"message", error.message}, {"t", nullptr}, {"where", ""}}));
  return {std::move(error)};
}

Unexpected<Error> too_large(const std::string& message) {
  Error error{Error::About::kMotion, "too-large", message};
  error.set_text(fmt::format("vinculum: {} [{}]\n", message, error.kind));
  error.set_json(text_of({{"kind", error.kind}, {"message", message}, {"t", nullptr}, {"where", ""}}));
  return {std::move(error)};
}

Unexpected<Error> no_such(std::string_view what, std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  const std::string hint = !nearest.empty() ? fmt::format("did you mean `{}`?", nearest)
                           : names.empty()  ? "it has none"
                                            : fmt::format("there are {}", fmt::join(names, ", "));
  return wrong_call(fmt::format("the model has no {} `{}`; {}", what, word, hint));
}

Diagnostics diagnostics_of(const diag::SourceText& source, std::span<const diag::Diagnostic> said) {
  std::vector<diag::Diagnostic> sorted(said.begin(), said.end());
  diag::sort_by_place(sorted);
  Diagnostics result;
  for (const diag::Diagnostic& one : sorted) {
    result.all.push_back({std::string(diag::kind_info(one.kind).name), std::string(name_of(one.severity)),
                          place_of(source, one.range), one.message, one.hint});
  }
  result.text = diag::render_text(source, said);
  result.json = diag::render_json(source, said);
  return result;
}

Unexpected<Error> wrong_text(Error::About about, const diag::SourceText& source,
                             std::span<const diag::Diagnostic> diagnostics) {
  Error error{about, about == Error::About::kCall ? "call" : "model"};
  error.diagnostics = diagnostics_of(source, diagnostics);
  for (const Diagnostic& one : error.diagnostics.all) {
    if (one.severity != "error") continue;
    error.message = one.message;
    error.place = one.place;
    break;
  }
  error.set_text(error.diagnostics.text);
  error.set_json(error.diagnostics.json);
  return {std::move(error)};
}

Error interruption(const std::string& what, double t) {
  Error error{Error::About::kMotion, std::string(report::kInterrupted), what, t};
  error.set_text(fmt::format("vinculum: {} at t = {:.9g} s [{}]\n", what, t, error.kind));
  error.set_json(text_of({{"kind", error.kind}, {"message", what}, {"t", t}, {"where", ""}}));
  return error;
}

Error motion_error(const model::Model& model, const equations::System* system, const Failure& failure,
                   std::string_view kind) {
  if (kind.empty()) kind = failure_info(failure.kind).name;
  Error error{Error::About::kMotion, std::string(kind), failure.message, failure.t,
              report::failure_where(model, system, failure)};
  error.set_text(report::failure_text(model, system, failure, kind));
  error.set_json(text_of({{"kind", error.kind},
                          {"message", error.message},
                          {"t", std::isfinite(error.t) ? Json(error.t) : Json(nullptr)},
                          {"where", error.place}}));
  return error;
}

}  // namespace vinculum

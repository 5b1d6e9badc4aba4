#include <algorithm>
#include <chrono>

#include "vinculum/api/shared.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/report/explain.hpp"
#include "vinculum/report/program_report.hpp"
#include "vinculum/report/test_report.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"

namespace vinculum {

struct Derivation::Shared {
  std::shared_ptr<const Model::Shared> model;
  report::Derivation derivation;

  template <class Print>
  Result<std::string> code(Print print) const {
    const auto lock = model->growing();
    if (const auto why = report::why_no_code(derivation)) {
      auto error = wrong_call("no code for " + model->model->name + ": " + *why);
      error.error.set_text("error: " + error.error.message + "\n");
      return error;
    }
    return print(derivation);
  }
};

std::string Derivation::text() const {
  const auto lock = shared_->model->growing();
  return report::derive_text(shared_->derivation);
}
std::string Derivation::latex() const {
  const auto lock = shared_->model->growing();
  return report::derive_latex(shared_->derivation);
}
Result<std::string> Derivation::c() const { return shared_->code(report::derive_c); }
Result<std::string> Derivation::program_json() const {
  return shared_->code([](const report::Derivation& one) { return report::to_json(report::program_report(one)); });
}
Result<std::string> Derivation::python() const { return shared_->code(report::derive_python); }

// Texts about a model show its parameter values, so with other values the text of the model is read again.

std::optional<Additional> find_additional(std::string_view name) {
  for (const auto& [word, additional] : {std::pair<std::string_view, Additional>{"speeds", Additional::kSpeeds},
                                         {"vanishing", Additional::kVanishing},
                                         {"absolute", Additional::kAbsolute}}) {
    if (name == word) return additional;
  }
  return std::nullopt;
}

Result<Derivation> Model::derive(Formulation form, Additional additional) const {
  static_assert(static_cast<int>(Additional::kVanishing) == static_cast<int>(report::Additional::kVanishing) &&
                static_cast<int>(Additional::kAbsolute) == static_cast<int>(report::Additional::kAbsolute));
  if (additional != Additional::kSpeeds && form != Formulation::kMinimal)
    return wrong_call("additional motion variables replace dependent speeds: use the minimal form");
  if (!shared_->bound.empty()) {
    const auto anew = shared_->reread(shared_->settings);
    return anew ? anew->derive(form, additional) : Unexpected<Error>{anew.error()};
  }
  const auto lock = shared_->growing();
  return within_memory([&]() -> Result<Derivation> {
    auto made = report::derive(shared_->model, inner(form), static_cast<report::Additional>(additional));
    if (!made) return Unexpected<Error>{motion_error(*shared_->model, nullptr, made.error())};
    return Derivation(std::make_shared<Derivation::Shared>(Derivation::Shared{shared_, *std::move(made)}));
  });
}

Result<Explanation> Model::explain(const ExplainOptions& options) const {
  if (!shared_->bound.empty()) {
    const auto anew = shared_->reread(shared_->settings);
    return anew ? anew->explain(options) : Unexpected<Error>{anew.error()};
  }
  const auto lock = shared_->growing();
  // evaluated only once or twice, so native code is not worth its compilation
  const auto bound = shared_->compiled(Backend::kTape, false);
  if (!bound) return Unexpected<Error>{bound.error()};
  report::ExplainOptions wanted{.geometry = options.geometry};
  if (options.along) {
    sim::SimulateOptions run = sim::options_of(*shared_->model);
    if (options.until) run.duration = *options.until;
    if (auto error = impossible(*shared_->model, run, options.until)) return Unexpected<Error>{*std::move(error)};
    wanted.along = run.duration;
  }
  const report::Node explanation = report::explain(*bound, wanted);
  return Explanation{report::to_text(explanation), report::to_json(explanation)};
}

struct Verdict::Shared {
  report::ModelVerdict verdict;
};

namespace {

// Number of audited instants per run: enough to cover the phases of a motion at a fraction of its run time.
constexpr int kAuditedInstants = 12;

Verdict verdict_of(report::ModelVerdict verdict) {
  Verdict result{verdict.file, verdict.model ? verdict.model->name : "", verdict.passed(), verdict.failed(),
                 report::to_text(report::verdict_report(verdict))};
  result.shared = std::make_shared<const Verdict::Shared>(Verdict::Shared{std::move(verdict)});
  return result;
}

std::vector<report::ModelVerdict> inner_verdicts(std::span<const Verdict> verdicts) {
  std::vector<report::ModelVerdict> inner;
  for (const Verdict& one : verdicts) inner.push_back(one.shared->verdict);
  return inner;
}

/// Runs the model, checks its `expect` statements, and audits the motion.
void judge(const Model::Shared& shared, const Model::Shared::SharedBinding& shared_bound,
           report::ModelVerdict& verdict) {
  const sim::Binding& bound = *shared_bound;
  const model::Model& model = *bound->model;
  sim::SimulateOptions options = sim::options_of(model);
  options.accounts = sim::audit_accounts;
  if (!model.run) {
    if (!model.expectations.empty())
      verdict.problem = shared.file + ": the model has expectations but no `run` statement\n";
    return;
  }
  const auto lock = shared.growing();  // evaluating expectations adds terms to the model's pool
  sim::Dynamics dynamics(shared_bound);
  sim::CheckedRun run = sim::run_with_expectations(dynamics, options);
  verdict.results = std::move(run.results);
  const auto expects_stop = std::ranges::any_of(
      model.expectations, [](const model::Expectation& e) { return e.when == model::Expectation::When::kStop; });
  if (run.trajectory.stopped && !expects_stop && !is_stated_end(run.trajectory.stopped->kind))
    verdict.problem = motion_error(model, bound->system.get(), *run.trajectory.stopped).text();
  verdict.audit = audit::audit(bound, run.trajectory, {.samples = kAuditedInstants});
}

}  // namespace

Verdict Model::test() const {
  const auto begin = std::chrono::steady_clock::now();
  report::ModelVerdict verdict;
  verdict.file = shared_->file;
  verdict.model = shared_->model;
  if (const auto bound = shared_->compiled()) {
    judge(*shared_, *bound, verdict);
  } else {
    verdict.problem = bound.error().text();
  }
  verdict.seconds =
      shared_->seconds_read + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return verdict_of(std::move(verdict));
}

Verdict test(const std::filesystem::path& path, Settings settings) {
  const auto model = Model::load(path, std::move(settings));
  if (model) return model->test();
  report::ModelVerdict verdict;
  verdict.file = path.string();
  verdict.problem = model.error().text();
  return verdict_of(std::move(verdict));
}

std::string totals_text(std::span<const Verdict> verdicts) { return report::test_totals(inner_verdicts(verdicts)); }
std::string totals_json(std::span<const Verdict> verdicts) {
  return report::to_json(report::test_report(inner_verdicts(verdicts)));
}

}  // namespace vinculum

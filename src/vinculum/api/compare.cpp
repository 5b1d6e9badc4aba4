#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "vinculum/api/compared.hpp"
#include "vinculum/api/results.hpp"
#include "vinculum/api/scene.hpp"
#include "vinculum/compare/law_variants.hpp"
#include "vinculum/compare/restitution_variants.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum {

namespace {

/// Creates the compiled variants of a model for a comparison.
class Comparer {
 public:
  Comparer(std::shared_ptr<const Model::Shared> model, const CompareOptions& options)
      : model_of_(std::move(model)),
        shared_(*model_of_),
        model_(*shared_.model),
        options_(options),
        overrides_(overrides_of(shared_.settings.set)) {}

  [[nodiscard]] Result<Comparison> run() {
    Result<void> prepared = prepare();
    if (prepared) {
      const auto lock = shared_.growing();  // parsing laws adds terms to the model's pool
      prepared = !options_.laws.empty()          ? laws()
                 : !options_.restitution.empty() ? laws_of_restitution()
                                                 : formulations();
    }
    if (!prepared) return Unexpected<Error>{prepared.error()};
    settings_.most_steps = options_.most_steps;
    if (options_.progress) {
      settings_.on_progress = [this](std::size_t variant, double t) {
        options_.progress(report_.variants[variant].name, t, simulate_.duration);
      };
    }
    report_.comparison = compare::compare(report_.variants, settings_);
    for (const compare::Compared& one : report_.comparison.variants) {
      if (one.trajectory.is_interrupted)
        return Unexpected<Error>{interruption("the comparison was interrupted in " + one.name, one.trajectory.end().t)};
    }
    auto shared = std::make_shared<Comparison::Shared>();
    shared->model = model_of_;
    for (const compare::Compared& one : report_.comparison.variants) {
      const auto largest = [&one](compare::Group group) { return one.groups[static_cast<std::size_t>(group)].largest; };
      shared->variants.push_back({one.name, one.not_run, one.has_motion(), largest(compare::Group::kCoordinates),
                                  largest(compare::Group::kSpeeds), largest(compare::Group::kForces)});
    }
    shared->report = std::move(report_);
    shared->diagnostics = std::move(said_);
    return Comparison(std::move(shared));
  }

 private:
  [[nodiscard]] Result<void> prepare() {
    const int lists = (options_.laws.empty() ? 0 : 1) + (options_.formulations.empty() ? 0 : 1) +
                      (options_.restitution.empty() ? 0 : 1);
    if (lists != 1)
      return wrong_call(
          "state what to compare: either laws, formulations or laws of restitution, as `laws ideal,stated`, "
          "`formulations explicit,augmented` or `restitution energetic,newton`");
    if (!options_.on.empty() && !options_.formulations.empty())
      return wrong_call("`on` can be used only with `laws` or `restitution`");
    if (model_.source_text.text().empty())
      return wrong_call(fmt::format("`{}` was built without a text, so its laws cannot be replaced", model_.name));
    source_ = diag::SourceText(model_.source_text.name(), std::string(model_.source_text.text()));
    diag::Diagnostics known;
    file_ = lang::parse(source_, reaction_laws::laws().forms(), known);
    simulate_ = sim::options_of(model_);
    if (options_.until) simulate_.duration = *options_.until;
    if (options_.tolerance) simulate_.tolerance = *options_.tolerance;
    if (options_.method) simulate_.method = *options_.method;
    if (options_.scene) simulate_.output_step = scene_step(simulate_);
    simulate_.is_interrupted = options_.is_interrupted;
    simulate_.conserve = false;  // a projection would hide effects of a law
    if (auto error = impossible(model_, simulate_, options_.until)) return Unexpected<Error>{std::move(*error)};
    if (simulate_.duration == 0.0) return wrong_call("until: a run of 0 s has nothing to compare");
    if (!(options_.most_steps >= 1.0))
      return wrong_call(fmt::format("max steps: `{}` is not a number of steps", options_.most_steps));
    report_.model = model_.name;
    return {};
  }

  [[nodiscard]] Result<void> formulations() {
    const auto as_stated = variant(nullptr);
    if (!as_stated) return Unexpected<Error>{as_stated.error()};
    for (const Formulation one : options_.formulations) {
      const std::string name(to_string(one));
      if (std::ranges::find(report_.variants, name, &compare::Variant::name) != report_.variants.end())
        return wrong_call(fmt::format("the formulation `{}` is compared twice", name));
      report_.variants.push_back(*as_stated);
      report_.variants.back().name = name;
      report_.variants.back().options.formulation = inner(one);
    }
    report_.left_out.resize(report_.variants.size(), report_.left_out.front());
    if (report_.variants.size() < 2) return wrong_call("name two formulations or more: explicit, augmented, minimal");
    settings_.has_law_residuals = false;
    return {};
  }

  [[nodiscard]] Result<void> laws() {
    diag::Diagnostics wrong;
    const diag::SourceRange part = source_.append("laws", options_.laws);
    const std::vector<lang::LawText> list = lang::parse_law_list(source_, part, reaction_laws::laws().forms(), wrong);
    compare::LawVariants laws;
    if (!wrong.has_errors()) laws = compare::law_variants(list, reaction_laws::laws().forms(), source_, wrong);
    if (wrong.has_errors()) return wrong_text(Error::About::kCall, source_, wrong.all());
    if (laws.variants.size() < 2)
      return wrong_call(fmt::format("name two laws or more: `{}`", reaction_laws::kTwoLaws));
    if (auto chosen = choose_constraints(laws); !chosen) return chosen;
    if (auto differs = has_a_choice(); !differs) return differs;
    for (const compare::LawVariant& law : laws.variants) {
      auto one = variant(&law);
      if (!one) return Unexpected<Error>{one.error()};
      report_.variants.push_back(*std::move(one));
    }
    return ladders(laws);
  }

  [[nodiscard]] Result<void> laws_of_restitution() {
    const auto variants = compare::restitution_variants(options_.restitution);
    if (!variants) return wrong_call(variants.error());
    std::vector<std::string> contacts;
    for (const model::Constraint& constraint : model_.constraints)
      if (constraint.unilateral) contacts.push_back(constraint.name);
    if (contacts.empty())
      return wrong_call(
          fmt::format("`{}` has no constraints with `>=` or `<=`, limits or joints `contact`, so it has no "
                      "impacts to compare",
                      model_.name));
    for (const std::string& word : options_.on)
      if (std::ranges::find(contacts, word) == contacts.end())
        return no_such("constraint with impacts", word, contacts);
    report_.constraints = options_.on.empty() ? std::move(contacts) : options_.on;
    report_.is_of_impacts = true;
    settings_.has_law_residuals = false;  // the equations between impacts are the same
    for (const compare::RestitutionVariant& law : *variants) {
      auto one = variant(
          nullptr, [&](model::ModelBuilder& builder) { compare::set_restitution(builder, law, report_.constraints); });
      if (!one) return Unexpected<Error>{one.error()};
      one->name = law.name;
      report_.variants.push_back(*std::move(one));
    }
    return {};
  }

  /// An error if the force of all constraints is that of a contact without friction, under every law.
  [[nodiscard]] Result<void> has_a_choice() const {
    const auto is_fixed = [&](const std::string& name) {
      const auto one = std::ranges::find(model_.constraints, name, &model::Constraint::name);
      return one->unilateral && one->nonideal.empty();
    };
    if (!std::ranges::all_of(report_.constraints, is_fixed)) return {};
    return wrong_call(fmt::format(
        "there is nothing to compare: `{}` {} without friction, whose force is the same under every law that "
        "it may have; laws of impacts are compared by `restitution energetic,newton`",
        fmt::join(report_.constraints, "`, `"),
        report_.constraints.size() == 1 ? "is a contact or a stop" : "are contacts or stops"));
  }

  /// The model under one law, compiled. A notice that several variants share is kept once.
  [[nodiscard]] Result<compare::Variant> variant(const compare::LawVariant* law,
                                                 const std::function<void(model::ModelBuilder&)>& change = {}) {
    const compare::VariantModel made = compare::elaborate_variant(
        file_, source_, elaborate_options(shared_.folder, overrides_), law, report_.constraints, change);
    std::vector<diag::Diagnostic> fresh;
    for (const diag::Diagnostic& one : made.diagnostics.all()) {
      if (shown_.insert({one.range, one.message}).second) fresh.push_back(one);
    }
    if (!made.model) return wrong_text(Error::About::kModel, made.source, fresh);
    const Diagnostics said = diagnostics_of(made.source, fresh);
    said_.all.insert(said_.all.end(), said.all.begin(), said.all.end());
    said_.text += said.text;
    sim::CompileSettings compile;
    compile.codegen = codegen_options(shared_.settings, shared_.settings.backend);
    const auto bound = sim::compile_model(made.model, compile);
    if (!bound) return Unexpected<Error>{motion_error(*made.model, nullptr, bound.error())};
    report_.left_out.push_back(made.left_out);
    return compare::Variant{
        law != nullptr ? law->name : "", *bound, simulate_, made.forces, made.powers, made.energies};
  }

  [[nodiscard]] Result<void> choose_constraints(const compare::LawVariants& laws) {
    std::vector<std::string> names;
    for (const auto& constraint : model_.constraints) names.push_back(constraint.name);
    if (names.empty())
      return wrong_call(fmt::format("`{}` has no constraints, so there are no laws to compare", model_.name));
    for (const std::string& word : options_.on) {
      if (std::ranges::find(names, word) == names.end()) return no_such("constraint", word, names);
      if (std::ranges::find(report_.constraints, word) == report_.constraints.end())
        report_.constraints.push_back(word);
    }
    if (!report_.constraints.empty()) return {};
    std::vector<compare::LawVariant> one_of_each;  // variants of a ladder differ only in a value
    for (const compare::LawVariant& law : laws.variants) {
      if (std::ranges::find(one_of_each, law.range, &compare::LawVariant::range) == one_of_each.end())
        one_of_each.push_back(law);
    }
    std::optional<compare::VariantModel> refused;
    report_.constraints = compare::constraints_for(file_, source_, elaborate_options(shared_.folder, overrides_),
                                                   model_, one_of_each, refused);
    if (!report_.constraints.empty()) return {};
    auto error =
        refused ? wrong_text(Error::About::kModel, refused->source, refused->diagnostics.all()) : wrong_call("");
    error.error.about = Error::About::kModel;
    error.error.message = fmt::format("no constraint of `{}` may have all these laws", model_.name);
    error.error.set_text("vinculum: " + error.error.message + "\n" + error.error.diagnostics.text);
    return error;
  }

  [[nodiscard]] Result<void> ladders(const compare::LawVariants& laws) {
    for (const compare::LawLadder& ladder : laws.ladders) {
      compare::Ladder result{ladder.parameter, ladder.variants, {}};
      for (const std::size_t variant : ladder.variants) {
        const auto value =
            compare::ladder_value(*report_.variants[variant].bound->compiled->model, report_.constraints.front());
        if (!value || *value <= 0.0) {
          return wrong_call(fmt::format("`{}` has no constant `{}` above zero, as a ladder needs",
                                        report_.variants[variant].name, ladder.parameter));
        }
        result.values.push_back(*value);
      }
      const auto& values = result.values;
      const bool rises = std::ranges::adjacent_find(values, std::ranges::greater_equal()) == values.end();
      const bool falls = std::ranges::adjacent_find(values, std::ranges::less_equal()) == values.end();
      if (!rises && !falls) {
        return wrong_call(
            fmt::format("the values of `{}` in a ladder rise or fall: {}", ladder.parameter, fmt::join(values, ", ")));
      }
      settings_.ladders.push_back(std::move(result));
    }
    return {};
  }

  std::shared_ptr<const Model::Shared> model_of_;
  const Model::Shared& shared_;
  const model::Model& model_;
  const CompareOptions& options_;
  std::vector<elaborate::ParameterOverride> overrides_;
  diag::SourceText source_;  ///< a copy of the model's text, to which the text of the laws is appended
  lang::ModelFile file_;
  sim::SimulateOptions simulate_;
  compare::CompareOptions settings_;
  report::CompareReport report_;
  std::set<std::pair<diag::SourceRange, std::string>> shown_;
  Diagnostics said_;
};

}  // namespace

std::span<const Comparison::Variant> Comparison::variants() const { return shared_->variants; }
const Diagnostics& Comparison::diagnostics() const { return shared_->diagnostics; }
std::string Comparison::text() const { return report::to_text(report::compare_report(shared_->report)); }
std::string Comparison::json() const { return report::to_json(report::compare_report(shared_->report)); }

Result<std::vector<std::string>> Comparison::write(Results& results) const {
  const report::CompareReport& report = shared_->report;
  std::vector<files::NamedFile> files{
      {"compare.csv", [&](std::ostream& s) { report::write_csv(s, report::compare_table(report)); }}};
  if (!report.comparison.ladders.empty())
    files.push_back({"ladder.csv", [&](std::ostream& s) { report::write_csv(s, report::ladder_table(report)); }});
  files.push_back({"compare.json", [&](std::ostream& s) { s << report::to_json(report::compare_report(report)); }});
  files.push_back({"compare.gp", [&](std::ostream& s) { s << report::compare_plot(report); }});
  return write_files(results, compare_files(), files);
}

Result<std::vector<std::string>> Comparison::write(const std::filesystem::path& folder) const {
  return write_alone(*this, folder);
}

Result<Comparison> Model::compare(const CompareOptions& options) const { return Comparer(shared_, options).run(); }

}  // namespace vinculum

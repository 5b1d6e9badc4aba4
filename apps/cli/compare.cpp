#include "vinculum/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "command.hpp"
#include "compile.hpp"
#include "load.hpp"
#include "progress.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/build/law_variants.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/out/report/compare_report.hpp"
#include "write_file.hpp"

namespace vinculum::cli {
namespace {

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '[') ++depth;  // `edge[1,2]` is one name
    if (i < list.size() && list[i] == ']' && depth > 0) --depth;
    if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
    std::string word = list.substr(begin, i - begin);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(std::move(word));
    begin = i + 1;
  }
  return words;
}

class Comparer {
 public:
  Comparer(const CompareCommand& options, const CommonOptions& common) : options_(options), common_(common) {}

  int run() {
    if (options_.laws.empty() == options_.formulations.empty()) {
      return usage(
          "say what to compare: either `--laws ideal,vakonomic` or `--formulations explicit,augmented,minimal`");
    }
    if (!options_.on.empty() && options_.laws.empty()) return usage("`--on` goes with `--laws`");
    loaded_ = load(options_.model, common_);
    if (!loaded_) return kUsage;
    if (!loaded_->model) {
      print_diagnostics(*loaded_, common_.json);
      return kWrong;
    }
    simulate_ = sim::options_of(*loaded_->model);
    if (options_.until > 0.0) simulate_.duration = options_.until;
    if (options_.tolerance > 0.0) simulate_.tolerance = options_.tolerance;
    if (!options_.method.empty()) simulate_.method = options_.method;
    simulate_.conserve = false;  // it would hide what a law does
    if (simulate_.duration <= 0.0) {
      return usage(fmt::format("`{}` has no `run` statement; say how long with `--until T`", options_.model));
    }
    report_.model = loaded_->model->name;
    const int status = options_.laws.empty() ? formulations() : laws();
    return status == kRight ? compare() : status;
  }

 private:
  static int usage(const std::string& message) {
    fmt::print(stderr, "vinculum: {}\n", message);
    return kUsage;
  }

  static std::string hint(const std::string& word, const std::vector<std::string>& names) {
    const std::string nearest = diag::nearest_name(word, names);
    return nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                           : fmt::format("did you mean `{}`?", nearest);
  }

  /// The model's text anew, so that laws can be parts of it.
  void read() {
    source_ = diag::SourceText(loaded_->source.name(), std::string(loaded_->source.text()));
    diag::Diagnostics known;
    file_ = lang::parse(source_, known);
    for (const std::string& set : common_.sets) {
      const std::size_t equals = set.find('=');
      overrides_.push_back({set.substr(0, equals), set.substr(equals + 1)});
    }
  }
  elaborate::Options elaborate_options() const {
    return {std::filesystem::absolute(options_.model).parent_path(), overrides_};
  }

  int formulations() {
    read();
    std::vector<std::string> names;
    for (const dynamics::Formulation one : dynamics::kFormulations) names.emplace_back(to_string(one));
    const elaborate::VariantModel as_stated =
        elaborate::elaborate_variant(file_, source_, elaborate_options(), nullptr, {});
    if (!show(as_stated)) return kWrong;
    const auto compiled = compile(as_stated.model, common_, false);
    if (!compiled) return kWrong;
    for (const std::string& word : words_of(options_.formulations)) {
      const auto formulation = dynamics::find_formulation(word);
      if (!formulation) return usage(fmt::format("there is no formulation `{}`; {}", word, hint(word, names)));
      if (std::ranges::find(report_.variants, word, &compare::Variant::name) != report_.variants.end()) {
        return usage(fmt::format("the formulation `{}` is compared twice", word));
      }
      add(word, compiled, as_stated);
      report_.variants.back().options.formulation = *formulation;
    }
    if (report_.variants.size() < 2) return usage("name two formulations or more: explicit, augmented, minimal");
    settings_.has_law_residuals = false;
    return kRight;
  }

  int laws() {
    read();
    const diag::SourceRange part = source_.append("--laws", options_.laws);
    diag::Diagnostics wrong;
    const std::vector<lang::LawText> list = lang::parse_law_list(source_, part, wrong);
    elaborate::LawVariants laws;
    if (!wrong.has_errors()) laws = elaborate::law_variants(list, source_, wrong);
    if (wrong.has_errors()) {
      fmt::print(stderr, "{}", diag::render_text(source_, wrong.all()));
      return kUsage;
    }
    if (laws.variants.size() < 2) return usage("name two laws or more: `--laws ideal,vakonomic`");
    if (const int status = choose_constraints(laws); status != kRight) return status;
    for (const elaborate::LawVariant& law : laws.variants) {
      const elaborate::VariantModel variant =
          elaborate::elaborate_variant(file_, source_, elaborate_options(), &law, report_.constraints);
      if (!show(variant)) return kWrong;
      const auto compiled = compile(variant.model, common_, false);
      if (!compiled) return kWrong;
      add(law.name, compiled, variant);
    }
    return ladders(laws);
  }

  int choose_constraints(const elaborate::LawVariants& laws) {
    std::vector<std::string> names;
    for (const auto& constraint : loaded_->model->constraints) names.push_back(constraint.name);
    if (names.empty())
      return usage(fmt::format("`{}` has no constraints, so there are no laws to compare", options_.model));
    if (!options_.on.empty()) {
      for (const std::string& word : words_of(options_.on)) {
        if (std::ranges::find(names, word) == names.end()) {
          return usage(
              fmt::format("`--on {}`: the model has no constraint `{}`; {}", options_.on, word, hint(word, names)));
        }
        if (std::ranges::find(report_.constraints, word) == report_.constraints.end())
          report_.constraints.push_back(word);
      }
      return kRight;
    }
    std::vector<elaborate::LawVariant> one_of_each;  // the rungs of a ladder ask for the same
    for (const elaborate::LawVariant& law : laws.variants) {
      if (std::ranges::find(one_of_each, law.range, &elaborate::LawVariant::range) == one_of_each.end())
        one_of_each.push_back(law);
    }
    std::optional<elaborate::VariantModel> refused;
    report_.constraints =
        elaborate::constraints_for(file_, source_, elaborate_options(), *loaded_->model, one_of_each, refused);
    if (!report_.constraints.empty()) return kRight;
    fmt::print(stderr, "vinculum: no constraint of `{}` may have all these laws\n", loaded_->model->name);
    if (refused) (void)show(*refused);
    return kWrong;
  }

  int ladders(const elaborate::LawVariants& laws) {
    for (const elaborate::LawLadder& ladder : laws.ladders) {
      compare::Ladder result{ladder.parameter, ladder.variants, {}};
      for (const std::size_t variant : ladder.variants) {
        const auto value =
            elaborate::ladder_value(*report_.variants[variant].compiled->model, report_.constraints.front());
        if (!value || *value <= 0.0) {
          return usage(fmt::format("`{}` has no constant `{}` above zero: a ladder goes through such values",
                                   report_.variants[variant].name, ladder.parameter));
        }
        result.values.push_back(*value);
      }
      const auto& values = result.values;
      const bool rises = std::ranges::adjacent_find(values, std::ranges::greater_equal()) == values.end();
      const bool falls = std::ranges::adjacent_find(values, std::ranges::less_equal()) == values.end();
      if (!rises && !falls)
        return usage(
            fmt::format("the values of `{}` in a ladder rise or fall: {}", ladder.parameter, fmt::join(values, ", ")));
      settings_.ladders.push_back(std::move(result));
    }
    return kRight;
  }

  void add(const std::string& name, const std::shared_ptr<const sim::CompiledModel>& compiled,
           const elaborate::VariantModel& model) {
    report_.variants.push_back({name, compiled, simulate_, model.forces, model.powers, model.energies});
    report_.left_out.push_back(model.left_out);
  }

  /// Prints what is to be said about a variant, once; false where it is no model.
  bool show(const elaborate::VariantModel& variant) {
    std::vector<diag::Diagnostic> fresh;
    for (const diag::Diagnostic& one : variant.diagnostics.all()) {
      if (shown_.insert({one.range, one.message}).second) fresh.push_back(one);
    }
    if (!fresh.empty()) fmt::print(stderr, "{}", diag::render_text(variant.source, fresh));
    return variant.model != nullptr;
  }

  int compare() {
    if (options_.most_steps > 0.0) settings_.most_steps = options_.most_steps;
    {
      Progress progress(simulate_.duration * static_cast<double>(report_.variants.size()));
      settings_.on_progress = [&](std::size_t variant, double t) {
        progress.show(simulate_.duration * static_cast<double>(variant) + t);
      };
      report_.comparison = compare::compare(report_.variants, settings_);
    }
    fmt::print("{}", common_.json ? out::compare_json(report_) : out::compare_text(report_));
    if (!options_.folder.empty() && !write()) {
      return usage(fmt::format("the results cannot be written into `{}`", options_.folder));
    }
    const bool all_move = std::ranges::all_of(report_.comparison.variants, &compare::Compared::has_motion);
    return all_move ? kRight : kWrong;
  }

  bool write() const {
    const std::filesystem::path folder(options_.folder);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const bool has_ladders = !report_.comparison.ladders.empty();
    const bool is_written =
        !error && write_file(folder / "compare.csv", [&](std::ostream& s) { out::write_compare_csv(s, report_); }) &&
        (!has_ladders ||
         write_file(folder / "ladder.csv", [&](std::ostream& s) { out::write_ladder_csv(s, report_); })) &&
        write_file(folder / "compare.json", [&](std::ostream& s) { s << out::compare_json(report_); }) &&
        write_file(folder / "compare.gp", [&](std::ostream& s) { s << out::compare_plot(report_); });
    if (is_written && !common_.json) {
      fmt::print("wrote {}/compare.csv, {}compare.json and compare.gp; draw them by `gnuplot compare.gp` there\n",
                 options_.folder, has_ladders ? "ladder.csv, " : "");
    }
    return is_written;
  }

  const CompareCommand& options_;
  const CommonOptions& common_;
  std::optional<Loaded> loaded_;
  diag::SourceText source_;
  lang::ModelFile file_;
  std::vector<elaborate::ParameterOverride> overrides_;
  sim::SimulateOptions simulate_;
  compare::CompareOptions settings_;
  out::CompareReport report_;
  std::set<std::pair<diag::SourceRange, std::string>> shown_;
};

}  // namespace

int compare(const CompareCommand& options, const CommonOptions& common) { return Comparer(options, common).run(); }

}  // namespace vinculum::cli

#include "vinculum/compare/law_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/walk.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::compare {

using diag::Kind;
using elaborate::Options;
using lang::ExpressionPtr;
using model::Term;

namespace {

using SharedExpression = std::shared_ptr<const lang::Expression>;

constexpr int kMostDecades = 30;

void report(diag::Sink& sink, Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  diag::Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  sink.report(std::move(diagnostic));
}

/// One value of an argument, and its text.
struct Written {
  SharedExpression value;
  std::string text;
};

bool is_one_unit(const lang::Unit& a, const lang::Unit& b) {
  return std::ranges::equal(a.factors, b.factors, [](const lang::UnitFactor& x, const lang::UnitFactor& y) {
    return x.name == y.name && x.numerator == y.numerator && x.denominator == y.denominator;
  });
}

/// Spells a value like 100, 0.01, 1e6, 2e-7.
std::string spelled(double value) {
  std::string text = fmt::format("{:g}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return text.substr(0, e + 1) + std::to_string(std::stoi(text.substr(e + 1)));
}

/// Expands `1e1..1e4` to 10, 100, 1000, 10000. The unit may be written at either end.
std::vector<Written> decades(const lang::ListedArgument& argument, const diag::SourceText& source, diag::Sink& sink) {
  const auto* from = std::get_if<lang::NumberLiteral>(&argument.values[0]->node);
  const auto* to = std::get_if<lang::NumberLiteral>(&argument.values[1]->node);
  const std::string hint =
      "write `" + argument.name.text + "=1e1..1e4`, or the values one by one: `" + argument.name.text + "=10,50,100`";
  const bool are_positive = from != nullptr && to != nullptr && from->value > 0.0 && to->value > 0.0;
  if (!are_positive || (from->unit && to->unit && !is_one_unit(*from->unit, *to->unit))) {
    report(sink, Kind::kBadValue, argument.range, "a range goes by decades between two positive numbers of one unit",
           hint);
    return {};
  }
  const double count = std::log10(to->value / from->value);
  if (!(std::fabs(count - std::round(count)) <= tolerance::kGeneric) || std::fabs(count) > kMostDecades) {
    report(sink, Kind::kBadValue, argument.range, "the ends of a range are a whole number of decades apart", hint);
    return {};
  }
  const std::optional<lang::Unit>& unit = to->unit ? to->unit : from->unit;
  std::vector<Written> result;
  const int steps = static_cast<int>(std::lround(std::fabs(count)));
  for (int k = 0; k <= steps; ++k) {
    // Each value is converted from decimal text, so that it is the double nearest to its decimal.
    const double value = std::stod(fmt::format("{:.12e}", from->value * std::pow(10.0, count < 0.0 ? -k : k)));
    const std::string spelling = spelled(value);
    auto expression = std::make_shared<lang::Expression>();
    expression->node = lang::NumberLiteral{value, spelling, unit};
    expression->range = argument.range;
    result.push_back({expression, unit ? fmt::format("{} {}", spelling, source.slice(unit->range)) : spelling});
  }
  return result;
}

std::vector<Written> values_of(const lang::ListedArgument& argument, const diag::SourceText& source, diag::Sink& sink) {
  if (argument.is_range) return decades(argument, source, sink);
  std::vector<Written> result;
  for (const ExpressionPtr& value : argument.values)
    result.push_back({lang::clone(*value), std::string(source.slice(value->range))});
  return result;
}

/// Returns the items of a list such as `[1, 2]`; for any other expression, the expression itself.
std::vector<ExpressionPtr> rows_of(const lang::Expression& expression) {
  std::vector<ExpressionPtr> result;
  if (const auto* list = std::get_if<lang::List>(&expression.node)) {
    for (const auto& row : list->rows) {
      for (const ExpressionPtr& entry : row) result.push_back(lang::clone(*entry));
    }
  } else {
    result.push_back(lang::clone(expression));
  }
  return result;
}

/// Returns the law clause of a variant, which replaces other law clauses. Its arguments have the order of the law's
/// form. If the variant does not state a start of μ (or of a derivative of μ), that start is copied from the replaced
/// clauses.
lang::Clause clause_of(const LawVariant& law, const lang::LawForm& form, const std::vector<lang::Clause>& replaced) {
  lang::LawClause clause{{law.law, law.range}, {}};
  const auto put = [&](const lang::LawArgumentForm& argument, int order, std::vector<ExpressionPtr> values) {
    clause.arguments.push_back(
        {std::string(argument.word), order, argument.is_start, argument.has_equals, std::move(values)});
  };
  for (const lang::LawArgumentForm& argument : form.arguments) {
    std::vector<int> given;  // orders of the derivatives whose starts the variant states
    for (const LawVariant::Argument& one : law.arguments) {
      if (one.word != argument.word) continue;
      std::vector<ExpressionPtr> alone;
      alone.push_back(lang::clone(*one.value));
      put(argument, one.order, argument.is_list ? rows_of(*one.value) : std::move(alone));
      given.push_back(one.order);
    }
    for (const lang::Clause& one : replaced) {
      const auto* stated = std::get_if<lang::LawClause>(&one.what);
      if (stated == nullptr || !argument.is_start) continue;
      for (const lang::LawArgument& start : stated->arguments) {
        const bool is_given = !start.of && std::ranges::find(given, start.order) != given.end();
        if (!start.is_start || start.word != argument.word || (start.order > 0 && !argument.has_rates) ||
            (start.of && !argument.has_states) || is_given)
          continue;
        std::vector<ExpressionPtr> values;
        for (const ExpressionPtr& value : start.values) values.push_back(lang::clone(*value));
        put(argument, start.order, std::move(values));
        clause.arguments.back().of = start.of;
      }
    }
  }
  std::ranges::stable_sort(clause.arguments, {}, [](const lang::LawArgument& one) { return one.order; });
  return {std::move(clause), law.range};
}

/// Name and clauses of a `constraint` or `joint` statement; null pointers for other statements.
struct Kept {
  const lang::Name* name = nullptr;
  std::vector<lang::Clause>* clauses = nullptr;
};

Kept kept_by(lang::Statement& statement) {
  if (auto* constraint = std::get_if<lang::ConstraintStatement>(&statement.node))
    return {&constraint->name, &constraint->clauses};
  if (auto* joint = std::get_if<lang::JointStatement>(&statement.node)) return {&joint->name, &joint->clauses};
  return {};
}

/// Whether a clause stays under every law. `when` stays because the constraint acts at the same times; if the law does
/// not permit `when`, elaboration reports it. The others belong to contacts and stops, whose reaction is ideal.
bool is_kept(const lang::Clause& clause) {
  return std::holds_alternative<lang::WhenClause>(clause.what) ||
         std::holds_alternative<lang::LimitsClause>(clause.what) ||
         std::holds_alternative<lang::RestitutionClause>(clause.what) ||
         std::holds_alternative<lang::ComplianceClause>(clause.what);
}

/// Whether a constraint belongs to a statement. A joint `contact` has several constraints: `floor[1]`, `floor[2]`.
bool belongs_to(const std::string& constraint, const lang::Statement& statement, const std::string& name) {
  const auto* joint = std::get_if<lang::JointStatement>(&statement.node);
  const bool has_several = joint != nullptr && joint->surface2;
  return constraint == name || (has_several && constraint.starts_with(name + "["));
}

bool contains(diag::SourceRange outer, diag::SourceRange inner) {
  return outer.begin <= inner.begin && inner.begin < outer.end;
}

/// Rewrites the statements of a file for one variant, and collects the ranges that later steps need.
class Rewriter {
 public:
  Rewriter(const LawVariant* law, const Options& options, std::span<const std::string> on)
      : law_(law), form_(law == nullptr ? nullptr : lang::find_law(options.laws->forms(), law->law)), on_(on) {}

  std::vector<diag::SourceRange> dropped;  ///< statements and starts that have no meaning under the law, to be left out
  /// Statements in the file that a variant may have to leave out: `output`, `reveal`, `let`, and `start` of derivatives
  /// of higher order.
  std::vector<diag::SourceRange> results;
  /// Outputs, with the name by which they are listed if they are left out.
  std::vector<std::pair<diag::SourceRange, std::string>> outputs;
  diag::SourceRange first_changed;  ///< the first constraint with a new law
  bool states_units = false, changes_laws = false;

  void operator()(lang::ModelFile& file) {
    states_units = elaborate::states_units(file);
    results.clear();
    outputs.clear();
    std::erase_if(file.statements, [&](const lang::Statement& statement) {
      return std::holds_alternative<lang::ExpectStatement>(statement.node) ||
             std::ranges::find(dropped, statement.range) != dropped.end();
    });
    bool is_first = true;
    for (lang::Statement& statement : file.statements) {
      if (auto* start = std::get_if<lang::StartStatement>(&statement.node)) look_at_starts(*start);
      const auto* output = std::get_if<lang::OutputStatement>(&statement.node);
      const auto* reveal = std::get_if<lang::RevealStatement>(&statement.node);
      if (output != nullptr) outputs.emplace_back(statement.range, output->name.text);
      if (reveal != nullptr) outputs.emplace_back(statement.range, reveal->name.text);
      if (output != nullptr || reveal != nullptr || std::holds_alternative<lang::LetStatement>(statement.node))
        results.push_back(statement.range);
      const Kept kept = kept_by(statement);
      if (kept.name == nullptr || form_ == nullptr) continue;
      if (std::ranges::none_of(on_, [&](const auto& one) { return belongs_to(one, statement, kept.name->text); }))
        continue;
      changes_laws = true;
      if (std::exchange(is_first, false)) first_changed = statement.range;
      lang::Clause clause = clause_of(*law_, *form_, *kept.clauses);
      std::erase_if(*kept.clauses, [](const lang::Clause& one) { return !is_kept(one); });
      kept.clauses->insert(kept.clauses->begin(), std::move(clause));
    }
  }

 private:
  /// Removes the starts in `dropped`, and collects starts of higher derivatives: `start x'' = …` has a meaning only if
  /// x'' is a state under the law.
  void look_at_starts(lang::StartStatement& start) {
    std::erase_if(start.items, [&](const lang::StartItem& item) {
      return std::ranges::find(dropped, item.variable->range) != dropped.end();
    });
    for (const lang::StartItem& item : start.items) {
      const auto* derivative = std::get_if<lang::Prime>(&item.variable->node);
      if (derivative == nullptr || derivative->count < 2) continue;
      results.push_back(item.variable->range);
      outputs.emplace_back(item.variable->range, "start of " + lang::format(*item.variable));
    }
  }

  const LawVariant* law_;
  const lang::LawForm* form_;  ///< null: laws as stated
  std::span<const std::string> on_;
};

/// Adds outputs for every constraint and for the whole model. Outputs without a meaning under the laws are not added.
void add_outputs(model::ModelBuilder& builder, VariantModel& to) {
  const model::Model& model = builder.model();
  const auto dimension = [&](int time) { return model.has_units ? make_dimension(1, 2, time) : Dimension{}; };
  const auto add = [&](std::vector<std::string>& names, const std::string& name, Term value, int time) {
    if (!value.is_valid()) return;
    builder.add_output(name, value, {}, dimension(time));
    names.push_back(name);
  };
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const std::string name = "generalized_force(" + model.constraints[c].name + ")";
    std::vector<Term> entries;
    for (std::size_t r = 0; r < model.speeds.size(); ++r)
      entries.push_back(model.terms->generalized_force(model::ConstraintId(c), model::SpeedId(r)));
    builder.add_output(name, {}, {}, {});
    builder.model().outputs.back().components = std::move(entries);
    to.forces.push_back(name);
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    add(to.powers, "power(" + model.constraints[c].name + ")",
        model::power_of_constraint(model, model::ConstraintId(c)), -3);
  }
  const bool is_split = std::ranges::none_of(model.loads, [](const model::Load& load) {
    return std::holds_alternative<model::LagrangianFunction>(load.what);
  });
  add(to.energies, "kinetic energy", is_split ? model::kinetic_energy(model) : Term{}, -2);
  add(to.energies, "potential energy", is_split ? model::potential_energy(model) : Term{}, -2);
  add(to.energies, "total energy", model::total_energy(model), -2);
  add(to.energies, "effective energy", model::effective_energy(model), -2);
}

bool is_ladder(const lang::LawForm* form, std::string_view word) {
  return form != nullptr && std::ranges::any_of(form->arguments, [&](const lang::LawArgumentForm& one) {
           return one.is_ladder && one.word == word;
         });
}

}  // namespace

LawVariants law_variants(const std::vector<lang::LawText>& list, lang::LawForms laws, const diag::SourceText& source,
                         diag::Sink& sink) {
  LawVariants result;
  bool is_right = true;
  for (const lang::LawText& law : list) {
    std::vector<LawVariant> of_law{{law.law.text, law.law.text, {}, law.range}};
    const lang::ListedArgument* several = nullptr;
    std::string separator = "(";
    for (const lang::ListedArgument& argument : law.arguments) {
      const std::vector<Written> values = values_of(argument, source, sink);
      if (values.empty()) {
        is_right = false;
        continue;
      }
      if (values.size() > 1 || argument.is_range) {
        if (values.size() == 1) {
          report(sink, Kind::kBadValue, argument.range, "a ladder has two values or more, this range has one",
                 "write `" + argument.name.text + "=" + values[0].text + "` for a single value");
          is_right = false;
        } else if (several != nullptr) {
          report(sink, Kind::kNotAllowedHere, argument.range, "one argument of a law has several values",
                 "write the law twice, once for each value of the other argument");
          is_right = false;
        }
        several = &argument;
      }
      const std::string primes(static_cast<std::size_t>(argument.order), '\'');
      std::vector<LawVariant> next;
      for (const LawVariant& so_far : of_law) {
        for (const Written& value : values) {
          LawVariant variant = so_far;
          variant.name += separator + argument.name.text + primes + "=" + value.text;
          variant.arguments.push_back({argument.name.text, argument.order, value.value});
          next.push_back(std::move(variant));
        }
      }
      of_law = std::move(next);
      separator = ", ";
    }
    if (several != nullptr && is_ladder(lang::find_law(laws, law.law.text), several->name.text)) {
      LawLadder ladder{several->name.text, {}, several->range};
      for (std::size_t i = 0; i < of_law.size(); ++i) ladder.variants.push_back(result.variants.size() + i);
      result.ladders.push_back(std::move(ladder));
    }
    for (LawVariant& variant : of_law) {
      if (!variant.arguments.empty()) variant.name += ")";
      if (is_right && std::ranges::find(result.variants, variant.name, &LawVariant::name) != result.variants.end()) {
        report(sink, Kind::kDuplicateName, variant.range, "`" + variant.name + "` is compared twice", "");
        is_right = false;
      }
      result.variants.push_back(std::move(variant));
    }
  }
  if (!is_right) return {};
  return result;
}

namespace {

/// Returns the error for arguments with a unit in a model without units. It is reported alone, because all other errors
/// follow from it.
diag::Diagnostics stray_units(const LawVariant* law, const Rewriter& rewriter) {
  diag::Diagnostics refused;
  if (law == nullptr || rewriter.states_units) return refused;
  for (const LawVariant::Argument& one : law->arguments) {
    if (lang::has_unit(*one.value))
      report(refused, Kind::kDimensionMismatch, one.value->range, "the model states no units, so a value has none", "");
  }
  return refused;
}

}  // namespace

VariantModel elaborate_variant(const lang::ModelFile& file, const diag::SourceText& source, const Options& options,
                               const LawVariant* law, std::span<const std::string> on,
                               const std::function<void(model::ModelBuilder&)>& change) {
  VariantModel result;
  Rewriter rewriter(law, options, on);
  // If an output that is left out is used in another statement, the error about the output itself is reported, not the
  // error about its use.
  diag::Diagnostics first_round;
  for (bool is_first = true;; is_first = false) {
    result.diagnostics = {};
    result.source = source;
    result.model = elaborate::elaborate(file, result.source, options,
                                        {std::ref(rewriter),
                                         [&](model::ModelBuilder& builder) {
                                           if (change) change(builder);
                                           add_outputs(builder, result);
                                         }},
                                        result.diagnostics);
    if (!result.diagnostics.has_errors()) break;
    std::vector<diag::SourceRange> without_meaning;
    diag::Diagnostics others;
    if (is_first) first_round = result.diagnostics;
    for (diag::Diagnostic one : result.diagnostics.all()) {
      const auto at =
          std::ranges::find_if(rewriter.results, [&](diag::SourceRange range) { return contains(range, one.range); });
      if (one.severity == diag::Severity::kError && at != rewriter.results.end()) {
        without_meaning.push_back(*at);
        continue;
      }
      if (law != nullptr && contains(law->range, one.range) && one.severity == diag::Severity::kError) {
        one.labels.push_back({rewriter.first_changed, "of this constraint"});
      }
      others.report(std::move(one));
    }
    if (others.has_errors() || without_meaning.empty()) {
      result.diagnostics = is_first ? std::move(others) : std::move(first_round);
      if (auto refused = stray_units(law, rewriter); refused.has_errors()) result.diagnostics = std::move(refused);
      result.model = nullptr;
      return result;
    }
    for (const diag::SourceRange range : without_meaning) {
      if (std::ranges::find(rewriter.dropped, range) != rewriter.dropped.end()) continue;
      rewriter.dropped.push_back(range);
      for (const auto& [place, name] : rewriter.outputs) {
        if (place == range) result.left_out.push_back(name);
      }
    }
  }
  diag::Diagnostics said;
  for (diag::Diagnostic one : result.diagnostics.all()) {
    const bool is_of_list = law != nullptr && contains(law->range, one.range);
    if (one.kind == Kind::kUnstatedStart && is_of_list)
      one.hint = one.message.find('\'') == std::string::npos
                     ? "state it in the list: `mu=0`, or `mu=[0, 0]` with one for each row"
                     : "state them in the list: `mu=0, mu'=0`, or `mu=[0, 0]` with one for each row";
    said.report(std::move(one));
  }
  result.diagnostics = std::move(said);
  if (auto refused = stray_units(law, rewriter); refused.has_errors()) {
    result.diagnostics = std::move(refused);
    result.model = nullptr;
  }
  result.changes_laws = rewriter.changes_laws;
  return result;
}

std::vector<std::string> constraints_for(const lang::ModelFile& file, const diag::SourceText& source,
                                         const Options& options, const model::Model& stated,
                                         std::span<const LawVariant> laws, std::optional<VariantModel>& refused) {
  std::vector<std::string> names;
  for (const model::Constraint& constraint : stated.constraints) {
    const std::vector<std::string> alone{constraint.name};
    const bool has_all = std::ranges::all_of(laws, [&](const LawVariant& law) {
      VariantModel variant = elaborate_variant(file, source, options, &law, alone);
      const bool is_right = variant.model != nullptr;
      if (is_right && !variant.changes_laws && law.law != "stated") return false;  // the limits of a coordinate
      if (!is_right && !refused) refused = std::move(variant);
      return is_right;
    });
    if (has_all) names.push_back(constraint.name);
  }
  return names;
}

std::optional<double> ladder_value(const model::Model& model, const std::string& name) {
  const auto constraint = std::ranges::find(model.constraints, name, &model::Constraint::name);
  if (constraint == model.constraints.end()) return std::nullopt;
  const Term value = constraint->law->ladder();
  return value.is_valid() ? reaction_laws::constant_value(model, value) : std::nullopt;
}

}  // namespace vinculum::compare

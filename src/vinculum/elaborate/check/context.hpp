#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vinculum/elaborate/check/facts.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/scope.hpp"
#include "vinculum/model/builder.hpp"

namespace vinculum::elaborate {

/// Data shared by all parts of one elaboration.
struct Context {
  Context(const lang::ModelFile& its_file, const diag::SourceText& source, const Options& its_options,
          model::ModelBuilder& its_builder, diag::Sink& sink)
      : file(its_file),
        options(its_options),
        builder(its_builder),
        model(its_builder.model()),
        reporter(source, sink),
        scope(reporter),
        facts(model) {}

  [[nodiscard]] model::TermPool& pool() const { return *model.terms; }
  /// The symbol that a declaration introduces; null if the declaration was wrong.
  [[nodiscard]] Symbol* symbol_of(const lang::Name& name) const {
    const auto found = declared.find(&name);
    return found == declared.end() ? nullptr : found->second;
  }
  /// Dimension to be stored in the model: none unless the file states units.
  [[nodiscard]] Dimension stored(const Dimension& dimension) const { return model.has_units ? dimension : Dimension{}; }

  const lang::ModelFile& file;
  const Options& options;
  model::ModelBuilder& builder;
  model::Model& model;
  Reporter reporter;
  Scope scope;
  TermFacts facts;
  std::unordered_map<const lang::Name*, Symbol*> declared;
  std::size_t statement = 0;      ///< the current statement; names declared after it are not visible
  Needs known = Needs::kNothing;  ///< how much of the model is complete
  std::string_view place;         ///< the current place, for messages: "a load"
  /// Parameters without a unit. takes_next_unit: they take the unit of the next parameter, because their uses require
  /// it. wants_next_unit: faulty uses show that they would have to take it. may_want_next_unit: faulty uses show that
  /// at least one of several would have to take it.
  std::unordered_set<std::string> takes_next_unit, wants_next_unit, may_want_next_unit;
  /// Some declarations were wrong and have been replaced by placeholders of the same kind, so that their uses can be
  /// checked. Properties that depend on positions or numbers are then not judged.
  bool guesses_places = false;
  std::vector<model::ParameterId> guessed;  ///< parameters whose number is a placeholder
  std::optional<model::FrameId> turned;     ///< the body on which the current torque acts, for messages
  bool in_nonideal = false;                 ///< inside a `nonideal` clause
  bool in_relation = false;                 ///< inside the relation of a constraint
  bool in_state = false;                    ///< inside the rate of a state, where states declared later are visible too
};

}  // namespace vinculum::elaborate

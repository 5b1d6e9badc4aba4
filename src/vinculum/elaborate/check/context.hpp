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

/// Data that all parts of one elaboration share.
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
  /// The symbol that a declaration introduces; null if the declaration had an error.
  [[nodiscard]] Symbol* symbol_of(const lang::Name& name) const {
    const auto found = declared.find(&name);
    return found == declared.end() ? nullptr : found->second;
  }
  /// The dimension as stored in the model: dimensionless unless the file states units.
  [[nodiscard]] Dimension stored(const Dimension& dimension) const { return model.has_units ? dimension : Dimension{}; }

  const lang::ModelFile& file;
  const Options& options;
  model::ModelBuilder& builder;
  model::Model& model;
  Reporter reporter;
  Scope scope;
  TermFacts facts;
  std::unordered_map<const lang::Name*, Symbol*> declared;
  std::size_t statement = 0;      ///< index of the current statement; names that are declared after it are not visible
  Needs known = Needs::kNothing;  ///< the part of the model that is complete
  std::string_view place;         ///< the construct that is being elaborated, for messages: "a load"
  /// Parameters without a unit, in three sets. takes_next_unit: they take the unit of the next parameter, because their
  /// uses require it. wants_next_unit: errors in their uses show that they would have to take it. may_want_next_unit:
  /// errors show that at least one of several parameters would have to take it.
  std::unordered_set<std::string> takes_next_unit, wants_next_unit, may_want_next_unit;
  /// Some declarations had errors and have been replaced by substitutes of the same kind, so that their uses can be
  /// checked. Checks that depend on positions or numbers are then skipped.
  bool guesses_places = false;
  std::vector<model::ParameterId> guessed;  ///< parameters whose value is a substitute
  std::optional<model::FrameId> turned;     ///< the body on which the current torque acts, for messages
  bool in_nonideal = false;                 ///< inside a `nonideal` clause
  bool in_relation = false;                 ///< inside the relation of a constraint
  bool in_state = false;  ///< inside the rate of a state; states that are declared later are visible there
};

}  // namespace vinculum::elaborate

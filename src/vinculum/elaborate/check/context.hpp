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

/// What all parts of one elaboration share.
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
  /// The entity a declaration introduces; null where the declaration itself was wrong.
  [[nodiscard]] Symbol* symbol_of(const lang::Name& name) const {
    const auto found = declared.find(&name);
    return found == declared.end() ? nullptr : found->second;
  }
  /// Dimensions go into the model of a file that states units only.
  [[nodiscard]] Dimension stored(const Dimension& dimension) const { return model.has_units ? dimension : Dimension{}; }

  const lang::ModelFile& file;
  const Options& options;
  model::ModelBuilder& builder;
  model::Model& model;
  Reporter reporter;
  Scope scope;
  TermFacts facts;
  std::unordered_map<const lang::Name*, Symbol*> declared;
  std::size_t statement = 0;      ///< the one in work: names declared behind it are not visible
  Needs known = Needs::kNothing;  ///< how far the model is complete
  std::string_view place;         ///< what is in work, for messages: "a load"
  /// Parameters that take the unit of the next one, as their uses ask for; those that would have to, as far as uses at
  /// fault show; and those of which one or several would.
  std::unordered_set<std::string> takes_next_unit, wants_next_unit, may_want_next_unit;
  /// Some declarations were wrong, and something of their kind stands for what they should have declared, so that what
  /// uses them is checked. What depends on its place or its number is then not judged.
  bool guesses_places = false;
  std::vector<model::ParameterId> guessed;  ///< parameters whose number is none
  std::optional<model::FrameId> turned;     ///< the body that the torque in work acts on, for messages
  bool in_nonideal = false;                 ///< inside a `nonideal` clause
  bool in_relation = false;                 ///< inside the relation of a constraint
  bool in_state = false;  ///< inside the rate of a state, where states declared further down are seen too
};

}  // namespace vinculum::elaborate

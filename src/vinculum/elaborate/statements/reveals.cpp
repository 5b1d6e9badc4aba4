#include <algorithm>

#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/reveal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Term;

namespace {

/// Warns if the force on a body lacks the forces at a point that turns with the body but is not set off from its mass
/// center.
void warn_of_left_out(const model::Model& model, model::RevealId id, Reporter& reporter) {
  const std::optional<model::LeftOut> found = model::left_out_of(model, id);
  if (!found) return;
  const model::Reveal& reveal = model.reveal(id);
  const std::string body = model.point(reveal.point).name, point = model.point(found->point).name,
                    base = model.point(found->base).name;
  reporter.warn(
      Kind::kIncompleteReveal, reveal.range,
      "`" + reveal.name + "` leaves out the forces at `" + point + "`: it moves with `" + body +
          "`, but is set off from `" + base + "`, not from `" + body + "`",
      "set `" + point + "` off from `" + body + "`: `" + body + " + …`, or reveal the force on `" + base + "`");
}

}  // namespace

/// Adds a `reveal`. Its value is computed later, when all loads and constraints are known.
void Elaborator::apply(const lang::RevealStatement& statement, diag::SourceRange range) {
  context_.place = "a `reveal`";
  Symbol* symbol = context_.symbol_of(statement.name);
  model::Reveal reveal;
  reveal.name = statement.name.text;
  reveal.range = range;
  bool is_right = symbol != nullptr;
  if (statement.is_torque) {
    const std::optional<model::FrameId> body = body_frame_named(statement.target, false);
    is_right = body && is_right;
    reveal.body = body.value_or(model::FrameId{});
  } else {
    reveal.point = point_named(statement.target);
    is_right = reveal.point.is_valid() && is_right;
  }
  std::vector<Dimension> dimensions;
  for (const auto& expression : statement.along) {
    const Value value = direction(*expression);
    is_right = !value.is_fault() && is_right;
    reveal.along.push_back(value.term);
    // dimension of the force or torque along a unit vector, whatever the length and unit of the given direction
    dimensions.push_back(make_dimension(1, statement.is_torque ? 2 : 1, -2));
  }
  if (!is_right) return fail(symbol);
  symbol->index = builder_.add_reveal(std::move(reveal)).value;
  revealed_.push_back({symbol, std::move(dimensions)});
}

/// Warns if no mass, load or reaction is attached to the named point or body, so that its joint exerts no force.
void Elaborator::warn_of_nothing(const model::Reveal& reveal) {
  std::string carried = "the particle or the body that the joint carries";
  if (reveal.point.is_valid()) {
    const model::PointId base = model_.point(reveal.point).base;
    for (const model::Body& body : model_.bodies) {
      if (base.is_valid() && body.center == base) carried = "`" + body.name + "`";
    }
  }
  context_.reporter.warn(
      Kind::kTrivialConstraint, reveal.range,
      "what `" + reveal.name + "` reveals is 0: nothing that has mass, or that a force acts on, is set off from it",
      "name " + carried + " instead: the point is set off from it and does not carry it");
}

void Elaborator::complete_reveals() {
  if (revealed_.empty()) return;
  const std::vector<std::string> placeless = model::loads_without_place(model_);
  for (const auto& [symbol, dimensions] : revealed_) {
    const model::RevealId id(std::size_t{symbol->index});
    const model::Reveal& reveal = model_.reveal(id);
    if (!placeless.empty()) {
      std::string names;
      for (const std::string& one : placeless) names += (names.empty() ? "`" : ", `") + one + "`";
      context_.reporter.error(Kind::kNotAllowedHere, reveal.range,
                              "the force that `" + reveal.name + "` reveals is not known: " + names +
                                  (placeless.size() == 1 ? " acts" : " act") + " on coordinates, not at places",
                              "state loads and constraints by forces on points and torques on bodies");
      fail(symbol);
      continue;
    }
    if (!context_.reporter.is_complete()) {  // loads or constraints may be missing
      fail(symbol);
      continue;
    }
    std::vector<Entry> entries;
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
      entries.push_back(reaction_of(model::revealed(model_, id, static_cast<int>(k)), dimensions[k]));
    }
    if (std::ranges::all_of(entries, [](const Entry& entry) { return entry.term.is_zero(); })) warn_of_nothing(reveal);
    warn_of_left_out(model_, id, context_.reporter);
    symbol->value = entries.size() == 1 ? scalar_of_entry(entries[0]) : make_list(std::move(entries));
    symbol->state = SymbolState::kReady;
  }
}

}  // namespace vinculum::elaborate

// Reads the clauses of Hamilton's principle and of Kozlov's family: start values of the multipliers μ of rows, of the
// derivatives of μ, and of the multipliers ν of states.
#include <algorithm>
#include <map>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/reaction_laws/kinds.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/reaction_laws/vakonomic.hpp"

namespace vinculum::reaction_laws {
namespace {

/// Reports the multipliers μ, or derivatives of μ, that start at 0 because no start value is stated.
void notice_unstated(Reader& reader, int order) {
  const Constraint& constraint = reader.constraint();
  diag::Diagnostic notice;
  notice.kind = diag::Kind::kUnstatedStart;
  notice.severity = diag::Severity::kNotice;
  notice.range = reader.range();
  if (order > 1) {
    std::string unstated;
    for (int k = 0; k < order; ++k) {
      if (reader.argument("mu", k) == nullptr) unstated += (unstated.empty() ? "`mu" : ", `mu") + primes_of(k) + "`";
    }
    if (unstated.empty()) return;
    const bool is_one = unstated.find(',') == unstated.npos;
    notice.message = unstated + " of `" + constraint.name + "` start" + (is_one ? "s" : "") +
                     " at 0: under this law the motion depends on " + (is_one ? "it" : "them");
    notice.hint = "add them to the clause `law`: `start ";
    for (int k = 0; k < order; ++k) notice.hint += (k == 0 ? "mu" : ", mu") + primes_of(k) + " = 0";
    notice.hint += "`";
  } else {
    // Under a holonomic constraint only the rate mu' has an effect on the motion; the start value of mu has none.
    if (reader.argument("mu") != nullptr || constraint.level != Level::kVelocity) return;
    const bool is_one = constraint.rows.size() == 1;
    notice.message = std::string(is_one ? "the multiplier" : "the multipliers") + " of `" + constraint.name + "` " +
                     (is_one ? "starts at 0" : "start at 0") + ": under this law the motion depends on it";
    notice.hint = is_one ? "add it to the clause `law`: `start mu = 0`"
                         : "add them to the clause `law`: `start mu = 0, 0`, one value for each row";
  }
  reader.report(std::move(notice));
}

/// Reads the start values of mu', …, mu^(p−1) for a relation of order p.
bool starts_of_rates(Reader& reader, int order, std::vector<std::vector<Term>>& starts) {
  for (const lang::LawArgument& written : reader.clause().arguments) {
    if (!written.is_start || written.order == 0 || written.of) continue;
    const std::string name = "mu" + primes_of(written.order);
    if (written.order >= std::max(order, 1)) {
      reader.error(diag::Kind::kBadStart, range_of(written),
                   "`" + name + "` has no start value: it follows from the motion",
                   order < 2 ? "a relation of velocity level has the start `mu`"
                             : "a relation of order p has those of mu to its derivative p - 1");
      return false;
    }
    auto values =
        reader.of_rows(written, reader.dimensions_of_mu(written.order), "the start of `" + name + "`", MayHold::kPlace);
    if (!values) return false;
    starts.resize(static_cast<std::size_t>(written.order));
    starts.back() = std::move(*values);
  }
  return true;
}

/// Reports the multipliers ν of states that start at 0 because no start value is stated.
void notice_unstated_states(Reader& reader, std::span<const model::StateId> states,
                            const std::map<model::StateId, Term>& starts) {
  std::string unstated, hint;
  int count = 0;
  for (const model::StateId id : states) {
    if (starts.contains(id)) continue;
    const std::string name = "mu(" + reader.model().states[id.index()].name + ")";
    unstated += (count > 0 ? ", `" : "`") + name + "`";
    hint += (count > 0 ? ", " : "") + name + " = 0";
    ++count;
  }
  if (count == 0) return;
  diag::Diagnostic notice;
  notice.kind = diag::Kind::kUnstatedStart;
  notice.severity = diag::Severity::kNotice;
  notice.range = reader.range();
  notice.message = unstated + " of `" + reader.constraint().name + "` start" + (count == 1 ? "s" : "") +
                   " at 0: under this law the motion depends on " + (count == 1 ? "it" : "them");
  notice.hint = std::string(count == 1 ? "state it" : "state them") + " after `start mu`: `" + hint + "`";
  reader.report(std::move(notice));
}

/// Reads the start values of the multipliers ν of states, `mu(z) = EXPR`.
std::optional<std::map<model::StateId, Term>> starts_of_states(Reader& reader, std::span<const model::StateId> states) {
  std::map<model::StateId, Term> starts;
  for (const lang::LawArgument* written : reader.arguments_of_states("mu")) {
    const auto named = [&](model::StateId id) { return reader.model().states[id.index()].name == written->of->text; };
    const auto found = std::ranges::find_if(states, named);
    const std::string name = "`mu(" + written->of->text + ")`";
    if (found == states.end()) {
      std::string held;
      for (const model::StateId id : states)
        held += (held.empty() ? "`mu(" : ", `mu(") + reader.model().states[id.index()].name + ")`";
      reader.error(diag::Kind::kBadStart, written->of->range,
                   name + " is not one of the multipliers of `" + reader.constraint().name +
                       "`: its relation contains no such state",
                   held.empty() ? "it has `mu` alone, one for each row" : "those of its states are " + held);
      return std::nullopt;
    }
    if (starts.contains(*found) || written->values.size() != 1) {
      reader.error(diag::Kind::kBadStart, range_of(*written), name + " has one start value");
      return std::nullopt;
    }
    const auto value =
        reader.scalar(*written, dimension_of_nu(reader.model(), *found), "the start of " + name, MayHold::kPlace);
    if (!value) return std::nullopt;
    starts.emplace(*found, *value);
  }
  return starts;
}

bool read_by_mu(Reader& reader, bool has_c) {
  bool is_right = true;
  Term c;
  if (has_c) {
    const lang::LawArgument& written = *reader.argument("c");
    const std::string_view what = "the rate `c` of `law kozlov`";
    const auto rate = reader.scalar(written, make_dimension(0, 0, -1), what, MayHold::kMotion);
    is_right = rate.has_value();
    c = rate.value_or(Term{});
    if (c.is_valid() && constant_value(reader.model(), c).value_or(0.0) < 0.0) {
      reader.error(diag::Kind::kBadValue, range_of(written),
                   "`c` must not be negative: the multiplier decays at this rate");
      is_right = false;
    }
  }
  const Level level = reader.constraint().level;
  const bool is_higher_order = !has_c && level > Level::kVelocity;
  const LawRows of_order{level, level}, of_velocity{Level::kPosition, Level::kVelocity};
  is_right = reader.has_rows(is_higher_order ? of_order : of_velocity) && is_right;
  std::vector<Term> starts;
  if (const lang::LawArgument* start = reader.argument("mu")) {
    auto values = reader.of_rows(*start, reader.dimensions_of_mu(), "the start of `mu`", MayHold::kPlace);
    is_right = values.has_value() && is_right;
    starts = std::move(values).value_or(std::vector<Term>{});
  }
  std::vector<std::vector<Term>> rate_starts;
  is_right = starts_of_rates(reader, static_cast<int>(level), rate_starts) && is_right;
  std::vector<model::StateId> states;
  if (!has_c) states = states_behind(reader.model(), reader.constraint().rows);
  const auto state_starts = starts_of_states(reader, states);
  if (!is_right || !state_starts) return false;
  notice_unstated(reader, is_higher_order ? static_cast<int>(level) : 1);
  notice_unstated_states(reader, states, *state_starts);
  set_vakonomic(reader.builder(), reader.id(), starts, c, rate_starts, *state_starts);
  return true;
}

}  // namespace

Kind vakonomic_kind() {
  return {.form = {"vakonomic",
                   "Hamilton's principle among admissible paths",
                   {{.word = "mu", .is_list = true, .is_start = true, .has_rates = true, .has_states = true}}},
          .read = [](Reader& reader) { return read_by_mu(reader, false); },
          .highest = model::level_of_derivative(model::kHighestDerivative),
          .keeps_states = true};
}

Kind kozlov_kind() {
  return {.form = {"kozlov",
                   "the family between ideal and vakonomic",
                   {{.word = "c", .is_ladder = true}, {.word = "mu", .is_list = true, .is_start = true}}},
          .read = [](Reader& reader) { return read_by_mu(reader, true); }};
}

}  // namespace vinculum::reaction_laws

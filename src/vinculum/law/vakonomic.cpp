// Hamilton's principle among admissible paths (Hamilton–Lusternik; Kozlov's "variational axiomatic kind"), and Kozlov's
// family between it and the ideal law:
//
//   R = −[(μ' + cμ) F_q' + μ (d/dt F_q' − F_q)],   μ' = −λ − cμ,   λ of the solve with rows A u' = b
//
// c = 0 is Hamilton's principle, c → ∞ the ideal law. Of a relation of order p ≥ 2 μ, …, μ^(p−1) are states and
// the rest is written by law/higher_order.   Source: [S] 3.28–3.39; theory.md §6.4–6.6.
#include "vinculum/law/vakonomic.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/law/kinds.hpp"
#include "vinculum/law/laws.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/dimensions.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"

namespace vinculum::law {
namespace {

const Dimension kTime = make_dimension(0, 0, 1);

std::string primes(int count) { return std::string(static_cast<std::size_t>(count), '\''); }

class VakonomicLaw final : public mechanics::Law {
 public:
  VakonomicLaw(Term c, std::vector<std::vector<mechanics::StateId>> mu) : c_(c), mu_(std::move(mu)) {}

  std::string_view word() const override { return c_.is_valid() ? "kozlov" : "vakonomic"; }
  std::string text(const Model& model) const override {
    std::string line = c_.is_valid() ? "law kozlov c = " + mechanics::to_text(model, c_) : "law vakonomic";
    for (std::size_t k = 0; k < mu_.size(); ++k) {
      std::vector<Term> starts;
      for (const mechanics::StateId id : mu_[k]) {
        const Term start = model.states[id.index()].start;
        starts.push_back(start.is_valid() ? start : model.terms->number(0.0));
      }
      line += (k == 0 ? " start mu" : ", mu") + primes(static_cast<int>(k)) + " = " + list_text(model, starts);
    }
    return line;
  }
  mechanics::Kept kept() const override {
    return mu_.size() > 1 ? mechanics::Kept::kByDerivatives : mechanics::Kept::kByRows;
  }
  bool is_ideal() const override { return false; }
  LawRows rows() const override { return {Level::kPosition, Level::kVelocity}; }
  std::span<const std::vector<mechanics::StateId>> mu() const override { return mu_; }
  Term mu_rate(const Model& model, ConstraintId id, std::size_t row) const override {
    const Term rate = -model.terms->multiplier(id, static_cast<int>(row));
    return c_.is_valid() ? rate - c_ * model.terms->state(mu_[0][row]) : rate;
  }

  /// f_q += μ_a (F_a,q − F_a,q'q q' − F_a,q't), M_q += μ_a F_a,q'q'. F = φ' is a total derivative, its Euler–Lagrange
  /// expression vanishes identically.
  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    expr::Expr Phi = equations.graph().constant(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const Term relation = model.constraint(id).rows[row];
      if (mechanics::level_of(model, relation) == Level::kPosition) continue;
      Phi += equations.in_speeds(state(model, row)) * equations.velocity_row(relation);
    }
    return equations.variation(Phi);
  }
  RowFactors factors(const Model& model, ConstraintId, std::size_t row) const override {
    return {{}, state(model, row)};
  }
  FactorNames names(const Model& model, ConstraintId id, std::size_t row) const override {
    return {mechanics::to_text(model, model.terms->ideal_multiplier(id, static_cast<int>(row))),
            mechanics::ideal_names(model, id, row).mu};
  }
  Term multiplier(const Model& model, ConstraintId, std::size_t row) const override { return state(model, row); }
  bool acts_on_coordinates(const Model&) const override { return kept() == mechanics::Kept::kByDerivatives; }

  Term stored_energy(const Model& model, ConstraintId id) const override {
    if (kept() == mechanics::Kept::kByDerivatives) return model.terms->law_energy(id);
    Term energy = model.terms->number(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      energy = energy + state(model, row) * mechanics::along_the_rates(model, rate_of_path(model, id, row));
    }
    return energy;
  }
  std::optional<StoredRates> stored_at(LawInstant& at) const override {
    if (kept() == mechanics::Kept::kByDerivatives) return std::nullopt;
    StoredRates stored;
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const Term F = rate_of_path(at.model, at.id, row);
      const mechanics::Series along = at.now.series(mechanics::along_the_rates(at.model, F));
      const Rounded F_t = at.now.series(at.model.terms->partial(F, at.model.terms->time())).value();
      const Rounded mu = at.z[mu_[0][row].index()];
      stored.add_rate(at.z_dot[mu_[0][row].index()] * along.value());
      stored.add_rate(mu * along.derivative(1));
      stored.add_rest(-mu * F_t);
      if (c_.is_valid()) stored.add_rest(-at.now.series(c_).value() * mu * along.value());
    }
    return stored;
  }

  Term ladder() const override { return c_; }
  std::string limit(const Constraint& own, const Constraint& reference, bool rises) const override {
    if (!c_.is_valid() || own.level == Level::kPosition) return {};
    if (rises) return mechanics::is_ideal(reference) ? "c without bound" : "";
    return is_vakonomic(reference) ? "c to 0" : "";
  }

 private:
  Term state(const Model& model, std::size_t row) const { return model.terms->state(mu_[0][row]); }

  Term c_;                                           ///< [1/s] scalar, not valid: 0
  std::vector<std::vector<mechanics::StateId>> mu_;  ///< [order][row]
};

/// What of μ and its derivatives starts at 0 because nothing states it.
void notice_unstated(Reader& reader, int order) {
  const Constraint& constraint = reader.constraint();
  diag::Diagnostic notice;
  notice.kind = diag::Kind::kUnstatedStart;
  notice.severity = diag::Severity::kNotice;
  notice.range = reader.range();
  if (order > 1) {
    std::string unstated;
    for (int k = 0; k < order; ++k) {
      if (reader.argument("mu", k) == nullptr) unstated += (unstated.empty() ? "`mu" : ", `mu") + primes(k) + "`";
    }
    if (unstated.empty()) return;
    const bool is_one = unstated.find(',') == unstated.npos;
    notice.message = unstated + " of `" + constraint.name + "` start" + (is_one ? "s" : "") +
                     " at 0: under this law the motion depends on " + (is_one ? "it" : "them");
    notice.hint = "state them: `start ";
    for (int k = 0; k < order; ++k) notice.hint += (k == 0 ? "mu" : ", mu") + primes(k) + " = 0";
    notice.hint += "`";
  } else {
    // Of a holonomic constraint mu' alone acts, whatever mu starts from.
    if (reader.argument("mu") != nullptr || constraint.level != Level::kVelocity) return;
    const bool is_one = constraint.rows.size() == 1;
    notice.message = std::string(is_one ? "the multiplier" : "the multipliers") + " of `" + constraint.name + "` " +
                     (is_one ? "starts at 0" : "start at 0") + ": under this law the motion depends on it";
    notice.hint = is_one ? "state it: `start mu = 0`" : "state them: `start mu = 0, 0`, one for each row";
  }
  reader.report(std::move(notice));
}

/// mu', …, mu^(p−1) of a relation of order p.
bool starts_of_rates(Reader& reader, int order, std::vector<std::vector<Term>>& starts) {
  for (const lang::LawArgument& written : reader.clause().arguments) {
    if (!written.is_start || written.order == 0) continue;
    const std::string name = "mu" + primes(written.order);
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
      reader.error(diag::Kind::kBadValue, range_of(written), "`c` is not negative: the multiplier decays at this rate");
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
  if (!is_right) return false;
  notice_unstated(reader, is_higher_order ? static_cast<int>(level) : 1);
  set_vakonomic(reader.builder(), reader.id(), starts, c, rate_starts);
  return true;
}

}  // namespace

bool is_vakonomic(const Constraint& constraint) {
  return !constraint.law->mu().empty() && !constraint.law->ladder().is_valid();
}

Term rate_of_path(const Model& model, ConstraintId id, std::size_t row) {
  const Term relation = model.constraint(id).rows[row];
  return mechanics::level_of(model, relation) == Level::kPosition ? mechanics::time_derivative(model, relation)
                                                                  : relation;
}

void set_vakonomic(mechanics::ModelBuilder& builder, ConstraintId id, std::span<const Term> starts, Term c,
                   const std::vector<std::vector<Term>>& starts_of_rates) {
  const Constraint stated = builder.model().constraint(id);
  VINCULUM_EXPECTS(starts.empty() || starts.size() == stated.rows.size());
  const auto order = stated.level == Level::kPosition ? 1 : static_cast<std::size_t>(stated.level);
  std::vector<std::vector<mechanics::StateId>> mu(order);
  for (std::size_t k = 0; k < order; ++k) {
    for (std::size_t row = 0; row < stated.rows.size(); ++row) {
      const std::string of_row = stated.rows.size() == 1 ? "" : "[" + std::to_string(row + 1) + "]";
      mechanics::State state;
      state.name = "mu(" + stated.name + ")" + of_row + primes(static_cast<int>(k));
      if (k == 0 && !starts.empty()) state.start = starts[row];
      if (k > 0 && k <= starts_of_rates.size() && row < starts_of_rates[k - 1].size())
        state.start = starts_of_rates[k - 1][row];
      state.is_start_stated = state.start.is_valid();
      state.range = stated.range;
      if (builder.model().has_units)
        state.dimension =
            mechanics::dimension_of_mu(builder.model(), id, row) / power(kTime, make_rational(static_cast<int>(k), 1));
      mu[k].push_back(builder.add_state(std::move(state)));
    }
  }
  builder.set_law(id, std::make_shared<VakonomicLaw>(c, std::move(mu)));
}

Kind vakonomic_kind() {
  return {.form = {"vakonomic",
                   "Hamilton's principle among admissible paths",
                   {{.word = "mu", .is_list = true, .is_start = true, .has_rates = true}}},
          .read = [](Reader& reader) { return read_by_mu(reader, false); },
          .highest = mechanics::level_of_derivative(mechanics::kHighestDerivative)};
}

Kind kozlov_kind() {
  return {.form = {"kozlov",
                   "the family between ideal and vakonomic",
                   {{.word = "c", .is_ladder = true}, {.word = "mu", .is_list = true, .is_start = true}}},
          .read = [](Reader& reader) { return read_by_mu(reader, true); }};
}

}  // namespace vinculum::law

// A reaction law that no module of the library contains. It is defined here and passed in a table of laws. It can do
// everything that a built-in law can.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/compare/compare.hpp"
#include "vinculum/compare/law_variants.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/law_equations.hpp"
#include "vinculum/reaction_laws/law_table.hpp"
#include "vinculum/report/explain.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace own_law_test {

using model::ConstraintId;
using model::Level;
using model::Model;
using model::Term;

/// The constraint is realized by a Maxwell element, a damper κ and a spring κ/τ in series. Its force along a row F = 0
/// is a state s,
///
///   R = s F_q',   s' = −(s + κF)/τ
///
/// For τ → 0 this is viscous friction. The spring stores the energy τs²/2κ, and the damper dissipates the power s²/κ.
class RelaxedLaw final : public model::Law {
 public:
  RelaxedLaw(Term kappa, Term tau, std::vector<model::StateId> s) : kappa_(kappa), tau_(tau), s_(std::move(s)) {}

  std::string_view word() const override { return "relaxed"; }
  std::string text(const Model& model) const override {
    return fmt::format("law relaxed kappa = {}, tau = {}", model::to_text(model, kappa_), model::to_text(model, tau_));
  }
  model::Kept kept() const override { return model::Kept::kByPhysics; }
  bool is_ideal() const override { return false; }
  model::LawRows rows() const override { return {Level::kVelocity, Level::kVelocity}; }

  std::optional<model::LawChange> change(model::LawEquations& equations, const Model& model,
                                         ConstraintId id) const override {
    model::LawChange change;
    change.f.assign(model.speeds.size(), equations.graph().constant(0.0));
    for (std::size_t row = 0; row < s_.size(); ++row) {
      const expr::Expr F = equations.velocity_row(model.constraint(id).rows[row]);
      const std::vector<expr::Expr> along = equations.generalized(expr::gradient(F, equations.q_dot()));
      const expr::Expr s = equations.in_speeds(model.terms->state(s_[row]));
      for (std::size_t r = 0; r < along.size(); ++r) change.f[r] += s * along[r];
    }
    return change;
  }
  Term multiplier(const Model& model, ConstraintId, std::size_t row) const override {
    return model.terms->state(s_[row]);
  }
  Term stored_energy(const Model& model, ConstraintId) const override {
    Term energy = model.terms->number(0.0);
    for (const model::StateId id : s_)
      energy = energy + tau_ * model.terms->state(id) * model.terms->state(id) / (2.0 * kappa_);
    return energy;
  }
  std::optional<model::StoredRates> stored_at(model::LawInstant& at) const override {
    model::StoredRates stored;
    const double kappa = at.now.scalar(kappa_).value, tau = at.now.scalar(tau_).value;
    for (const model::StateId id : s_) {
      const double s = at.z[id.index()];
      stored.add_rate(tau / kappa * s * at.z_dot[id.index()]);
      stored.add_rest(-s * s / kappa);
    }
    return stored;
  }
  Term ladder() const override { return kappa_; }
  std::string limit(const model::Constraint&, const model::Constraint& reference, bool) const override {
    return model::is_ideal(reference) ? "kappa without bound" : "";
  }

 private:
  Term kappa_, tau_;
  std::vector<model::StateId> s_;  ///< [rows] state of the force of each row
};

bool read_relaxed(reaction_laws::Reader& reader) {
  if (!reader.has_rows({Level::kVelocity, Level::kVelocity})) return false;
  const model::Constraint constraint = reader.constraint();
  std::vector<Dimension> of_force;
  for (std::size_t row = 0; row < constraint.rows.size(); ++row)
    of_force.push_back(model::dimension_of_multiplier(reader.model(), reader.id(), row));
  const auto kappa = reader.scalar(*reader.argument("kappa"), of_force[0] / model::dimension_of_row(constraint, 0),
                                   "`kappa`", reaction_laws::MayHold::kPlace);
  const auto tau =
      reader.scalar(*reader.argument("tau"), make_dimension(0, 0, 1), "the time `tau`", reaction_laws::MayHold::kPlace);
  std::optional<std::vector<Term>> starts;
  if (const lang::LawArgument* start = reader.argument("s")) {
    starts = reader.of_rows(*start, of_force, "the start of `s`", reaction_laws::MayHold::kPlace);
    if (!starts) return false;
  }
  if (!kappa || !tau) return false;
  std::vector<model::StateId> s;
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    model::State state;
    state.name = fmt::format("s({})[{}]", constraint.name, row + 1);
    if (starts) state.start = (*starts)[row];
    state.is_start_stated = starts.has_value();
    if (reader.model().has_units) state.dimension = of_force[row];
    s.push_back(reader.builder().add_state(state));
    Term& rate = reader.builder().model().states[s.back().index()].rate;
    rate = -((reader.builder().z(s.back()) + *kappa * constraint.rows[row]) / *tau);
  }
  reader.builder().set_law(reader.id(), std::make_shared<RelaxedLaw>(*kappa, *tau, std::move(s)));
  return true;
}

reaction_laws::Table with_relaxed() {
  reaction_laws::Table table = reaction_laws::laws();
  table.add({.form = {"relaxed",
                      "friction across the constraint, with a memory",
                      {{.word = "kappa", .is_ladder = true},
                       {.word = "tau"},
                       {.word = "s", .is_list = true, .is_start = true}}},
             .read = read_relaxed});
  return table;
}

constexpr const char* kText = R"(model relaxed
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 4 [kg/s], T = 500 [ms]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
force on P = 1 [N] * N.y
constraint hold: dot(vel(P), N.x) = 0
    law relaxed kappa = k tau = T start s = -3 [N]
output held = multiplier(hold)
output push = dot(force(hold, P), N.x)
start x' = 0.5 [m/s]
run 2 [s] step 0.1 tolerance 1e-11
)";

elaborate::Options options_with(const reaction_laws::Table& table) {
  elaborate::Options options;
  options.methods = integrate::names_of(integrate::method_table());
  options.laws = &table;
  return options;
}

struct Read {
  reaction_laws::Table table = with_relaxed();
  diag::SourceText source;
  lang::ModelFile file;
  std::shared_ptr<const Model> model;
  std::string messages;
};

Read read(const std::string& text) {
  Read result;
  result.source = diag::SourceText("relaxed.vin", text);
  diag::Diagnostics diagnostics;
  result.file = lang::parse(result.source, result.table.forms(), diagnostics);
  result.model = elaborate::elaborate(result.file, result.source, options_with(result.table), diagnostics);
  result.messages = diag::render_text(result.source, diagnostics.all());
  return result;
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(OwnLaw, IsReadWrittenAndMeasured) {
  const Read whole = read(kText);
  ASSERT_NE(whole.model, nullptr) << whole.messages;
  EXPECT_EQ(lang::format(whole.file), kText);
  EXPECT_EQ(model::law_name(whole.model->constraints[0]), "relaxed");
  EXPECT_EQ(whole.model->outputs[0].dimension, make_dimension(1, 1, -2));
  EXPECT_NE(read(with(kText, "tau = T", "tau = k")).messages.find("the time `tau`"), std::string::npos);
  EXPECT_NE(read(with(kText, "hold: dot(vel(P), N.x) = 0", "hold: x = 0"))
                .messages.find("`law relaxed` needs rows of velocity level"),
            std::string::npos);
  EXPECT_NE(read(with(kText, "kappa = k tau", "kapa = k tau"))
                .messages.find("hint: write `law relaxed kappa = EXPR tau = EXPR [start s = EXPR, ...]`"),
            std::string::npos);
  // With another table, the law is unknown.
  diag::Diagnostics unknown;
  (void)lang::parse(diag::SourceText("relaxed.vin", kText), reaction_laws::laws().forms(), unknown);
  EXPECT_TRUE(unknown.has_errors());
}

TEST(OwnLaw, MovesAsItsEquationsSay) {
  const Read of = read(kText);
  ASSERT_NE(of.model, nullptr) << of.messages;
  const auto bound = test_support::compiled(of.model);
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*of.model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  // τ m v'' + m v' + κ v = 0 with m v' = s gives v'' + 2 v' + 4 v = 0, v = e^(−t) (A cos √3 t + B sin √3 t).
  const double omega = std::sqrt(3.0), A = 0.5, B = (-1.5 + A) / omega;
  for (const sim::Sample& sample : run.samples) {
    const double decay = std::exp(-sample.t), c = std::cos(omega * sample.t), s = std::sin(omega * sample.t);
    EXPECT_NEAR(sample.u[0], decay * (A * c + B * s), 1e-9);
    const double v_dot = decay * ((omega * B - A) * c - (omega * A + B) * s);
    EXPECT_NEAR(sample.outputs[0], 2.0 * v_dot, 1e-8);  // the multiplier equals s
    EXPECT_NEAR(sample.outputs[1], 2.0 * v_dot, 1e-8);
  }
  const audit::Audit found = audit::audit(*bound, run);
  for (const audit::AuditLine& line : found.lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << ", " << line.where;
  const auto stored = std::ranges::find(found.lines, "8.9", &audit::AuditLine::section);
  ASSERT_NE(stored, found.lines.end());
  EXPECT_EQ(stored->verdict, audit::AuditLine::Verdict::kHolds);
}

TEST(OwnLaw, IsExplainedAndDerived) {
  const Read of = read(kText);
  ASSERT_NE(of.model, nullptr) << of.messages;
  const std::string text = report::to_text(report::explain(test_support::compiled(of.model)));
  EXPECT_NE(text.find("law relaxed kappa = k, tau = T"), std::string::npos) << text;
  EXPECT_NE(text.find("enforced approximately"), std::string::npos) << text;
  const auto derivation = report::derive(of.model, equations::Formulation::kExplicit);
  ASSERT_TRUE(derivation.has_value());
  const std::string listing = report::derive_text(*derivation);
  EXPECT_NE(listing.find("law relaxed kappa = k, tau = T"), std::string::npos) << listing;
  EXPECT_NE(listing.find("s(hold)[1]"), std::string::npos) << listing;
  EXPECT_FALSE(report::why_no_code(*derivation));
  EXPECT_FALSE(report::derive_c(*derivation).empty());
}

TEST(OwnLaw, IsComparedAndHasALadderTowardsTheIdealOne) {
  // The ideal law enforces zero speed from the start, so the start speed is a guess.
  const std::string from_rest = with(kText, "start x' = 0.5", "start x' ~ 0.5");
  Read of = read(with(from_rest, "1 [N] * N.y", "1 [N] * N.x + 1 [N] * N.y"));
  ASSERT_NE(of.model, nullptr) << of.messages;
  const elaborate::Options options = options_with(of.table);
  const diag::SourceRange part = of.source.append("--laws", "ideal,relaxed(kappa=1e2..1e4 [kg/s], tau=1 [ms], s=0)");
  diag::Diagnostics wrong;
  const auto list = lang::parse_law_list(of.source, part, of.table.forms(), wrong);
  const compare::LawVariants laws = compare::law_variants(list, of.table.forms(), of.source, wrong);
  ASSERT_FALSE(wrong.has_errors()) << diag::render_text(of.source, wrong.all());
  ASSERT_EQ(laws.variants.size(), 4U);
  ASSERT_EQ(laws.ladders.size(), 1U);
  std::vector<compare::Variant> variants;
  const std::vector<std::string> on{"hold"};
  for (const compare::LawVariant& law : laws.variants) {
    const auto variant = compare::elaborate_variant(of.file, of.source, options, &law, on);
    ASSERT_NE(variant.model, nullptr) << diag::render_text(variant.source, variant.diagnostics.all());
    variants.push_back({law.name, test_support::compiled(variant.model), sim::options_of(*variant.model),
                        variant.forces, variant.powers, variant.energies});
  }
  compare::CompareOptions settings;
  compare::Ladder ladder{laws.ladders[0].parameter, laws.ladders[0].variants, {}};
  for (const std::size_t i : ladder.variants)
    ladder.values.push_back(*compare::ladder_value(*variants[i].bound->compiled->model, "hold"));
  settings.ladders.push_back(ladder);
  const compare::Comparison result = compare::compare(variants, settings);
  ASSERT_EQ(result.ladders.size(), 1U);
  EXPECT_EQ(result.ladders[0].limit, "kappa without bound");
  EXPECT_NEAR(result.ladders[0].rungs[1].coordinates_order, 1.0, 0.05);
  EXPECT_NEAR(result.ladders[0].rungs[2].coordinates_order, 1.0, 0.05);
}

}  // namespace own_law_test
}  // namespace vinculum

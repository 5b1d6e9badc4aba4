#include "vinculum/compare/law_variants.hpp"

#include <gtest/gtest.h>

#include <string>

#include "vinculum/diag/render.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::compare {
namespace {

constexpr const char* kModel = R"(model m
frame N newtonian
point O fixed in N
param n = 2, k = 3 [kg/s]
coord x, y [m], phi [rad]
particle P mass 1 [kg] at O + x*N.x + y*N.y
constraint blade: sin(phi)*x' = cos(phi)*y'
    law vakonomic start mu = 0.25 [kg*m/s]
constraint rod: x^2 + y^2 = 1 [m^2]
for i in 1..2 {
  constraint edge[i]: x' = i*y'
}
let twice = 2*ideal_multiplier(blade)
output lambda = ideal_multiplier(blade)
output two = twice
output place = x
expect at end: multiplier(blade) = 0 +- 1
run 1 [s]
)";

struct Case {
  diag::SourceText source;
  lang::ModelFile file;
  LawVariants laws;
  std::string errors;
};

Case read(const std::string& laws, const std::string& text = kModel) {
  Case result;
  result.source = diag::SourceText("m.vin", text);
  diag::Diagnostics none, sink;
  result.file = lang::parse(result.source, reaction_laws::laws().forms(), none);
  const diag::SourceRange part = result.source.append("--laws", laws);
  const std::vector<lang::LawText> list =
      lang::parse_law_list(result.source, part, reaction_laws::laws().forms(), sink);
  if (!sink.has_errors()) result.laws = law_variants(list, reaction_laws::laws().forms(), result.source, sink);
  result.errors = diag::render_text(result.source, sink.all());
  return result;
}

VariantModel variant(const Case& of, std::size_t place, const std::vector<std::string>& on) {
  return elaborate_variant(of.file, of.source, {}, &of.laws.variants.at(place), on);
}

std::vector<std::string> names(const Case& of) {
  std::vector<std::string> result;
  for (const LawVariant& one : of.laws.variants) result.push_back(one.name);
  return result;
}

// A constraint with `when` keeps its condition under `ideal`, and no other law is permitted for it.
TEST(LawVariants, KeepTheConditionOfAConstraintThatActsAtTimes) {
  const Case both = read("ideal,vakonomic(mu=0)",
                         "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\n"
                         "particle P mass 1 at O + x*N.x + y*N.y\nconstraint blade: x' = t*y'\n"
                         "constraint grip: y' = x'\n    when t > 1\nrun 2\n");
  const VariantModel ideal = variant(both, 0, {"grip"});
  ASSERT_NE(ideal.model, nullptr);
  EXPECT_TRUE(ideal.model->constraints[1].when.is_valid());
  EXPECT_EQ(variant(both, 1, {"grip"}).model, nullptr);
  std::optional<VariantModel> refused;
  EXPECT_EQ(constraints_for(both.file, both.source, {}, *ideal.model, both.laws.variants, refused),
            std::vector<std::string>{"blade"});
}

TEST(LawVariants, WriteSeveralValuesAndDecadesOut) {
  const Case up = read("ideal,viscous(kappa=1e1..1e3 [kg/s]),kozlov(c=1,n,mu=2),stiff(kappa=5)");
  EXPECT_EQ(up.errors, "");
  EXPECT_EQ(names(up), (std::vector<std::string>{"ideal", "viscous(kappa=10 [kg/s])", "viscous(kappa=100 [kg/s])",
                                                 "viscous(kappa=1000 [kg/s])", "kozlov(c=1, mu=2)", "kozlov(c=n, mu=2)",
                                                 "stiff(kappa=5)"}));
  ASSERT_EQ(up.laws.ladders.size(), 2U);
  EXPECT_EQ(up.laws.ladders[0].parameter, "kappa");
  EXPECT_EQ(up.laws.ladders[0].variants, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(up.laws.ladders[1].variants, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(names(read("kozlov(c=1e0..1e-2)")),
            (std::vector<std::string>{"kozlov(c=1)", "kozlov(c=0.1)", "kozlov(c=0.01)"}));
  EXPECT_TRUE(read("vakonomic(mu=0,1)").laws.ladders.empty());  // mu is a start value, not a parameter with a limit
}

TEST(LawVariants, StateEachDerivativeOfAStartForItself) {
  const std::string text =
      "model m\nparam v = 2 [m/s]\ncoord x, y [m]\nlagrangian (1 [kg])*(x'^2 + y'^2)/2\n"
      "constraint link: x'' = (3 [1/s])*y'\n    law vakonomic start mu = 0.25, mu' = 0.5\nrun 1 [s]\n";
  const Case of = read("vakonomic(mu=1),vakonomic(mu'=v*(1 [kg])),vakonomic,vakonomic(mu'=-1, 2, mu=3)", text);
  EXPECT_EQ(of.errors, "");
  EXPECT_EQ(names(of), (std::vector<std::string>{"vakonomic(mu=1)", "vakonomic(mu'=v*(1 [kg]))", "vakonomic",
                                                 "vakonomic(mu'=-1, mu=3)", "vakonomic(mu'=2, mu=3)"}));
  EXPECT_TRUE(of.laws.ladders.empty());
  const double expected[][2] = {{1.0, 0.5}, {0.25, 2.0}, {0.25, 0.5}, {3.0, -1.0}, {3.0, 2.0}};
  for (std::size_t k = 0; k < std::size(expected); ++k) {
    const VariantModel one = variant(of, k, {"link"});
    ASSERT_NE(one.model, nullptr) << diag::render_text(one.source, one.diagnostics.all());
    const auto mu = one.model->constraints[0].law->mu();
    ASSERT_EQ(mu.size(), 2U);
    for (std::size_t order = 0; order < 2; ++order) {
      const model::Term start = one.model->states[mu[order][0].index()].start;
      EXPECT_EQ(model::TermValues(*one.model, {}).scalar(start).value, expected[k][order]) << k << order;
    }
  }
}

TEST(LawVariants, NameAStartThatARelationDoesNotHave) {
  const Case of = read("vakonomic(mu=1, mu'=2)");
  const VariantModel one = variant(of, 0, {"blade"});
  EXPECT_EQ(one.model, nullptr);
  ASSERT_FALSE(one.diagnostics.all().empty());
  EXPECT_EQ(one.diagnostics.all()[0].message, "`mu'` has no start value: it follows from the motion");
}

TEST(LawVariants, RefuseLaddersThatAreNone) {
  EXPECT_NE(read("viscous(kappa=1e2..1e2)").errors.find("a ladder has two values or more"), std::string::npos);
  EXPECT_NE(read("viscous(kappa=1e2..5e3)").errors.find("a whole number of decades"), std::string::npos);
  EXPECT_NE(read("viscous(kappa=k..1e3)").errors.find("between two positive numbers"), std::string::npos);
  EXPECT_NE(read("viscous(kappa=-1..-10)").errors.find("between two positive numbers"), std::string::npos);
  EXPECT_NE(read("viscous(kappa=1 [kg/s]..10 [g/s])").errors.find("of one unit"), std::string::npos);
  EXPECT_NE(read("kozlov(c=1,2,mu=3,4)").errors.find("one argument of a law has several values"), std::string::npos);
  EXPECT_NE(read("ideal,ideal").errors.find("`ideal` is compared twice"), std::string::npos);
  EXPECT_TRUE(read("ideal,ideal").laws.variants.empty());
}

TEST(VariantModel, HasTheLawInPlaceOfTheOneStated) {
  const Case of = read("ideal,viscous(kappa=k*n),kozlov(c=2),stated,vakonomic(mu=[0.5])");
  const std::vector<std::string> blade{"blade"};
  const VariantModel ideal = variant(of, 0, blade);
  ASSERT_NE(ideal.model, nullptr) << diag::render_text(ideal.source, ideal.diagnostics.all());
  EXPECT_EQ(ideal.model->constraints[0].law->word(), "ideal");
  EXPECT_TRUE(ideal.model->expectations.empty());
  EXPECT_TRUE(ideal.left_out.empty());
  const VariantModel viscous = variant(of, 1, blade);
  ASSERT_NE(viscous.model, nullptr);
  EXPECT_EQ(ladder_value(*viscous.model, "blade"), 6.0);
  EXPECT_EQ(ladder_value(*ideal.model, "blade"), std::nullopt);
  // Under the penalty law there is no lambda, so `lambda` is left out, and `two`, which uses it through a `let`.
  EXPECT_EQ(viscous.left_out, (std::vector<std::string>{"lambda", "two"}));
  EXPECT_EQ(viscous.model->outputs[0].name, "place");
  const VariantModel kozlov = variant(of, 2, blade);
  ASSERT_NE(kozlov.model, nullptr);
  EXPECT_EQ(ladder_value(*kozlov.model, "blade"), 2.0);
  const auto start = [](const VariantModel& model) {
    const auto mu = model.model->constraints[0].law->mu();
    return model::TermValues(*model.model, {}).scalar(model.model->states[mu[0][0].index()].start).value;
  };
  EXPECT_EQ(start(kozlov), 0.25);  // the start stated in the replaced clause
  EXPECT_EQ(start(variant(of, 3, blade)), 0.25);
  EXPECT_EQ(start(variant(of, 4, blade)), 0.5);
}

TEST(VariantModel, KeepsTheTimesAtWhichAConstraintActs) {
  const std::string text =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
      "constraint c: x' = y'\n    when t > 1\nrun 2\n";
  const Case of = read("ideal,viscous(kappa=2)", text);
  const VariantModel ideal = variant(of, 0, {"c"});
  ASSERT_NE(ideal.model, nullptr) << diag::render_text(ideal.source, ideal.diagnostics.all());
  EXPECT_TRUE(ideal.model->constraints[0].when.is_valid());
  EXPECT_EQ(variant(of, 1, {"c"}).model, nullptr);  // the law with friction does not define an impulse
}

TEST(VariantModel, AddsWhatConstraintsExertAndDo) {
  const Case of = read("ideal,stated");
  const VariantModel ideal = variant(of, 0, {"edge[2]"});
  ASSERT_NE(ideal.model, nullptr);
  EXPECT_EQ(ideal.forces.size(), 4U);
  EXPECT_EQ(ideal.forces[3], "generalized_force(edge[2])");
  EXPECT_EQ(ideal.powers[0], "power(blade)");
  EXPECT_EQ(ideal.energies,
            (std::vector<std::string>{"kinetic energy", "potential energy", "total energy", "effective energy"}));
  EXPECT_EQ(ideal.model->outputs.size(), 3U + 4U + 4U + 4U);
  EXPECT_EQ(ideal.model->constraints[0].law->word(), "vakonomic");  // not named in `on`, so it is unchanged
}

TEST(VariantModel, ShowsTheLawAndTheConstraintThatCannotHaveIt) {
  const Case of = read("stiff(kappa=1)");
  const VariantModel none = variant(of, 0, {"blade"});
  EXPECT_EQ(none.model, nullptr);
  EXPECT_EQ(
      diag::render_text(none.source, none.diagnostics.all()),
      "--laws:1:1: error: `law stiff` needs rows of position level, `blade` is of velocity level [not-allowed-here]\n"
      "  1 | stiff(kappa=1)\n"
      "    | ^^^^^^^^^^^^^^\n"
      "  in m.vin:\n"
      "  7 | constraint blade: sin(phi)*x' = cos(phi)*y'\n"
      "    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ of this constraint\n"
      "  hint: at velocity level it is `law viscous` that dissipates, `law inertial` that does not\n");
}

TEST(VariantModel, MeasuresArgumentsAsTheFileWould) {
  const Case of = read("viscous(kappa=1 [N/m]),viscous(kappa=q),vakonomic(mu=[1,2])");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(variant(of, i, {"blade"}).model, nullptr) << i;
  const Case bare =
      read("viscous(kappa=1 [kg/s])", "model m\ncoord x, y\nlagrangian x'^2 + y'^2\nconstraint c: x' = 2*y'\nrun 1\n");
  const VariantModel with_unit = variant(bare, 0, {"c"});
  EXPECT_EQ(with_unit.model, nullptr);
  EXPECT_NE(diag::render_text(with_unit.source, with_unit.diagnostics.all()).find("the model states no units"),
            std::string::npos);
}

TEST(VariantModel, DoesNotHideAMistakeInAResultThatLoadsUse) {
  const std::string text =
      "model m\ncoord x, y\nlagrangian x'^2 + y'^2\nconstraint c: x' = 2*y'\nlet l = ideal_multiplier(c)\n"
      "state z' = l\nrun 1\n";
  const VariantModel none = variant(read("viscous(kappa=1)", text), 0, {"c"});
  EXPECT_EQ(none.model, nullptr);
  EXPECT_NE(diag::render_text(none.source, none.diagnostics.all()).find("has a law that approximates it"),
            std::string::npos);
}

TEST(ConstraintsFor, AreThoseThatMayHaveEveryLaw) {
  const auto found = [](const std::string& laws) {
    const Case of = read(laws);
    diag::SourceText source = of.source;
    diag::Diagnostics none;
    const auto stated = elaborate::elaborate(of.file, source, {}, none);
    std::optional<VariantModel> refused;
    auto result = constraints_for(of.file, of.source, {}, *stated, of.laws.variants, refused);
    EXPECT_EQ(result.empty(), result.empty() && refused.has_value());
    return result;
  };
  EXPECT_EQ(found("ideal,vakonomic"), (std::vector<std::string>{"blade", "rod", "edge[1]", "edge[2]"}));
  EXPECT_EQ(found("ideal,viscous(kappa=1)"), (std::vector<std::string>{"blade", "edge[1]", "edge[2]"}));
  EXPECT_EQ(found("ideal,stiff(kappa=1)"), std::vector<std::string>{"rod"});
  EXPECT_TRUE(found("viscous(kappa=1),stiff(kappa=1)").empty());
}

}  // namespace
}  // namespace vinculum::compare

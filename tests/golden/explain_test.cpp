#include "vinculum/report/explain.hpp"

#include <nlohmann/json.hpp>

#include "golden/golden.hpp"

/// Output of `explain` about constraints: their classes by theory.md §2, and the forces under each law.
namespace vinculum {
namespace explain_test {

namespace fs = std::filesystem;
const fs::path kFolder = fs::path(VINCULUM_SOURCE) / "tests/golden/explain";

report::Node explained(const std::shared_ptr<const model::Model>& model) {
  return report::explain(test_support::compiled(model, codegen::Backend::kTape));
}

class ExplainGolden : public testing::TestWithParam<const char*> {};

TEST_P(ExplainGolden, ReadsAsItDid) {
  const std::string name = GetParam();
  std::string text =
      report::to_text(explained(test_support::model_of_file(fs::path(VINCULUM_MODELS) / (name + ".vin"))));
  for (std::size_t at = text.find("   ("); at != std::string::npos; at = text.find("   (", at + 1))
    text.erase(at, text.find('\n', at) - at);  // places in the text
  test_support::expect_golden(kFolder / (name + ".txt"), text);
}

INSTANTIATE_TEST_SUITE_P(Models, ExplainGolden,
                         testing::Values("sleigh_forces_vakonomic", "constant_speed_vakonomic", "realised_constraints",
                                         "gyroscopic_particle", "rolling_disk", "energy_as_constraint",
                                         "two_wheeled_cart", "wheel_on_a_circle", "cart_with_trailer",
                                         "table_on_four_legs"),
                         [](const auto& instance) { return std::string(instance.param); });

using Json = nlohmann::json;

/// The analysis of two particles in space under gravity, with the given constraints.
Json with(const std::string& constraints, const std::string& head = "") {
  return Json::parse(report::to_json(explained(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z, X, Y, Z\n"
      "particle P mass 1.5 at O + x*N.x + y*N.y + z*N.z\nparticle Q mass 0.5 at O + X*N.x + Y*N.y + Z*N.z\n"
      "gravity -9.81*N.z\n" +
      head + constraints +
      "\nstart x ~ 0.3, y ~ 0.1, X ~ 1.1, Z ~ 0.7, x' ~ 1, y' ~ 0.4, z' ~ 0.2, X' ~ 0.3, Y' ~ 0.6\nrun 1\n"))));
}
Json row_of(const Json& explanation, std::size_t constraint = 0) {
  return explanation.at("constraints").at(constraint).at("rows").at(0);
}

TEST(Explain, TellsDirectionOnlyRowsFromOthers) {
  const auto is_direction_only = [](const std::string& relation) {
    return row_of(with("constraint c: " + relation)).at("direction_only");
  };
  EXPECT_EQ(is_direction_only("dot(vel(P), N.x) = 0"), true);
  EXPECT_EQ(is_direction_only("dot(vel(P), vel(Q)) = 0"), true);
  EXPECT_EQ(is_direction_only("dot(vel(P), vel(P)) = 4*dot(vel(Q), vel(Q))"), true);
  EXPECT_EQ(is_direction_only("dot(vel(P), cos(t)*N.x + sin(t)*N.y) = 0"), true);  // although it is rheonomic
  EXPECT_EQ(is_direction_only("dot(vel(P), vel(P)) = 4"), false);
  EXPECT_EQ(is_direction_only("dot(vel(P), N.x) = y"), false);
  EXPECT_EQ(is_direction_only("x' - y*z' = 0"), true);               // coordinates count through their rates
  EXPECT_EQ(is_direction_only("dot(pos(P, O), N.x) = 0"), nullptr);  // not at velocity level
}

TEST(Explain, SaysWhereVirtualDisplacementsDependOnVelocities) {
  const auto displacements = [](const std::string& relation) {
    return row_of(with("constraint c: " + relation)).at("virtual_displacements");
  };
  EXPECT_EQ(displacements("dot(vel(P), N.x) = y"), "classical");
  EXPECT_EQ(displacements("dot(vel(P), vel(Q)) = 0"), "dependent on velocities");
  EXPECT_EQ(displacements("dot(acc(P), vel(P)) = 0"), "dependent on velocities");
  EXPECT_EQ(displacements("dot(pos(P, Q), pos(P, Q)) = 1"), "classical");
}

TEST(Explain, FindsIntegralsOfTheMotionOfferedAsConstraints) {
  const auto is_integral = [](const std::string& constraints) {
    return bool(row_of(with(constraints)).at("integral"));
  };
  EXPECT_TRUE(is_integral("constraint c: dot(vel(P), N.x) = 1"));  // linear momentum along x
  EXPECT_TRUE(is_integral("constraint c: 1.5*x' + 0.5*X' = 2"));
  EXPECT_FALSE(is_integral("constraint c: dot(vel(P), N.z) = 1"));  // gravity acts along z
  EXPECT_FALSE(is_integral("constraint c: dot(vel(P), N.x) = 1\n    nonideal on P = 0.3*N.x"));
  const Json repeated = with("constraint c: dot(vel(P), N.z) = 1\nconstraint d: 2*dot(vel(P), N.z) = 2");
  EXPECT_EQ(row_of(repeated).at("integral"), false);  // it is redundant, but not free of force
  EXPECT_EQ(row_of(repeated).at("unique"), false);
}

TEST(Explain, TellsSemiHolonomicRowsOfEveryKind) {
  const auto class_of = [](const std::string& relation) {
    return row_of(with("constraint c: " + relation)).at("class");
  };
  EXPECT_EQ(class_of("x*x' + y*y' = 0"), "semi-holonomic, linear in velocity, catastatic, scleronomic");
  EXPECT_EQ(class_of("x*x' + y*y' = t"), "semi-holonomic, affine in velocity, acatastatic, rheonomic");
  EXPECT_EQ(class_of("x' = y"), "nonholonomic, affine in velocity, acatastatic, scleronomic");
  EXPECT_EQ(class_of("x' - t*y' = 0"), "nonholonomic, linear in velocity, catastatic, rheonomic");
  EXPECT_EQ(class_of("x' - z*y' = 0"), "nonholonomic, linear in velocity, catastatic, scleronomic");
  EXPECT_EQ(class_of("x'^2 = y'^2 + 1"), "nonholonomic, nonlinear in velocity, acatastatic, scleronomic");
  EXPECT_EQ(class_of("x = t*y"), "holonomic, rheonomic");
}

// An integral is recognized without loads: then kinetic energies are the scale.
TEST(Explain, FindsIntegralsOfSystemsWithoutForces) {
  const auto is_integral = [](const std::string& relation) {
    const Json explanation = Json::parse(report::to_json(explained(
        test_support::model_of_text("model m\ncoord x, y\nlagrangian (x'^2 + 2*y'^2)/2\nconstraint c: " + relation +
                                    "\nstart x = 1, y = 0.2, x' ~ 0.4, y' ~ 1\nrun 1\n"))));
    return bool(row_of(explanation).at("integral"));
  };
  EXPECT_TRUE(is_integral("(x'^2 + 2*y'^2)/2 = 1"));
  EXPECT_TRUE(is_integral("1e9*x' = 4e8"));
  EXPECT_TRUE(is_integral("x*y' - y*x' = 1"));
  EXPECT_TRUE(is_integral("x'*y' = 0.4"));
  EXPECT_FALSE(is_integral("x' = 0.4*x"));
  EXPECT_FALSE(is_integral("x'^2 + 2*y'^2 = 2 + 0.1*x"));
}

TEST(Explain, SaysWhetherARowIsIntegrableByItself) {
  const auto classes = [](const std::string& constraints) {
    const Json explanation = Json::parse(report::to_json(explained(
        test_support::model_of_text("model m\ncoord x, y, z, w\nlagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2\n" +
                                    constraints + "\nstart x ~ 0.3, y ~ 0.5, z ~ 0.7, w ~ 0.9, x' ~ 0.6\nrun 1\n"))));
    std::string all;
    for (const Json& constraint : explanation.at("constraints")) {
      const std::string of_row = constraint.at("rows").at(0).at("class");
      all += (all.empty() ? "" : "; ") + of_row.substr(0, of_row.find(','));
    }
    return all;
  };
  const std::string together = "semi-holonomic together with other rows", itself = "semi-holonomic";
  EXPECT_EQ(classes("constraint a: z' = w*x'\nconstraint b: w' = y*x'\nconstraint c: y' = z*x'"),
            together + "; " + together + "; " + together);
  EXPECT_EQ(classes("constraint a: z' = w*x'"), "nonholonomic");
  EXPECT_EQ(classes("constraint a: z' = w*x'\nconstraint b: w' = 2*x'"), together + "; " + itself);
  EXPECT_EQ(classes("constraint a: (1 + z^2)*(y*x' + x*y') = 0"), itself);
  EXPECT_EQ(classes("constraint a: y' = t*x'\nconstraint b: x' = cos(t)"), together + "; " + itself);
  EXPECT_EQ(classes("constraint a: z' = w*x'\nconstraint b: y' = z*x'"), "nonholonomic; nonholonomic");
}

TEST(Explain, DoesNotTakeRoundingForAPower) {
  const auto does_work = [](const std::string& text) {
    return bool(Json::parse(report::to_json(explained(test_support::model_of_text(text))))
                    .at("constraints")
                    .at(0)
                    .at("power")
                    .at("does_work"));
  };
  const auto particle = [](const std::string& mass, const std::string& more) {
    return "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass " + mass +
           " at O + x*N.x + y*N.y + z*N.z\ngravity -9.81*N.z\n" + more + "\nrun 1\n";
  };
  const std::string oblique =
      "constraint c: dot(pos(P, O), 0.3*N.x + 0.7*N.y - 0.11*N.z) = 0.2\nstart x ~ 0.1, x' ~ 0.7";
  for (const char* mass : {"1", "1e-9", "1e12"}) EXPECT_FALSE(does_work(particle(mass, oblique))) << mass;
  EXPECT_FALSE(does_work(particle("1", "constraint c: 1e-9*norm(pos(P, O)) = 1e-9\nstart x = 0.6, y ~ -0.3, z ~ 0.7")));
  EXPECT_FALSE(does_work(particle("1", "constraint c: norm(pos(P, O)) = 1\nstart z = -1, x ~ 0, x' = 1e-9")));
  EXPECT_FALSE(does_work(particle("1", "constraint c: x'^2 + y'^2 = z'^2\nstart x' = 0.3, y' = 0.1, z' ~ 0.3")));
  EXPECT_FALSE(does_work(particle("2", "constraint c: dot(vel(P), pos(P, O)) = 0\nstart x = 0.3, z = 0.7, y' ~ 0.2")));
  for (const char* mass : {"1", "1e-9", "1e12"}) {
    EXPECT_TRUE(does_work(particle(mass, "constraint c: z = 0.1*sin(t)"))) << mass;
    EXPECT_TRUE(does_work(particle(mass, "constraint c: x'^2 + z'^2 = 4\nstart x' = 1, z' ~ 1.7"))) << mass;
  }
}

TEST(Explain, SaysWhichEnergiesAreConstant) {
  const auto constants = [](const Json& explanation) {
    std::vector<std::string> names;
    for (const Json& one : explanation.at("invariants").at("found")) {
      const std::string name = one.at("name");
      if (name.find("momentum") == std::string::npos) names.push_back(name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(constants(with("constraint c: dot(pos(P, Q), pos(P, Q)) = 1")), Names{"energy"});
  EXPECT_EQ(constants(with("constraint c: dot(pos(P, Q), pos(P, Q)) = 1 + 0.1*t")), Names{});
  EXPECT_EQ(constants(with("constraint c: x' = y")), Names{});
  EXPECT_EQ(constants(with("constraint c: x' = y*z'")), Names{"energy"});
  EXPECT_EQ(constants(with("constraint c: x' = y*z'", "force on P = -0.1*vel(P)\n")), Names{});
  EXPECT_EQ(constants(with("constraint c: dot(vel(P), vel(P)) = 4\n    law vakonomic start mu = 0.3")),
            Names{"effective_energy"});

  EXPECT_EQ(constants(with("constraint c: dot(acc(P), acc(P)) = 4\n    law vakonomic start mu = 0.3, mu' = 0.1")),
            Names{"effective_energy"});
  EXPECT_EQ(constants(with("constraint c: dot(acc(P), acc(P)) = 4 + t\n    law vakonomic start mu = 0.3, mu' = 0.1")),
            Names{});

  // A bead on a rotating hoop: the hamiltonian is constant, the energy is not.
  EXPECT_EQ(constants(Json::parse(report::to_json(explained(test_support::model_of_text(
                "model hoop\nframe N newtonian\npoint O fixed in N\ncoord theta\nframe H = N rotated 2*t about z\n"
                "particle P mass 1.5 at O + sin(theta)*H.x - cos(theta)*H.z\ngravity -9.81*N.z\nstart theta = 0.4, "
                "theta' = 0.3\nrun 1\n"))))),
            Names{"hamiltonian"});
}

TEST(Explain, NamesTheFactorsOfEveryLaw) {
  using Factors = std::pair<std::string, std::string>;
  const auto factors = [](const std::string& clause) {
    const Json row =
        row_of(with("constraint c: dot(vel(P), pos(P, Q)) = 0" + (clause.empty() ? "" : "\n    " + clause)));
    return Factors(row.at("factor"), row.at("law").is_null() ? "" : row.at("law").at("factor"));
  };
  EXPECT_EQ(factors(""), Factors("multiplier(c)", ""));
  EXPECT_EQ(factors("law vakonomic start mu = 1"), Factors("ideal_multiplier(c)", "multiplier(c)"));
  EXPECT_EQ(factors("law kozlov c = 2 start mu = 1"), Factors("ideal_multiplier(c)", "multiplier(c)"));
  EXPECT_EQ(factors("law adiabatic mu = 2*t"), Factors("multiplier(c)", "(2*t)"));
  EXPECT_EQ(factors("law inertial kappa = 3"), Factors("-dt(multiplier(c))", "multiplier(c)"));
  EXPECT_EQ(factors("law viscous kappa = 3"), Factors("multiplier(c)", ""));
}

}  // namespace explain_test
}  // namespace vinculum

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace sliding_contacts_test {

using nlohmann::json;

/// The speed reducer, the machine with a commutator and the Appell–Hamel device. They are compared with equations
/// written for these systems, with one speed per degree of freedom (tests/reference/compute_contacts.py).
const json& reference() {
  static const json all = json::parse(std::ifstream(VINCULUM_SOURCE "/tests/reference/contacts.json"));
  return all;
}

std::string text_of(const std::string& model) {
  return test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / (model + ".vin"));
}

/// The model text with another law for its constraint. The relation of the constraint ends with the text `relation`.
std::string with_law(std::string text, const std::string& relation, const std::string& clause) {
  const std::size_t at = text.rfind(relation);
  EXPECT_NE(at, std::string::npos);
  text = text.substr(0, text.find("\nexpect "));  // the expectations belong to the original law
  return clause.empty() ? text : text.insert(at + relation.size(), "\n    law " + clause);
}

sim::Trajectory motion_at(const std::string& text, const json& rows) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.tolerance = 1e-13;
  for (const json& row : rows) options.sample_times.push_back(row.at("t").get<double>());
  options.duration = options.sample_times.back();
  sim::Trajectory run = sim::simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << (run.stopped ? run.stopped->message : "");
  EXPECT_EQ(run.asked.size(), rows.size());
  return run;
}

void expect_rows(const sim::Trajectory& run, const json& rows, double tolerance, const std::string& what) {
  for (std::size_t k = 0; k < std::min(rows.size(), run.asked.size()); ++k) {
    const sim::Sample& sample = run.asked[k];
    const auto near = [&](double value, double expected, const char* of) {
      EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected))) << what << " " << of << " " << k;
    };
    for (std::size_t i = 0; i < rows[k].at("q").size(); ++i) {
      near(sample.q[static_cast<Eigen::Index>(i)], rows[k]["q"][i].get<double>(), "q");
      near(sample.u[static_cast<Eigen::Index>(i)], rows[k]["u"][i].get<double>(), "u");
      if (rows[k].contains("Q"))
        near(sample.reaction.Q_c[static_cast<Eigen::Index>(i)], rows[k]["Q"][i].get<double>(), "Q");
    }
    if (rows[k].contains("lambda")) near(sample.reaction.lambda()[0], rows[k]["lambda"].get<double>(), "lambda");
    if (sample.z.size() > 0) near(sample.z[0], rows[k]["mu"].get<double>(), "mu");
  }
}

TEST(SlidingContacts, SpeedReducerMovesAsTheReferenceDoesUnderEveryLaw) {
  const std::pair<const char*, const char*> laws[] = {
      {"ideal", ""},
      {"adiabatic", "adiabatic mu = 0.4"},
      {"gyroscopic", "gyroscopic H = [0, 0, -0.2; 0, 0, 0.15; 0.2, -0.15, 0]"},
      {"vakonomic", "vakonomic start mu = 0"},
      {"vakonomic_started", "vakonomic start mu = 0.4"}};
  for (const auto& [name, clause] : laws) {
    const json& rows = reference().at("speed_reducer").at(name);
    const std::string text = with_law(text_of("speed_reducer"), "x*phi1' = r*phi2'", clause);
    // Q_c is M u' − f, and under such a law f contains terms of the law. So the reaction is compared through lambda.
    expect_rows(motion_at(text, rows), clause[0] == '\0' ? rows : [&] {
      json without = rows;
      for (json& row : without) row.erase("Q");
      return without;
    }(), 1e-8, name);
  }
}

TEST(SlidingContacts, MachineWithACommutatorMovesAsTheReferenceDoesUnderEveryLaw) {
  const std::pair<const char*, const char*> laws[] = {
      {"ideal", ""},
      {"adiabatic", "adiabatic mu = 0.1"},
      {"gyroscopic", "gyroscopic H = [0, 0.02, 0, 0.05; -0.02, 0, 0, 0; 0, 0, 0, 0; -0.05, 0, 0, 0]"},
      {"vakonomic", "vakonomic start mu = 0"},
      {"vakonomic_started", "vakonomic start mu = -0.2"}};
  for (const auto& [name, clause] : laws) {
    const json& rows = reference().at("sliding_contact").at(name);
    std::string text = with_law(text_of("sliding_contact"), "qa'*cos(th) - qb'*sin(th) = 0", clause);
    text.replace(text.find("qs' = es/Rs"), 11, "qs' = 1.5");
    expect_rows(motion_at(text, rows), rows, 1e-8, name);
  }
}

TEST(SlidingContacts, AppellHamelDeviceMovesAsTheReferenceDoesDownToItsLimits) {
  struct Case {
    const char *name, *K, *I, *rho;
  };
  for (const Case& one : {Case{"massless_frame", "0", "0.05", "0.08"},
                          {"frame", "0.015", "0.05", "0.08"},
                          {"massless_frame_and_wheel", "0", "0", "0.08"},
                          {"near_the_limit", "0", "0.05", "0.02"}}) {
    const json& rows = reference().at("appell_hamel").at(one.name);
    std::string text = text_of("appell_hamel");
    text = text.substr(0, text.find("\nexpect "));
    const auto set = [&](const std::string& old, const std::string& value) {
      ASSERT_NE(text.find(old), std::string::npos) << old;
      text.replace(text.find(old), old.size(), value);
    };
    set("K = 0 ", std::string("K = ") + one.K + " ");
    set("I = 0.05", std::string("I = ") + one.I);
    set("rho = 0.08", std::string("rho = ") + one.rho);
    const sim::Trajectory run = motion_at(text, rows);
    expect_rows(run, rows, 1e-8, one.name);
    for (std::size_t k = 0; k < run.asked.size(); ++k)
      EXPECT_NEAR(run.asked[k].reaction.lambda()[2], rows[k]["tension"].get<double>(), 1e-7) << one.name;
  }
}

}  // namespace sliding_contacts_test
}  // namespace vinculum

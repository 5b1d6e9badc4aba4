#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

/// Helpers for tests: parsing and elaboration of a text.
namespace vinculum::elaborate::testing {

struct Elaborated {
  std::shared_ptr<const model::Model> model;
  std::string messages;                       ///< all diagnostics as the command shows them
  std::vector<diag::Diagnostic> diagnostics;  ///< sorted by place
};

[[nodiscard]] inline Elaborated elaborated(const std::string& text,
                                           const std::vector<ParameterOverride>& overrides = {},
                                           const std::filesystem::path& folder = {}) {
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  Elaborated result;
  result.model = elaborate(file, source, {folder, overrides, {"dop853", "dp5"}}, diagnostics);
  diagnostics.sort();
  result.messages = diag::render_text(source, diagnostics.all());
  result.diagnostics.assign(diagnostics.all().begin(), diagnostics.all().end());
  return result;
}

/// A particle P of 1 kg in the plane with coordinates x, y [m] and phi [rad]; then `more`, which begins in line 7;
/// then a body turned by phi.
[[nodiscard]] inline Elaborated in_plane(const std::string& more, const std::vector<ParameterOverride>& overrides = {},
                                         const std::filesystem::path& folder = {}) {
  return elaborated(
      "model m\n"
      "frame N newtonian\n"
      "point O fixed in N\n"
      "param g = 9.81 [m/s^2], n = 2, L = 300 [mm]\n"
      "coord x, y [m], phi [rad]\n"
      "particle P mass 1 [kg] at O + x*N.x + y*N.y\n" +
          more + (more.empty() || more.ends_with('\n') ? "" : "\n") +
          "frame turned_by_phi = N rotated phi about z\n"
          "body without_mass frame turned_by_phi mass 0 inertia plane 0 at O\n",
      overrides, folder);
}

/// A plate D on a frame turned by phi, with its center at O + x*N.x + y*N.y; `more` begins in line 8.
[[nodiscard]] inline Elaborated with_plate(const std::string& more) {
  return elaborated(
      "model m\n"
      "frame N newtonian\n"
      "point O fixed in N\n"
      "param m = 2 [kg], r = 0.5 [m]\n"
      "coord x, y [m], phi [rad]\n"
      "frame D = N rotated phi about z\n"
      "body plate frame D mass m inertia (m*r^2/4, m*r^2/4, m*r^2/2) at O + x*N.x + y*N.y\n" +
      more);
}

/// Kind and sentence of each diagnostic, one per line: "bad-value: the mass of `P` is negative".
[[nodiscard]] inline std::string kinds_and_sentences(const Elaborated& result) {
  std::string text;
  for (const diag::Diagnostic& one : result.diagnostics)
    text += std::string(kind_info(one.kind).name) + ": " + one.message + "\n";
  return text;
}

/// \pre there is an output with this name
[[nodiscard]] inline const model::Output& output_of(const Elaborated& result, const std::string& name) {
  for (const model::Output& output : result.model->outputs) {
    if (output.name == name) return output;
  }
  throw std::runtime_error("no output " + name);
}

/// Checks the messages of `in_plane`, as the command shows them.
inline void expect_messages(const std::string& more, const std::string& messages) {
  EXPECT_EQ(in_plane(more).messages, messages);
}
/// Checks the messages of `with_plate`.
inline void expect_messages_with_plate(const std::string& more, const std::string& messages) {
  EXPECT_EQ(with_plate(more).messages, messages);
}
/// Checks that there is exactly one diagnostic, and no model.
inline void expect_message(const std::string& more, const std::string& message) {
  const Elaborated result = in_plane(more);
  ASSERT_EQ(result.diagnostics.size(), 1U) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, message);
  EXPECT_EQ(result.model, nullptr);
}
/// The sentences of all diagnostics, one per line.
[[nodiscard]] inline std::string heads_in_plane(const std::string& more) {
  std::string heads;
  for (const diag::Diagnostic& one : in_plane(more).diagnostics) heads += one.message + "\n";
  return heads;
}

/// Value of a term of `in_plane(…)` at x = 0.3, y = -0.7, phi = 0.4, t = 0.9, x' = 1.1, y' = -0.2, phi' = 0.6, x'' =
/// 0.8, y'' = 1.3, phi'' = -0.5.
[[nodiscard]] inline double value_of(const model::Model& model, model::Term term) {
  model::Instant at;
  at.t = 0.9;
  at.q = {0.3, -0.7, 0.4};
  at.q_dot = {1.1, -0.2, 0.6};
  at.q_ddot = {0.8, 1.3, -0.5};
  return model::TermValues(model, at).scalar(term).value;
}

/// Value of an output at the same state; NaN if there is no such output.
[[nodiscard]] inline double value_of(const Elaborated& result, const std::string& output) {
  if (result.model) {
    for (const model::Output& one : result.model->outputs) {
      if (one.name == output && one.value.is_valid() && one.value.is_scalar())
        return value_of(*result.model, one.value);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace vinculum::elaborate::testing

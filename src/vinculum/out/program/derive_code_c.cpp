#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/out/program/derive_code_file.hpp"

namespace vinculum::out {
namespace {

class CFile : public CodeFile {
 public:
  explicit CFile(const Derivation& derivation) : CodeFile(derivation, expr::CodeLanguage::kC) {}

 private:
  [[nodiscard]] std::string declared() const {
    return has_states() ? "double t, const double *q, const double *u, const double *z, const double *p"
                        : "double t, const double *q, const double *u, const double *p";
  }
  // Against warnings about what a function happens not to use.
  [[nodiscard]] std::string unused(const std::string& more = "") const {
    return std::string("  (void)t; (void)q; (void)u; (void)p;") + (has_states() ? " (void)z;" : "") + more + "\n";
  }

  [[nodiscard]] std::string comment(const std::string& words) const override {
    std::string safe = words;  // the words of a model may close the comment
    for (std::size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/", at))
      safe.replace(at, 2, "* /");
    return "/*\n" + safe + "*/\n#include <math.h>\n\n";
  }

  [[nodiscard]] std::string index_list(const std::string& name, const std::vector<int>& indices) const override {
    std::string list;
    for (const int i : indices) list += fmt::format("{}{}", list.empty() ? "" : ", ", i);
    return fmt::format("static const int {}[SIZE({})] = {{{}}};\n", name, indices.size(), list.empty() ? "0" : list);
  }

  [[nodiscard]] std::string place(const std::string& array, std::size_t row, std::size_t column,
                                  std::size_t columns) const override {
    return fmt::format("{}[{}]", array, row * columns + column);
  }

  [[nodiscard]] std::string constants() const override {
    const std::size_t largest =
        std::max({system_.u.size(), system_.rows.size(), static_cast<std::size_t>(effort_count())});
    std::string text = "#define SIZE(n) ((n) > 0 ? (n) : 1)\n";
    text += fmt::format("enum {{ NQ = {}, NU = {}, NP = {}, NC = {}, NI = {}, NE = {}, NR = {}, NX = NR{}",
                        system_.q.size(), system_.u.size(), system_.parameters.size(), system_.rows.size(),
                        derivation_.ideal_rows.size(), effort_count(), largest,
                        has_states() ? fmt::format(", NZ = {}", system_.z.size()) : "");
    if (derivation_.form == dynamics::Formulation::kMinimal) {
      text += fmt::format(", NW = {}, ND = {}", derivation_.independent.size(), derivation_.dependent.size());
    }
    text += " };\n" + index_lists();
    if (has_efforts()) text += fmt::format("static const double effort_scale[SIZE(NE)] = {{{}}};\n", effort_scales());
    return text + "\n";
  }

  [[nodiscard]] std::string parameters() override {
    std::string text =
        fmt::format("/* The model's own values of the parameters. */\nvoid {}_parameters(double *p) {{\n", name_);
    for (std::size_t i = 0; i < model_.parameters.size(); ++i) {
      const std::string value = expr::CodePrinter::number(model_.parameters[i].value, language_);
      text += fmt::format("  p[{}] = {};  /* {} */\n", i, value, model_.parameters[i].name);
    }
    return text + (model_.parameters.empty() ? "  (void)p;\n" : "") + "}\n\n";
  }

  [[nodiscard]] std::string equations() override {
    const std::string written = body(pieces());
    return fmt::format(
        "/* The pieces of the equations of motion: qdot[NQ], M[NU][NU], f[NU]{0}, A[NC][NU], b[NC]{1}. */\n"
        "void {2}_equations({6}, double *qdot, double *M,\n"
        "    double *f{3}, double *A, double *b{4}) {{\n{5}{7}"
        "  (void)A; (void)b;\n}}\n\n",
        system_.has_nonideal ? ", C[NU] of non-ideal constraints" : "",
        has_efforts() ? ", Gamma[NE][NU] generalized force of a unit of each effort" : "", name_,
        system_.has_nonideal ? ", double *C" : "", has_efforts() ? ", double *Gamma" : "", written, declared(),
        unused(" (void)qdot; (void)M; (void)f;"));
  }

  [[nodiscard]] std::string masses() override {
    if (!system_.has_indefinite_mass) return "";
    return fmt::format(
        "/* Inertia of each speed without what multipliers add to it, mass[NU]. */\nstatic void {}_masses({}, double "
        "*mass) {{\n{}{}}}\n\n",
        name_, declared(), body(masses_of_speeds()), unused());
  }

  [[nodiscard]] std::string state_rates() override {
    if (!has_states()) return "";
    return fmt::format(
        "/* The rates of the states, zdot[NZ], which may depend on the multipliers, lambda[NC]. */\n"
        "void {}_state_rates({}, const double *lambda, double *zdot) {{\n{}{}}}\n\n",
        name_, declared(), body(rates_of_states()), unused(" (void)lambda;"));
  }

  [[nodiscard]] std::string velocity_rows() override {
    if (!has_dependent_speeds()) return "";
    return fmt::format(
        "/* The pivot rows at the velocity level, psi[ND], and their derivatives by the dependent speeds, A[ND][ND]. "
        "*/\n"
        "static void {}_velocity_rows({}, double *psi, double *A) {{\n"
        "{}{}}}\n\n",
        name_, declared(), body(pivot_rows()), unused());
  }

  [[nodiscard]] std::string dependent_speeds() const override {
    if (!has_dependent_speeds()) return "";
    return fmt::format(
        R"(/* Sets the dependent speeds in u so that the constraints hold, by Newton's iteration from what stands there (linear
   constraints: one step, and one against rounding). Returns 0, or 3 where they do not determine them. */
int {0}_dependent_speeds({1}) {{
  double psi[ND], A[ND * ND];
  int k, step;
  for (step = 0; step < 50; ++step) {{
    double largest = 0.0, size = 0.0;
    {0}_velocity_rows({2}, psi, A);
    if (!eliminate(A, psi, ND, 1)) return 3;
    for (k = 0; k < ND; ++k) {{
      u[dependent[k]] -= psi[k];
      if (fabs(psi[k]) > largest) largest = fabs(psi[k]);
      if (fabs(u[dependent[k]]) > size) size = fabs(u[dependent[k]]);
    }}
    if (step > 0 && largest <= 1e-14 * size + 1e-300) return 0;
  }}
  return 0;
}}

)",
        name_,
        has_states() ? "double t, const double *q, double *u, const double *z, const double *p"
                     : "double t, const double *q, double *u, const double *p",
        handed());
  }

  [[nodiscard]] std::string accelerations() const override {
    const bool has_C = system_.has_nonideal, has_mass = system_.has_indefinite_mass;
    const std::string more =
        std::string(has_efforts() ? ", and the efforts, effort[NE]" : "") + (has_states() ? ", and z', zdot[NZ]" : "");
    std::string text = fmt::format(
        "/* u' at a state, udot[NU], and the multipliers, lambda[NC]{}. Returns 0; 1 where an acceleration is\n"
        "   undetermined, 2 where constraints contradict each other, 3 where the dependent speeds are no longer "
        "determined. */\n"
        "int {}_accelerations({}, double *udot,\n    double *lambda{}{}) {{\n",
        more, name_, declared(), has_efforts() ? ", double *effort" : "", has_states() ? ", double *zdot" : "");
    text +=
        fmt::format("  double qdot[SIZE(NQ)], M[SIZE(NU * NU)], f[SIZE(NU)], A[SIZE(NC * NU)], b[SIZE(NC)]{}{}{};\n",
                    has_C ? ", C[SIZE(NU)]" : "", has_efforts() ? ", Gamma[SIZE(NE * NU)]" : "",
                    has_mass ? ", mass[SIZE(NU)]" : "");
    if (has_C) text += has_states() ? "  int i, result;\n" : "  int i;\n";
    if (!has_C && has_states()) text += "  int result;\n";
    text += fmt::format("  {}_equations({}, qdot, M, f{}, A, b{});\n", name_, handed(), has_C ? ", C" : "",
                        has_efforts() ? ", Gamma" : "");
    if (has_C) text += "  for (i = 0; i < NU; ++i) f[i] += C[i];\n";
    if (has_mass) text += fmt::format("  {}_masses({}, mass);\n", name_, handed());
    const std::string solved =
        fmt::format("{}(M, {}f, A, b, {}udot, lambda{})", has_efforts() ? "solve_with_efforts" : "solve",
                    has_mass ? "mass, " : "", has_efforts() ? "Gamma, " : "", has_efforts() ? ", effort" : "");
    if (!has_states()) return text + fmt::format("  return {};\n}}\n", solved);
    return text +
           fmt::format("  result = {};\n  if (result == 0) {}_state_rates({}, lambda, zdot);\n  return result;\n}}\n",
                       solved, name_, handed());
  }
};

}  // namespace

std::string derive_c(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return CFile(derivation).text();
}

}  // namespace vinculum::out

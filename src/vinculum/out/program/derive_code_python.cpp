#include <fmt/format.h>

#include "vinculum/base/contract.hpp"
#include "vinculum/out/program/derive_code_file.hpp"

namespace vinculum::out {
namespace {

class PythonFile : public CodeFile {
 public:
  explicit PythonFile(const Derivation& derivation) : CodeFile(derivation, expr::CodeLanguage::kPython) {}

 private:
  [[nodiscard]] std::string comment(const std::string& words) const override {
    std::string safe;
    for (const char c : words) {
      if (c == '\\' || c == '"') safe += '\\';
      safe += c;
    }
    return "\"\"\"" + safe + "\"\"\"\n\nimport math\n\n";
  }

  [[nodiscard]] std::string index_list(const std::string& name, const std::vector<int>& indices) const override {
    std::string list;
    for (const int i : indices) list += fmt::format("{}{}", list.empty() ? "" : ", ", i);
    return fmt::format("{} = [{}]\n", name, list);
  }

  [[nodiscard]] std::string place(const std::string& array, std::size_t row, std::size_t column,
                                  std::size_t) const override {
    return fmt::format("{}[{}][{}]", array, row, column);
  }

  [[nodiscard]] std::string constants() const override {
    return index_lists() + (has_efforts() ? fmt::format("effort_scale = [{}]\n", effort_scales()) : "") + "\n\n";
  }

  [[nodiscard]] std::string parameters() override {
    std::string list;
    for (std::size_t i = 0; i < model_.parameters.size(); ++i) {
      list += (i == 0 ? "" : ", ") + expr::CodePrinter::number(model_.parameters[i].value, language_);
    }
    return fmt::format(
        "def {}_parameters():\n    \"\"\"The model's own values of the parameters\"\"\"\n    return [{}]\n\n\n", name_,
        list);
  }

  [[nodiscard]] std::string equations() override {
    const std::size_t nu = system_.u.size(), rows = system_.rows.size();
    const std::string written = body(pieces());
    std::string text = fmt::format(
        "def {}_equations({}):\n    \"\"\"The pieces of the equations of motion: q', M, f{}, A, b{}\"\"\"\n", name_,
        handed(), system_.has_nonideal ? ", C of non-ideal constraints" : "",
        has_efforts() ? ", Gamma (generalized force of a unit of each effort)" : "");
    text += fmt::format("    qdot, f, b = [0.0] * {}, [0.0] * {}, [0.0] * {}\n", system_.q.size(), nu, rows);
    text +=
        fmt::format("    M = [[0.0] * {0} for _ in range({0})]\n    A = [[0.0] * {0} for _ in range({1})]\n", nu, rows);
    if (system_.has_nonideal) text += fmt::format("    C = [0.0] * {}\n", nu);
    if (has_efforts()) text += fmt::format("    Gamma = [[0.0] * {} for _ in range({})]\n", nu, effort_count());
    return text + written +
           fmt::format("    return qdot, M, f{}, A, b{}\n\n\n", system_.has_nonideal ? ", C" : "",
                       has_efforts() ? ", Gamma" : "");
  }

  [[nodiscard]] std::string masses() override {
    if (!system_.has_indefinite_mass) return "";
    return fmt::format(
        "def {}_masses({}):\n    \"\"\"Inertia of each speed without what multipliers add to it\"\"\"\n"
        "    mass = [0.0] * {}\n{}    return mass\n\n\n",
        name_, handed(), system_.u.size(), body(masses_of_speeds()));
  }

  [[nodiscard]] std::string state_rates() override {
    if (!has_states()) return "";
    return fmt::format(
        "def {}_state_rates({}, lambdas):\n    \"\"\"The rates of the states, which may depend on the "
        "multipliers\"\"\"\n"
        "    zdot = [0.0] * {}\n{}    return zdot\n\n\n",
        name_, handed(), system_.z.size(), body(rates_of_states()));
  }

  [[nodiscard]] std::string velocity_rows() override {
    if (!has_dependent_speeds()) return "";
    return fmt::format(
        "def {0}_velocity_rows({3}):\n"
        "    \"\"\"The pivot rows at the velocity level and their derivatives by the dependent speeds\"\"\"\n"
        "    psi = [0.0] * {1}\n    A = [[0.0] * {1} for _ in range({1})]\n{2}    return psi, A\n\n\n",
        name_, derivation_.dependent.size(), body(pivot_rows()), handed());
  }

  [[nodiscard]] std::string dependent_speeds() const override {
    if (!has_dependent_speeds()) return "";
    return fmt::format(R"py(def {0}_dependent_speeds({1}):
    """u with the dependent speeds such that the constraints hold, by Newton's iteration from what stands there (linear
    constraints: one step, and one against rounding)"""
    u = list(u)
    for step in range(50):
        psi, A = {0}_velocity_rows({1})
        change = eliminate(A, [[x] for x in psi])
        if change is None:
            raise ArithmeticError("the constraints do not determine the dependent speeds here")
        for s, (x,) in zip(dependent, change):
            u[s] -= x
        if step > 0 and max(abs(x) for (x,) in change) <= 1e-14 * max(abs(u[s]) for s in dependent):
            break
    return u


)py",
                       name_, handed());
  }

  [[nodiscard]] std::string accelerations() const override {
    const bool has_C = system_.has_nonideal;
    std::string words = "u', the multipliers";
    if (has_efforts()) words += has_states() ? ", the efforts" : " and the efforts";
    if (has_states()) words += " and z'";
    std::string text = fmt::format(
        "def {0}_accelerations({4}):\n    \"\"\"{1}\"\"\"\n    qdot, M, f{2}, A, b{3} = {0}_equations({4})\n", name_,
        words, has_C ? ", C" : "", has_efforts() ? ", Gamma" : "", handed());
    if (has_C) text += "    f = [x + y for x, y in zip(f, C)]\n";
    const std::string mass = system_.has_indefinite_mass ? fmt::format("{}_masses({}), ", name_, handed()) : "";
    const std::string solved = has_efforts() ? fmt::format("solve_with_efforts(M, {}f, A, b, Gamma)", mass)
                                             : fmt::format("solve(M, {}f, A, b)", mass);
    if (!has_states()) return text + fmt::format("    return {}\n", solved);
    const char* const found = has_efforts() ? "udot, lambdas, effort" : "udot, lambdas";
    return text + fmt::format("    {0} = {1}\n    return {0}, {2}_state_rates({3}, lambdas)\n", found, solved, name_,
                              handed());
  }
};

}  // namespace

std::string derive_python(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return PythonFile(derivation).text();
}

}  // namespace vinculum::out

// Reports integrable combinations of rows, and the number of nonholonomic degrees that remain (theory.md §2).
#include <fmt/format.h>

#include "vinculum/equations/derived_flag.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/readable.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

// Longest coefficient in the text, in characters.
constexpr std::size_t kLongestCoefficient = 40;

/// Returns the values of q and t at the start and at the random states.
std::vector<std::vector<double>> probes_of(const Explained& explained) {
  std::vector<std::vector<double>> probes;
  const auto add = [&](const sim::Sample& sample) {
    probes.emplace_back(sample.q.begin(), sample.q.end()).push_back(sample.t);
  };
  if (explained.start) add(*explained.start);
  for (const sim::Sample& sample : explained.others) add(sample);
  return probes;
}

/// Returns the typical magnitudes of q and t.
std::vector<double> sizes_of(const Explained& explained) {
  std::vector<double> sizes(explained.reach.begin(), explained.reach.end());
  sizes.push_back(model::time_scale(explained.model()));
  return sizes;
}

/// Writes a sum as text, for example "a - 2*b + (cos(x))*c".
std::string sum_text(const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string text;
  for (auto [row, coefficient] : parts) {
    const bool is_negative = coefficient.starts_with('-') && coefficient.find_first_of("+ ") == std::string::npos;
    if (is_negative) coefficient.erase(0, 1);
    const bool is_sum = coefficient.find(' ') != std::string::npos;
    text += text.empty() ? (is_negative ? "-" : "") : is_negative ? " - " : " + ";
    text += coefficient == "1" ? row : is_sum ? "(" + coefficient + ")*" + row : coefficient + "*" + row;
  }
  return text;
}

/// Describes the kind of a combination, such as "integrable with a factor", or the rows together with which it is
/// integrable.
std::string text_of(const Explained& explained, const equations::IntegrableCombination& combination) {
  using Kind = equations::IntegrableCombination::Kind;
  switch (combination.kind) {
    case Kind::kTotalDerivative: return "the rate of a function";
    case Kind::kByItself: return "integrable with a factor";
    case Kind::kOnPositions: return "integrable with a factor where the rows of position level are satisfied";
    case Kind::kTogether: break;
  }
  std::vector<std::string> beside;
  for (const int row : combination.beside) beside.push_back(explained.bound->compiled->row_name(row));
  return "integrable together with " + (beside.empty() ? "all rows" : listed(beside)) + ", not by itself";
}

Node combination_of(const Explained& explained, const equations::IntegrableCombination& combination) {
  Node rows = Node::list();
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto& part : combination.parts) {
    const std::string row = explained.bound->compiled->row_name(part.row);
    const std::string coefficient = expr::to_text(expr::readable({&part.coefficient, 1})[0], kLongestCoefficient);
    rows.add(Node::object({{"row", row}, {"coefficient", coefficient}}));
    parts.emplace_back(row, coefficient);
  }
  using Kind = equations::IntegrableCombination::Kind;
  Node beside = Node::list();
  for (const int row : combination.beside) beside.add(explained.bound->compiled->row_name(row));
  Node node = Node::object({{"rows", rows},
                            {"total_derivative", combination.kind == Kind::kTotalDerivative},
                            {"by_itself", combination.kind != Kind::kTogether},
                            {"together_with", beside}});
  node.hush();
  node.said = fmt::format("  {}: {}\n", sum_text(parts), text_of(explained, combination));
  return node;
}

}  // namespace

Node integrability_of(const Explained& explained) {
  if (!explained.system) return {};
  const equations::DerivedFlag flag = equations::derived_flag(*explained.system, explained.bound->parameters,
                                                              probes_of(explained), sizes_of(explained));
  if (flag.dimensions.empty() && flag.not_sought.empty()) return {};
  if (!flag.not_sought.empty()) {
    Node node = Node::object({{"not_sought", flag.not_sought}});
    node.said = "\nintegrable combinations of rows were not determined: " + flag.not_sought + "\n";
    return node;
  }
  std::vector<std::string> dimensions;
  for (const int dimension : flag.dimensions) dimensions.push_back(std::to_string(dimension));
  const std::string decided =
      flag.is_by_form ? "by the form of the equations" : fmt::format("at {} probes around the start", flag.probes);
  Node node = Node::object({{"flag", flag.dimensions},
                            {"nonholonomic", flag.nonholonomic()},
                            {"decided", flag.is_by_form ? "form" : "probes"},
                            {"probes", flag.probes},
                            {"not_sought", Node()}});
  node.said = fmt::format("\nintegrability: {} nonholonomic {}; derived flag {}, {}\n", flag.nonholonomic(),
                          flag.nonholonomic() == 1 ? "degree" : "degrees", listed(dimensions), decided);
  Node& combinations = node.add("combinations", Node::list());
  for (const auto& combination : flag.combinations) combinations.add(combination_of(explained, combination));
  if (flag.combinations.empty()) node.say("  no combination of rows of velocity level is integrable\n");
  return node;
}

}  // namespace vinculum::report

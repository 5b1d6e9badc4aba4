#include "vinculum/elaborate/check/joint_rules.hpp"

#include <array>

#include "vinculum/lang/foreign_words.hpp"

namespace vinculum::elaborate {

using model::JointPart;

namespace {

constexpr std::array<std::pair<JointPart, std::string_view>, 8> kPartNames = {{
    {model::kJointAxis, "axis"},
    {model::kJointAxis2, "axis2"},
    {model::kJointRatio, "ratio"},
    {model::kJointPitch, "pitch"},
    {model::kJointLength, "length"},
    {model::kJointRadius, "radius"},
    {model::kJointSurface, "surface"},
    {model::kJointPrescribed, "prescribed"},
}};

std::string names_of(std::uint16_t parts, std::string_view between) {
  std::string result;
  for (const auto& [part, name] : kPartNames) {
    if ((parts & part) != 0) result += (result.empty() ? "" : std::string(between)) + "`" + std::string(name) + "`";
  }
  return result;
}

}  // namespace

std::vector<JointProblem> joint_part_problems(const model::JointInfo& info, const std::vector<JointPart>& stated) {
  const std::string joint = "a `" + std::string(info.name) + "` joint";
  std::vector<JointProblem> problems;
  std::uint16_t all = 0;
  for (const JointPart part : stated) {
    all |= part;
    if ((info.takes & part) == 0)
      problems.push_back({diag::Kind::kNotAllowedHere, joint + " takes no " + names_of(part, ""), part});
  }
  const auto missing = static_cast<std::uint16_t>(info.needs & ~all);
  if (missing != 0)
    problems.push_back({diag::Kind::kWrongArgumentCount, joint + " needs " + names_of(missing, " and ")});
  if (info.one_of != 0 && (info.one_of & all) == 0)
    problems.push_back({diag::Kind::kWrongArgumentCount, joint + " needs " + names_of(info.one_of, " or ")});
  return problems;
}

std::string joint_hint(const model::JointInfo& info) { return "write `" + std::string(info.signature) + "`"; }

std::string hint_for_joint(const std::string& word) {
  std::vector<std::string> names;
  for (const model::JointInfo& info : model::joint_table()) names.emplace_back(info.name);
  const std::string meant = lang::joint_meant(word);
  return meant.empty() ? diag::hint_among(word, names) : "did you mean `" + meant + "`?";
}

std::string_view problem_of_joint_number(JointPart part, double x) {
  if (part == model::kJointLength && x < 0.0) return " must be positive";
  if (part == model::kJointRatio && x == -1.0) return " is not -1: two such gears would be one";
  return part != model::kJointPitch && x == 0.0 ? " is not zero" : "";
}

}  // namespace vinculum::elaborate

#include "vinculum/elaborate/check/joint_rules.hpp"

#include <array>

#include "vinculum/diag/hints.hpp"
#include "vinculum/lang/foreign_words.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/surface_contact.hpp"

namespace vinculum::elaborate {

using model::JointPart;

namespace {

constexpr std::array<std::pair<JointPart, std::string_view>, 9> kPartNames = {{
    {model::kJointAxis, "axis"},
    {model::kJointAxis2, "axis2"},
    {model::kJointRatio, "ratio"},
    {model::kJointPitch, "pitch"},
    {model::kJointLength, "length"},
    {model::kJointRadius, "radius"},
    {model::kJointSurface, "surface"},
    {model::kJointPrescribed, "prescribed"},
    {model::kJointSurface2, "surface2"},
}};

std::string names_of(std::uint16_t parts, std::string_view between) {
  std::string result;
  for (const auto& [part, name] : kPartNames) {
    if ((parts & part) != 0) result += (result.empty() ? "" : std::string(between)) + "`" + std::string(name) + "`";
  }
  return result;
}

/// The joints that allow a particle, as text for messages: "`spherical`, `distance`".
std::string joints_of_particles() {
  std::string names;
  for (const model::JointInfo& info : model::joint_table()) {
    if ((info.sides & (model::kFirstParticle | model::kSecondParticle)) != 0)
      names += (names.empty() ? "`" : ", `") + std::string(info.name) + "`";
  }
  return names;
}

}  // namespace

std::vector<JointProblem> joint_part_problems(const model::JointInfo& info, const std::vector<JointPart>& stated) {
  const std::string joint = "a `" + std::string(info.name) + "` joint",
                    hint = "write `" + std::string(info.signature) + "`";
  std::vector<JointProblem> problems;
  std::uint16_t all = 0;
  for (const JointPart part : stated) {
    all |= part;
    if ((info.takes & part) == 0)
      problems.push_back({diag::Kind::kNotAllowedHere, joint + " takes no " + names_of(part, ""), hint, part});
  }
  const auto missing = static_cast<std::uint16_t>(info.needs & ~all);
  if (missing != 0)
    problems.push_back({diag::Kind::kWrongArgumentCount, joint + " needs " + names_of(missing, " and "), hint});
  if (info.one_of != 0 && (info.one_of & all) == 0)
    problems.push_back({diag::Kind::kWrongArgumentCount, joint + " needs " + names_of(info.one_of, " or "), hint});
  return problems;
}

std::optional<JointProblem> joint_side_problem(const model::JointInfo& info, model::JointSides particle,
                                               bool is_particle, bool has_matter, const std::string& name) {
  const std::string joint = "a `" + std::string(info.name) + "` joint";
  if (is_particle && (info.sides & particle) == 0)
    return JointProblem{diag::Kind::kNotAllowedHere, joint + " uses directions, and a particle has none",
                        info.kind == model::JointKind::kContact
                            ? "for a particle write the gap: `constraint c: norm(pos(P, Q)) >= R`"
                            : "particles are allowed in " + joints_of_particles()};
  if (!has_matter && (info.sides & model::kBareFrames) == 0)
    return JointProblem{diag::Kind::kNotAllowedHere,
                        joint + " acts at points of matter, and no body is fixed in the frame `" + name + "`",
                        "declare the body, its mass may be 0"};
  return std::nullopt;
}

std::optional<JointProblem> joint_surface_problem(model::JointKind kind, const std::string& word, std::size_t lengths,
                                                  bool has_radius) {
  const model::SurfaceInfo* info = model::find_surface(word);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const model::SurfaceInfo& one : model::surface_table()) names.emplace_back(one.name);
    return JointProblem{diag::Kind::kUnknownName, "unknown surface `" + word + "`", diag::hint_among(word, names)};
  }
  const bool rolls = kind == model::JointKind::kRolling, touches = kind == model::JointKind::kContact;
  if (!touches && (rolls ? !info->rolls : !info->holds_points))
    return JointProblem{diag::Kind::kNotAllowedHere,
                        "a " + word + (rolls ? " does not roll" : " is not a surface for a point"), ""};
  if (rolls && info->kind == model::SurfaceKind::kEllipsoid && has_radius)
    return JointProblem{diag::Kind::kNotAllowedHere, "an ellipsoid does not roll on a sphere",
                        "spheres, disks and tori roll on spheres; an ellipsoid rolls on a plane, across an `axis`"};
  if (info->lengths < 0) {
    if (lengths >= 3) return std::nullopt;
    return JointProblem{diag::Kind::kWrongArgumentCount, "a " + word + " has at least three corners",
                        "write `surface " + std::string(info->signature) + "`"};
  }
  if (lengths == static_cast<std::size_t>(info->lengths)) return std::nullopt;
  const std::string_view one = info->kind == model::SurfaceKind::kGround ? " height" : " length";
  return JointProblem{diag::Kind::kWrongArgumentCount,
                      "`" + word + "` takes " + std::to_string(info->lengths) + std::string(one) +
                          (info->lengths == 1 ? "" : "s") + ", found " + std::to_string(lengths),
                      "write `surface " + std::string(info->signature) + "`"};
}

std::string_view hint_for_length(model::JointKind kind) {
  return kind == model::JointKind::kContact ? "the inside of a sphere is the surface `hollow_sphere(R)`" : "";
}

std::optional<JointProblem> surface_pair_problem(model::SurfaceKind first, model::SurfaceKind second) {
  if (model::may_touch(first, second)) return std::nullopt;
  const auto name = [](model::SurfaceKind kind) { return "`" + std::string(model::surface_info(kind).name) + "`"; };
  std::string partners;
  for (const model::SurfaceInfo& one : model::surface_table()) {
    if (model::may_touch(first, one.kind)) partners += (partners.empty() ? "`" : ", `") + std::string(one.name) + "`";
  }
  using Surface = model::SurfaceKind;
  const auto has_edges = [](Surface kind) { return kind == Surface::kBox || kind == Surface::kPolygon; };
  const std::string_view instead =
      has_edges(first) && has_edges(second) ? "in a motion in a plane write `polygon` for both bodies"
      : first == Surface::kGround || second == Surface::kGround
          ? "a round body touches a ground at a nearest point, whose place is a coordinate of its own: docs/joints.md"
          : "other gaps are relations: `constraint c: GAP >= 0 [m]`";
  return JointProblem{diag::Kind::kNotSupported,
                      "contacts between " + name(first) + " and " + name(second) + " are not supported by this version",
                      name(first) + " has contacts with " + partners + "; " + std::string(instead)};
}

bool has_height(const lang::JointSurface& surface) {
  return surface.kind.text == model::surface_info(model::SurfaceKind::kGround).name;
}

bool is_contact(const lang::JointStatement& statement) { return statement.kind.text == model::contact_joint().name; }

std::vector<std::string> contact_names(const lang::JointStatement& statement) {
  const std::string& name = statement.name.text;
  if (!statement.surface || !statement.surface2) return {name};
  const auto *first = model::find_surface(statement.surface->kind.text),
             *second = model::find_surface(statement.surface2->kind.text);
  if (first == nullptr || second == nullptr || !model::may_touch(first->kind, second->kind)) return {name};
  return contact_names(name, first->kind, second->kind,
                       {statement.surface->arguments.size(), statement.surface2->arguments.size()});
}

std::vector<std::string> contact_names(const std::string& name, model::SurfaceKind first, model::SurfaceKind second,
                                       std::array<std::size_t, 2> lengths) {
  const int count = model::contact_count(first, second, lengths);
  if (count == 1) return {name};
  const std::string begin = name.ends_with(']') ? name.substr(0, name.size() - 1) + "," : name + "[";
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(begin + std::to_string(i) + "]");
  return names;
}

std::string hint_for_joint(const std::string& word) {
  std::vector<std::string> names{std::string(model::contact_joint().name)};
  for (const model::JointInfo& info : model::joint_table()) names.emplace_back(info.name);
  if (std::string hint = lang::hint_for_foreign_joint(word); !hint.empty()) return hint;
  const std::string meant = lang::joint_meant(word);
  return meant.empty() ? diag::hint_among(word, names) : "did you mean `" + meant + "`?";
}

std::string_view problem_of_joint_number(JointPart part, double x) {
  if (part == model::kJointLength && x < 0.0) return " must be positive";
  if (part == model::kJointRatio && x == -1.0) return " is not -1: two such gears would be one";
  return part != model::kJointPitch && x == 0.0 ? " is not zero" : "";
}

void require_joint_number(model::Model& model, JointPart part, model::Term number, std::string_view what) {
  model::require(
      model, {number}, [part](std::span<const double> x) { return problem_of_joint_number(part, x[0]).empty(); },
      std::string(what) + (part == model::kJointLength  ? " must be positive"
                           : part == model::kJointRatio ? " is neither 0 nor -1"
                                                        : " is not zero"));
}

}  // namespace vinculum::elaborate

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/solid.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::Term;

namespace {

struct SolidProblem {
  Kind kind;
  diag::SourceRange range;
  std::string message, hint;
};

/// A problem with the form of a solid: its name, the number of its sizes, its axis, its density.
/// \param info  its row of the table; null if there is none.
std::optional<SolidProblem> problem_of(const lang::BodyStatement& statement, const model::SolidInfo* info) {
  const lang::Name& kind = *statement.solid;
  if (info == nullptr) {
    std::string all;
    for (const model::SolidInfo& one : model::solid_table()) all += quote(one.signature) + ", ";
    return SolidProblem{Kind::kUnknownName, kind.range, "unknown solid " + quote(kind.text),
                        "the solids are " + all + "and any other inertia is `inertia (Ixx, Iyy, Izz)`"};
  }
  const std::string form = "write " + quote(info->signature) + ", a solid " + std::string(info->meaning);
  if (const std::size_t given = statement.inertia.size(); given != info->sizes)
    return SolidProblem{
        Kind::kWrongArgumentCount, kind.range,
        fmt::format("`{}` has {} {}, {} given", info->name, info->sizes, info->sizes == 1 ? "size" : "sizes", given),
        form};
  if (statement.solid_axis && !info->has_axis)
    return SolidProblem{Kind::kNotAllowedHere, statement.solid_axis->range, quote(kind.text) + " has no axis", form};
  if (statement.density && info->kind == model::SolidKind::kRod)
    return SolidProblem{Kind::kNotAllowedHere, statement.density->range, "a rod has no volume, and so no density",
                        "state its mass, as from a mass per length `mass 0.5 [kg/m]*l`; a thick rod is a "
                        "`cylinder(r, h)`"};
  return std::nullopt;
}

}  // namespace

bool Elaborator::is_positive(const lang::Expression& expression, const Value& value, std::string_view what) {
  const std::optional<double> number = value.is_fault() ? std::nullopt : number_now(expression, value, what);
  if (!number) return false;
  if (!(*number > 0.0))
    return refuse(Kind::kBadValue, expression.range, std::string(what) + " must be positive",
                  fmt::format("it is {:g} with the values in force", *number));
  model::require_positive(model_, value.term, what);
  return true;
}

Elaborator::MassAndInertia Elaborator::solid(const lang::BodyStatement& statement, FrameId frame) {
  const auto table = model::solid_table();
  const auto row = std::ranges::find(table, statement.solid->text, &model::SolidInfo::name);
  const model::SolidInfo* info = row == table.end() ? nullptr : &*row;
  if (auto problem = problem_of(statement, info)) {
    (void)refuse(problem->kind, problem->range, std::move(problem->message), std::move(problem->hint));
    return {};
  }
  bool is_right = true;
  std::vector<Term> sizes;
  for (const lang::ExpressionPtr& size : statement.inertia) {
    const Value value = check_.scalar_of(*size, make_dimension(0, 1, 0), "the size of a solid");
    is_right = is_positive(*size, value, "the size of a solid") && is_right;
    sizes.push_back(value.term);
  }
  std::array<Term, 3> axis;
  const int letter = statement.solid_axis ? axis_letter(*statement.solid_axis) : 2;
  for (int k = 0; k < 3; ++k) axis[static_cast<std::size_t>(k)] = pool_.number(k == letter ? 1.0 : 0.0);
  if (letter < 0 && frame.is_valid()) {
    const Term along = fixed_direction(*statement.solid_axis, frame, statement.frame.text, "the axis of a solid",
                                       "the axis of a solid is `x`, `y`, `z` or a vector");
    is_right = along.is_valid() && is_right;
    for (int k = 0; k < 3 && is_right; ++k)
      axis[static_cast<std::size_t>(k)] = pool_.dot(pool_.unit(along), pool_.basis_vector(frame, k));
  }
  MassAndInertia result;
  if (statement.mass) {
    result.mass = mass(*statement.mass, statement.name.text);
  } else {
    const Value density = check_.scalar_of(*statement.density, make_dimension(1, -3, 0), "a density");
    if (is_positive(*statement.density, density, "a density") && is_right)
      result.mass = density.term * model::volume_of(info->kind, sizes);
  }
  if (is_right && result.mass) result.inertia = model::inertia_of(info->kind, *result.mass, sizes, axis);
  return result;
}

}  // namespace vinculum::elaborate

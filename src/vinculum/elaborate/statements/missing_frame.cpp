#include "vinculum/elaborate/statements/missing_frame.hpp"

#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {
namespace {

const lang::NameReference* name_in(const lang::ExpressionPtr& place) {
  return place ? std::get_if<lang::NameReference>(&place->node) : nullptr;
}

class FrameUses final : public lang::Walker {
 public:
  explicit FrameUses(const std::function<bool(const std::string& name)>& is_declared) : is_declared_(is_declared) {}

  void statement(const lang::Statement& statement) override {
    if (const auto* point = std::get_if<lang::PointStatement>(&statement.node)) {
      if (const auto* fixed = std::get_if<lang::PointFixed>(&point->definition))
        note_frame(fixed->frame.text, fixed->frame.range);
      if (const auto* at = std::get_if<lang::PointAt>(&point->definition)) note_place(at->position);
    }
    if (const auto* particle = std::get_if<lang::ParticleStatement>(&statement.node)) note_place(particle->position);
    if (const auto* body = std::get_if<lang::BodyStatement>(&statement.node)) note_place(body->position);
    lang::Walker::statement(statement);
  }
  void expression(const lang::ExpressionPtr& place) override {
    if (const auto* member = std::get_if<lang::Member>(&place->node)) {
      const std::string& axis = member->member.text;
      const lang::NameReference* frame = name_in(member->operand);
      if (frame != nullptr && (axis == "x" || axis == "y" || axis == "z"))
        note_frame(frame->name, member->operand->range);
    }
    lang::Walker::expression(place);
  }

  MissingFrame found;

 private:
  void note_frame(const std::string& name, diag::SourceRange range) {
    if (has_use_ || is_declared_(name)) return;
    has_use_ = true;
    found.name = name;
    found.use = range;
  }
  /// Records the first name of a position such as `O + x*N.x`: the name of a point.
  void note_place(const lang::ExpressionPtr& place) {
    const lang::ExpressionPtr* first = &place;
    while (*first) {
      const auto* sum = std::get_if<lang::Binary>(&(*first)->node);
      if (sum == nullptr) break;
      first = &sum->left;
    }
    const lang::NameReference* point = name_in(*first);
    if (point != nullptr && found.point.empty() && !is_declared_(point->name)) found.point = point->name;
  }

  const std::function<bool(const std::string& name)>& is_declared_;
  bool has_use_ = false;
};

}  // namespace

MissingFrame find_missing_frame(const lang::ModelFile& file,
                                const std::function<bool(const std::string& name)>& is_declared) {
  FrameUses uses(is_declared);
  for (const lang::Statement& statement : file.statements) uses.statement(statement);
  return std::move(uses.found);
}

}  // namespace vinculum::elaborate

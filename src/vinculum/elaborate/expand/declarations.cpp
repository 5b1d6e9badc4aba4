#include "vinculum/elaborate/expand/declarations.hpp"

#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {
namespace {

/// Walks through statements and collects the names that they declare.
class Collector final : public lang::Walker {
 public:
  explicit Collector(Declarations& found) : found_(found) {}

  void statement(const lang::Statement& statement) override {
    if (const auto* use = std::get_if<lang::UseStatement>(&statement.node)) found_.uses.insert(use->as.text);
    const auto* let = std::get_if<lang::LetStatement>(&statement.node);
    if (let != nullptr && !let->parameters.empty()) {
      found_.functions.insert(let->name.text);
      return;
    }
    const auto* joint = std::get_if<lang::JointStatement>(&statement.node);
    if (joint != nullptr && has_several_contacts(*joint)) found_.families.insert(joint->name.text);
    const auto* component = std::get_if<lang::ComponentStatement>(&statement.node);
    if (component != nullptr)
      found_.components.insert(component->name.text);
    else
      lang::Walker::statement(statement);
  }
  void expression(const lang::ExpressionPtr&) override {}
  void declared(const lang::Name& name) override {
    (name.indices.empty() ? found_.plain : found_.families).insert(name.text);
  }

 private:
  Declarations& found_;
};

}  // namespace

void Declarations::add(const std::vector<lang::Statement>& statements) {
  Collector collector(*this);
  for (const lang::Statement& statement : statements) collector.statement(statement);
}

}  // namespace vinculum::elaborate

#include "vinculum/elaborate/expand/declarations.hpp"

#include "vinculum/lang/clone.hpp"

namespace vinculum::elaborate {
namespace {

/// Goes over statements as a copier does, notes what they declare, and copies no expression.
class Collector final : public lang::Copier {
 public:
  explicit Collector(Declarations& found) : found_(found) {}

  using lang::Copier::copy;
  lang::ExpressionPtr copy(const lang::Expression&) override { return nullptr; }
  lang::Statement copy(const lang::Statement& statement) override {
    if (const auto* use = std::get_if<lang::UseStatement>(&statement.node)) found_.uses.insert(use->as.text);
    if (std::holds_alternative<lang::ComponentStatement>(statement.node)) return {};
    return lang::Copier::copy(statement);
  }

 protected:
  lang::Name declared(const lang::Name& name) override {
    (name.indices.empty() ? found_.plain : found_.families).insert(name.text);
    return {};
  }

 private:
  Declarations& found_;
};

}  // namespace

void Declarations::add(const std::vector<lang::Statement>& statements) {
  Collector collector(*this);
  for (const lang::Statement& statement : statements) (void)collector.copy(statement);
}

}  // namespace vinculum::elaborate

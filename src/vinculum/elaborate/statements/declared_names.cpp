#include "vinculum/elaborate/statements/declared_names.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/context.hpp"
#include "vinculum/lang/walk.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::elaborate {
namespace {

/// The kind of thing that a statement declares, for kinds whose word is not the keyword.
constexpr std::pair<std::string_view, std::string_view> kKindsByKeyword[] = {
    {"param", "parameter"}, {"coord", "coordinate"}, {"limits", "constraint"}};

std::string kind_by_keyword(std::string_view keyword) {
  const auto found = std::ranges::find(kKindsByKeyword, keyword, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == std::end(kKindsByKeyword) ? keyword : found->second);
}

std::string_view keyword_of(const diag::SourceText& source, diag::SourceRange statement) {
  const std::string_view text = source.slice(statement);
  return text.substr(0, std::min(text.find_first_of(" \t\r\n{"), text.size()));
}

/// The block of comments directly above a statement, and the comment behind it.
std::vector<std::string> comments_of(const lang::Statement& statement) {
  const auto plain = [](std::string text) {
    text.erase(0, std::min(text.find_first_not_of("# "), text.size()));
    return text;
  };
  const auto& above = statement.comments_before;
  const auto first = std::find(above.rbegin(), above.rend(), std::string()).base();
  std::vector<std::string> comments;
  std::transform(first, above.end(), std::back_inserter(comments), plain);
  if (!statement.comment_behind.empty()) comments.push_back(plain(statement.comment_behind));
  return comments;
}

UnitText unit_of_value(const model::Model& model, const Value& value) {
  if (is_moment(value.dimension, value.turning) && model.has_units) return model::unit_of_force(model, true);
  return model::unit_of(model, value.dimension);
}

/// Unit and value of a symbol whose statement has no error.
void describe_quantity(const model::Model& model, const Symbol& symbol, DeclaredName& declared) {
  const auto at = [&](const auto& all) { return symbol.index < all.size() ? &all[symbol.index] : nullptr; };
  if (symbol.value.is_quantity() || symbol.value.is_array()) {
    declared.quantity = describe(symbol.value);
    if (symbol.value.is_quantity()) declared.unit = unit_of_value(model, symbol.value);
    return;
  }
  if (symbol.kind == SymbolKind::kParameter) {
    if (const auto* parameter = at(model.parameters)) {
      declared.unit = model::unit_of(model, *parameter);
      declared.value = parameter->value;
    }
  } else if (symbol.kind == SymbolKind::kCoordinate) {
    if (const auto* coordinate = at(model.coordinates)) declared.unit = model::unit_of(model, *coordinate);
  } else if (symbol.kind == SymbolKind::kSpeed) {
    if (const auto* speed = at(model.speeds)) declared.unit = model::unit_of(model, *speed);
  } else if (symbol.kind == SymbolKind::kState) {
    if (const auto* state = at(model.states)) declared.unit = model::unit_of(model, *state);
  }
}

/// Collects the names of a file that its model does not have.
class WrittenNames final : public lang::Walker {
 public:
  WrittenNames(const diag::SourceText& source, std::vector<DeclaredName>& found) : source_(source), found_(found) {}

  void statement(const lang::Statement& statement) override {
    const auto outer = std::pair(std::exchange(current_, &statement), scope_);
    if (const auto* model = std::get_if<lang::ModelStatement>(&statement.node)) add(model->name, "model");
    if (const auto* use = std::get_if<lang::UseStatement>(&statement.node)) add(use->as, "use");
    if (const auto* component = std::get_if<lang::ComponentStatement>(&statement.node)) {
      add(component->name, "component");
      scope_ = statement.range;
      is_inside_component_ = true;
      for (const lang::Name& parameter : component->parameters) add(parameter, "argument");
    }
    if (const auto* loop = std::get_if<lang::ForStatement>(&statement.node)) {
      const diag::SourceRange around = std::exchange(scope_, statement.range);
      add(loop->variable, "index");
      scope_ = around;
    }
    lang::Walker::statement(statement);
    if (std::holds_alternative<lang::ComponentStatement>(statement.node)) is_inside_component_ = false;
    std::tie(current_, scope_) = outer;
  }
  void expression(const lang::ExpressionPtr&) override {}
  void declared(const lang::Name& name) override {
    if (is_inside_component_) add(name, kind_by_keyword(keyword_of(source_, current_->range)));
  }

 private:
  void add(const lang::Name& name, std::string kind) {
    found_.push_back({name.text, std::move(kind), name.range, current_->range, scope_});
    found_.back().comments = comments_of(*current_);
  }

  const diag::SourceText& source_;
  std::vector<DeclaredName>& found_;
  const lang::Statement* current_ = nullptr;
  diag::SourceRange scope_;
  bool is_inside_component_ = false;
};

}  // namespace

std::vector<DeclaredName> declared_names(const Context& context) {
  std::vector<DeclaredName> found;
  for (const Symbol* symbol : context.scope.all()) {
    if (symbol->statement >= context.file.statements.size()) continue;
    const lang::Statement& statement = context.file.statements[symbol->statement];
    const bool is_particle = std::holds_alternative<lang::ParticleStatement>(statement.node);
    DeclaredName& declared = found.emplace_back(
        symbol->name, is_particle ? "particle" : std::string(to_string(symbol->kind)), symbol->range, statement.range);
    declared.comments = comments_of(statement);
    if (symbol->state == SymbolState::kReady && !symbol->is_doubtful)
      describe_quantity(context.model, *symbol, declared);
  }
  std::ranges::sort(found, {}, [](const DeclaredName& one) { return std::tie(one.range, one.name); });
  return found;
}

std::vector<DeclaredName> written_names(const lang::ModelFile& file, const diag::SourceText& source) {
  std::vector<DeclaredName> found;
  WrittenNames walker(source, found);
  for (const lang::Statement& statement : file.statements) walker.statement(statement);
  return found;
}

}  // namespace vinculum::elaborate

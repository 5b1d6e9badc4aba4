#include "vinculum/elaborate/check/scope.hpp"

#include <algorithm>

#include "vinculum/lang/foreign_words.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

char to_lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string declared_twice(const std::string& name) { return "`" + name + "` is declared twice"; }

std::string_view to_string(SymbolKind kind) {
  constexpr std::string_view kWords[] = {"parameter",  "coordinate",     "speed",  "let",   "frame", "point", "body",
                                         "constraint", "revealed force", "output", "state", "event", "input"};
  return kWords[static_cast<std::size_t>(kind)];
}

Symbol* Scope::declare(SymbolKind kind, const lang::Name& name, std::size_t statement) {
  if (lang::is_reserved(name.text)) {
    reporter_.error(Kind::kReservedName, name.range,
                    "`" + name.text + "` is a word of the language and cannot be declared",
                    "choose another name for this " + std::string(to_string(kind)));
    forgive(name.text);
    return nullptr;
  }
  const auto [at, is_new] = symbols_.try_emplace(name.text);
  Symbol& symbol = at->second;
  if (!is_new && symbol.range == name.range) {
    // The same text once more: in a loop, or in a file that is included twice.
    reporter_.error(Kind::kDuplicateName, name.range, "`" + name.text + "` is declared more than once by this",
                    "in a loop a name needs an index: `" + name.text + "[i]`");
    return nullptr;
  }
  if (!is_new) {
    reporter_.error(
        Kind::kDuplicateName, name.range, declared_twice(name.text),
        diag::Label{symbol.range, "first declared here, as " + with_article(std::string(to_string(symbol.kind)))},
        kHintOfDeclaredTwice);
    return nullptr;
  }
  symbol.kind = kind;
  symbol.name = name.text;
  symbol.range = name.range;
  symbol.statement = statement;
  return &symbol;
}

void Scope::forgive(const std::string& name, std::uint32_t from) {
  const auto [at, is_new] = forgiven_.try_emplace(name, from);
  if (!is_new) at->second = std::min(at->second, from);
}

bool Scope::is_forgiven(const std::string& name, std::uint32_t at) const {
  const auto found = forgiven_.find(name);
  return (all_forgiven_from_ && at >= *all_forgiven_from_) || (found != forgiven_.end() && at >= found->second);
}

Symbol* Scope::find(const std::string& name) {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

std::vector<const Symbol*> Scope::all() const {
  std::vector<const Symbol*> symbols;
  for (const auto& [name, symbol] : symbols_) symbols.push_back(&symbol);
  return symbols;
}

const FunctionInfo* Scope::function(const std::string& name, diag::SourceRange at) {
  return find(name) != nullptr || is_forgiven(name, at.begin) ? nullptr : find_function(name);
}

Symbol* Scope::resolve(const std::string& name, diag::SourceRange range, std::size_t statement) {
  Symbol* symbol = find(name);
  if (symbol == nullptr) {
    if (is_forgiven(name, range.begin)) {
      reporter_.leave_out();
      return nullptr;
    }
    if (const FunctionInfo* info = find_function(name)) {
      reporter_.error(Kind::kWrongKind, range, "`" + name + "` is a function and needs its arguments",
                      "write `" + std::string(info->signature) + "`");
      return nullptr;
    }
    reporter_.error(Kind::kUnknownName, range, "unknown name `" + name + "`",
                    reporter_.gives_hints() ? hint_for(name, statement) : std::string());
    forgive(name);  // so that one cause is reported once
    return nullptr;
  }
  if (symbol->state == SymbolState::kFaulty) {
    reporter_.leave_out();
    return nullptr;
  }
  if (symbol->statement > statement || (symbol->statement == statement && symbol->state == SymbolState::kDeclared)) {
    if (!early_.insert(name).second) {
      reporter_.leave_out();
      return nullptr;
    }
    reporter_.error(Kind::kUnknownName, range, "`" + name + "` is used before it is declared",
                    diag::Label{symbol->range, "declared here"},
                    "declare names before their use: move the declaration up");
    return nullptr;
  }
  return symbol;
}

std::string hint_for_part(SymbolKind kind, const std::string& owner, const std::string& part) {
  struct Row {
    std::string_view words, function;
  };
  constexpr Row kFunctions[] = {{" v vel velocity speed ", "vel"},
                                {" a acc accel acceleration ", "acc"},
                                {" w omega angvel angular_velocity ", "omega"},
                                {" alpha angacc ", "alpha"},
                                {" p momentum ", "momentum"},
                                {" com cg center centre ", "center"}};
  const bool is_body = kind == SymbolKind::kBody, is_point = kind == SymbolKind::kPoint;
  if (is_body || is_point) {
    for (const auto& [words, function] : kFunctions) {
      const bool is_of_bodies = function == "omega" || function == "alpha" || function == "center";
      if (words.find(" " + part + " ") != words.npos && (is_body || !is_of_bodies))
        return "write `" + std::string(function) + "(" + owner + ")`";
    }
    if (part == "pos" || part == "position" || part == "r")
      return "a position is relative to a point: `pos(" + owner + ", O)`";
    if (part == "mass" || part == "m" || part == "inertia" || part == "I")
      return "the statement of `" + owner + "` states: give it a name by `param`, and use that";
  }
  if (is_body || kind == SymbolKind::kFrame)
    return "a point is declared by `point " + part + " = " + (is_body ? owner : "P") + " + …*" + owner +
           ".x`, and named `" + part + "`";
  if (is_point) return "a point has no parts: another one is declared by `point " + part + " = " + owner + " + VEC`";
  if (kind == SymbolKind::kConstraint)
    return "results of a constraint are `multiplier(" + owner + ")`, `force(" + owner + ", P)`";
  return {};
}

/// Hint for an unknown name: the derivative that is meant, the corresponding word of this language, or the nearest
/// name.
std::string Scope::hint_for(const std::string& name, std::size_t statement) {
  const std::size_t dot = name.rfind('.');
  const Symbol* owner = dot == name.npos ? nullptr : find(name.substr(0, dot));
  if (owner != nullptr) return hint_for_part(owner->kind, owner->name, name.substr(dot + 1));
  if (std::string limits = hint_for_limits(name); !limits.empty()) return limits;
  const std::string derivative = lang::derivative_meant(name);
  const Symbol* variable = derivative.empty() ? nullptr : find(derivative.substr(0, derivative.find('\'')));
  if (variable != nullptr && (variable->kind == SymbolKind::kCoordinate || variable->kind == SymbolKind::kSpeed))
    return "the time derivative of `" + variable->name + "` is `" + derivative + "`";
  const std::string nearest = diag::nearest_name(name, names_before(statement));
  const bool is_case_alone = nearest.size() == name.size() && std::ranges::equal(nearest, name, {}, to_lower, to_lower);
  const std::string foreign = is_case_alone ? std::string() : lang::hint_for_foreign_name(name);
  return !foreign.empty() ? foreign : nearest.empty() ? std::string() : "did you mean `" + nearest + "`?";
}

std::string Scope::hint_for_limits(const std::string& owner) {
  const auto is_limit = [&](const char* end) {
    const Symbol* symbol = find(owner + end);
    return symbol != nullptr && symbol->kind == SymbolKind::kConstraint;
  };
  const bool has_min = is_limit(".min"), has_max = is_limit(".max");
  if (has_min && has_max) return "its limits are " + quote(owner + ".min") + " and " + quote(owner + ".max");
  return has_min || has_max ? "its limit is " + quote(owner + (has_min ? ".min" : ".max")) : std::string();
}

std::vector<std::string> Scope::names_before(std::size_t statement) const {
  std::vector<std::string> names;
  for (const auto& [name, symbol] : symbols_) {
    if (symbol.statement <= statement) names.push_back(name);
  }
  for (const FunctionInfo& info : function_table()) {
    if (info.max_arguments == 0) names.emplace_back(info.name);  // such as `energy`
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace vinculum::elaborate

#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/expander.hpp"
#include "vinculum/elaborate/expand/function_check.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

using diag::Kind;

lang::ExpressionPtr make_number(std::int64_t value, diag::SourceRange range) {
  const auto magnitude = static_cast<double>(value < 0 ? -value : value);
  auto number = std::make_unique<lang::Expression>(lang::Expression{
      lang::NumberLiteral{magnitude, std::to_string(value < 0 ? -value : value), std::nullopt}, range});
  if (value >= 0) return number;
  return std::make_unique<lang::Expression>(
      lang::Expression{lang::Unary{lang::UnaryOperator::kMinus, std::move(number)}, range});
}

namespace {

std::string text_of(std::span<const std::int64_t> indices) {
  std::string text;
  for (const std::int64_t index : indices) text += (text.empty() ? "[" : ",") + std::to_string(index);
  return text.empty() ? text : text + "]";
}

lang::ExpressionPtr make_reference(std::string name, diag::SourceRange range) {
  return std::make_unique<lang::Expression>(lang::Expression{lang::NameReference{std::move(name)}, range});
}

/// Splits "x.B[2]" into "x" and "B[2]".
std::pair<std::string, std::string> owner_and_own(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::pair(std::string(), name)
                                  : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

/// Whether all names in the expression are parameters.
bool is_of_parameters(const lang::Expression& expression, Constants& constants) {
  const auto* name = as_name(expression);
  bool result = name == nullptr || constants.has(name->name);
  for_each_operand(expression,
                   [&](const lang::Expression& operand) { result = is_of_parameters(operand, constants) && result; });
  return result;
}

std::string without_index(const std::string& name) {
  return name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
}

/// Text for messages: "`q[1]` to `q[3]`" if the indices are consecutive, otherwise a list of the names.
std::string range_of_family(const std::string& family, std::vector<std::vector<std::int64_t>> members) {
  constexpr std::size_t kMostShown = 6;
  std::ranges::sort(members);
  const bool is_run = members.size() > 2 &&
                      std::ranges::all_of(members, [](const auto& one) { return one.size() == 1; }) &&
                      members.back()[0] - members.front()[0] + 1 == static_cast<std::int64_t>(members.size());
  if (is_run) return "`" + family + text_of(members.front()) + "` to `" + family + text_of(members.back()) + "`";
  std::string text;
  for (std::size_t i = 0; i < std::min(members.size(), kMostShown); ++i) {
    text += (text.empty() ? "`" : ", `") + family + text_of(members[i]) + "`";
  }
  return members.size() > kMostShown ? text + ", …" : text;
}

}  // namespace

void Expander::write_out(lang::ExpressionPtr& place, bool may_be_family) {
  ++nodes_;
  if (written_out_ > 0 && nodes_ > kMostNodes) {
    stop(Kind::kTooManyStatements, place->range, "written out, the expressions are too long",
         "arguments of components are written out where they are used");
  }
  if (is_stopped_) return;
  ++height_;
  if (const auto* name = as_name(*place))
    place = reference(name->name, place->range, may_be_family);
  else if (std::holds_alternative<lang::Index>(place->node))
    index_of(place);
  else if (std::holds_alternative<lang::Member>(place->node))
    member_of(place, may_be_family);
  else if (std::holds_alternative<lang::Call>(place->node))
    call_of(place);
  else
    lang::Rewriter::expression(place);
  --height_;
}

lang::ExpressionPtr Expander::written_out(const lang::ExpressionPtr& written, bool may_be_family) {
  lang::ExpressionPtr result = written;
  write_out(result, may_be_family);
  return result;
}

void Expander::surface(lang::JointSurface& surface) {
  scope_->in_height = has_height(surface);
  lang::Rewriter::surface(surface);
  scope_->in_height = false;
}

lang::ExpressionPtr Expander::reference(const std::string& name, diag::SourceRange range, bool may_be_family) {
  if (scope_->in_height && is_axis_letter(name)) return make_reference(name, range);
  const Meaning meaning = meaning_of(name);
  if (meaning.number) return make_number(*meaning.number, range);
  if (meaning.argument != nullptr) {
    lang::ExpressionPtr value = substitute(*meaning.argument, range);
    if (const auto* its = as_name(*value)) note(its->name, range, may_be_family);
    return value;
  }
  if (const auto function = functions_.find(meaning.name); function != functions_.end()) {
    reporter_.error(Kind::kWrongKind, range, "`" + name + "` is a function: it needs its arguments",
                    "write `" + signature_of(*function->second.statement) + "`");
    forgive(meaning.name);
  }
  note(meaning.name, range, may_be_family);
  return make_reference(meaning.name, range);
}

lang::ExpressionPtr Expander::substitute(const Argument& argument, diag::SourceRange range) {
  nodes_ += argument.nodes;
  if (nodes_ > kMostNodes) {
    stop(Kind::kTooManyStatements, range, "written out, the expressions are too long",
         "arguments of components are written out where they are used");
  } else if (height_ + argument.height > lang::kMaxHeight) {
    stop(Kind::kNestingTooDeep, range,
         "with the arguments of components in their places this expression is nested too deeply");
  }
  return is_stopped_ ? lang::ExpressionPtr(make_number(0, range)) : argument.value;
}

void Expander::index_of(lang::ExpressionPtr& place) {
  auto& node = std::get<lang::Index>(place->node);
  write_out(node.operand, true);
  const auto* name = as_name(*node.operand);
  if (name == nullptr || !is_family(name->name)) {
    for (lang::ExpressionPtr& one : node.indices) {
      write_out(one, false);
      if (!is_bare_number(*one) && is_of_parameters(*one, constants_)) {
        if (const auto value = constants_.whole_if_any(*one)) one = make_number(*value, one->range);
      }
    }
    return;
  }
  Indices indices;
  for (const lang::ExpressionPtr& one : node.indices) {
    const auto value = index(one);
    if (!value) {
      forgive(name->name + "[?]");
      place = make_reference(name->name + "[?]", place->range);
      return;
    }
    indices.push_back(*value);
  }
  const std::string full = name->name + text_of(indices);
  note(full, place->range);
  place = make_reference(full, place->range);
}

void Expander::member_of(lang::ExpressionPtr& place, bool may_be_family) {
  auto& node = std::get<lang::Member>(place->node);
  const diag::SourceRange range = node.operand->range;
  write_out(node.operand, true);
  const auto* name = as_name(*node.operand);
  if (name == nullptr || !is_use(name->name)) {
    if (name != nullptr) note(name->name, range);
    return;
  }
  const std::string full = name->name + "." + node.member.text;
  note(full, place->range, may_be_family);
  place = make_reference(full, place->range);
}

Expander::Meaning Expander::meaning_of(const std::string& name) {
  const auto loop = std::ranges::find(scope_->loops.rbegin(), scope_->loops.rend(), name, &LoopVariable::name);
  if (loop != scope_->loops.rend()) return {name, nullptr, loop->value};
  if (const auto argument = scope_->arguments.find(name); argument != scope_->arguments.end())
    return {name, &argument->second};
  if (scope_->component == nullptr) return {name};
  if (scope_->declarations->has(name)) return {scope_->prefix + name};
  const bool is_word = lang::is_reserved(name) || find_function(name) != nullptr;
  if (is_word && !main_.has(name)) return {name};
  // The definition of the component has reported this name.
  reporter_.leave_out();
  forgive(scope_->prefix + name);
  return {scope_->prefix + name};
}

std::string Expander::name_of(const lang::Name& name, bool is_owner) {
  std::string full;
  if (name.owner) {
    full = name_of(*name.owner, true) + "." + name.text;
  } else {
    const std::size_t dot = std::min(name.text.find('.'), name.text.size());
    const std::string base = name.text.substr(0, dot);
    const Meaning meaning = meaning_of(base);
    full = meaning.name;
    const auto* passed = meaning.argument == nullptr ? nullptr : as_name(*meaning.argument->value);
    if (passed != nullptr) {
      full = passed->name;
    } else if (meaning.number || meaning.argument != nullptr) {
      std::vector<diag::Label> labels;
      if (meaning.argument != nullptr) labels.push_back({meaning.argument->value->range, "its value"});
      reporter_.report({Kind::kWrongKind,
                        diag::Severity::kError,
                        name.range,
                        "a name is needed here, `" + base + "` is " + (meaning.number ? "a number" : "an expression"),
                        {},
                        std::move(labels),
                        {}});
      full += "[?]";
      forgive(full);
    }
    full += name.text.substr(dot);
  }
  if (!name.indices.empty()) {
    const auto indices = indices_of(name.indices);
    if (!indices) forgive(full + "[?]");
    full += indices ? text_of(*indices) : "[?]";
  }
  if (!is_owner) note(full, name.range);
  return full;
}

void Expander::declared(lang::Name& name) {
  const auto indices = indices_of(name.indices);
  std::string full = indices ? declare(name, indices) : scope_->prefix + name.text + "[?]";
  if (!indices) {
    at_fault_.insert(name.text);
    forgive(full);
  }
  name = {std::move(full), name.range};
}

std::string Expander::declare(const lang::Name& name, const std::optional<Indices>& indices) {
  const std::string base = scope_->prefix + name.text;
  const bool has_index = indices && !indices->empty();
  const std::string full = has_index ? base + text_of(*indices) : base;
  const auto report_twice = [&](std::string message) {
    reporter_.error(Kind::kDuplicateName, name.range, std::move(message));
  };
  if (full != name.text && lang::is_reserved(name.text)) {
    reporter_.error(Kind::kReservedName, name.range,
                    "`" + name.text + "` is a word of the language and cannot be declared");
  } else if (has_index && declared_.contains(base)) {
    report_twice("`" + base + "` is declared without indices already");
  } else if (!has_index && members_.contains(base)) {
    report_twice("`" + base + "` is declared with indices already");
  } else if (uses_.contains(full)) {
    report_twice("`" + full + "` is the use of a component already");
  } else if (functions_.contains(full)) {
    report_twice("`" + full + "` is a function already");
  }
  if (has_index) members_[base].push_back(*indices);
  declared_.insert(full);
  return full;
}

std::optional<Expander::Indices> Expander::indices_of(const std::vector<lang::ExpressionPtr>& written) {
  Indices indices;
  bool is_right = true;
  for (const lang::ExpressionPtr& one : written) {
    const auto value = index(one);
    is_right = is_right && value.has_value();
    indices.push_back(value.value_or(0));
  }
  return is_right ? std::optional(indices) : std::nullopt;
}

std::optional<std::int64_t> Expander::index(const lang::ExpressionPtr& written) {
  if (!std::holds_alternative<lang::Range>(written->node)) return whole(written, "an index");
  reporter_.error(Kind::kNotAllowedHere, written->range, "a range of indices is allowed only in `coord` and `param`",
                  "write the others one by one, in a `for`");
  return std::nullopt;
}

std::optional<std::int64_t> Expander::whole(const lang::ExpressionPtr& written, std::string_view what) {
  const lang::ExpressionPtr expression = written_out(written);
  if (is_stopped_ || !uses_parameters_only(*expression, what)) return std::nullopt;
  return constants_.whole(*expression, what);
}

bool Expander::uses_parameters_only(const lang::Expression& expression, std::string_view what) {
  if (const auto* name = as_name(expression)) {
    const bool is_motion = name->name == "t" && !constants_.has(name->name) && !declared_.contains(name->name);
    if (!is_motion && (constants_.has(name->name) || lang::is_reserved(name->name))) return true;
    const auto [owner, own] = owner_and_own(name->name);
    const Declarations* known = declarations_of(owner);
    const bool is_reported_as_family = is_family(name->name) && members_.contains(name->name);
    if (is_at_fault(name->name) || result_.names_lost_from || is_reported_as_family) {
      reporter_.leave_out();
      return false;
    }
    if (is_motion || declared_.contains(name->name)) {
      const bool chooses = what.ends_with("`if`");
      reporter_.error(Kind::kNotAllowedHere, expression.range,
                      std::string(what) + " uses parameters only, `" + name->name + "` is none",
                      chooses ? "`if … { }` is decided before the run; a switch along the motion is an expression: "
                                "`force on P = A if y < 0 else B`"
                              : "it is known before the model is built");
      return false;
    }
    if (known != nullptr && known->has(own)) {
      reporter_.error(Kind::kUnknownName, expression.range, "`" + name->name + "` is used before it is declared",
                      "declare names before their use: move the declaration up");
      std::erase_if(references_, [&](const Reference& one) { return one.range == expression.range; });
      return false;
    }
    return true;  // elaboration reports it as unknown
  }
  bool result = true;
  for_each_operand(expression,
                   [&](const lang::Expression& operand) { result = uses_parameters_only(operand, what) && result; });
  return result;
}

const Declarations* Expander::declarations_of(const std::string& prefix) const {
  if (prefix.empty()) return &main_;
  const auto found = uses_.find(prefix);
  return found == uses_.end() ? nullptr : found->second;
}

bool Expander::is_family(const std::string& name) const {
  const auto [owner, own] = owner_and_own(name);
  const Declarations* known = declarations_of(owner);
  return known != nullptr && known->families.contains(own) && !declared_.contains(name);
}

bool Expander::is_use(const std::string& name) const {
  if (uses_.contains(name)) return true;
  const auto [owner, own] = owner_and_own(name);
  const Declarations* known = declarations_of(owner);
  return known != nullptr && known->uses.contains(without_index(own)) && !declared_.contains(name);
}

bool Expander::is_at_fault(const std::string& name) const {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (at_fault_.contains(without_index(name.substr(begin, end - begin)))) return true;
    begin = end + 1;
  }
  return false;
}

void Expander::note(const std::string& name, diag::SourceRange range, bool may_be_family) {
  const bool wants_index = !may_be_family && is_family(name);
  const bool is_composed = name.find_first_of(".[") != std::string::npos;
  if ((is_composed || wants_index) && referenced_.insert(name).second)
    references_.push_back({name, range, wants_index});
}

void Expander::check_references() {
  for (const Reference& reference : references_) {
    const std::string& name = reference.name;
    if (declared_.contains(name)) continue;
    if (is_at_fault(name)) {
      forgive(name);
      continue;
    }
    const std::string family = without_index(name);
    const auto members = members_.find(family);
    if (reference.wants_index) {
      const std::string all = members == members_.end() ? std::string() : range_of_family(family, members->second);
      reporter_.error(Kind::kWrongKind, reference.range, "`" + name + "` is a family: an index chooses a member",
                      all.empty() ? std::string() : "there are " + all);
    } else if (family != name && members != members_.end()) {
      reporter_.error(Kind::kUnknownName, reference.range, "there is no `" + name + "`",
                      "there are " + range_of_family(family, members->second));
    } else if (family != name && declared_.contains(family)) {
      reporter_.error(Kind::kWrongKind, reference.range, "`" + family + "` has no indices");
    } else {
      continue;  // elaboration reports it with similar names
    }
    forgive(name);
  }
}

}  // namespace vinculum::elaborate

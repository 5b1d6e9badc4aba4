#include "vinculum/lang/walk.hpp"

#include "vinculum/lang/syntax.hpp"

namespace vinculum::lang {
namespace {

bool is_plain_axis(const Expression& expression) {
  const auto* word = std::get_if<NameReference>(&expression.node);
  return word != nullptr && (word->name == "x" || word->name == "y" || word->name == "z");
}

// The elements of the grammar, for a walk: names and expressions are passed to the walker, everything else is skipped.
template <bool kMayChange>
struct Steps {
  static constexpr bool kReads = false;
  BasicWalker<kMayChange>& to;

  Steps& declared(auto& name, auto&&...) { return to.declared(name), *this; }
  Steps& before_unit(auto& name, auto&&...) { return declared(name); }
  Steps& family(auto& name, auto&&...) { return declared(name); }
  Steps& reference(auto& name, auto&&...) { return to.used(name), *this; }
  Steps& parent(auto& name) { return reference(name); }
  Steps& groups(auto& groups) {
    for (auto& group : groups) {
      for (auto& name : group.names) declared(name);
      unit(group.unit).expression(group.scale);
    }
    return *this;
  }

  Steps& expression(auto& place, auto&&...) {
    if (place) to.expression(place);
    return *this;
  }
  Steps& expressions(auto& places) {
    for (auto& place : places) step(place);
    return *this;
  }
  // After `about`, the names x, y and z denote axes, even if they are also declared for something else.
  Steps& axis(auto& place) { return place && is_plain_axis(*place) ? *this : expression(place); }
  Steps& unit(auto& closing) {
    if (closing) to.unit(*closing);
    return *this;
  }
  Steps& value(auto& place, auto& closing) { return expression(place).unit(closing); }
  Steps& variable(auto& place) { return expression(place); }
  Steps& unless_word(auto& place, std::initializer_list<std::string_view>, auto&&...) { return expression(place); }
  Steps& range(auto& from, auto& to_end, auto&&...) { return expression(from).expression(to_end); }
  Steps& inertia(auto& places) { return expressions(places); }
  Steps& sizes(auto& places, auto& along) { return expressions(places).axis(along); }
  Steps& only(auto& places) { return expressions(places); }
  bool flag(std::string_view, bool is_there) { return is_there; }
  Steps& joined(auto& point) { return reference(point.name); }
  Steps& arguments(auto& places, auto&&...) { return expressions(places); }
  Steps& items(auto& items, const auto& each) {
    for (auto& item : items) each(*this, item);
    return *this;
  }
  Steps& ranged(auto&, const auto& item) { return item(), *this; }
  Steps& when(auto& expected) { return expression(expected.time); }
  Steps& relation(auto& constraint) { return expression(constraint.left).expression(constraint.right); }
  bool is_named(const std::optional<Name>& name) { return name.has_value(); }
  Steps& bounds(auto& lower, auto& upper) { return expression(lower).expression(upper); }
  Steps& one_of(auto&, std::initializer_list<std::string_view>) { return *this; }
  Steps& law(auto& clause) {
    for (auto& argument : clause.arguments) {
      step(argument.of);
      expressions(argument.values);
    }
    return *this;
  }

  Steps& option(std::string_view, auto& value, auto&&...) { return step(value); }
  Steps& options(const auto&... all) { return (step(all.value), ...), *this; }
  Steps& parts(const auto&... all) { return options(all...); }
  bool begins(std::string_view, bool is_there) { return is_there; }
  bool turns(bool does) { return does; }
  bool claims_equality(const ExpectValue& expected) { return expected.right != nullptr; }
  Steps& clauses(auto& statement) { return all(statement.clauses); }
  Steps& actions(auto& event) { return all(event.clauses); }
  bool is_sampled(auto& state) { return state.period != nullptr; }
  bool has_value(const InputStatement& input) { return input.value != nullptr; }
  auto trigger(auto& event) { return event.trigger; }
  Steps& branches(auto& choice) { return all(choice.then).all(choice.otherwise); }

  Steps& word(auto&&...) { return *this; }
  Steps& title(auto&&...) { return *this; }
  Steps& text(auto&&...) { return *this; }
  Steps& key(auto&&...) { return *this; }
  Steps& part(auto&&...) { return *this; }
  Steps& colon(auto&&...) { return *this; }
  Steps& comma() { return *this; }
  Steps& letter(auto&&...) { return *this; }
  Steps& equals(auto&&...) { return *this; }
  Steps& sets(auto&&...) { return *this; }
  Steps& sequence(auto&&...) { return *this; }
  Steps& counts(auto&&...) { return *this; }
  Steps& prime(auto&&...) { return *this; }
  Steps& again(auto&&...) { return *this; }
  Steps& load(auto&&...) { return *this; }
  Steps& given(auto&&...) { return *this; }
  Steps& plus_minus() { return *this; }
  Steps& kind_of_stop(auto&&...) { return *this; }
  Steps& parameters(auto&&...) { return *this; }
  Steps& opens(auto&&...) { return *this; }
  Steps& end(std::initializer_list<std::string_view> = {}, auto&&...) { return *this; }

 private:
  Steps& all(auto& clauses) {
    for (auto& clause : clauses) std::visit([&](auto& what) { syntax(*this, what); }, clause.what);
    return *this;
  }
  template <class Part>
  Steps& step(Part& part) {
    if constexpr (Is<Part, ExpressionPtr>) return expression(part);
    if constexpr (Is<Part, Name>) return reference(part);
    if constexpr (Is<Part, std::optional<Name>>) return part ? reference(*part) : *this;
    if constexpr (Is<Part, std::optional<ColourName>>) return *this;
    if constexpr (Is<Part, std::optional<JointSurface>>) return part ? (to.surface(*part), *this) : *this;
  }
};

}  // namespace

bool has_unit(const Expression& expression) {
  if (const auto* number = std::get_if<NumberLiteral>(&expression.node)) return number->unit.has_value();
  bool found = false;
  for_each_operand(expression, [&](const Expression& operand) { found = found || has_unit(operand); });
  return found;
}

template <bool kMayChange>
void BasicWalker<kMayChange>::statement(Seen<Statement>& statement) {
  const auto all = [&](auto& statements) {
    for (auto& one : statements) this->statement(one);
  };
  const auto parts = [&](auto& node) {
    Steps<kMayChange> steps{*this};
    syntax(steps, node);
    if constexpr (requires { node.body.front().node; }) all(node.body);
    if constexpr (requires { node.then; }) all(node.then), all(node.otherwise);
  };
  std::visit(parts, statement.node);
}

template class BasicWalker<false>;
template class BasicWalker<true>;

}  // namespace vinculum::lang

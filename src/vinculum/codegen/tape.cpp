#include "vinculum/codegen/tape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using expr::NodeId;
using expr::Op;
using expr::Subgraph;
using Space = Operand::Space;

// What the value of a node depends on. kLiteral: on nothing; kFixed: on parameters only; kVarying: on inputs.
enum class Role : std::uint8_t { kLiteral, kFixed, kVarying };

using Positions = std::array<std::uint32_t, 3>;  // positions of the operands in the subgraph; kOutside: no operand

struct Source {
  Graph& graph;
  const Subgraph& subgraph;
  std::vector<Role> roles;          // by position in the subgraph: what the node depends on
  std::vector<Operand> symbols;     // by position: where a symbol is read, as an input or a parameter
  std::vector<Positions> operands;  // by position; computed once for all traversals
};

Source classify(const KernelSpec& spec, Graph& graph, const Subgraph& subgraph) {
  Source source{
      graph, subgraph, std::vector<Role>(subgraph.size(), Role::kLiteral), std::vector<Operand>(subgraph.size()), {}};
  source.operands.reserve(subgraph.size());
  const auto place = [&](const std::vector<Expr>& symbols, Role role) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      VINCULUM_EXPECTS(symbols[i].is_valid() && &symbols[i].graph() == &graph);
      VINCULUM_EXPECTS(graph.node(symbols[i]).op == Op::kSymbol);
      const std::uint32_t at = subgraph.position(symbols[i].node());
      if (at == Subgraph::kOutside) continue;
      source.roles[at] = role;
      source.symbols[at] = {Space::kInput, static_cast<std::uint32_t>(i)};
    }
  };
  place(spec.parameters, Role::kFixed);
  place(spec.inputs, Role::kVarying);
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    if (node.op == Op::kSymbol && source.symbols[i].space == Space::kNone) {
      throw InternalError(fmt::format("kernel {}: the symbol {} is neither input nor parameter", spec.name,
                                      graph.symbol_name(subgraph[i])));
    }
    Positions& operands = source.operands.emplace_back();
    for (std::size_t k = 0; k < operands.size(); ++k) {
      operands[k] = node.operands[k].is_valid() ? subgraph.position(node.operands[k]) : Subgraph::kOutside;
      if (operands[k] != Subgraph::kOutside) source.roles[i] = std::max(source.roles[i], source.roles[operands[k]]);
    }
    // A constant that could not be folded (0/0) is evaluated in the prologue, so that it fails there.
    if (node.op != Op::kConstant && source.roles[i] == Role::kLiteral) source.roles[i] = Role::kFixed;
  }
  return source;
}

// Builds straight-line code with one slot per value. Slots are shared later.
class Emitter {
 public:
  Operand emit(Instruction instruction) {
    instruction.target = static_cast<std::uint32_t>(program_.instructions.size());
    program_.instructions.push_back(instruction);
    return {Space::kSlot, instruction.target};
  }

  // Variant of `emit` for the products that replace powers: a value that occurs again is computed only once.
  Operand emit_numbered(Op op, Operand a, Operand b) {
    std::array<Operand, 3> operands{a, b};
    const auto word = [](Operand o) { return std::uint64_t{o.index} << 2 | static_cast<std::uint64_t>(o.space); };
    if (op == Op::kMultiply && word(b) < word(a)) std::swap(operands[0], operands[1]);
    const Key key{static_cast<std::uint64_t>(op), word(operands[0]), word(operands[1])};
    const auto [place, is_new] = known_.try_emplace(key, Operand{});
    if (is_new) {
      Instruction instruction;
      instruction.op = op;
      instruction.operands = operands;
      place->second = emit(instruction);
    }
    return place->second;
  }

  Program take() { return std::move(program_); }
  Program& program() { return program_; }

 private:
  using Key = std::array<std::uint64_t, 3>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return (key[0] * 0x9e3779b97f4a7c15ull + key[1]) * 0xff51afd7ed558ccdull + key[2] * 0xc4ceb9fe1a85ec53ull;
    }
  };
  Program program_;
  std::unordered_map<Key, Operand, KeyHash> known_;
};

bool has_powers(const Source& source) {
  return std::ranges::any_of(source.subgraph.nodes(),
                             [&](NodeId id) { return source.graph.node(id).op == Op::kPower; });
}

class Lowering {
 public:
  Lowering(const Source& source, const KernelSpec& spec)
      : source_(source), values_(source.subgraph.size()), hoisted_(source.subgraph.size()) {
    tape_.name = spec.name;
    tape_.input_count = spec.inputs.size();
    tape_.parameter_count = spec.parameters.size();
    has_powers_ = has_powers(source);
    std::size_t varying = 0;
    for (const Role role : source.roles) varying += role == Role::kVarying;
    main_.program().instructions.reserve(varying);
  }

  Tape run(const std::vector<std::uint32_t>& order, std::span<const Expr> outputs) {
    for (const std::uint32_t position : order) lower(position);
    for (const Expr& output : outputs) {
      main_.program().outputs.push_back(read_in_main(source_.subgraph.position(output.node())));
    }
    tape_.main = main_.take();
    tape_.prologue.instructions = prologue_.take().instructions;
    for (Instruction& instruction : tape_.main.instructions) {
      for (Operand& operand : instruction.operands) place_hoisted(operand);
    }
    for (Operand& operand : tape_.main.outputs) place_hoisted(operand);
    return std::move(tape_);
  }

 private:
  // Marks a reference to an output of the prologue. Its index is known only after all literals have been counted.
  static constexpr std::uint32_t kHoistedBit = 0x80000000u;

  void place_hoisted(Operand& operand) const {
    if (operand.space != Space::kConstant || (operand.index & kHoistedBit) == 0) return;
    operand.index = static_cast<std::uint32_t>(tape_.literals.size()) + (operand.index & ~kHoistedBit);
  }

  Operand literal(double value) {
    const auto [place, is_new] =
        literals_.try_emplace(std::bit_cast<std::uint64_t>(value), static_cast<std::uint32_t>(tape_.literals.size()));
    if (is_new) tape_.literals.push_back(value);
    return {Space::kConstant, place->second};
  }

  Operand read_in_prologue(std::uint32_t position) {
    const Graph::Node& node = source_.graph.node(source_.subgraph[position]);
    return node.op == Op::kConstant ? literal(node.value) : values_[position];
  }

  Operand read_in_main(std::uint32_t position) {
    if (source_.roles[position] == Role::kLiteral) return read_in_prologue(position);
    if (source_.roles[position] == Role::kVarying) return values_[position];
    if (hoisted_[position].space == Space::kNone) {
      hoisted_[position] = {Space::kConstant, static_cast<std::uint32_t>(tape_.prologue.outputs.size()) | kHoistedBit};
      tape_.prologue.outputs.push_back(values_[position]);
    }
    return hoisted_[position];
  }

  void lower(std::uint32_t position) {
    const Graph::Node& node = source_.graph.node(source_.subgraph[position]);
    if (node.op == Op::kConstant) return;
    if (node.op == Op::kSymbol) {
      values_[position] = source_.symbols[position];
      return;
    }
    const bool is_varying = source_.roles[position] == Role::kVarying;
    Emitter& emitter = is_varying ? main_ : prologue_;
    const auto read = [&](int k) {
      const std::uint32_t at = source_.operands[position][static_cast<std::size_t>(k)];
      return is_varying ? read_in_main(at) : read_in_prologue(at);
    };
    if (node.op == Op::kPower && source_.graph.node(node.operands[1]).op == Op::kConstant) {
      expr::PowerPlan plan;
      if (expr::find_power_plan(source_.graph.node(node.operands[1]).value, plan)) {
        values_[position] = unfold_power(emitter, read(0), plan);
        return;
      }
    }
    if (has_powers_ && (node.op == Op::kMultiply || node.op == Op::kDivide)) {
      const Operand first = read(0);
      values_[position] = emitter.emit_numbered(node.op, first, read(1));
      return;
    }
    if (has_powers_ && node.op == Op::kSquareRoot) {
      values_[position] = emitter.emit_numbered(node.op, read(0), {});
      return;
    }
    Instruction instruction;
    instruction.op = node.op;
    for (int k = 0; k < 3; ++k) {
      if (node.operands[k].is_valid()) instruction.operands[k] = read(k);
    }
    if (node.op == Op::kTable) {
      instruction.derivative_order = node.derivative_order;
      instruction.table = table(expr::TableId(node.payload));
    }
    values_[position] = emitter.emit(instruction);
  }

  // Emits x^y by the steps of expr::evaluate_power.
  Operand unfold_power(Emitter& emitter, Operand x, const expr::PowerPlan& plan) {
    const auto times = [&](Operand a, Operand b) { return emitter.emit_numbered(Op::kMultiply, a, b); };
    Operand p = literal_one_if_empty(plan);
    if (plan.whole > 0) {
      const unsigned whole = static_cast<unsigned>(plan.whole);
      p = x;
      for (unsigned bit = std::bit_floor(whole) / 2; bit > 0; bit /= 2) {
        p = times(p, p);
        if ((whole & bit) != 0) p = times(p, x);
      }
    }
    if (plan.has_root) {
      const Operand root = emitter.emit_numbered(Op::kSquareRoot, x, {});
      p = plan.whole > 0 ? times(p, root) : root;
    }
    return plan.is_reciprocal ? emitter.emit_numbered(Op::kDivide, literal(1.0), p) : p;
  }

  Operand literal_one_if_empty(const expr::PowerPlan& plan) {
    return plan.whole == 0 && !plan.has_root ? literal(1.0) : Operand{};
  }

  std::uint32_t table(expr::TableId id) {
    const std::shared_ptr<const expr::Spline>& spline = source_.graph.shared_spline(id);
    const auto known = std::find(tape_.splines.begin(), tape_.splines.end(), spline);
    const auto index = static_cast<std::uint32_t>(known - tape_.splines.begin());
    if (known == tape_.splines.end()) tape_.splines.push_back(spline);
    return index;
  }

  const Source& source_;
  Tape tape_;
  Emitter prologue_, main_;
  std::vector<Operand> values_;   // by position; the operand belongs to the program to which the node's role assigns it
  std::vector<Operand> hoisted_;  // by position: the constant in which the main program reads an output of the prologue
  std::unordered_map<std::uint64_t, std::uint32_t> literals_;
  bool has_powers_ = false;
};

// Depth-first order from the outputs. The operand that needs more slots is computed first (Sethi & Ullman 1970, with
// the labels of a tree).
std::vector<std::uint32_t> depth_first_order(const Source& source, std::span<const Expr> outputs) {
  const std::size_t n = source.subgraph.size();
  std::vector<std::uint32_t> need(n, 1), order;
  order.reserve(n);
  std::vector<Positions> operands = source.operands;
  for (std::size_t i = 0; i < n; ++i) {
    Positions& mine = operands[i];
    const auto count = static_cast<int>(std::ranges::find(mine, Subgraph::kOutside) - mine.begin());
    for (int k = 1; k < count; ++k) {  // stable insertion sort of at most three operands
      for (int j = k; j > 0 && need[mine[j]] > need[mine[j - 1]]; --j) std::swap(mine[j], mine[j - 1]);
    }
    for (int k = 0; k < count; ++k) need[i] = std::max(need[i], need[mine[k]] + static_cast<std::uint32_t>(k));
  }
  std::vector<char> is_done(n, 0);
  struct Frame {
    std::uint32_t position;
    int next;
  };
  std::vector<Frame> stack;
  for (const Expr& output : outputs) {
    const std::uint32_t root = source.subgraph.position(output.node());
    if (is_done[root] == 0) stack.push_back({root, 0});
    while (!stack.empty()) {
      const std::uint32_t at = stack.back().position;
      const int k = stack.back().next++;
      if (k < 3 && operands[at][k] != Subgraph::kOutside) {
        if (is_done[operands[at][k]] == 0) stack.push_back({operands[at][k], 0});
        continue;
      }
      stack.pop_back();
      if (is_done[at] == 0) order.push_back(at);
      is_done[at] = 1;
    }
  }
  return order;
}

/// Number of slots that the main program needs if it computes its values in this order with one instruction per value.
std::size_t slots_needed(const Source& source, const std::vector<std::uint32_t>& order, std::span<const Expr> outputs) {
  const auto is_in_slot = [&](std::uint32_t at) {
    return source.roles[at] == Role::kVarying && source.symbols[at].space == Space::kNone;
  };
  constexpr std::uint32_t kNever = 0xffffffffu;
  std::vector<std::uint32_t> last_use(source.subgraph.size(), 0);
  const auto for_operands = [&](std::uint32_t at, const auto& visit) {
    for (const std::uint32_t operand : source.operands[at]) {
      if (operand != Subgraph::kOutside) visit(operand);
    }
  };
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (is_in_slot(order[i])) for_operands(order[i], [&](std::uint32_t operand) { last_use[operand] = i; });
  }
  for (const Expr& output : outputs) last_use[source.subgraph.position(output.node())] = kNever;
  std::size_t live = 0, most = 0;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (!is_in_slot(order[i])) continue;
    for_operands(order[i], [&](std::uint32_t operand) {
      if (!is_in_slot(operand) || last_use[operand] != i) return;
      last_use[operand] = kNever;  // released only once, also in x·x
      --live;
    });
    most = std::max(most, ++live);
  }
  return most;
}

// Two independent multiplicative hashes of the same sequence of words.
class Hasher {
 public:
  void add(std::uint64_t word) {
    first_ = (first_ ^ word) * 0x9e3779b97f4a7c15ull;
    first_ ^= first_ >> 32;
    second_ = (second_ + word) * 0xd6e8feb86659fd93ull;
    second_ ^= second_ >> 29;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(Operand operand) { add(std::uint64_t{operand.index} << 2 | static_cast<std::uint64_t>(operand.space)); }
  void add(const Program& program) {
    add(std::uint64_t{program.instructions.size()});
    for (const Instruction& instruction : program.instructions) {
      add(static_cast<std::uint64_t>(instruction.op) << 8 | instruction.derivative_order);
      add(std::uint64_t{instruction.table} << 32 | instruction.target);
      for (const Operand& operand : instruction.operands) add(operand);
    }
    add(std::uint64_t{program.outputs.size()});
    for (const Operand& output : program.outputs) add(output);
    add(std::uint64_t{program.slot_count});
  }
  [[nodiscard]] std::array<std::uint64_t, 2> result() const { return {first_, second_}; }

 private:
  std::uint64_t first_ = 0x243f6a8885a308d3ull;
  std::uint64_t second_ = 0x13198a2e03707344ull;
};

}  // namespace

// Linear scan. A slot becomes free at the last use of its value. The most recently freed slot is reused first, because
// it is still in the processor's cache.
void share_slots(Program& program) {
  constexpr std::uint32_t kNever = 0xffffffffu;
  std::vector<std::uint32_t> last_use(program.instructions.size(), 0);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    for (const Operand& operand : program.instructions[i].operands) {
      if (operand.space == Space::kSlot) last_use[operand.index] = i;
    }
  }
  for (const Operand& output : program.outputs) {
    if (output.space == Space::kSlot) last_use[output.index] = kNever;
  }
  std::vector<std::uint32_t> slot_of(program.instructions.size(), 0), free;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    Instruction& instruction = program.instructions[i];
    for (Operand& operand : instruction.operands) {
      if (operand.space != Space::kSlot) continue;
      const std::uint32_t value = operand.index;
      operand.index = slot_of[value];
      if (last_use[value] == i) {
        free.push_back(slot_of[value]);
        last_use[value] = kNever;  // released only once, also in x·x
      }
    }
    if (free.empty()) {
      slot_of[i] = count++;
    } else {
      slot_of[i] = free.back();
      free.pop_back();
    }
    instruction.target = slot_of[i];
  }
  for (Operand& output : program.outputs) {
    if (output.space == Space::kSlot) output.index = slot_of[output.index];
  }
  program.slot_count = count;
}

std::array<std::uint64_t, 2> Tape::content_hash() const {
  Hasher hasher;
  hasher.add(kTapeVersion);
  hasher.add(std::uint64_t{input_count});
  hasher.add(std::uint64_t{parameter_count});
  hasher.add(std::uint64_t{literals.size()});
  for (const double value : literals) hasher.add(value);
  hasher.add(prologue);
  hasher.add(main);
  for (const auto& spline : splines) {
    hasher.add(std::uint64_t{spline->knots().size()});
    hasher.add(static_cast<std::uint64_t>(spline->shape().kind));
    hasher.add(static_cast<std::uint64_t>(spline->shape().reach));
    for (const double knot : spline->knots()) hasher.add(knot);
    for (const double coefficient : spline->coefficients()) hasher.add(coefficient);
  }
  return hasher.result();
}

Tape make_tape(const KernelSpec& spec) {
  const Subgraph subgraph(spec.outputs);
  if (spec.outputs.empty()) {
    Tape empty;
    empty.name = spec.name;
    empty.input_count = spec.inputs.size();
    empty.parameter_count = spec.parameters.size();
    return empty;
  }
  const Source source = classify(spec, spec.outputs[0].graph(), subgraph);
  std::vector<std::uint32_t> graph_order(subgraph.size());
  for (std::uint32_t i = 0; i < graph_order.size(); ++i) graph_order[i] = i;
  const std::vector<std::uint32_t> depth_order = depth_first_order(source, spec.outputs);
  const auto tape_in = [&](const std::vector<std::uint32_t>& order) {
    Tape tape = Lowering(source, spec).run(order, spec.outputs);
    share_slots(tape.prologue);
    share_slots(tape.main);
    return tape;
  };
  if (has_powers(source)) {  // products that replace powers need additional slots, so both tapes are made and compared
    Tape by_graph = tape_in(graph_order), by_depth = tape_in(depth_order);
    return by_depth.main.slot_count < by_graph.main.slot_count ? by_depth : by_graph;
  }
  const std::size_t by_graph = slots_needed(source, graph_order, spec.outputs),
                    by_depth = slots_needed(source, depth_order, spec.outputs);
  Tape tape = tape_in(by_depth < by_graph ? depth_order : graph_order);
  VINCULUM_ENSURES(tape.main.slot_count == std::min(by_graph, by_depth));
  return tape;
}

}  // namespace vinculum::codegen

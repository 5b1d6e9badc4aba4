#include "vinculum/sim/plant/watches.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using expr::NodeId;
using expr::Op;
using EquationKind = Watches::Equation::Kind;

constexpr std::size_t kShownNodesOfWatch = 40;
constexpr double kHighestTamePower = 4.0;

bool is_sharp(const expr::Graph& graph, const expr::Graph::Node& node) {
  switch (node.op) {
    case Op::kExponential:
    case Op::kHyperbolicTangent:
    case Op::kHyperbolicSine:
    case Op::kHyperbolicCosine:
    case Op::kArcTangent:
    case Op::kTable: return true;
    case Op::kPower: {
      const expr::Graph::Node& exponent = graph.node(node.operands[1]);
      return exponent.op != Op::kConstant || std::abs(exponent.value) > kHighestTamePower;
    }
    default: return false;
  }
}

Watches::Value value_of(Op op) {
  return op == Op::kExponential        ? Watches::Value::kExponential
         : op == Op::kHyperbolicCosine ? Watches::Value::kEven
                                       : Watches::Value::kSharp;
}

/// Writes the equations of a system with their places.
struct Collected {
  std::vector<Expr> all;
  std::vector<Watches::Equation> places;

  void add(Expr e, EquationKind kind, int row, int column = 0) {
    if (!e.is_valid() || e.is_constant()) return;
    all.push_back(e);
    places.push_back({kind, row, column});
  }
};

Collected equations_of(const dynamics::System& system) {
  Collected found;
  const int nq = system.nq(), nu = system.nu();
  for (int i = 0; i < nu; ++i) {
    found.add(system.f[static_cast<std::size_t>(i)], EquationKind::kForce, i);
    found.add(system.C[static_cast<std::size_t>(i)], EquationKind::kForce, i);
  }
  for (int i = 0; i < nq; ++i) found.add(system.q_dot[static_cast<std::size_t>(i)], EquationKind::kRate, i);
  for (int i = 0; i < system.nz(); ++i)
    found.add(system.z_dot[static_cast<std::size_t>(i)], EquationKind::kRate, nq + nu + i);
  for (int i = 0; i < nu * nu; ++i)
    found.add(system.M[static_cast<std::size_t>(i)], EquationKind::kMass, i / nu, i % nu);
  for (int k = 0; k < system.nc(); ++k) {
    const dynamics::Row& row = system.rows[static_cast<std::size_t>(k)];
    found.add(row.b, EquationKind::kRightSide, k);
    for (int j = 0; j < static_cast<int>(row.A.size()); ++j)
      found.add(row.A[static_cast<std::size_t>(j)], EquationKind::kRow, k, j);
    found.add(row.phi, EquationKind::kOther, k);
    found.add(row.psi, EquationKind::kOther, k);
  }
  return found;
}

bool is_judged_by_sums(EquationKind kind) {
  return kind == EquationKind::kForce || kind == EquationKind::kRightSide || kind == EquationKind::kRate;
}

}  // namespace

Watches::Watches(const dynamics::System& system)
    : switches(*system.graph, state_symbols(system), system.parameters), known(state_symbols(system)) {
  if (system.higher) return;
  Collected found = equations_of(system);
  if (found.all.empty()) return;
  switches.collect(found.all);
  equations = switches.on_sides(found.all);
  places = std::move(found.places);
  fixed = system.parameters;
  append(fixed, switches.symbols());
  of_unknowns = switches.of_unknowns();

  expr::Graph& graph = *system.graph;
  std::vector<Expr> dynamic, judged;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    if (places[i].kind != EquationKind::kOther) dynamic.push_back(equations[i]);
    if (is_judged_by_sums(places[i].kind)) judged.push_back(equations[i]);
  }
  find_values(graph, dynamic, judged);
  find_steered(system);
  std::vector<Expr> symbols = known;
  append(symbols, fixed);
  const expr::Subgraph all(equations);
  for (const NodeId id : all.nodes()) {
    const Expr e(&graph, id);
    if (graph.node(id).op == Op::kSymbol && std::ranges::find(symbols, e) == symbols.end()) unknown.push_back(e);
  }
  for (const Switches::Surface& surface : switches.surfaces()) {
    const Expr x = switches.on_side(surface.x);
    looks_.push_back({x, surface.side});
    looks_.push_back({surface.is_floor() ? x : switches.on_side(surface.y), surface.side});
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    looks_.push_back({values[i], values[i]});
    looks_.push_back({arguments[i], values[i]});
  }
}

void Watches::find_steered(const dynamics::System& system) {
  std::vector<Expr> moved_by_force = system.u;
  append(moved_by_force, system.z);
  codegen::KernelSpec spec{system.model->name + ".steering", known, fixed, {}};
  for (std::size_t k = 0; k < surface_count(); ++k) {
    const Switches::Surface& surface = switches.surfaces()[k];
    const Expr x = switches.on_side(surface.x);
    const Expr s = surface.is_floor() ? x : x - switches.on_side(surface.y);
    if (!expr::depends_on(s, moved_by_force)) continue;
    steered.push_back(k);
    spec.outputs.push_back(s);
    append(spec.outputs, expr::gradient(s, known));
  }
  if (!steered.empty()) steering = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
}

/// Values that vary sharply, and the sums they are in.
void Watches::find_values(expr::Graph& graph, std::span<const Expr> dynamic, std::span<const Expr> judged) {
  if (dynamic.empty()) return;
  const expr::Subgraph subgraph(dynamic), summed(judged);
  std::vector<char> has_sharp(subgraph.size(), 0);
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const NodeId id = subgraph[i];
    const expr::Graph::Node& node = graph.node(id);
    for (const NodeId operand : node.operands)
      if (operand.is_valid() && has_sharp[subgraph.position(operand)] != 0) has_sharp[i] = 1;
    const bool is_new = is_sharp(graph, node);
    const bool is_sum = (node.op == Op::kAdd || node.op == Op::kSubtract) && has_sharp[i] != 0 &&
                        summed.position(id) != expr::Subgraph::kOutside;
    if (!is_new && !is_sum) continue;
    const Expr e(&graph, id);
    if (!switches.is_of_state(e)) {
      if (is_new && expr::depends_on(e, known)) of_unknowns.push_back(expr::to_text(e, kShownNodesOfWatch));
      continue;
    }
    if (is_new) has_sharp[i] = 1;
    values.push_back(e);
    kinds.push_back(is_new ? value_of(node.op) : Value::kSum);
    const bool has_argument = kinds.back() == Value::kExponential || kinds.back() == Value::kEven;
    arguments.push_back(has_argument ? Expr(&graph, node.operands[0]) : e);
    texts.push_back(expr::to_text(e, kShownNodesOfWatch));
  }
}

expr::Enclosure Watches::program() const {
  std::vector<Expr> varying = known;
  append(varying, unknown);
  return {equations, looks_, varying, fixed};
}

}  // namespace vinculum::sim

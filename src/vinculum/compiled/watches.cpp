#include "vinculum/compiled/watches.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/model/inspect/inspection.hpp"

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

/// Sum of the absolute values of the terms of a sum, to which the rounding error of the sum is relative. Sums and
/// products within the terms are resolved into their own terms.
/// \param known  results so far, by index of the node; results are added.
Expr size_of_terms(expr::Graph& graph, Expr e, std::map<std::size_t, Expr>& known) {
  if (const auto found = known.find(e.node().index()); found != known.end()) return found->second;
  const expr::Graph::Node node = graph.node(e.node());
  const auto of = [&](std::size_t k) { return size_of_terms(graph, Expr(&graph, node.operands[k]), known); };
  Expr size;
  switch (node.op) {
    case Op::kAdd:
    case Op::kSubtract: size = of(0) + of(1); break;
    case Op::kNegate: size = of(0); break;
    case Op::kMultiply: size = of(0) * of(1); break;
    default: size = graph.make(Op::kAbsolute, e);
  }
  return known.emplace(e.node().index(), size).first->second;
}

/// List of the equations of a system, and which quantity each of them is.
struct Collected {
  std::vector<Expr> all;
  std::vector<Watches::Equation> places;

  void add(Expr e, EquationKind kind, int row, int column = 0, bool is_of_friction = false) {
    if (!e.is_valid() || e.is_constant()) return;
    all.push_back(e);
    places.push_back({kind, row, column, is_of_friction});
  }
};

Collected equations_of(const equations::System& system) {
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
    const equations::Row& row = system.rows[static_cast<std::size_t>(k)];
    found.add(row.b, EquationKind::kRightSide, k);
    for (const auto& [j, A] : row.A) found.add(A, EquationKind::kRow, k, static_cast<int>(j));
    found.add(row.phi, EquationKind::kOther, k);
    found.add(row.psi, EquationKind::kOther, k);
  }
  for (const equations::EventForms& event : system.events) found.add(event.condition, EquationKind::kOther, 0);
  for (const equations::Slide& slide : system.slides) {
    for (const Expr v : slide.velocity) found.add(v, EquationKind::kOther, 0);
    found.add(slide.static_ratio, EquationKind::kOther, 0, 0, true);
  }
  return found;
}

bool is_judged_by_sums(EquationKind kind) {
  return kind == EquationKind::kForce || kind == EquationKind::kRightSide || kind == EquationKind::kRate;
}

}  // namespace

bool Watches::may_be_in(const equations::System& system) {
  const expr::Graph& graph = *system.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const expr::Graph::Node& node = graph.node(NodeId(i));
    if (is_switch(graph, node) || is_sharp(graph, node)) return true;
  }
  return false;
}

Watches::Watches(const equations::System& system, bool may_be_any)
    : switches(*system.graph, state_symbols(system), system.parameters), known(state_symbols(system)) {
  if (system.higher || !may_be_any) return;
  Collected found = equations_of(system);
  const std::vector<Expr> jumping_values = find_moved(system);
  for (const Expr e : jumping_values)
    if (switches.has_switch(e)) found.add(e, EquationKind::kOther, 0);
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
    places[i].is_of_friction = places[i].is_of_friction || (places[i].kind == EquationKind::kForce &&
                                                            expr::depends_on(equations[i], system.slide_direction));
    if (places[i].kind != EquationKind::kOther || places[i].is_of_friction) dynamic.push_back(equations[i]);
    if (is_judged_by_sums(places[i].kind)) judged.push_back(equations[i]);
  }
  find_values(system, dynamic, judged);
  find_steered(system);
  find_row_terms(system);
  find_levels(system);
  places_of_surfaces = places_of(system, switches);
  find_surfaces_of_events(system, found.all);
  std::vector<Expr> moving = equations;
  for (std::size_t i = 0; i < moving.size(); ++i)
    if (places[i].kind == EquationKind::kOther) moving[i] = graph.constant(0.0);
  knots = Knots(system.model->name, moving, known, fixed);
  if (!jumping_values.empty()) {
    const codegen::KernelSpec spec{system.model->name + ".jumping", known, fixed, switches.on_sides(jumping_values)};
    jumping = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
  }
  std::vector<char> is_symbol(graph.size(), 0);
  for (const Expr e : known) is_symbol[e.node().index()] = 1;
  for (const Expr e : fixed) is_symbol[e.node().index()] = 1;
  const expr::Subgraph all(equations);
  for (const NodeId id : all.nodes())
    if (graph.node(id).op == Op::kSymbol && is_symbol[id.index()] == 0) unknown.emplace_back(&graph, id);
  for (const Switches::Surface& surface : switches.surfaces()) {
    const Expr x = switches.on_side(surface.x);
    const Expr reason = surface.is_pole() ? switches.on_side(surface.pole) : surface.side;
    looks_.push_back({x, reason});
    looks_.push_back({surface.is_floor() ? x : switches.on_side(surface.y), reason});
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    looks_.push_back({values[i], values[i]});
    looks_.push_back({arguments[i], values[i]});
  }
}

/// \returns the outputs of the kernel `jumping`; empty if none of them contains a switch.
std::vector<Expr> Watches::find_moved(const equations::System& system) {
  if (!switches.is_in_graph()) return {};
  const model::Model& model = *system.model;
  const auto lowered = [&system](model::Term term) { return equations::lower(system, term); };
  Expr kinetic = lowered(model::kinetic_energy(model)).front();
  std::vector<Expr> potentials;
  for (const model::Load& load : model.loads) {
    if (const auto* lagrangian = std::get_if<model::LagrangianFunction>(&load.what))
      kinetic += lowered(lagrangian->L).front();
    if (const auto* potential = std::get_if<model::PotentialEnergy>(&load.what))
      potentials.push_back(lowered(potential->energy).front());
  }
  std::vector<Expr> all = expr::gradient(kinetic, system.u);
  const model::FrameId N = model::Model::newtonian();
  model::PointId origin;
  for (std::size_t i = 0; i < model.points.size() && !origin.is_valid(); ++i)
    if (model.points[i].frame == N) origin = model::PointId(i);
  const auto add_point = [&](const std::string& name, model::PointId point) {
    moved.push_back({name, origin.is_valid() ? 3 : 0, 3});
    if (origin.is_valid()) append(all, lowered(model.terms->position(point, origin)));
    append(all, lowered(model.terms->velocity(point, N)));
  };
  for (const model::Particle& particle : model.particles) add_point(particle.name, particle.point);
  for (const model::Body& body : model.bodies) {
    add_point(body.name, body.center);
    moved.push_back({body.name, 6, 3});
    for (const int axis : {0, 1}) append(all, lowered(model.terms->basis_vector(body.frame, axis)));
    append(all, lowered(model.terms->angular_velocity(body.frame, N)));
  }
  append(all, potentials);
  all.push_back(kinetic);
  if (std::ranges::none_of(all, [this](Expr e) { return switches.has_switch(e); })) all.clear();
  return all;
}

void Watches::find_surfaces_of_events(const equations::System& system, std::span<const Expr> all) {
  std::vector<Expr> conditions, others;
  for (const equations::EventForms& event : system.events)
    if (event.condition.is_valid()) conditions.push_back(event.condition);
  std::set<std::size_t> of_events;
  for (const Expr e : conditions) of_events.insert(e.node().index());
  for (const Expr e : all)
    if (!of_events.contains(e.node().index())) others.push_back(e);
  for (const std::size_t k : switches.surfaces_in(conditions)) places_of_surfaces[k].is_of_events = true;
  for (const std::size_t k : switches.surfaces_in(others)) places_of_surfaces[k].is_of_events = false;
}

void Watches::find_steered(const equations::System& system) {
  std::vector<Expr> moved_by_force = system.u;
  append(moved_by_force, system.z);
  codegen::KernelSpec spec{system.model->name + ".steering", known, fixed, {}};
  for (std::size_t k = 0; k < surface_count(); ++k) {
    const Switches::Surface& surface = switches.surfaces()[k];
    const Expr x = switches.on_side(surface.x);
    const Expr s = surface.is_floor() ? x : x - switches.on_side(surface.y);
    if (surface.is_pole() || !expr::depends_on(s, moved_by_force)) continue;
    steered.push_back(k);
    spec.outputs.push_back(s);
    append(spec.outputs, expr::gradient(s, known));
  }
  if (!steered.empty()) steering = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
}

void Watches::find_row_terms(const equations::System& system) {
  codegen::KernelSpec spec{system.model->name + ".row_terms", known, fixed, {}};
  std::map<std::size_t, Expr> sizes;
  bool switches_somewhere = false;
  for (const equations::Row& row : system.rows) {
    const bool is_of_position = row.level == model::Level::kPosition;
    switches_somewhere = switches_somewhere || (is_of_position && switches.has_switch(row.phi));
    spec.outputs.push_back(is_of_position ? size_of_terms(*system.graph, switches.on_side(row.phi), sizes)
                                          : system.graph->constant(0.0));
  }
  if (switches_somewhere) row_terms = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
}

/// Compiles the kernels `as_stated` and `levels` of the expressions that each surface compares.
void Watches::find_levels(const equations::System& system) {
  if (surface_count() == 0) return;
  stated_parameters = system.parameters;
  codegen::KernelSpec stated{system.model->name + ".as_stated", known, stated_parameters, {}};
  codegen::KernelSpec on_sides{system.model->name + ".levels", known, stated_parameters, {}};
  for (const Switches::Surface& surface : switches.surfaces()) {
    const Expr y = surface.is_floor() ? system.graph->constant(0.0) : surface.y;
    append(stated.outputs, std::vector<Expr>{surface.x, y});
    append(level_values, std::vector<Expr>{switches.on_side(surface.x), switches.on_side(y)});
    on_sides.inputs.push_back(surface.side);
  }
  as_stated = codegen::compile(std::span(&stated, 1), {codegen::Backend::kTape, {}}).front();
  if (!switches.has_nested()) return;
  on_sides.parameters.push_back(switches.symbols().front());
  on_sides.outputs = level_values;
  levels = codegen::compile(std::span(&on_sides, 1), {codegen::Backend::kTape, {}}).front();
}

/// Collects values that may change strongly, the sums that contain them, and whole equations that contain them. A whole
/// equation is monitored too, because a product may have a peak between stages although none of its factors has one.
/// Example: tanh u / cosh² u near u = 0.
void Watches::find_values(const equations::System& system, std::span<const Expr> dynamic,
                          std::span<const Expr> judged) {
  if (dynamic.empty()) return;
  expr::Graph& graph = *system.graph;
  std::vector<Expr> bounds;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].is_of_friction) bounds.push_back(equations[i]);
  const expr::Subgraph of_bounds(bounds);
  const expr::Subgraph subgraph(dynamic), summed(judged);
  std::map<std::size_t, Expr> sizes;
  std::vector<char> has_sharp(subgraph.size(), 0), is_judged(subgraph.size(), 0);
  for (const Expr whole : judged) is_judged[subgraph.position(whole.node())] = 1;
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const NodeId id = subgraph[i];
    const expr::Graph::Node& node = graph.node(id);
    for (const NodeId operand : node.operands)
      if (operand.is_valid() && has_sharp[subgraph.position(operand)] != 0) has_sharp[i] = 1;
    const bool is_new = is_sharp(graph, node);
    const bool is_sum = (node.op == Op::kAdd || node.op == Op::kSubtract || is_judged[i] != 0) && has_sharp[i] != 0 &&
                        summed.position(id) != expr::Subgraph::kOutside;
    if (!is_new && !is_sum) continue;
    const Expr e(&graph, id);
    if (!switches.is_of_state(e)) {
      if (is_new && expr::depends_on(e, known)) of_unknowns.push_back(expr::to_text(e, kShownNodesOfWatch));
      continue;
    }
    if (is_new) has_sharp[i] = 1;
    values.push_back(e);
    is_of_friction.push_back(of_bounds.position(id) != expr::Subgraph::kOutside ? 1 : 0);
    kinds.push_back(is_new ? value_of(node.op) : Value::kSum);
    const bool has_argument = kinds.back() == Value::kExponential || kinds.back() == Value::kEven;
    arguments.push_back(has_argument ? Expr(&graph, node.operands[0]) : is_new ? e : size_of_terms(graph, e, sizes));
    texts.push_back(expr::to_text(e, kShownNodesOfWatch));
  }
}

expr::Enclosure Watches::program() const {
  std::vector<Expr> varying = known;
  append(varying, unknown);
  return {equations, looks_, varying, fixed};
}

}  // namespace vinculum::sim

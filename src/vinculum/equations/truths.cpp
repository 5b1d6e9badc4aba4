#include "vinculum/equations/truths.hpp"

#include <array>
#include <span>
#include <vector>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::equations {

using expr::Expr;
using expr::Op;

expr::Expr with_surfaces(Expr condition) {
  expr::Graph& graph = condition.graph();
  const expr::Subgraph subgraph(std::span(&condition, 1));
  std::vector<Expr> images;
  for (const expr::NodeId id : subgraph.nodes()) {
    const expr::Graph::Node node = graph.node(id);
    std::array<Expr, 3> operands;
    bool is_changed = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!node.operands[k].is_valid()) continue;
      operands[k] = images[subgraph.position(node.operands[k])];
      is_changed = is_changed || operands[k].node() != node.operands[k];
    }
    Expr image(&graph, id);
    if (is_changed)
      image = node.op == Op::kTable ? graph.table(expr::TableId(node.payload), node.derivative_order, operands[0])
                                    : graph.make(node.op, operands[0], operands[1], operands[2]);
    const bool is_equality = node.op == Op::kEqual || node.op == Op::kNotEqual;
    if (is_equality && !image.is_constant()) image = graph.make(Op::kLess, graph.constant(0.5), image);
    images.push_back(image);
  }
  return images.back();
}

}  // namespace vinculum::equations

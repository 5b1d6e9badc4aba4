#include "vinculum/model/inspect/adjoints.hpp"

#include <array>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/scalar_rules.hpp"

namespace vinculum::model {

using expr::Op;

Adjoints::Adjoints(Term root, std::function<bool(Term)> is_asked) : pool_(root.pool()), is_asked_(std::move(is_asked)) {
  VINCULUM_EXPECTS(root.is_scalar());
  adjoints_[root.id()] = pool_.number(1.0);
  // A node contributes only to operands, which have smaller ids and come later in the map. So one traversal suffices.
  for (const auto& [id, adjoint] : adjoints_) {
    if (adjoint.is_zero()) continue;
    const Term node(&pool_, id), passed = adjoint;
    if (node.is_scalar()) {
      pass_down_scalar(node, passed);
    } else {
      pass_down_vector(node, passed);
    }
  }
}

Term Adjoints::of(Term node) const {
  const auto found = adjoints_.find(node.id());
  if (found != adjoints_.end()) return found->second;
  return node.is_scalar() ? pool_.number(0.0) : pool_.zero_vector();
}

void Adjoints::add(Term node, Term contribution) {
  if (is_asked_ && !is_asked_(node)) return;
  const auto [it, is_new] = adjoints_.try_emplace(node.id(), contribution);
  // nodes are visited last to first, so adding in front restores the order of reading
  if (!is_new) it->second = contribution + it->second;
}

void Adjoints::pass_down_scalar(Term node, Term c) {
  switch (node.kind()) {
    case TermKind::kDot:
      add(node.operand(0), c * node.operand(1));
      add(node.operand(1), c * node.operand(0));
      break;
    case TermKind::kNorm: add(node.operand(0), c * pool_.unit(node.operand(0))); break;
    case TermKind::kFunction:
    case TermKind::kTable: {
      if (const auto branch = branch_of(node)) {
        const Term none = pool_.number(0.0);
        add(branch->if_true, pool_.function(Op::kSelect, branch->condition, c, none));
        add(branch->if_false, pool_.function(Op::kSelect, branch->condition, none, c));
        break;
      }
      const std::array<Term, 3> partials = partial_derivatives(node);
      for (int i = 0; i < node.operand_count(); ++i) {
        add(node.operand(i), c * partials[static_cast<std::size_t>(i)]);
      }
      break;
    }
    default: break;
  }
}

void Adjoints::pass_down_vector(Term node, Term w) {
  switch (node.kind()) {
    case TermKind::kVectorAdd:
      add(node.operand(0), w);
      add(node.operand(1), w);
      break;
    case TermKind::kVectorSubtract:
      add(node.operand(0), w);
      add(node.operand(1), -w);
      break;
    case TermKind::kVectorNegate: add(node.operand(0), -w); break;
    case TermKind::kScale:
      add(node.operand(0), pool_.dot(w, node.operand(1)));
      add(node.operand(1), node.operand(0) * w);
      break;
    case TermKind::kCross:
      add(node.operand(0), pool_.cross(node.operand(1), w));
      add(node.operand(1), pool_.cross(w, node.operand(0)));
      break;
    case TermKind::kUnit: add(node.operand(0), (w - pool_.dot(w, node) * node) / pool_.norm(node.operand(0))); break;
    case TermKind::kVectorSelect: {
      const Term none = pool_.zero_vector();
      add(node.operand(1), pool_.vector_select(node.operand(0), w, none));
      add(node.operand(2), pool_.vector_select(node.operand(0), none, w));
      break;
    }
    default: break;
  }
}

}  // namespace vinculum::model

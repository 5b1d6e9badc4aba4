#include "vinculum/model/rigid_vectors.hpp"

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

/// Measure numbers of vectors, converted from one frame to another along the tree of frames.
class Measures {
 public:
  Measures(const Model& model, KinematicTree& tree) : model_(model), pool_(*model.terms), tree_(tree) {}

  /// Measure numbers of a basis vector in the frame `in`. Nothing unless the vector is constant there, by constant
  /// rotations or by rotations about the vector itself.
  std::optional<std::array<Term, 3>> of(Term basis_vector, FrameId in) {
    std::array<Term, 3> v{pool_.number(0.0), pool_.number(0.0), pool_.number(0.0)};
    v[basis_vector.second()] = pool_.number(1.0);
    const FrameId from = frame_of(basis_vector), common = tree_.common_parent(from, in);
    for (FrameId frame = from; frame != common; frame = model_.frame(frame).parent) {
      if (!pass(v, frame, false)) return std::nullopt;
    }
    for (const FrameId frame : tree_.path_down(common, in)) {
      if (!pass(v, frame, true)) return std::nullopt;
    }
    return v;
  }

 private:
  /// Converts measure numbers from the frame's parent to the frame (is_down), or from the frame to its parent. False if
  /// they are not constant.
  bool pass(std::array<Term, 3>& v, FrameId frame, bool is_down) {
    if (model_.frame(frame).quaternion) return false;
    const std::vector<SimpleRotation>& rotations = model_.frame(frame).rotations;
    for (std::size_t k = 0; k < rotations.size(); ++k) {
      const std::size_t at = is_down ? k : rotations.size() - 1 - k;
      const SimpleRotation& rotation = rotations[at];
      // `direction` is constant in the parent, so only a first rotation about it is converted
      if (rotation.axis < 0 && at > 0) return false;
      const bool is_right =
          rotation.axis < 0 ? turn_about(v, rotation, model_.frame(frame).parent, is_down) : turn(v, rotation, is_down);
      if (!is_right) return false;
    }
    return true;
  }

  bool turn(std::array<Term, 3>& v, const SimpleRotation& rotation, bool is_down) {
    const auto axis = static_cast<std::size_t>(rotation.axis), i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (v[i].is_zero() && v[j].is_zero()) return true;
    if (!tree_.of_term(rotation.angle).is_none()) return false;
    const Term cosine = pool_.function(Op::kCosine, rotation.angle);
    const Term sine = is_down ? pool_.function(Op::kSine, rotation.angle) : -pool_.function(Op::kSine, rotation.angle);
    const Term first = cosine * v[i] + sine * v[j], second = cosine * v[j] - sine * v[i];
    v[i] = first;
    v[j] = second;
    return true;
  }

  bool turn_about(std::array<Term, 3>& v, const SimpleRotation& rotation, FrameId parent, bool is_down) {
    if (!tree_.of_term(rotation.angle).is_none()) return false;
    const auto found = of_vector(rotation.direction, parent);
    if (!found) return false;
    const std::array<Term, 3>& d = *found;
    const Term cosine = pool_.function(Op::kCosine, rotation.angle);
    const Term sine = is_down ? -pool_.function(Op::kSine, rotation.angle) : pool_.function(Op::kSine, rotation.angle);
    const Term along = (1.0 - cosine) * (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
    std::array<Term, 3> turned;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      turned[i] = cosine * v[i] + along * d[i] + sine * (d[j] * v[k] - d[k] * v[j]);
    }
    v = turned;
    return true;
  }

  /// Measure numbers of a vector composed of basis vectors, numbers and parameters.
  std::optional<std::array<Term, 3>> of_vector(Term vector, FrameId in) {
    switch (vector.kind()) {
      case TermKind::kBasisVector: return of(vector, in);
      case TermKind::kVectorNegate:
      case TermKind::kScale: {
        auto v = of_vector(vector.operand(vector.kind() == TermKind::kScale ? 1 : 0), in);
        if (!v) return std::nullopt;
        for (Term& one : *v) one = vector.kind() == TermKind::kScale ? vector.operand(0) * one : -one;
        return v;
      }
      case TermKind::kVectorAdd:
      case TermKind::kVectorSubtract: {
        auto a = of_vector(vector.operand(0), in), b = of_vector(vector.operand(1), in);
        if (!a || !b) return std::nullopt;
        for (std::size_t i = 0; i < 3; ++i)
          (*a)[i] = vector.kind() == TermKind::kVectorAdd ? (*a)[i] + (*b)[i] : (*a)[i] - (*b)[i];
        return a;
      }
      case TermKind::kUnit: {
        auto v = of_vector(vector.operand(0), in);
        if (!v) return std::nullopt;
        const Term length = pool_.function(Op::kSquareRoot, (*v)[0] * (*v)[0] + (*v)[1] * (*v)[1] + (*v)[2] * (*v)[2]);
        for (Term& one : *v) one = one / length;
        return v;
      }
      default: return std::nullopt;
    }
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree& tree_;
};

}  // namespace

namespace {

/// \param has_its_place  whether basis vectors of a frame need not be rewritten
Term rewritten_in(const Model& model, KinematicTree& tree, Term vector, FrameId frame,
                  const std::function<bool(FrameId)>& has_its_place) {
  TermPool& pool = *model.terms;
  std::unordered_map<TermId, Term> rewritten;
  for (const Term node : in_order(vector)) {
    Term result = node;
    if (node.kind() == TermKind::kBasisVector && !has_its_place(frame_of(node))) {
      if (const auto measures = Measures(model, tree).of(node, frame)) {
        result = pool.zero_vector();
        for (std::size_t k = 0; k < 3; ++k)
          result = result + (*measures)[k] * pool.basis_vector(frame, static_cast<int>(k));
      }
    } else if (node.kind() == TermKind::kPosition && tree.of_term(node, frame).is_none()) {
      const Term arm = tree.separation(point_of(node), PointId(std::size_t{node.second()}));
      result = rewritten_in(model, tree, arm, frame, has_its_place);
    } else if (node.operand_count() > 0 && node.kind() != TermKind::kPartial && node.kind() != TermKind::kRate) {
      std::vector<Term> operands;
      for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
      result = with_operands(node, operands);
    }
    rewritten[node.id()] = result;
  }
  return rewritten.at(vector.id());
}

}  // namespace

Term in_vectors_of(const Model& model, KinematicTree& tree, Term vector, FrameId solid) {
  return rewritten_in(model, tree, vector, solid, [&](FrameId frame) { return tree.solid_of(frame) == solid; });
}

Term in_basis_of(const Model& model, KinematicTree& tree, Term vector, FrameId frame) {
  return rewritten_in(model, tree, vector, frame, [&](FrameId other) { return other == frame; });
}

}  // namespace vinculum::model

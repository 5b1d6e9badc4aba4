#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::elaborate {

/// The variables on which an expanded term depends, as a sum of these bits.
enum Holds : std::uint8_t {
  kHoldsNothing = 0,
  kHoldsTime = 1,
  kHoldsCoordinates = 2,
  kHoldsRates = 4,  ///< velocity level
  kHoldsAccelerations = 8,
  kHoldsMultipliers = 16,
  kHoldsStates = 32,   ///< extra first-order states
  kHoldsThird = 64,    ///< third and higher derivatives
  kHoldsInputs = 128,  ///< inputs, which are states too
};

constexpr std::uint8_t kConfiguration = kHoldsTime | kHoldsCoordinates;
constexpr std::uint8_t kMotionState = kConfiguration | kHoldsRates;

/// Variables that a value contains although its place does not allow them, in words for a message.
struct NotAllowed {
  Holds worst;             ///< the one that the message is about
  std::string_view found;  ///< "is of velocity level"
  std::string may_hold;    ///< what the place allows, "only numbers and parameters"
};
/// Nothing if all variables are allowed.
/// \param held, allowed  sums of Holds bits
/// \param has_states  whether the model has states
[[nodiscard]] std::optional<NotAllowed> not_allowed_of(std::uint8_t held, std::uint8_t allowed, bool has_states);

/// Properties of terms, each computed once. The model may grow in the meantime.
class TermFacts {
 public:
  explicit TermFacts(const model::Model& model) : model_(model), tree_(model) {}

  [[nodiscard]] std::uint8_t holds(model::Term term) { return fact(term).holds; }
  /// Whether all numbers in the term are finite. Only finite results of operations are folded, so 1/0 and 1e308*10
  /// remain operations.
  [[nodiscard]] bool is_finite(model::Term term) { return fact(term).is_finite; }
  /// Number of nested operations down to the deepest leaf.
  [[nodiscard]] std::uint32_t depth(model::Term term) { return fact(term).depth; }
  [[nodiscard]] model::Level level(model::Term term);
  /// Whether a scalar changes by jumps only: by events and samples that set its states, or in steps (`floor`, `sign`,
  /// comparisons). A constant does.
  [[nodiscard]] bool changes_by_jumps(model::Term term);
  /// Whether a condition compares values by `==` or `!=` that do not change by jumps only. Such a comparison changes
  /// its truth at an instant only, and not where a difference changes its sign.
  [[nodiscard]] bool holds_passing_equality(model::Term condition);
  [[nodiscard]] model::KinematicTree& tree() { return tree_; }
  /// Call it when a frame gets its body, because the observer in that frame then has another position.
  void forget_observers();

 private:
  struct Fact {
    std::uint8_t holds = kHoldsNothing;
    bool is_known = false;
    bool is_finite = true;
    bool is_observed = false;  ///< contains a quantity seen by an observer whose position may still change
    std::uint8_t order = 0;    ///< order of the highest coordinate derivative
    std::uint32_t depth = 0;
  };
  const Fact& fact(model::Term term);
  std::uint8_t of_leaf(model::Term leaf);
  [[nodiscard]] bool is_observed(model::Term leaf) const;

  const model::Model& model_;
  model::KinematicTree tree_;
  std::vector<Fact> facts_;              ///< indexed by TermId
  std::vector<model::TermId> observed_;  ///< terms whose facts are known and have `is_observed`
};

}  // namespace vinculum::elaborate

#pragma once

#include <array>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// What threads share of what they work out: the same for all, so that the first one's stays.
template <class Key, class Value>
class Memo {
 public:
  template <class WorkOut>
  Value of(const Key& key, WorkOut&& work_out) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return found->second;
    }
    Value value = work_out();
    const std::lock_guard lock(mutex_);
    return known_.try_emplace(key, std::move(value)).first->second;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    known_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<Key, Value> known_;
};

/// What walks over terms found, each of which begins with what those before it found.
template <class Value>
struct Found {
  std::mutex mutex;
  std::unordered_map<TermId, Value> known;
  void forget() {
    const std::lock_guard lock(mutex);
    known.clear();
  }
};

/// Level of a term, and for the velocity level the degree in the rates: 0, 1 (affine), 2 (more, or not polynomial).
struct Height {
  Level level = Level::kPosition;
  int degree = 0;
};

/// What was read off rows while the model has the bodies, frames and points that it was read with.
struct InspectionMemory {
  Memo<std::pair<TermId, Level>, RowInspection> known;
  Memo<std::pair<TermId, bool>, RowInspection> variations;  ///< of `vary_row`
  Memo<TermId, std::vector<RowInspection>> paths;           ///< of `vary_path`
  Found<Height> heights;                                    ///< of `level_of`
  Found<Term> expanded;                                     ///< of `expand_massless`
  Found<Term> seen_in_newtonian;

  /// Forgets what was read off a smaller model.
  void read_from(const Model& model);

 private:
  std::mutex mutex_;
  std::array<std::size_t, 4> made_with_{};
};

[[nodiscard]] InspectionMemory& memory_of(const Model& model);

}  // namespace vinculum::model

#pragma once

#include <array>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// Thread-safe cache. The value of a key does not depend on the thread, so the first one stored is kept.
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

/// Cache of traversals of terms; each traversal starts from the results of earlier ones.
template <class Value>
struct Found {
  std::mutex mutex;
  std::unordered_map<TermId, Value> known;
  void forget() {
    const std::lock_guard lock(mutex);
    known.clear();
  }
};

/// Level of a term and, at velocity level, its degree in the rates: 0, 1 (affine), 2 (higher, or not polynomial).
struct Height {
  Level level = Level::kPosition;
  int degree = 0;
};

/// Caches of row inspections, valid for the bodies, frames and points that the model has now.
struct InspectionMemory {
  Memo<std::pair<TermId, Level>, RowInspection> known;
  Memo<std::pair<TermId, bool>, RowInspection> variations;  ///< of `vary_row`
  Memo<TermId, std::vector<RowInspection>> paths;           ///< of `vary_path`
  Found<Height> heights;                                    ///< of `level_of`
  Found<Term> expanded;                                     ///< of `expand_massless`
  Found<Term> seen_in_newtonian;

  /// Clears the caches if the model has grown.
  void read_from(const Model& model);

 private:
  std::mutex mutex_;
  std::array<std::size_t, 4> made_with_{};
};

[[nodiscard]] InspectionMemory& memory_of(const Model& model);

}  // namespace vinculum::model

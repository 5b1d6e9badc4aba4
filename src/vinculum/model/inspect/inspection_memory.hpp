#pragma once

#include <array>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// Thread-safe cache. Every thread computes the same value for a key, so the first stored value is kept.
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

/// Cache for traversals of terms: each traversal uses the results of earlier ones.
template <class Value>
struct Found {
  std::mutex mutex;
  std::unordered_map<TermId, Value> known;
  void forget() {
    const std::lock_guard lock(mutex);
    known.clear();
  }
};

/// Level of a term and, at velocity level, its degree in the rates q': 0, 1 (affine), 2 (higher, or not polynomial).
struct Height {
  Level level = Level::kPosition;
  int degree = 0;
};

/// Caches of row inspections. They are valid for the present bodies, frames and points of the model.
struct InspectionMemory {
  Memo<std::pair<TermId, Level>, RowInspection> known;
  Memo<std::pair<TermId, bool>, RowInspection> variations;  ///< results of `vary_row`
  Memo<TermId, std::vector<RowInspection>> paths;           ///< results of `vary_path`
  Found<Height> heights;                                    ///< results of `level_of`
  Found<Term> expanded;                                     ///< results of `expand_massless`
  Found<Term> seen_in_newtonian;

  /// Clears the caches if the model has grown since the last call.
  void read_from(const Model& model);

 private:
  std::mutex mutex_;
  std::array<std::size_t, 4> made_with_{};
};

[[nodiscard]] InspectionMemory& memory_of(const Model& model);

}  // namespace vinculum::model

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// List of expressions of a System that is either present from the start or written at the first access. Deferring
/// matters for matrices that no step of the motion uses: their size grows with the square of the number of speeds.
/// Copies share the written entries.
class Deferred {
 public:
  using Entries = std::vector<expr::Expr>;
  Deferred() : Deferred(Entries()) {}
  Deferred(Entries entries) : memory_(std::make_shared<Memory>()) { memory_->entries = std::move(entries); }
  /// \param write  returns the entries and adds them to the graph of the system. Called at most once, by the first
  ///   thread that asks.
  explicit Deferred(std::function<Entries()> write) : memory_(std::make_shared<Memory>()), is_deferred_(true) {
    memory_->write = std::move(write);
  }

  /// True if the entries were not present when the System was derived, whether or not they have been written since.
  [[nodiscard]] bool is_deferred() const { return is_deferred_; }
  [[nodiscard]] const Entries& get() const {
    if (!is_deferred_) return memory_->entries;
    std::call_once(memory_->once, [this] {
      memory_->entries = memory_->write();
      memory_->write = nullptr;
    });
    return memory_->entries;
  }
  /// Entries for modification. Other copies keep the entries that they had.
  [[nodiscard]] Entries& own() {
    *this = Deferred(get());
    return memory_->entries;
  }

  operator const Entries&() const { return get(); }  // a Deferred can be used as its entries
  [[nodiscard]] const expr::Expr& operator[](std::size_t i) const { return get()[i]; }
  [[nodiscard]] std::size_t size() const { return get().size(); }
  [[nodiscard]] Entries::const_iterator begin() const { return get().begin(); }
  [[nodiscard]] Entries::const_iterator end() const { return get().end(); }

 private:
  struct Memory {
    std::once_flag once;
    std::function<Entries()> write;
    Entries entries;
  };
  std::shared_ptr<Memory> memory_;
  bool is_deferred_ = false;
};

}  // namespace vinculum::equations

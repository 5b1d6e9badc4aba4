#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// A list of expressions of a System that is either present from the start or written at the first access. It defers
/// matrices that no step of the motion uses, because their size grows with the square of the number of speeds. Copies
/// share the entries once they are written.
class Deferred {
 public:
  using Entries = std::vector<expr::Expr>;
  Deferred() : Deferred(Entries()) {}
  Deferred(Entries entries) : memory_(std::make_shared<Memory>()) { memory_->entries = std::move(entries); }
  /// \param write  returns the entries and adds them to the graph of the system. It is called at most once, in the
  ///   thread that first calls `get`.
  explicit Deferred(std::function<Entries()> write) : memory_(std::make_shared<Memory>()), is_deferred_(true) {
    memory_->write = std::move(write);
  }

  /// Whether the entries were absent when the System was derived. It stays true after they have been written.
  [[nodiscard]] bool is_deferred() const { return is_deferred_; }
  [[nodiscard]] const Entries& get() const {
    if (!is_deferred_) return memory_->entries;
    std::call_once(memory_->once, [this] {
      memory_->entries = memory_->write();
      memory_->write = nullptr;
    });
    return memory_->entries;
  }
  /// Entries that the caller may modify. Other copies keep the entries that they had.
  [[nodiscard]] Entries& own() {
    *this = Deferred(get());
    return memory_->entries;
  }

  operator const Entries&() const { return get(); }  // a Deferred can be used in place of its entries
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

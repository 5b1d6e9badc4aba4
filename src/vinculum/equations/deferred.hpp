#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// Expressions of a System, at hand or written when somebody first asks for them: a matrix that no step of the motion
/// needs grows with the square of what the motion does. Copies share what is written.
class Deferred {
 public:
  using Entries = std::vector<expr::Expr>;
  Deferred() : Deferred(Entries()) {}
  Deferred(Entries entries) : memory_(std::make_shared<Memory>()) { memory_->entries = std::move(entries); }
  /// \param write  grows the graph of the system; called once at most, by whichever thread asks first.
  explicit Deferred(std::function<Entries()> write) : memory_(std::make_shared<Memory>()), is_deferred_(true) {
    memory_->write = std::move(write);
  }

  /// Whether it was not at hand when the System was derived, whoever has asked for it since.
  [[nodiscard]] bool is_deferred() const { return is_deferred_; }
  [[nodiscard]] const Entries& get() const {
    if (!is_deferred_) return memory_->entries;
    std::call_once(memory_->once, [this] {
      memory_->entries = memory_->write();
      memory_->write = nullptr;
    });
    return memory_->entries;
  }
  /// To be changed: what other copies hold stays.
  [[nodiscard]] Entries& own() {
    *this = Deferred(get());
    return memory_->entries;
  }

  operator const Entries&() const { return get(); }  // it is the entries
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

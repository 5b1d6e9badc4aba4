#include "vinculum/lang/expression.hpp"

#include <utility>

namespace vinculum::lang {

// Defined here and not in the class, because Expression must be complete.
ExpressionPtr::ExpressionPtr(std::nullptr_t) {}
ExpressionPtr::ExpressionPtr(std::unique_ptr<Expression> expression) : expression_(std::move(expression)) {}
ExpressionPtr::ExpressionPtr(const ExpressionPtr& other)
    : expression_(other ? std::make_unique<Expression>(*other) : nullptr) {}
ExpressionPtr::ExpressionPtr(ExpressionPtr&& other) noexcept = default;
ExpressionPtr& ExpressionPtr::operator=(ExpressionPtr other) noexcept {
  expression_.swap(other.expression_);
  return *this;
}
ExpressionPtr::~ExpressionPtr() = default;

}  // namespace vinculum::lang

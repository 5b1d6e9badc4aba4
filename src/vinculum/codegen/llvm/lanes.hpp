#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <cstdint>

namespace vinculum::codegen::native {

/// The Machine of expr/elementary/circular_kernel.hpp that emits LLVM code for vectors of doubles. Each lane computes
/// the same bits as the scalar function.
class Lanes {
 public:
  struct Number {
    llvm::Value* value;
    llvm::IRBuilder<>* builder;
    friend Number operator+(Number a, Number b) { return {a.builder->CreateFAdd(a.value, b.value), a.builder}; }
    friend Number operator-(Number a, Number b) { return {a.builder->CreateFSub(a.value, b.value), a.builder}; }
    friend Number operator*(Number a, Number b) { return {a.builder->CreateFMul(a.value, b.value), a.builder}; }
  };
  using Bits = llvm::Value*;
  using Truth = llvm::Value*;

  Lanes(llvm::IRBuilder<>& builder, unsigned count)
      : builder_(builder),
        numbers_(llvm::FixedVectorType::get(builder.getDoubleTy(), count)),
        words_(llvm::FixedVectorType::get(builder.getInt64Ty(), count)) {}

  [[nodiscard]] llvm::Type* type() const { return numbers_; }
  [[nodiscard]] Number number(double x) const { return {llvm::ConstantFP::get(numbers_, x), &builder_}; }
  [[nodiscard]] Number number(llvm::Value* x) const { return {x, &builder_}; }
  [[nodiscard]] Number size(Number x) const {
    return {builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x.value), &builder_};
  }
  [[nodiscard]] Truth is_at_most(Number x, Number y) const { return builder_.CreateFCmpOLE(x.value, y.value); }
  [[nodiscard]] Truth both(Truth p, Truth q) const { return builder_.CreateAnd(p, q); }
  [[nodiscard]] Bits bits(Number x) const { return builder_.CreateBitCast(x.value, words_); }
  [[nodiscard]] Bits next(Bits bits) const { return builder_.CreateAdd(bits, word(1)); }
  [[nodiscard]] Number negated(Number x, Bits word_of_sign) const {
    llvm::Value* sign = builder_.CreateShl(builder_.CreateAnd(word_of_sign, word(2)), word(62));
    return {builder_.CreateBitCast(builder_.CreateXor(bits(x), sign), numbers_), &builder_};
  }
  [[nodiscard]] Number chosen(Bits choice, Number odd, Number even) const {
    // The bit is moved to the sign, because a test of the sign bit becomes a blend instruction.
    llvm::Value* is_odd = builder_.CreateICmpSLT(builder_.CreateShl(choice, word(63)), word(0));
    return {builder_.CreateSelect(is_odd, odd.value, even.value), &builder_};
  }

 private:
  [[nodiscard]] llvm::Value* word(std::uint64_t x) const { return llvm::ConstantInt::get(words_, x); }

  llvm::IRBuilder<>& builder_;
  llvm::Type* numbers_;
  llvm::Type* words_;
};

}  // namespace vinculum::codegen::native

#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <unordered_map>

#include "vinculum/codegen/llvm/angles.hpp"
#include "vinculum/codegen/llvm/emit.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Emits a function of type Entry that computes operations of a program one after another. Every value is an LLVM
/// register and no fast-math flag is set. So each operation gives the bits of `expr::evaluate_operation` and is rounded
/// once. Derived classes define where operands are loaded and results stored.
class OperationEmitter {
 public:
  OperationEmitter(const OperationEmitter&) = delete;
  OperationEmitter& operator=(const OperationEmitter&) = delete;

 protected:
  enum Argument : unsigned { kFirst, kOthers, kConstants, kOutputs, kWorkspace, kContext };

  OperationEmitter(llvm::Module& module, const Program& program, const Target& target, const llvm::Twine& name);
  ~OperationEmitter() = default;

  /// Emits the operations with the indices begin … end − 1 of the order.
  void emit_operations(std::span<const std::uint32_t> order, std::uint32_t begin, std::uint32_t end);
  /// Loads a value that this function does not compute. Called once per value.
  virtual llvm::Value* load_value(std::uint32_t v) = 0;
  /// Stores the result of an instruction.
  virtual void store(std::uint32_t i, llvm::Value* result) = 0;

  [[nodiscard]] llvm::Value* value(std::uint32_t v);
  [[nodiscard]] llvm::Value* place(Argument argument, std::uint32_t index);
  [[nodiscard]] llvm::Value* load(Argument argument, llvm::Value* address);
  /// \param index  index in the array of the argument; 0 for kFirst, which is a number and not an array
  [[nodiscard]] llvm::Value* load_at(Argument argument, std::uint32_t index) {
    return argument == kFirst ? function_->getArg(kFirst) : load(argument, place(argument, index));
  }
  [[nodiscard]] llvm::Value* literal(double x) { return llvm::ConstantFP::get(double_, x); }

  const Program& program_;
  llvm::IRBuilder<> builder_;
  llvm::Type* double_;
  llvm::PointerType* pointer_;
  llvm::Function* function_ = nullptr;

 private:
  void define(std::uint32_t i, llvm::Value* result);
  llvm::Value* condition(std::uint32_t v);
  llvm::Value* truth(llvm::Value* is_true, const Instruction& instruction);
  llvm::Value* call(MathFunction which, llvm::Type* result, std::initializer_list<llvm::Value*> arguments);
  void emit_sine_and_cosine(std::uint32_t i, std::uint32_t j);
  void emit_angles(const Angles& angles);
  llvm::Value* extreme(llvm::Value* a, llvm::Value* b, llvm::Value* a_first);
  llvm::Value* emit(const Instruction& instruction);

  const Target& target_;
  llvm::MDNode* invariant_ = nullptr;
  std::unordered_map<std::uint32_t, llvm::Value*> values_;
  std::unordered_map<std::uint32_t, llvm::Value*> conditions_;
};

}  // namespace vinculum::codegen::native

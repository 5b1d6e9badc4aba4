#include "vinculum/codegen/llvm/operation_emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include "vinculum/codegen/llvm/angles_function.hpp"
#include "vinculum/codegen/llvm/order.hpp"

namespace vinculum::codegen::native {

using expr::Op;

OperationEmitter::OperationEmitter(llvm::Module& module, const Program& program, const Target& target,
                                   const llvm::Twine& name)
    : program_(program),
      builder_(module.getContext()),
      double_(builder_.getDoubleTy()),
      pointer_(builder_.getPtrTy()),
      target_(target) {
  auto* type =
      llvm::FunctionType::get(builder_.getVoidTy(), {double_, pointer_, pointer_, pointer_, pointer_, pointer_}, false);
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  function_->setDSOLocal(true);
  function_->setDoesNotThrow();
  for (llvm::Argument& argument : function_->args()) {
    if (argument.getType() != pointer_) continue;
    argument.addAttr(llvm::Attribute::NoAlias);
    argument.addAttr(llvm::Attribute::NoCapture);
  }
  builder_.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function_));
  invariant_ = llvm::MDNode::get(module.getContext(), {});
}

void OperationEmitter::emit_operations(std::span<const std::uint32_t> order, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t k = begin; k < end; ++k) {
    const std::uint32_t i = order[k];
    if (target_.has_lanes && is_circular(program_.instructions[i].op)) {
      const Angles angles = angles_from(program_, order, k, end);
      emit_angles(angles);
      k = angles.end - 1;
    } else if (k + 1 < end && are_sine_and_cosine(program_, i, order[k + 1])) {
      emit_sine_and_cosine(i, order[++k]);
    } else {
      define(i, emit(program_.instructions[i]));
    }
  }
}

llvm::Value* OperationEmitter::place(Argument argument, std::uint32_t index) {
  return builder_.CreateConstInBoundsGEP1_64(double_, function_->getArg(argument), index);
}

llvm::Value* OperationEmitter::load(Argument argument, llvm::Value* address) {
  llvm::LoadInst* load = builder_.CreateAlignedLoad(double_, address, llvm::Align(8));
  if (argument != kWorkspace) load->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant_);
  return load;
}

llvm::Value* OperationEmitter::value(std::uint32_t v) {
  llvm::Value*& known = values_[v];
  if (known == nullptr) known = load_value(v);
  return known;
}

void OperationEmitter::define(std::uint32_t i, llvm::Value* result) {
  values_[leaf_count(program_) + i] = result;
  store(i, result);
}

/// The value v as a condition: every number except ±0 is true, and so is NaN.
llvm::Value* OperationEmitter::condition(std::uint32_t v) {
  const auto known = conditions_.find(v);
  if (known != conditions_.end()) return known->second;
  return builder_.CreateFCmpUNE(value(v), literal(0.0));
}

/// The number 1 or 0 for a condition. The condition is stored, so that a select on the number needs no second
/// comparison.
llvm::Value* OperationEmitter::truth(llvm::Value* is_true, const Instruction& instruction) {
  const auto i = static_cast<std::uint32_t>(&instruction - program_.instructions);
  conditions_[leaf_count(program_) + i] = is_true;
  return builder_.CreateSelect(is_true, literal(1.0), literal(0.0));
}

llvm::Value* OperationEmitter::call(MathFunction which, llvm::Type* result,
                                    std::initializer_list<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::LoadInst* address = builder_.CreateAlignedLoad(
      pointer_,
      builder_.CreateConstInBoundsGEP1_64(pointer_, function_->getArg(kContext), static_cast<std::uint64_t>(which)),
      llvm::Align(8));
  address->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant_);
  llvm::CallInst* result_of_call = builder_.CreateCall(llvm::FunctionType::get(result, types, false), address,
                                                       llvm::SmallVector<llvm::Value*, 4>(arguments));
  result_of_call->setDoesNotThrow();
  return result_of_call;
}

void OperationEmitter::emit_sine_and_cosine(std::uint32_t i, std::uint32_t j) {
  const bool sine_first = program_.instructions[i].op == Op::kSine;
  llvm::Value* both = call(MathFunction::kSineAndCosine, llvm::StructType::get(double_, double_),
                           {value(program_.instructions[i].operands[0])});
  define(i, builder_.CreateExtractValue(both, sine_first ? 0 : 1));
  define(j, builder_.CreateExtractValue(both, sine_first ? 1 : 0));
}

/// Evaluates the sines and cosines of several angles in one vector.
void OperationEmitter::emit_angles(const Angles& angles) {
  llvm::SmallVector<llvm::Value*, 4> x;
  for (const std::uint32_t operand : angles.operands) x.push_back(value(operand));
  const unsigned lanes = x.size() <= 2 ? 2 : 4;
  llvm::Value* side_by_side = llvm::PoisonValue::get(llvm::FixedVectorType::get(double_, lanes));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    side_by_side = builder_.CreateInsertElement(side_by_side, x[lane < x.size() ? lane : 0], lane);
  }
  llvm::Value* both =
      builder_.CreateCall(angles_function(*function_->getParent(), lanes), {side_by_side, function_->getArg(kContext)});
  llvm::Value *sines = builder_.CreateExtractValue(both, 0), *cosines = builder_.CreateExtractValue(both, 1);
  for (const auto& [i, lane] : angles.instructions) {
    define(i, builder_.CreateExtractElement(program_.instructions[i].op == Op::kSine ? sines : cosines, lane));
  }
}

llvm::Value* OperationEmitter::extreme(llvm::Value* a, llvm::Value* b, llvm::Value* a_first) {
  return builder_.CreateSelect(builder_.CreateOr(a_first, builder_.CreateFCmpUNO(a, a)), a, b);
}

llvm::Value* OperationEmitter::emit(const Instruction& instruction) {
  const auto operand = [&](int k) { return value(instruction.operands[k]); };
  const auto test = [&](int k) { return condition(instruction.operands[k]); };
  const auto call_one = [&](MathFunction which) { return call(which, double_, {operand(0)}); };
  switch (instruction.op) {
    case Op::kAdd: return builder_.CreateFAdd(operand(0), operand(1));
    case Op::kSubtract: return builder_.CreateFSub(operand(0), operand(1));
    case Op::kMultiply: return builder_.CreateFMul(operand(0), operand(1));
    case Op::kDivide: return builder_.CreateFDiv(operand(0), operand(1));
    case Op::kNegate: return builder_.CreateFNeg(operand(0));
    case Op::kSquareRoot: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operand(0));
    case Op::kAbsolute: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, operand(0));
    case Op::kFloor:
      return target_.has_floor ? builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, operand(0))
                               : call_one(MathFunction::kFloor);
    case Op::kSign: {
      llvm::Value* x = operand(0);
      llvm::Value* below = builder_.CreateSelect(builder_.CreateFCmpOLT(x, literal(0.0)), literal(-1.0), x);
      return builder_.CreateSelect(builder_.CreateFCmpOGT(x, literal(0.0)), literal(1.0), below);
    }
    case Op::kMinimum: return extreme(operand(0), operand(1), builder_.CreateFCmpOLT(operand(0), operand(1)));
    case Op::kMaximum: return extreme(operand(0), operand(1), builder_.CreateFCmpOGT(operand(0), operand(1)));
    case Op::kLess: return truth(builder_.CreateFCmpOLT(operand(0), operand(1)), instruction);
    case Op::kLessEqual: return truth(builder_.CreateFCmpOLE(operand(0), operand(1)), instruction);
    case Op::kEqual: return truth(builder_.CreateFCmpOEQ(operand(0), operand(1)), instruction);
    case Op::kNotEqual: return truth(builder_.CreateFCmpUNE(operand(0), operand(1)), instruction);
    case Op::kAnd: return truth(builder_.CreateAnd(test(0), test(1)), instruction);
    case Op::kOr: return truth(builder_.CreateOr(test(0), test(1)), instruction);
    case Op::kNot: return truth(builder_.CreateNot(test(0)), instruction);
    case Op::kSelect: return builder_.CreateSelect(test(0), operand(1), operand(2));
    case Op::kPower: return call(MathFunction::kPower, double_, {operand(0), operand(1)});
    case Op::kArcTangent2: return call(MathFunction::kArcTangent2, double_, {operand(0), operand(1)});
    case Op::kExponential: return call_one(MathFunction::kExponential);
    case Op::kLogarithm: return call_one(MathFunction::kLogarithm);
    case Op::kSine: return call_one(MathFunction::kSine);
    case Op::kCosine: return call_one(MathFunction::kCosine);
    case Op::kTangent: return call_one(MathFunction::kTangent);
    case Op::kArcSine: return call_one(MathFunction::kArcSine);
    case Op::kArcCosine: return call_one(MathFunction::kArcCosine);
    case Op::kArcTangent: return call_one(MathFunction::kArcTangent);
    case Op::kHyperbolicSine: return call_one(MathFunction::kHyperbolicSine);
    case Op::kHyperbolicCosine: return call_one(MathFunction::kHyperbolicCosine);
    case Op::kHyperbolicTangent: return call_one(MathFunction::kHyperbolicTangent);
    case Op::kTable:
      return call(MathFunction::kTable, double_,
                  {function_->getArg(kContext), builder_.getInt32(instruction.table),
                   builder_.getInt32(instruction.derivative_order), operand(0)});
    case Op::kConstant:
    case Op::kSymbol: break;
  }
  llvm_unreachable("leaves are no instructions: compile.cpp has checked the program");
}

}  // namespace vinculum::codegen::native

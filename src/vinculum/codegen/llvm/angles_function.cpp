#include "vinculum/codegen/llvm/angles_function.hpp"

#include <llvm/IR/MDBuilder.h>

#include <string>

#include "vinculum/codegen/llvm/lanes.hpp"
#include "vinculum/codegen/native_abi.hpp"
#include "vinculum/expr/elementary/circular_kernel.hpp"

namespace vinculum::codegen::native {
namespace {

/// Emits the function. Angles up to π/4 need no reduction; a well-predicted branch skips it, which shortens the
/// latency. If an angle is too large for the vectorized reduction, or too close to a multiple of a right angle, the
/// library function is called for every angle of the vector.
class AnglesEmitter {
 public:
  AnglesEmitter(llvm::Function* function, unsigned lane_count)
      : function_(function), builder_(function->getContext()), lane_count_(lane_count), lanes_(builder_, lane_count) {}

  void run() {
    auto *start = new_block(), *reduction = new_block(), *reduced = new_block(), *far = new_block();
    const Lanes::Number x = lanes_.number(function_->getArg(0));
    builder_.SetInsertPoint(start);
    const auto is_reduced = lanes_.is_at_most(lanes_.size(x), lanes_.number(expr::elementary::kReduced));
    builder_.CreateCondBr(builder_.CreateAndReduce(is_reduced), reduced, reduction);
    builder_.SetInsertPoint(reduction);
    const auto angle = expr::elementary::reduce_near(lanes_, x);
    builder_.CreateCondBr(builder_.CreateAndReduce(angle.holds), reduced, far,
                          llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
    builder_.SetInsertPoint(reduced);
    const auto either = [&](llvm::Value* as_it_is, llvm::Value* less_turns) {
      llvm::PHINode* phi = builder_.CreatePHI(as_it_is->getType(), 2);
      phi->addIncoming(as_it_is, start);
      phi->addIncoming(less_turns, reduction);
      return phi;
    };
    const Lanes::Number high = lanes_.number(either(x.value, angle.high.value));
    const Lanes::Number low = lanes_.number(either(lanes_.number(0.0).value, angle.low.value));
    llvm::Value* turn = either(llvm::Constant::getNullValue(angle.turn->getType()), angle.turn);
    const auto near = expr::elementary::sine_and_cosine_of(lanes_, high, low, turn);
    give(near.sine.value, near.cosine.value);
    builder_.SetInsertPoint(far);
    call_for_each(x.value);
  }

 private:
  llvm::BasicBlock* new_block() { return llvm::BasicBlock::Create(builder_.getContext(), "", function_); }

  void give(llvm::Value* sines, llvm::Value* cosines) {
    llvm::Value* both = llvm::PoisonValue::get(function_->getReturnType());
    builder_.CreateRet(builder_.CreateInsertValue(builder_.CreateInsertValue(both, sines, 0), cosines, 1));
  }

  void call_for_each(llvm::Value* x) {
    llvm::Type* number = builder_.getDoubleTy();
    auto* type = llvm::FunctionType::get(llvm::StructType::get(number, number), {number}, false);
    llvm::Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), function_->getArg(1),
                                                             static_cast<std::uint64_t>(MathFunction::kSineAndCosine));
    llvm::Value* address = builder_.CreateAlignedLoad(builder_.getPtrTy(), place, llvm::Align(8));
    llvm::Value *sines = llvm::PoisonValue::get(lanes_.type()), *cosines = sines;
    for (unsigned lane = 0; lane < lane_count_; ++lane) {
      llvm::CallInst* both = builder_.CreateCall(type, address, {builder_.CreateExtractElement(x, lane)});
      both->setDoesNotThrow();
      sines = builder_.CreateInsertElement(sines, builder_.CreateExtractValue(both, 0), lane);
      cosines = builder_.CreateInsertElement(cosines, builder_.CreateExtractValue(both, 1), lane);
    }
    give(sines, cosines);
  }

  llvm::Function* function_;
  llvm::IRBuilder<> builder_;
  unsigned lane_count_;
  Lanes lanes_;
};

}  // namespace

llvm::Function* angles_function(llvm::Module& module, unsigned lanes) {
  const std::string name = "angles" + std::to_string(lanes);
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* numbers = llvm::FixedVectorType::get(llvm::Type::getDoubleTy(context), lanes);
  auto* type = llvm::FunctionType::get(llvm::StructType::get(numbers, numbers),
                                       {numbers, llvm::PointerType::getUnqual(context)}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->setDSOLocal(true);
  function->setDoesNotThrow();
  AnglesEmitter(function, lanes).run();
  return function;
}

}  // namespace vinculum::codegen::native

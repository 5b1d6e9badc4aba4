#include "vinculum/codegen/llvm/emit.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/codegen/llvm/operation_emitter.hpp"

namespace vinculum::codegen::native {
namespace {

/// Emits straight-line code. Values of earlier parts are read from the workspace. Each input, constant and output is
/// read or written once.
class StraightEmitter final : OperationEmitter {
 public:
  StraightEmitter(llvm::Module& module, const Program& program, const Plan& plan, const Target& target,
                  const llvm::Twine& name)
      : OperationEmitter(module, program, target, name), plan_(plan), has_lanes_(target.has_lanes) {}

  void run(const Plan::Part& part) {
    find_pairs(part);
    for (std::uint32_t k = part.first_copy; k < part.copy_end; ++k) {
      give(value(plan_.copies[k].first), plan_.copies[k].second);
    }
    emit_operations(plan_.order, part.begin, part.end);
    builder_.CreateRetVoid();
  }

 private:
  llvm::Value* load_value(std::uint32_t v) override {
    const std::uint32_t first_literal = program_.input_count + program_.constant_count;
    if (v >= first_literal && v < leaf_count(program_)) return literal(program_.literals[v - first_literal]);
    const Place at = place_of(program_, plan_.slot, v);
    return load_at(static_cast<Argument>(at.array), at.index);
  }

  /// Finds pairs of outputs of this part with the indices 2k and 2k + 1. Each pair is stored by one instruction. Later
  /// code reads it as a pair, and a processor forwards a pair from its store buffer only if one instruction stored it.
  void find_pairs(const Plan::Part& part) {
    if (!has_lanes_) return;
    std::vector<std::uint32_t> here;
    for (std::uint32_t k = part.first_copy; k < part.copy_end; ++k) here.push_back(plan_.copies[k].second);
    for (std::uint32_t k = part.begin; k < part.end; ++k) {
      for (const Plan::Output& output : outputs_of(leaf_count(program_) + plan_.order[k]))
        here.push_back(output.second);
    }
    std::sort(here.begin(), here.end());
    for (std::size_t n = 0; n + 1 < here.size(); ++n) {
      if (here[n] % 2 == 0 && here[n + 1] == here[n] + 1) pairs_.emplace(here[n], nullptr);
    }
  }

  [[nodiscard]] std::span<const Plan::Output> outputs_of(std::uint32_t v) const {
    const auto [begin, end] = std::equal_range(plan_.outputs.begin(), plan_.outputs.end(), Plan::Output{v, 0u},
                                               [](const auto& a, const auto& b) { return a.first < b.first; });
    return {begin, end};
  }

  void give(llvm::Value* result, std::uint32_t k) {
    const auto pair = pairs_.find(k & ~1u);
    if (pair == pairs_.end()) {
      builder_.CreateStore(result, place(kOutputs, k));
    } else if (pair->second == nullptr) {
      pair->second = result;
    } else {
      const bool is_second = (k & 1u) != 0;
      llvm::Value* both = llvm::PoisonValue::get(llvm::FixedVectorType::get(double_, 2));
      both = builder_.CreateInsertElement(both, is_second ? pair->second : result, std::uint64_t{0});
      both = builder_.CreateInsertElement(both, is_second ? result : pair->second, std::uint64_t{1});
      builder_.CreateAlignedStore(both, place(kOutputs, pair->first), llvm::Align(8));
    }
  }

  /// Stores the result of an instruction as an output, and in the workspace if other parts read it.
  void store(std::uint32_t i, llvm::Value* result) override {
    for (const Plan::Output& output : outputs_of(leaf_count(program_) + i)) give(result, output.second);
    if (plan_.slot[i] != Plan::kNone) builder_.CreateStore(result, place(kWorkspace, plan_.slot[i]));
  }

  const Plan& plan_;
  bool has_lanes_;
  /// for each pair, by its even index: the one of its two values that was computed first
  std::unordered_map<std::uint32_t, llvm::Value*> pairs_;
};

/// Emits a loop over iterations. Values that the next iteration reads stay in registers. There is one pointer per array
/// and step, which each iteration advances.
class LoopEmitter final : OperationEmitter {
 public:
  LoopEmitter(llvm::Module& module, const Loop& loop, const Program& body, const Target& target,
              const llvm::Twine& name)
      : OperationEmitter(module, body, target, name), loop_(loop), written_(body.instruction_count) {
    for (const Loop::Write& write : loop.writes) {
      if (write.value >= leaf_count(body) && !write.is_last) written_[write.value - leaf_count(body)].push_back(&write);
    }
  }

  void run() {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    std::vector<llvm::Value*> first;  // initial values of the reads that are carried from iteration to iteration
    for (const Loop::Read& read : loop_.reads) {
      first.push_back(read.carried == Loop::kNone ? nullptr : load_at(argument_of(read.from), read.from.first));
    }
    body_ = llvm::BasicBlock::Create(builder_.getContext(), "", function_);
    llvm::BasicBlock* behind = llvm::BasicBlock::Create(builder_.getContext(), "", function_);
    builder_.CreateBr(body_);
    builder_.SetInsertPoint(body_);
    iteration_ = add_phi(builder_.getInt64Ty(), builder_.getInt64(0), before);
    for (std::size_t r = 0; r < first.size(); ++r) {
      carried_.push_back(first[r] == nullptr ? nullptr : add_phi(double_, first[r], before));
    }
    for (const Loop::Read& read : loop_.reads) add_pointer(read.from, before);
    for (const Loop::Write& write : loop_.writes) {
      if (!write.is_last) add_pointer(write.to, before);
    }
    std::vector<std::uint32_t> order = operations_in_order(program_, Rest::kByWhatWaits);
    emit_operations(order, 0, static_cast<std::uint32_t>(order.size()));
    for (const Loop::Write& write : loop_.writes) {
      if (write.value < leaf_count(program_)) store_at(write, value(write.value));
    }
    close(behind);
    builder_.SetInsertPoint(behind);
    for (const Loop::Write& write : loop_.writes) {
      if (write.is_last) builder_.CreateStore(value(write.value), place(kWorkspace, write.to.first));
    }
    builder_.CreateRetVoid();
  }

 private:
  static Argument argument_of(const Access& access) { return static_cast<Argument>(access.array); }

  llvm::PHINode* add_phi(llvm::Type* type, llvm::Value* first, llvm::BasicBlock* before) {
    llvm::PHINode* phi = builder_.CreatePHI(type, 2);
    phi->addIncoming(first, before);
    return phi;
  }

  void add_pointer(const Access& access, llvm::BasicBlock* before) {
    if (access.step == 0) return;
    llvm::PHINode*& pointer = pointers_[{access.array, access.step}];
    if (pointer == nullptr) pointer = add_phi(pointer_, function_->getArg(argument_of(access)), before);
  }

  llvm::Value* address(const Access& access) {
    llvm::Value* base = function_->getArg(argument_of(access));
    if (!access.places.empty()) {
      llvm::Value* entry = builder_.CreateInBoundsGEP(builder_.getInt32Ty(), table(access.places), iteration_);
      llvm::Value* index = builder_.CreateAlignedLoad(builder_.getInt32Ty(), entry, llvm::Align(4));
      return builder_.CreateInBoundsGEP(double_, base, builder_.CreateZExt(index, builder_.getInt64Ty()));
    }
    if (access.step != 0) base = pointers_.at({access.array, access.step});
    return builder_.CreateGEP(double_, base, builder_.getInt64(access.first));
  }

  llvm::Value* table(const std::vector<std::uint32_t>& places) {
    llvm::Value*& known = tables_[places];
    if (known != nullptr) return known;
    llvm::Constant* content = llvm::ConstantDataArray::get(builder_.getContext(), places);
    auto* global = new llvm::GlobalVariable(*function_->getParent(), content->getType(), true,
                                            llvm::GlobalValue::PrivateLinkage, content);
    global->setAlignment(llvm::Align(4));
    return known = global;
  }

  llvm::Value* load_value(std::uint32_t v) override {
    if (v >= program_.input_count) return literal(program_.literals[v - program_.input_count]);
    if (carried_[v] != nullptr) return carried_[v];
    const Access& from = loop_.reads[v].from;
    return from.array == Access::Array::kFirst ? load_at(kFirst, 0) : load(argument_of(from), address(from));
  }

  void store(std::uint32_t i, llvm::Value* result) override {
    for (const Loop::Write* write : written_[i]) store_at(*write, result);
  }
  void store_at(const Loop::Write& write, llvm::Value* result) { builder_.CreateStore(result, address(write.to)); }

  void close(llvm::BasicBlock* behind) {
    for (std::size_t r = 0; r < carried_.size(); ++r) {
      if (carried_[r] == nullptr) continue;
      carried_[r]->addIncoming(value(leaf_count(program_) + loop_.reads[r].carried), body_);
    }
    for (auto& [key, pointer] : pointers_) {
      pointer->addIncoming(
          builder_.CreateGEP(double_, pointer, builder_.getInt64(static_cast<std::uint64_t>(key.second))), body_);
    }
    llvm::Value* next = builder_.CreateAdd(iteration_, builder_.getInt64(1));
    iteration_->addIncoming(next, body_);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt64(loop_.count)), body_, behind);
  }

  const Loop& loop_;
  std::vector<std::vector<const Loop::Write*>> written_;  ///< [instructions] the writes of each instruction's result
  llvm::BasicBlock* body_ = nullptr;
  llvm::PHINode* iteration_ = nullptr;
  std::vector<llvm::PHINode*> carried_;  ///< one per read; null unless the read is carried from the previous iteration
  std::map<std::pair<Access::Array, std::int64_t>, llvm::PHINode*> pointers_;
  std::map<std::vector<std::uint32_t>, llvm::Value*> tables_;
};

}  // namespace

void emit_part(llvm::Module& module, const Program& program, const Plan& plan, const Plan::Part& part,
               const Target& target, const llvm::Twine& name) {
  if (part.loop == Plan::kNone) {
    StraightEmitter(module, program, plan, target, name).run(part);
  } else {
    const Loop& loop = plan.loops[part.loop];
    LoopEmitter(module, loop, loop.body(), target, name).run();
  }
}

}  // namespace vinculum::codegen::native

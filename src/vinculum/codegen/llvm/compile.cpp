#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/codegen/llvm/emit.hpp"
#include "vinculum/codegen/llvm/flatten.hpp"
#include "vinculum/codegen/llvm/plan.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {
namespace {

/// Number of operations per object file. A cancelled compilation still completes the current object.
constexpr std::uint32_t kOperationsPerObject = 1000;

/// Largest code size, in operations, that kSoonest compiles with optimization at once. Up to this size, level 2 takes
/// at most 50 ms, so compiling twice is not worthwhile. The second limit is for code with loops, because loops run many
/// times from the first evaluation on.
constexpr std::uint32_t kOperationsAtOnce = 1000;
constexpr std::uint32_t kOperationsOfLoopsAtOnce = 6000;

std::unique_ptr<llvm::TargetMachine> make_target_machine(Level level, std::string& error) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return nullptr;
  std::string features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    if (!features.empty()) features += ',';
    features += feature.second ? '+' : '-';
    features += feature.first();
  }
  llvm::TargetOptions options;
  // a fused multiply-add is rounded once, but the tape rounds product and sum
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  const auto optimisation = level == Level::kFast ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, llvm::sys::getHostCPUName(), features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, optimisation));
  if (machine == nullptr) {
    error = (llvm::Twine("no code generator for ") + triple).str();
  } else if (level == Level::kFast) {
    machine->setO0WantsFastISel(true);
    machine->setFastISel(true);
  }
  return machine;
}

bool is_valid(const Program& program) {
  const std::uint32_t leaves = leaf_count(program);
  for (std::uint32_t i = 0; i < program.instruction_count; ++i) {
    const Instruction& instruction = program.instructions[i];
    if (instruction.op == expr::Op::kConstant || instruction.op == expr::Op::kSymbol ||
        instruction.op > expr::Op::kTable || instruction.operand_count > 3) {
      return false;
    }
    for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
      if (instruction.operands[k] >= leaves + i) return false;
    }
  }
  for (std::uint32_t k = 0; k < program.output_count; ++k) {
    if (program.outputs[k] >= leaves + program.instruction_count) return false;
  }
  return true;
}

Level level_for(Level wanted, std::span<const Plan> plans) {
  if (wanted != Level::kSoonest) return wanted;
  std::uint32_t size = 0;
  bool has_loops = false;
  for (const Plan& plan : plans) {
    for (const Plan::Part& part : plan.parts) size += plan.code_size(part);
    has_loops = has_loops || !plan.loops.empty();
  }
  return size <= (has_loops ? kOperationsOfLoopsAtOnce : kOperationsAtOnce) ? Level::kFull : Level::kFast;
}

class Compilation {
 public:
  /// \param plans  one per program of the request.
  Compilation(const Request& request, std::span<const Plan> plans, llvm::TargetMachine& machine, Level level)
      : request_(request), plans_(plans), machine_(machine), level_(level) {
    target_.has_lanes = level != Level::kFast;  // because FastISel is slow with vectors and branches
    target_.has_floor = machine.getMCSubtargetInfo()->checkFeatures("+sse4.1");
    // because the library must not print
    context_.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  }

  llvm::Error run() {
    for (std::uint32_t k = 0; k < request_.program_count; ++k) {
      const Program& program = request_.programs[k];
      const Plan& plan = plans_[k];
      images_.push_back({plan.workspace_size, static_cast<std::uint32_t>(part_total_),
                         static_cast<std::uint32_t>(plan.parts.size())});
      for (const Plan::Part& part : plan.parts) {
        if (module_ == nullptr) start_object();
        names_.push_back((llvm::Twine("p") + llvm::Twine(part_total_++)).str());
        emit_part(*module_, program, plan, part, target_, names_.back());
        pending_ += plan.code_size(part);
        if (pending_ < kOperationsPerObject) continue;
        if (llvm::Error error = finish_object()) return error;
      }
    }
    return module_ == nullptr ? llvm::Error::success() : finish_object();
  }

  std::vector<unsigned char> image() const {
    ImageHeader header{kAbiVersion,
                       request_.program_count,
                       static_cast<std::uint32_t>(flat_.offsets().size()),
                       0,
                       static_cast<std::uint32_t>(flat_.code().size()),
                       level_};
    constexpr std::size_t kAlignment = 64;
    const std::size_t head =
        sizeof header + images_.size() * sizeof(ProgramImage) + flat_.offsets().size() * sizeof(std::uint32_t);
    header.code_offset = static_cast<std::uint32_t>((head + kAlignment - 1) / kAlignment * kAlignment);
    std::vector<unsigned char> bytes;
    bytes.reserve(header.code_offset + header.code_size);
    const auto append = [&bytes](const void* data, std::size_t size) {
      const auto* first = static_cast<const unsigned char*>(data);
      bytes.insert(bytes.end(), first, first + size);
    };
    append(&header, sizeof header);
    append(images_.data(), images_.size() * sizeof(ProgramImage));
    append(flat_.offsets().data(), flat_.offsets().size() * sizeof(std::uint32_t));
    bytes.resize(header.code_offset);
    append(flat_.code().data(), flat_.code().size());
    return bytes;
  }

 private:
  void start_object() {
    module_ = std::make_unique<llvm::Module>("kernel", context_);
    module_->setDataLayout(machine_.createDataLayout());
    module_->setTargetTriple(machine_.getTargetTriple().str());
  }

  llvm::Error finish_object() {
    if (request_.cancel != nullptr && request_.cancel->load(std::memory_order_relaxed)) {
      return llvm::createStringError("cancelled");
    }
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    llvm::MCContext* machine_code = nullptr;
    if (machine_.addPassesToEmitMC(passes, machine_code, stream, /*DisableVerify=*/true)) {
      return llvm::createStringError("the target writes no objects");
    }
    passes.run(*module_);
    module_.reset();
    pending_ = 0;
    const std::vector<std::string> names = std::exchange(names_, {});
    return flat_.add(llvm::StringRef(object.data(), object.size()), names);
  }

  const Request& request_;
  std::span<const Plan> plans_;
  llvm::TargetMachine& machine_;
  Level level_;
  Target target_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<std::string> names_;
  std::vector<ProgramImage> images_;
  FlatCode flat_;
  std::size_t part_total_ = 0;
  std::uint32_t pending_ = 0;
};

int fail(const Request& request, const std::string& why) {
  std::snprintf(request.error, request.error_size, "%s", why.c_str());
  return 1;
}

int compile(const Request& request) {
  if (request.abi_version != kAbiVersion) return fail(request, "the compiler module is of another version");
  std::vector<Plan> plans;
  for (std::uint32_t k = 0; k < request.program_count; ++k) {
    if (!is_valid(request.programs[k])) return fail(request, "malformed program");
    plans.push_back(make_plan(request.programs[k]));
  }
  const Level level = level_for(request.level, plans);
  std::string error;
  const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine(level, error);
  if (machine == nullptr) return fail(request, error);
  Compilation compilation(request, plans, *machine, level);
  if (llvm::Error failure = compilation.run()) return fail(request, llvm::toString(std::move(failure)));
  const std::vector<unsigned char> image = compilation.image();
  request.accept(request.receiver, image.data(), image.size());
  return 0;
}

}  // namespace
}  // namespace vinculum::codegen::native

extern "C" __attribute__((visibility("default"))) int vinculum_llvm_compile(
    const vinculum::codegen::native::Request* request) {
  try {
    return vinculum::codegen::native::compile(*request);
  } catch (const std::exception& e) {  // for example, memory is exhausted; no exception may leave a C interface
    return vinculum::codegen::native::fail(*request, e.what());
  }
}

#include "vinculum/codegen/kernel.hpp"

#include <chrono>
#include <cstdlib>

#include "vinculum/base/contract.hpp"
#include "vinculum/codegen/interpreter_kernel.hpp"
#include "vinculum/codegen/native.hpp"
#include "vinculum/codegen/tape_kernel.hpp"
#include "vinculum/codegen/used_kernel.hpp"

namespace vinculum::codegen {
namespace {

std::vector<std::shared_ptr<const Kernel>> compile_with(std::span<const KernelSpec> specs,
                                                        const CompileOptions& options, CompileReport& report) {
  std::vector<std::shared_ptr<const Kernel>> kernels;
  report.backend = options.backend;
  if (options.backend == Backend::kInterpreter) {
    for (const KernelSpec& spec : specs) kernels.push_back(make_interpreter_kernel(spec));
    return kernels;
  }
  std::vector<Tape> tapes;
  for (const KernelSpec& spec : specs) tapes.push_back(make_tape(spec));
  if (options.backend == Backend::kNative && options.when_used) return make_used_kernels(std::move(tapes), options);
  if (options.backend == Backend::kNative) {
    kernels = make_native_kernels(tapes, options, report);
    VINCULUM_ENSURES(kernels.empty() || kernels.size() == tapes.size());
    if (kernels.size() == tapes.size()) return kernels;
    report.backend = Backend::kTape;
  }
  for (const Tape& tape : tapes) kernels.push_back(make_tape_kernel(tape));
  return kernels;
}

}  // namespace

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::kInterpreter: return "interpreter";
    case Backend::kTape: return "tape";
    case Backend::kNative: return "native";
  }
  return {};
}

std::vector<std::shared_ptr<const Kernel>> compile(std::span<const KernelSpec> specs, const CompileOptions& options,
                                                   CompileReport* report) {
  CompileReport own;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::shared_ptr<const Kernel>> kernels = compile_with(specs, options, own);
  own.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report != nullptr) *report = own;
  return kernels;
}

std::string default_cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string own = variable("VINCULUM_CACHE"); !own.empty()) return own;
  if (std::string shared = variable("XDG_CACHE_HOME"); !shared.empty()) return shared + "/vinculum";
  if (std::string home = variable("HOME"); !home.empty()) return home + "/.cache/vinculum";
  return {};
}

}  // namespace vinculum::codegen

#include "vinculum/codegen/native.hpp"

#include <atomic>
#include <chrono>
#include <utility>

#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/codegen/code_image.hpp"
#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/fingerprint.hpp"
#include "vinculum/codegen/native_kernel.hpp"
#include "vinculum/codegen/native_program.hpp"
#include "vinculum/codegen/object_cache.hpp"

namespace vinculum::codegen {
namespace {

using native::Level;

/// The programs of one compilation, with what is needed to compile them again.
class Compilation {
 public:
  Compilation(std::span<const Tape> tapes, const std::string& cache_folder, std::string compiler)
      : compiler_(std::move(compiler)), cache_(cache_folder) {
    for (const Tape& tape : tapes) programs_.emplace_back(tape);
    for (const NativeProgram& program : programs_) views_.push_back(program.view());
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  /// Of the compilation with optimization, on a core of today.
  [[nodiscard]] std::chrono::microseconds expected_duration() const {
    constexpr std::size_t kMicrosecondsPerInstruction = 20;
    std::size_t count = 0;
    for (const native::Program& view : views_) count += view.instruction_count;
    return std::chrono::microseconds(kMicrosecondsPerInstruction * count);
  }

  [[nodiscard]] std::shared_ptr<const CodeImage> load(Level level) const {
    std::string ignored;
    const std::vector<unsigned char> image = cache_.load(key(level));
    return image.empty() ? nullptr : CodeImage::map(image, programs_.size(), ignored);
  }

  [[nodiscard]] std::shared_ptr<const CodeImage> compile(Level level, const std::atomic<bool>* cancel,
                                                         std::string& error) const {
    const native::CompileFunction function = open_compiler_module(error);
    if (function == nullptr) return nullptr;
    const std::vector<unsigned char> image = compile_image(function, views_, level, cancel, error);
    if (image.empty()) return nullptr;
    std::shared_ptr<const CodeImage> mapped = CodeImage::map(image, programs_.size(), error);
    if (mapped != nullptr) cache_.store(key(mapped->level()), image);
    return mapped;
  }

 private:
  [[nodiscard]] Fingerprint::Value key(Level level) const {
    Fingerprint fingerprint;
    fingerprint.add(kTapeVersion);
    fingerprint.add(compiler_);
    fingerprint.add(static_cast<std::uint64_t>(level));
    fingerprint.add(std::uint64_t{programs_.size()});
    for (const NativeProgram& program : programs_) program.add_to(fingerprint);
    return fingerprint.value();
  }

  std::string compiler_;
  ObjectCache cache_;
  std::vector<NativeProgram> programs_;
  std::vector<native::Program> views_;
};

/// Opens the compiler module on the background thread, too: a start from the cache does not wait for it. Not before the
/// motion has lasted about as long as that takes: what ends sooner would share its processors with it for nothing, and
/// wait for its end.
void improve_in_background(std::shared_ptr<const Compilation> compilation, const std::shared_ptr<NativeCode>& code) {
  BackgroundCompiler* background = background_compiler();
  if (background == nullptr) return;
  const auto duration = compilation->expected_duration();
  background->submit(
      [compilation = std::move(compilation), weak = std::weak_ptr(code)](const std::atomic<bool>& cancel) {
        std::string ignored;
        std::shared_ptr<const CodeImage> image = compilation->compile(Level::kFull, &cancel, ignored);
        const std::shared_ptr<NativeCode> target = weak.lock();
        if (image != nullptr && target != nullptr) target->exchange(std::move(image));
      },
      duration);
}

}  // namespace

bool is_native_available() {
  std::string ignored;
  return open_compiler_module(ignored) != nullptr;
}

std::vector<std::shared_ptr<const Kernel>> make_native_kernels(std::span<const Tape> tapes,
                                                               const CompileOptions& options, CompileReport& report) {
  std::string compiler = describe_compiler();
  if (compiler.empty()) {
    static_cast<void>(open_compiler_module(report.note));
    return {};
  }
  const auto compilation = std::make_shared<const Compilation>(tapes, options.cache_folder, std::move(compiler));
  std::shared_ptr<const CodeImage> image = compilation->load(Level::kFull);
  if (image == nullptr) image = compilation->load(Level::kFast);
  report.from_cache = image != nullptr;
  if (image == nullptr) image = compilation->compile(Level::kSoonest, nullptr, report.note);
  if (image == nullptr) return {};
  const bool is_final = image->level() == Level::kFull;

  const auto code = std::make_shared<NativeCode>(std::move(image), tapes.size());
  std::vector<std::shared_ptr<const Kernel>> kernels;
  for (std::size_t k = 0; k < tapes.size(); ++k) kernels.push_back(make_native_kernel(tapes[k], code, k));
  if (!is_final) improve_in_background(compilation, code);
  return kernels;
}

namespace {

/// \param cancel  of the compilation where the cache has no code; null: then there is none.
std::shared_ptr<const Kernel> best_kernel(const Tape& tape, const CompileOptions& options,
                                          const std::atomic<bool>* cancel) {
  std::string compiler = describe_compiler(), ignored;
  if (compiler.empty()) return nullptr;
  const Compilation compilation({&tape, 1}, options.cache_folder, std::move(compiler));
  std::shared_ptr<const CodeImage> image = compilation.load(Level::kFull);
  if (image == nullptr && cancel != nullptr) image = compilation.compile(Level::kFull, cancel, ignored);
  if (image == nullptr) return nullptr;
  return make_native_kernel(tape, std::make_shared<NativeCode>(std::move(image), 1), 0);
}

}  // namespace

std::shared_ptr<const Kernel> load_native_kernel(const Tape& tape, const CompileOptions& options) {
  return options.cache_folder.empty() ? nullptr : best_kernel(tape, options, nullptr);
}

std::shared_ptr<const Kernel> make_best_native_kernel(const Tape& tape, const CompileOptions& options,
                                                      const std::atomic<bool>& cancel) {
  return best_kernel(tape, options, &cancel);
}

}  // namespace vinculum::codegen

#include "vinculum/codegen/compiler_module.hpp"

#if defined(__linux__) && defined(__x86_64__) && defined(VINCULUM_LLVM_VERSION)

#include <cpuid.h>
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "vinculum/codegen/loaded_code.hpp"

namespace vinculum::codegen {
namespace {

/// Folder of the shared library that contains this code. Empty if the code is part of the program itself, because the
/// recorded path of a program may be relative to a folder that is no longer the current one.
std::string library_folder() {
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&library_folder), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0 ||
      map == nullptr || map->l_name == nullptr || map->l_name[0] != '/') {
    return {};
  }
  const std::string path = map->l_name;
  return path.substr(0, path.rfind('/'));
}

std::string program_folder() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof path) || path[0] != '/') return {};
  const std::string text(path, static_cast<std::size_t>(length));
  return text.substr(0, text.rfind('/'));
}

bool find_status(const std::string& path, struct stat& status) {
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Features of the processor, as text, from the CPUID instruction.
std::string ask_processor() {
  struct Leaf {
    unsigned leaf;
    unsigned subleaf;
    // false for leaf 1, whose EBX contains the number of the core that executes the instruction
    bool takes_ebx;
  };
  constexpr Leaf kLeaves[] = {{0, 0, true}, {1, 0, false},  {7, 0, true},
                              {7, 1, true}, {0xd, 0, true}, {0x80000001u, 0, true}};
  std::string text;
  for (const Leaf& leaf : kLeaves) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(leaf.leaf, leaf.subleaf, &a, &b, &c, &d) == 0) continue;
    for (const unsigned word : {a, leaf.takes_ebx ? b : 0u, c, d}) text += ' ' + std::to_string(word);
  }
  return text;
}

/// The text of `ask_processor`, computed once, because on a virtual machine each CPUID instruction is a call to the
/// host.
const std::string& processor() {
  static const std::string text = ask_processor();
  return text;
}

/// Result of opening the compiler module, at the first call of `opened`.
struct Opened {
  std::string error;
  LoadedCode code;  ///< executable pages of the module, of LLVM and of their dependencies
  void* symbol = nullptr;

  Opened() {
    const std::string path = find_compiler_module();
    if (path.empty()) {
      error = std::string(native::kModuleFile) + " was not found, neither next to this library or program nor in " +
              VINCULUM_MODULE_FOLDER + "; the variable VINCULUM_MODULE_DIR may name its folder";
      return;
    }
    const LoadedCode before = LoadedCode::now();
    void* module = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    symbol = module == nullptr ? nullptr : ::dlsym(module, native::kCompileSymbol);
    if (symbol == nullptr) {
      const char* reason = ::dlerror();
      error = reason == nullptr ? path + " cannot be loaded" : reason;
    }
    // The constructors of LLVM's options execute a third of its code; that code is not executed again.
    code = LoadedCode::now().since(before);
    code.release();
  }
};

const Opened& opened() {
  static const Opened module;
  return module;
}

}  // namespace

std::string find_compiler_module() {
  const char* named = ::secure_getenv("VINCULUM_MODULE_DIR");
  const std::string library = library_folder(), program = program_folder();
  std::vector<std::string> folders{VINCULUM_MODULE_FOLDER};
  if (!program.empty()) folders.insert(folders.begin(), {program + "/../lib/vinculum", program + "/vinculum"});
  if (!library.empty()) folders.insert(folders.begin(), library + "/vinculum");
  if (named != nullptr && named[0] == '/') folders.insert(folders.begin(), named);
  struct stat status{};
  for (const std::string& folder : folders) {
    if (const std::string path = folder + "/" + native::kModuleFile; find_status(path, status)) return path;
  }
  return {};
}

native::CompileFunction open_compiler_module(std::string& error) {
  error = opened().error;
  return reinterpret_cast<native::CompileFunction>(opened().symbol);
}

void release_compiler_memory() {
  opened().code.release();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::string describe_compiler() {
  struct stat status{};
  const std::string path = find_compiler_module();
  if (path.empty() || !find_status(path, status)) return {};
  return "LLVM " VINCULUM_LLVM_VERSION ", interface " + std::to_string(native::kAbiVersion) + ", module " +
         std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + ' ' +
         std::to_string(status.st_mtim.tv_nsec) + ", processor" + processor();
}

}  // namespace vinculum::codegen

#else

namespace vinculum::codegen {

std::string find_compiler_module() { return {}; }

native::CompileFunction open_compiler_module(std::string& error) {
  error = "this build of Vinculum cannot make native code";
  return nullptr;
}

void release_compiler_memory() {}

std::string describe_compiler() { return {}; }

}  // namespace vinculum::codegen

#endif

namespace vinculum::codegen {

std::vector<unsigned char> compile_image(native::CompileFunction compile, std::span<const native::Program> programs,
                                         native::Level level, const std::atomic<bool>* cancel, std::string& error) {
  std::vector<unsigned char> image;
  char text[512] = "";
  native::Request request{};
  request.abi_version = native::kAbiVersion;
  request.program_count = static_cast<std::uint32_t>(programs.size());
  request.programs = programs.data();
  request.level = level;
  request.cancel = cancel;
  request.accept = [](void* receiver, const unsigned char* bytes, std::size_t size) {
    static_cast<std::vector<unsigned char>*>(receiver)->assign(bytes, bytes + size);
  };
  request.receiver = &image;
  request.error = text;
  request.error_size = sizeof text;
  if (compile(&request) != 0) error = text;
  return image;
}

}  // namespace vinculum::codegen

// Preloaded library: kills the command with SIGKILL before system call number $KILL_AT, counting the calls that
// change names in a folder.
#include <dlfcn.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>

namespace {

void count() {
  static const char* const at = std::getenv("KILL_AT");
  static int calls = 0;
  if (at != nullptr && ++calls == std::atoi(at)) ::raise(SIGKILL);
}

template <class Call>
Call real(const char* name) {
  return reinterpret_cast<Call>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  count();
  return real<int (*)(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder, to);
}

extern "C" int unlinkat(int folder, const char* name, int flags) noexcept {
  count();
  return real<int (*)(int, const char*, int)>("unlinkat")(folder, name, flags);
}

#pragma once

#include <array>
#include <csignal>

namespace vinculum::cli {

/// While it lives, the first Ctrl-C, SIGTERM or end of the terminal does nothing but to be told by `is_asked`; the
/// second does what it always does. A signal that was ignored before stays ignored.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  [[nodiscard]] static bool is_asked();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace vinculum::cli

#pragma once

#include <array>
#include <csignal>

namespace vinculum::cli {

/// During the lifetime of this object the first Ctrl-C, SIGTERM or end of the terminal is only recorded for `is_asked`.
/// The second one has its usual effect. A signal that was ignored before stays ignored.
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

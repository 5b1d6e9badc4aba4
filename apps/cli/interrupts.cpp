#include "interrupts.hpp"

namespace vinculum::cli {
namespace {

volatile std::sig_atomic_t asked = 0;  // the only object that the signal handler may access

}  // namespace

Interrupts::Interrupts() {
  asked = 0;
  struct sigaction once{};
  once.sa_handler = [](int) { asked = 1; };
  once.sa_flags = SA_RESETHAND | SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &once, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interrupts::is_asked() { return asked != 0; }

}  // namespace vinculum::cli

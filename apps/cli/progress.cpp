#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace vinculum::cli {
namespace {

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

Progress::~Progress() {
  if (is_shown_ && is_terminal()) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double t, double until, const std::string& of) {
  const auto now = Clock::now();
  const std::chrono::duration<double> since_begin = now - begin_;
  const std::chrono::duration<double> since_last = now - last_;
  const double pause = is_terminal() ? (is_shown_ ? 0.25 : 0.5) : (is_shown_ ? 10.0 : 0.5);
  if (since_last.count() < pause) return;
  last_ = now;
  is_shown_ = true;
  if (!unsaid_.empty()) std::fprintf(stderr, "%s%s", is_terminal() ? "\r\x1b[K" : "", unsaid_.c_str());
  unsaid_.clear();
  std::fprintf(stderr, "%s%st = %.4g of %g s, %.1f s elapsed%s", is_terminal() ? "\r\x1b[K" : "", of.c_str(), t, until,
               since_begin.count(), is_terminal() ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace vinculum::cli

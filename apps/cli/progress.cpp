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

std::string Progress::left(double t, double until) const {
  if (!(t > 0.0 && t < until)) return "";
  const std::chrono::duration<double> spent = last_ - part_begin_;
  const double seconds = spent.count() * (until - t) / t;
  const auto said = [](const char* form, double number) {
    char text[64];
    std::snprintf(text, sizeof text, form, number);
    return std::string(text);
  };
  if (seconds < 90.0) return said(", about %.0f s left", seconds);
  if (seconds < 5400.0) return said(", about %.0f min left", seconds / 60.0);
  return said(", about %.1f h left", seconds / 3600.0);
}

void Progress::show(double t, double until, const std::string& of) {
  const auto now = Clock::now();
  if (of != part_) {
    part_ = of;
    part_begin_ = now;
  }
  const std::chrono::duration<double> since_begin = now - begin_;
  const std::chrono::duration<double> since_last = now - last_;
  const double pause = is_terminal() ? (is_shown_ ? 0.25 : 0.5) : (is_shown_ ? 10.0 : 0.5);
  if (since_last.count() < pause) return;
  last_ = now;
  is_shown_ = true;
  if (!unsaid_.empty()) std::fprintf(stderr, "%s%s", is_terminal() ? "\r\x1b[K" : "", unsaid_.c_str());
  unsaid_.clear();
  std::fprintf(stderr, "%s%st = %.4g of %g s, %.1f s elapsed%s%s", is_terminal() ? "\r\x1b[K" : "", of.c_str(), t,
               until, since_begin.count(), left(t, until).c_str(), is_terminal() ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace vinculum::cli

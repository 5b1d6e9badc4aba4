#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/integrate/dp5.hpp"
#include "vinculum/run/simulate.hpp"

/// Runs that are wrong between their samples.
namespace vinculum::audit {

using Changed = std::function<void(sim::SimulateOptions&)>;

/// Error: no event sources, so steps pass all events.
inline void without_sources(sim::SimulateOptions& options) { options.sources.clear(); }

/// Error: a coefficient of the method is wrong by 1e-6.
inline constexpr auto kWrongTableau = [] {
  auto tableau = integrate::kDp5;
  tableau.a[6][2] += 1e-6;
  return tableau;
}();
inline void with_a_wrong_method(sim::SimulateOptions& options) {
  static constexpr int kEmbedded[] = {4};
  static constexpr integrate::Method kMethods[] = {
      {"wrong", "", 5, 4, &integrate::make_explicit_stepper,
       integrate::runge_kutta<kWrongTableau>(kEmbedded, 5, 0.7 / 5.0, 0.4 / 5.0, 3.25)}};
  options.methods = kMethods;
  options.method = "";
}

/// Error: events are located too late by `by`.
inline Changed late(double by) {
  class Late final : public sim::EventSource {
   public:
    Late(std::unique_ptr<sim::EventSource> own, double by) : own_(std::move(own)), by_(by) {}
    std::optional<Failure> begin(sim::Transition& start, sim::RunRecord& run) override {
      return own_->begin(start, run);
    }
    Outcome<void> check(const integrate::Step& step, std::vector<sim::Found>& found) override {
      const std::size_t before = found.size();
      auto done = own_->check(step, found);
      for (std::size_t i = before; i < found.size(); ++i) {
        if (found[i].action == integrate::Action::kChange) found[i].t = std::min(found[i].t + by_, step.t_end());
        if (found[i].action == integrate::Action::kRetake) found[i].length += by_;
      }
      return done;
    }
    void keep(const integrate::Step& step, sim::Mode& mode, sim::RunRecord& run) override {
      own_->keep(step, mode, run);
    }
    Outcome<void> pass(const sim::Found& found, sim::Transition& to) override { return own_->pass(found, to); }

   private:
    std::unique_ptr<sim::EventSource> own_;
    double by_;
  };
  return [=](sim::SimulateOptions& options) {
    for (sim::SourceRow& row : options.sources) {
      row.make = [make = row.make, by](const sim::Watched& run) -> std::unique_ptr<sim::EventSource> {
        auto own = make(run);
        return own ? std::make_unique<Late>(std::move(own), by) : nullptr;
      };
    }
  };
}

/// Error: one component of the state jumps at time t.
inline Changed kicked(double t, Eigen::Index component, double by) {
  class Kick final : public sim::EventSource {
   public:
    Kick(double t, Eigen::Index component, double by) : t_(t), component_(component), by_(by) {}
    Outcome<void> check(const integrate::Step& step, std::vector<sim::Found>& found) override {
      if (step.t_begin() < t_ && t_ <= step.t_end()) found.push_back({t_, integrate::Action::kChange});
      return {};
    }
    Outcome<void> pass(const sim::Found&, sim::Transition& to) override {
      to.y[component_] += by_;
      return {};
    }

   private:
    double t_;
    Eigen::Index component_;
    double by_;
  };
  return [=](sim::SimulateOptions& options) {
    options.sources.push_back({"kick", [=](const sim::Watched&) { return std::make_unique<Kick>(t, component, by); }});
  };
}

/// Error: changes of the state by events are multiplied by 1 + by.
inline Changed overdone(double by) {
  class Overdoing final : public sim::EventSource {
   public:
    Overdoing(std::unique_ptr<sim::EventSource> own, double by) : own_(std::move(own)), by_(by) {}
    std::optional<Failure> begin(sim::Transition& start, sim::RunRecord& run) override {
      return own_->begin(start, run);
    }
    Outcome<void> check(const integrate::Step& step, std::vector<sim::Found>& found) override {
      return own_->check(step, found);
    }
    void keep(const integrate::Step& step, sim::Mode& mode, sim::RunRecord& run) override {
      own_->keep(step, mode, run);
    }
    Outcome<void> pass(const sim::Found& found, sim::Transition& to) override {
      const Vector before = to.y;
      auto done = own_->pass(found, to);
      to.y += by_ * (to.y - before);
      return done;
    }

   private:
    std::unique_ptr<sim::EventSource> own_;
    double by_;
  };
  return [=](sim::SimulateOptions& options) {
    for (sim::SourceRow& row : options.sources) {
      row.make = [make = row.make, by](const sim::Watched& run) -> std::unique_ptr<sim::EventSource> {
        auto own = make(run);
        return own ? std::make_unique<Overdoing>(std::move(own), by) : nullptr;
      };
    }
  };
}

}  // namespace vinculum::audit

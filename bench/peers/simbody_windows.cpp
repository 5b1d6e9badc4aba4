// usage: simbody_windows N SECONDS ACCURACY…
//
// IFToMM A02 by Simbody: cranks on Pins, and each coupler on a Pin at the end of the preceding crank and connected to
// the next crank by two rows in the plane. The method is Runge–Kutta–Merson, Simbody's default. Prints one line of JSON
// per run: time, and the position of the first upper pin.

#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "times.hpp"

namespace {

using namespace SimTK;

constexpr int kRepeats = 3;
constexpr int kMostSteps = 200000;

class Windows {
 public:
  explicit Windows(int n) : matter_(system_), forces_(system_), gravity_(forces_, matter_, Vec3(0, -9.81, 0)) {
    const Vec3 up(0, 1, 0), along(1, 0, 0);
    const Body::Rigid crank(MassProperties(1, 0.5 * up, UnitInertia(1. / 3, 0, 1. / 3)));
    const Body::Rigid coupler(MassProperties(1, 0.5 * along, UnitInertia(0, 1. / 3, 1. / 3)));
    std::vector<MobilizedBody> cranks;
    for (int i = 0; i <= n; ++i) {
      cranks.push_back(MobilizedBody::Pin(matter_.Ground(), Transform(i * along), crank, Transform()));
    }
    for (std::size_t i = 1; i < cranks.size(); ++i) {
      MobilizedBody::Pin rod(cranks[i - 1], Transform(up), coupler, Transform());
      Constraint::PointInPlane(cranks[i], UnitVec3(along), 0, rod, along);
      Constraint::PointInPlane(cranks[i], UnitVec3(up), 1, rod, along);
    }
    first_ = cranks.front();
    start_ = system_.realizeTopology();
    for (const auto& each : cranks) each.setOneU(start_, 0, -1);
    for (int i = n + 1; i < start_.getNU(); ++i) start_.updU()[i] = 1;  // couplers stay level while cranks turn
    system_.realize(start_, Stage::Velocity);
  }

  /// \returns position of the first upper pin
  Vec3 run(double seconds, double accuracy, int& steps) const {
    RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(accuracy);
    integrator.setInternalStepLimit(kMostSteps);
    integrator.setFinalTime(seconds);
    integrator.initialize(start_);
    while (integrator.getTime() < seconds) {
      integrator.stepTo(seconds);
      if (integrator.getNumStepsTaken() >= kMostSteps) throw std::runtime_error("more than 200000 steps");
    }
    steps = integrator.getNumStepsTaken();
    system_.realize(integrator.getState(), Stage::Position);
    return first_.findStationLocationInGround(integrator.getState(), Vec3(0, 1, 0));
  }

 private:
  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  GeneralForceSubsystem forces_;
  Force::UniformGravity gravity_;
  MobilizedBody first_;
  State start_;
};

void measure(const Windows& windows, double seconds, double accuracy) {
  std::vector<double> times;
  Vec3 pin(NaN);
  int steps = 0;
  std::string stopped;
  for (int i = 0; i < kRepeats && stopped.empty(); ++i) {
    const double begin = vinculum::bench::processor_seconds();
    try {
      pin = windows.run(seconds, accuracy, steps);
    } catch (const std::exception& error) {
      stopped = std::string(error.what()).substr(0, std::string(error.what()).find_first_of("\"\n"));
    }
    times.push_back(vinculum::bench::processor_seconds() - begin);
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"method\": \"Simbody\", \"tolerance\": %g, \"lowest\": %.9g, \"median\": %.9g, \"steps\": %d",
              accuracy, times.front(), times[times.size() / 2], steps);
  if (stopped.empty()) std::printf(", \"state\": [%.17g, %.17g]}\n", pin[0], pin[1]);
  if (!stopped.empty()) std::printf(", \"state\": [], \"stopped\": \"%s\"}\n", stopped.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  const Windows windows(std::atoi(words[1]));
  for (int i = 3; i < count; ++i) measure(windows, std::atof(words[2]), std::atof(words[i]));
}

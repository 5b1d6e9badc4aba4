#include "peers/simbody_pucks.hpp"

#include <Simbody.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace vinculum::bench {
namespace {

using namespace SimTK;

// dot(v2, z × v1) = 0, nonlinear in the velocities.
class ParallelVelocities : public Constraint::Custom::Implementation {
 public:
  ParallelVelocities(SimbodyMatterSubsystem& matter, const MobilizedBody& first, const MobilizedBody& second)
      : Implementation(matter, 0, 1, 0), first_(addConstrainedBody(first)), second_(addConstrainedBody(second)) {}
  Implementation* clone() const override { return new ParallelVelocities(*this); }

  void calcVelocityErrors(const State&, const Array_<SpatialVec, ConstrainedBodyIndex>& velocities,
                          const Array_<Real, ConstrainedUIndex>&, Array_<Real>& error) const override {
    const Vec3& v1 = velocities[first_][1];
    const Vec3& v2 = velocities[second_][1];
    error[0] = v1[0] * v2[1] - v1[1] * v2[0];
  }
  void calcVelocityDotErrors(const State& state, const Array_<SpatialVec, ConstrainedBodyIndex>& accelerations,
                             const Array_<Real, ConstrainedUIndex>&, Array_<Real>& error) const override {
    const Vec3& v1 = getBodyOriginVelocityFromState(state, first_);
    const Vec3& v2 = getBodyOriginVelocityFromState(state, second_);
    const Vec3& a1 = accelerations[first_][1];
    const Vec3& a2 = accelerations[second_][1];
    error[0] = a1[0] * v2[1] + v1[0] * a2[1] - a1[1] * v2[0] - v1[1] * a2[0];
  }
  void addInVelocityConstraintForces(const State& state, const Array_<Real>& multipliers,
                                     Array_<SpatialVec, ConstrainedBodyIndex>& forces,
                                     Array_<Real, ConstrainedUIndex>&) const override {
    const Vec3& v1 = getBodyOriginVelocityFromState(state, first_);
    const Vec3& v2 = getBodyOriginVelocityFromState(state, second_);
    forces[first_][1] += multipliers[0] * Vec3(v2[1], -v2[0], 0);
    forces[second_][1] += multipliers[0] * Vec3(-v1[1], v1[0], 0);
  }

 private:
  ConstrainedBodyIndex first_, second_;
};

// Two point masses that translate freely: the smallest model of this system in Simbody.
class SimbodyPucks {
 public:
  SimbodyPucks() : matter_(system_), forces_(system_), discrete_(forces_, matter_) {
    MobilizedBody::Translation p1(matter_.Ground(), Body::Rigid(MassProperties(1.0, Vec3(0), Inertia(0.1))));
    MobilizedBody::Translation p2(matter_.Ground(), Body::Rigid(MassProperties(2.0, Vec3(0), Inertia(0.1))));
    Force::ConstantForce(forces_, p1, Vec3(0), Vec3(0.3, 0, 0));
    Force::ConstantForce(forces_, p2, Vec3(0), Vec3(0.7, 0, 0));
    Constraint::Custom(new ParallelVelocities(matter_, p1, p2));
    state_ = system_.realizeTopology();
    p1.setQToFitTranslation(state_, Vec3(0, 1, 0));
    p2.setQToFitTranslation(state_, Vec3(1, 0, 0));
    p1.setUToFitLinearVelocity(state_, Vec3(0.25, 1, 0));
    p2.setUToFitLinearVelocity(state_, Vec3(1, 4, 0));
    system_.realize(state_, Stage::Acceleration);
  }

  template <class Method>
  std::optional<Run> run(double accuracy, const double (&reference)[4], int repeats) {
    std::vector<double> seconds;
    Run result;
    try {
      for (int i = 0; i < repeats; ++i) {
        Method method(system_);
        method.setAccuracy(accuracy);
        method.setFinalTime(10.0);
        const auto begin = std::chrono::steady_clock::now();
        method.initialize(state_);
        while (method.getTime() < 10.0) method.stepTo(10.0);  // it first returns at the start of the interval
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        const Vector& q = method.getState().getQ();
        const double found[4] = {q[0], q[1], q[3], q[4]};
        result.error = 0.0;
        for (int k = 0; k < 4; ++k) result.error = std::max(result.error, std::abs(found[k] - reference[k]));
      }
    } catch (const std::exception&) {
      return std::nullopt;
    }
    std::sort(seconds.begin(), seconds.end());
    result.seconds = seconds[seconds.size() / 2];
    return result;
  }

 private:
  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  GeneralForceSubsystem forces_;
  Force::DiscreteForces discrete_;
  State state_;
};

}  // namespace

std::optional<Run> run_simbody_pucks(SimbodyMethod method, double accuracy, const double (&reference)[4], int repeats) {
  SimbodyPucks pucks;
  switch (method) {
    case SimbodyMethod::kRungeKuttaMerson: return pucks.run<RungeKuttaMersonIntegrator>(accuracy, reference, repeats);
    case SimbodyMethod::kRungeKuttaFeldberg:
      return pucks.run<RungeKuttaFeldbergIntegrator>(accuracy, reference, repeats);
    case SimbodyMethod::kCPodes: return pucks.run<CPodesIntegrator>(accuracy, reference, repeats);
  }
  return std::nullopt;
}

}  // namespace vinculum::bench

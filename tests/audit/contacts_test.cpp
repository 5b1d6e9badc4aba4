// Deliberate errors that the audit must find: errors of gaps, of contact forces, and of impacts.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "audit/motions.hpp"
#include "audit/wrong_runs.hpp"

namespace vinculum::audit {
namespace contacts_test {

using sim::ContactImpact;
using sim::Impulse;
using sim::Sample;

/// A block is thrown onto a rough floor; it bounces, slides, and comes to rest.
const std::string kBlock = R"(model block
frame N newtonian
point O fixed in N
coord x, z
particle P mass 2 at O + x*N.x + z*N.z
gravity -10*N.z
constraint floor: dot(pos(P, O), N.z) >= 0
    restitution 0.5
    friction on P mu = 0.3
start z = 0.45, x' = 3
run 3 step 0.05 tolerance 1e-10
)";

struct Error {
  std::string what, text;
  std::function<void(Motion&)> make;
  std::string where;  ///< text that must occur in the place that a line 10.3 reports
};

/// Checks that a line 10.3 finds each error, and that the audit passes the motion without the error.
void expect_found(const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    SCOPED_TRACE(error.what);
    Motion motion(error.text);
    const Audit right = motion.judged(40);
    EXPECT_TRUE(right.holds()) << broken_lines(right);
    error.make(motion);
    const Audit wrong = motion.judged(40);
    bool is_found = false;
    for (const AuditLine& line : wrong.lines)
      is_found = is_found || (line.verdict == AuditLine::Verdict::kBroken && line.section == "10.3" &&
                              line.where.find(error.where) != std::string::npos);
    EXPECT_TRUE(is_found) << error.where << " is not among the broken lines:\n" << broken_lines(wrong);
  }
}

std::function<void(Motion&)> run_as(const std::string& text, const Changed& change) {
  return [=](Motion& motion) { motion = Motion(text, change); };
}

/// Changes the samples in which the contact is closed, or those in which it is open.
std::function<void(Motion&)> samples(bool closed, const std::function<void(Sample&)>& change) {
  return [=](Motion& motion) {
    int changed = 0;
    for (Sample& sample : motion.trajectory.samples) {
      if ((sample.z[0] > 0.5) != closed) continue;
      change(sample);
      ++changed;
    }
    EXPECT_GT(changed, 0);
  };
}

/// Changes the first recorded impulse of contacts.
std::function<void(Motion&)> first_impulse(const std::function<void(Impulse&)>& change) {
  return [=](Motion& motion) {
    for (sim::RunEvent& event : motion.trajectory.events) {
      auto* one = std::get_if<Impulse>(&event);
      if (one == nullptr || one->contacts.empty()) continue;
      change(*one);
      return;
    }
    FAIL() << "the run has no impact";
  };
}

std::function<void(Motion&)> first_work(const std::function<void(solve::ImpactWork&)>& change) {
  return first_impulse([=](Impulse& impulse) { change(impulse.contacts.front().work); });
}

TEST(ErrorsOfContacts, WrongGapsAreFound) {
  expect_found({
      {"an open gap of -1e-6", kBlock, samples(false, [](Sample& sample) { sample.q[1] = -1e-6; }),
       "floor, negative gap"},
      {"a closed gap of 1e-8", kBlock, samples(true, [](Sample& sample) { sample.q[1] += 1e-8; }),
       "floor, gap while closed"},
      {"a closed gap that opens", kBlock, samples(true, [](Sample& sample) { sample.u[1] += 1e-8; }),
       "floor, rate of the gap while closed"},
      {"a row that acts while the gap is open", kBlock,
       samples(false, [](Sample& sample) { sample.acts.assign(sample.acts.size(), 1); }), "floor, acts while open"},
  });
}

TEST(ErrorsOfContacts, WrongForcesAreFound) {
  const auto with_force = [](double factor, double more) {
    return [=](Sample& sample) { sample.reaction.total.lambda[0] = factor * sample.reaction.total.lambda[0] + more; };
  };
  expect_found({
      {"a force that pulls", kBlock, samples(true, with_force(-1.0, 0.0)), "floor, pulls while closed"},
      {"a force while the gap is open", kBlock, samples(false, with_force(0.0, 1e-9)), "floor, force while open"},
  });
}

TEST(ErrorsOfContacts, WrongImpulsesAreFound) {
  expect_found({
      {"an impulse by 1e-8", kBlock, first_impulse([](Impulse& one) { one.rows *= 1.0 + 1e-8; }), "z'"},
      {"an impulse that pulls, without its states", kBlock,
       [](Motion& motion) {
         motion.trajectory.jumps.clear();
         first_impulse([](Impulse& one) { one.rows *= -1.0; })(motion);
       },
       "floor, pulls"},
      {"friction of a slightly larger coefficient", kBlock,
       [](Motion& motion) {
         std::string text = kBlock;
         text.replace(text.find("mu = 0.3"), 8, "mu = 0.30000001");
         motion.trajectory = Motion(text).trajectory;
       },
       "impulse of friction over its bound"},
      {"friction by 1e-8", kBlock, first_impulse([](Impulse& one) { one.friction[0] *= 1.0 + 1e-8; }),
       "impulse of friction over its bound"},
      {"friction against its direction", kBlock, first_impulse([](Impulse& one) { one.friction[0] *= -1.0; }), "x'"},
      {"speeds after the impact by 1e-6", kBlock, run_as(kBlock, overdone(1e-6)), "z'"},
      {"a contact that approaches after the impact", kBlock,
       [](Motion& motion) { motion.trajectory.jumps.front().after[3] *= -1.0; }, "floor, approaches afterwards"},
      {"an impact below the floor", kBlock, [](Motion& motion) { motion.trajectory.jumps.front().after[1] -= 1e-8; },
       "floor, gap at an impact"},
      {"a jump without a recorded impulse", kBlock,
       [](Motion& motion) {
         std::erase_if(motion.trajectory.events,
                       [](const sim::RunEvent& event) { return std::holds_alternative<Impulse>(event); });
       },
       "jumps without an impulse"},
  });
}

TEST(ErrorsOfContacts, WrongWorksOfImpactsAreFound) {
  const auto gain = first_work([](solve::ImpactWork& work) { work = {-1.0, 1.5, 0.0}; });
  expect_found({
      {"the work of compression by 1e-8", kBlock,
       first_work([](solve::ImpactWork& work) { work.compression *= 1.0 + 1e-8; }), "work of the impulses"},
      {"a work of friction with the wrong sign", kBlock,
       first_work([](solve::ImpactWork& work) { work.tangential *= -1.0; }), "work of the impulses"},
      {"energy from a contact with the energetic law, without its states", kBlock,
       [=](Motion& motion) {
         gain(motion);
         motion.trajectory.jumps.clear();
         motion.trajectory.notes.push_back({"impact", 0.0, "", "", "", 0.0, 0.0});
       },
       "gains energy"},
      {"energy that is created without a note", kBlock, first_impulse([](Impulse& one) {
         one.contacts.front().law = model::RestitutionLaw::kNewton;
         one.contacts.front().work = {-1.0, 1.5, 0.0};
       }),
       "energy created without a note"},
      {"another mass in the kinetic energy", kBlock,
       [](Motion& motion) {
         const Motion other(kBlock.substr(0, kBlock.find("mass 2")) + "mass 3" +
                            kBlock.substr(kBlock.find("mass 2") + 6));
         motion.compiled.model = other.compiled.model;
       },
       "change of the kinetic energy"},
  });
}

}  // namespace contacts_test
}  // namespace vinculum::audit

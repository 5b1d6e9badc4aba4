#include "vinculum/motion/report_numbers.hpp"

namespace vinculum::sim {

void read_report_numbers(const Sample& sample, std::vector<double>& numbers) {
  numbers.assign(1, sample.t);
  for (const Vector* some : {&sample.q, &sample.u, &sample.z, &sample.reaction.u_dot(), &sample.reaction.lambda(),
                             &sample.reaction.lambda_ideal(), &sample.reaction.effort, &sample.friction.direction,
                             &sample.top, &sample.vectors}) {
    numbers.insert(numbers.end(), some->begin(), some->end());
  }
}

}  // namespace vinculum::sim

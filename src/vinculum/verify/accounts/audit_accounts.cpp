#include "vinculum/verify/accounts/audit_accounts.hpp"

#include "vinculum/verify/accounts/jump_account.hpp"
#include "vinculum/verify/accounts/rate_account.hpp"
#include "vinculum/verify/accounts/side_account.hpp"

namespace vinculum::sim {

std::vector<std::unique_ptr<Sink>> audit_accounts(Trajectory& run) {
  std::vector<std::unique_ptr<Sink>> accounts;
  accounts.push_back(std::make_unique<RateAccount>(run.rates, run.rates_before_last));
  accounts.push_back(std::make_unique<SideAccount>(run.sides, run.sides_before_last));
  accounts.push_back(std::make_unique<JumpAccount>(run.jumps));
  return accounts;
}

}  // namespace vinculum::sim

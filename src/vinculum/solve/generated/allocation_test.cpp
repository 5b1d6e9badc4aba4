// Counts every allocation of this test program by replacing the global operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/numeric/random_system.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// Eigen allocates with malloc, which operator new does not see. This malloc counts and calls glibc's own function.
// Sanitizers replace malloc themselves.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VINCULUM_HAS_SANITIZER
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(VINCULUM_HAS_SANITIZER)
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace vinculum::solve {
namespace {

TEST(ConstrainedSolve, AllocatesNothingAfterConstruction) {
  numeric::RandomEngine engine(17);
  const numeric::RandomSystem plain = numeric::random_system(engine, 6, 3);
  const numeric::RandomSystem repeated = numeric::with_repeated_rows(engine, plain, 3);
  numeric::RandomSystem massless = plain;
  massless.M.row(2).setZero();
  massless.M.col(2).setZero();
  const numeric::RandomSystem* systems[] = {&plain, &repeated, &massless};
  for (const numeric::RandomSystem* s : systems) {
    ConstrainedSolve solver(6, static_cast<int>(s->b.size()));
    Solution solution;
    ASSERT_TRUE(solver.factor(s->M, s->A));
    ASSERT_TRUE(solver.solve(s->f, s->b, solution));
    const long before = allocations;
    ASSERT_GT(before, 0);  // the counter works
    const bool factored = solver.factor(s->M, s->A).has_value();
    const bool is_solved = solver.solve(s->f, s->b, solution).has_value();
    solver.solve_least_squares(s->f, s->b, solution);
    const long after = allocations;
    EXPECT_TRUE(factored && is_solved);
    EXPECT_EQ(after, before);
  }
}

}  // namespace
}  // namespace vinculum::solve

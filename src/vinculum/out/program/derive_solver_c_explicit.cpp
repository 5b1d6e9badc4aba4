#include "vinculum/out/program/derive_solver_texts.hpp"

namespace vinculum::out::solver_texts {

const char* const kToolsC = R"(/* M = L L^T in the lower triangle of L; 0 where M is not positive definite. */
static int cholesky(const double *M, double *L, int n) {
  int i, j, k;
  for (i = 0; i < n; ++i) {
    for (j = 0; j <= i; ++j) {
      double s = M[i * n + j];
      for (k = 0; k < j; ++k) s -= L[i * n + k] * L[j * n + k];
      if (i == j) {
        if (!(s > 1e-13 * M[i * n + i])) return 0;
        L[i * n + i] = sqrt(s);
      } else {
        L[i * n + j] = s / L[j * n + j];
      }
    }
  }
  return 1;
}

/* Q_0 .. Q_{r-1} (rows of n numbers), orthonormal, span the m rows of B; T [m][r] with B = T Q; order[k] is the row that
   gave Q_k. Rows of length below 1e-10 of their own, once the others are taken from them, depend on these. Returns r. */
static int orthogonalize(const double *B, int m, int n, double *Q, double *T, int *order) {
  int rank = 0, i, j, k, pass;
  double rest[SIZE(NR) * SIZE(NX)], own[SIZE(NR)];
  char taken[SIZE(NR)] = {0};
  for (i = 0; i < m * n; ++i) rest[i] = B[i];
  for (i = 0; i < m; ++i) {
    own[i] = 0.0;
    for (j = 0; j < n; ++j) own[i] += B[i * n + j] * B[i * n + j];
    own[i] = sqrt(own[i]);
  }
  while (rank < m && rank < n) {
    int best = -1;
    double largest = 1e-10, length;
    double *q = Q + rank * n;
    for (i = 0; i < m; ++i) {
      if (taken[i] || own[i] == 0.0) continue;
      for (length = 0.0, j = 0; j < n; ++j) length += rest[i * n + j] * rest[i * n + j];
      length = sqrt(length) / own[i];
      if (length > largest) {
        largest = length;
        best = i;
      }
    }
    if (best < 0) break;
    taken[best] = 1;
    for (j = 0; j < n; ++j) q[j] = rest[best * n + j];
    for (pass = 0; pass < 2; ++pass) { /* once more, against rounding */
      for (k = 0; k < rank; ++k) {
        double s = 0.0;
        for (j = 0; j < n; ++j) s += q[j] * Q[k * n + j];
        for (j = 0; j < n; ++j) q[j] -= s * Q[k * n + j];
      }
    }
    for (length = 0.0, j = 0; j < n; ++j) length += q[j] * q[j];
    length = sqrt(length);
    for (j = 0; j < n; ++j) q[j] /= length;
    for (i = 0; i < m; ++i) {
      double s = 0.0;
      if (taken[i]) continue;
      for (j = 0; j < n; ++j) s += rest[i * n + j] * q[j];
      for (j = 0; j < n; ++j) rest[i * n + j] -= s * q[j];
    }
    order[rank++] = best;
  }
  for (i = 0; i < m; ++i) {
    for (k = 0; k < rank; ++k) {
      double s = 0.0;
      for (j = 0; j < n; ++j) s += B[i * n + j] * Q[k * n + j];
      T[i * rank + k] = s;
    }
  }
  return rank;
}

/* x of least norm with B x = r, m rows of n numbers; 2 where the rows contradict each other. */
static int least_norm(const double *B, const double *r, int m, int n, double *x) {
  double Q[SIZE(NX) * SIZE(NX)], T[SIZE(NR) * SIZE(NX)], y[SIZE(NX)] = {0.0}, largest = 0.0;
  char holds[SIZE(NR)] = {0};
  int order[SIZE(NR)];
  const int rank = orthogonalize(B, m, n, Q, T, order);
  int i, j, k;
  for (k = 0; k < rank; ++k) {
    y[k] = r[order[k]];
    for (j = 0; j < k; ++j) y[k] -= T[order[k] * rank + j] * y[j];
    y[k] /= T[order[k] * rank + k];
    holds[order[k]] = 1; /* by what y_k is */
  }
  for (k = 0; k < rank; ++k) largest = fabs(y[k]) > largest ? fabs(y[k]) : largest;
  for (i = 0; i < m; ++i) {
    double miss = -r[i], size = fabs(r[i]) + 1e-300;
    if (holds[i]) continue;
    for (k = 0; k < rank; ++k) {
      miss += T[i * rank + k] * y[k];
      size += fabs(T[i * rank + k]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
  }
  for (j = 0; j < n; ++j) {
    x[j] = 0.0;
    for (k = 0; k < rank; ++k) x[j] += Q[k * n + j] * y[k];
  }
  return 0;
}

)";

const char* const kExplicitC =
    R"(/* u' and lambda of  M u' = f + A^T lambda,  A u' = b  after Udwadia and Kalaba: with M = L L^T and B = A L^-T,
   L^T u' = L^-1 f + B^+ (b - A M^-1 f). Rows may depend on each other: then lambda is the one of least norm with rows of
   unit length. M may be semidefinite where the rows determine the rest. */
static int solve(const double *M, const double *f, const double *A, const double *b, double *udot, double *lambda) {
  double H[SIZE(NU * NU)], L[SIZE(NU * NU)], y[SIZE(NU)], B[SIZE(NI * NU)], r[SIZE(NI)], scale[SIZE(NI)];
  double Q[SIZE(NU * NU)], T[SIZE(NI * NU)], Tt[SIZE(NI * NU)] = {0.0}, g[SIZE(NU)] = {0.0}, mu[SIZE(NI)], eta[SIZE(NU)] = {0.0}, largest = 0.0;
  double longest = 0.0, fastest = 0.0;
  char holds[SIZE(NI)] = {0};
  int order[SIZE(NI)];
  int i, j, k, rank;
  for (i = 0; i < NU * NU; ++i) H[i] = M[i];
  for (i = 0; i < NU; ++i) y[i] = f[i];
  for (i = 0; i < NI; ++i) {
    double length = 0.0;
    for (j = 0; j < NU; ++j) length += A[i * NU + j] * A[i * NU + j];
    scale[i] = sqrt(length);
    if (scale[i] > longest) longest = scale[i];
  }
  for (i = 0; i < NI; ++i) { /* a row that vanishes but for rounding has no direction */
    scale[i] = scale[i] > 1e-14 * longest ? 1.0 / scale[i] : 0.0;
    r[i] = scale[i] * b[i];
  }
  if (!cholesky(H, L, NU)) { /* the same motion with M + w A^T A, f + w A^T b */
    double w = 0.0;
    for (i = 0; i < NU; ++i) w += M[i * NU + i];
    w = w > 0.0 ? w / NU : 1.0;
    for (k = 0; k < NI; ++k) {
      for (i = 0; i < NU; ++i) {
        for (j = 0; j < NU; ++j) H[i * NU + j] += w * scale[k] * scale[k] * A[k * NU + i] * A[k * NU + j];
        y[i] += w * scale[k] * A[k * NU + i] * r[k];
      }
    }
    if (!cholesky(H, L, NU)) return 1;
  }
  for (i = 0; i < NU; ++i) {
    for (j = 0; j < i; ++j) y[i] -= L[i * NU + j] * y[j];
    y[i] /= L[i * NU + i];
  }
  for (k = 0; k < NI; ++k) {
    for (i = 0; i < NU; ++i) {
      double s = scale[k] * A[k * NU + i];
      for (j = 0; j < i; ++j) s -= L[i * NU + j] * B[k * NU + j];
      B[k * NU + i] = s / L[i * NU + i];
    }
  }
  rank = orthogonalize(B, NI, NU, Q, T, order);
  for (k = 0; k < rank; ++k) { /* B y = r on the rows of full rank */
    double s = r[order[k]], own = 0.0;
    for (j = 0; j < k; ++j) s -= T[order[k] * rank + j] * eta[j];
    eta[k] = s / T[order[k] * rank + k];
    holds[order[k]] = 1; /* by what eta_k is */
    for (i = 0; i < NU; ++i) own += Q[k * NU + i] * y[i];
    g[k] = eta[k] - own;
    if (fabs(eta[k]) > largest) largest = fabs(eta[k]);
    if (fabs(own) > largest) largest = fabs(own); /* loads that the rows hold: their rounding contradicts nothing */
  }
  for (k = 0; k < NI; ++k) { /* rows that depend on these */
    double miss = -r[k], size = fabs(r[k]) + 1e-300;
    if (holds[k]) continue;
    for (j = 0; j < rank; ++j) {
      miss += T[k * rank + j] * eta[j];
      size += fabs(T[k * rank + j]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
  }
  for (k = 0; k < rank; ++k) {
    for (i = 0; i < NU; ++i) y[i] += Q[k * NU + i] * g[k];
  }
  for (i = NU - 1; i >= 0; --i) {
    double s = y[i];
    for (j = i + 1; j < NU; ++j) s -= L[j * NU + i] * udot[j];
    udot[i] = s / L[i * NU + i];
  }
  for (i = 0; i < NU; ++i) { /* accelerations, and those without constraints */
    if (fabs(udot[i]) > fastest) fastest = fabs(udot[i]);
    if (M[i * NU + i] > 0.0 && fabs(f[i]) > fastest * M[i * NU + i]) fastest = fabs(f[i]) / M[i * NU + i];
  }
  for (k = 0; k < NI; ++k) { /* what a row that vanishes asks for may be rounding of terms of the longest row's size */
    if (scale[k] == 0.0 && fabs(b[k]) > 1e-10 * longest * fastest + 1e-300) return 2;
  }
  for (k = 0; k < rank; ++k) { /* T^T mu = g */
    for (i = 0; i < NI; ++i) Tt[k * NI + i] = T[i * rank + k];
  }
  if (least_norm(Tt, g, rank, NI, mu)) return 2;
  for (k = 0; k < NI; ++k) lambda[k] = scale[k] * mu[k];
  return 0;
}

)";

}  // namespace vinculum::out::solver_texts

#include "vinculum/out/program/derive_solver_texts.hpp"

namespace vinculum::out::solver_texts {

const char* const kAugmentedC =
    R"(/* u' and lambda of  [M -A^T; A 0] [u'; lambda] = [f; b]  by elimination with complete pivoting. Where rows depend on each
   other u' is unique and lambda is one of many.@why@ */
static int solve(const double *M, @parameter@const double *f, const double *A, const double *b, double *udot, double *lambda) {
  enum { N = NU + NI };
  double K[SIZE(N * N)], r[SIZE(N)], scale[SIZE(N)], x[SIZE(N)], size = 1e-300, longest = 0.0;
  int column[SIZE(N)];
  int i, j, k, rank = 0;
  for (i = 0; i < NU; ++i) {
    scale[i] = @mass@ > 0.0 ? 1.0 / sqrt(@mass@) : 1.0;
  }
  for (i = 0; i < NI; ++i) {
    double length = 0.0;
    for (j = 0; j < NU; ++j) length += A[i * NU + j] * A[i * NU + j] * scale[j] * scale[j];
    scale[NU + i] = sqrt(length);
    if (scale[NU + i] > longest) longest = scale[NU + i];
  }
  for (i = NU; i < N; ++i) { /* a row that vanishes but for rounding has no direction */
    scale[i] = 1.0 / (scale[i] > 1e-14 * longest ? scale[i] : longest > 0.0 ? longest : 1.0);
  }
  for (i = 0; i < N; ++i) {
    column[i] = i;
    x[i] = 0.0;
    r[i] = scale[i] * (i < NU ? f[i] : b[i - NU]);
    if (fabs(r[i]) > size) size = fabs(r[i]);
    for (j = 0; j < N; ++j) {
      double e = 0.0;
      if (i < NU && j < NU) e = M[i * NU + j];
      if (i < NU && j >= NU) e = -A[(j - NU) * NU + i];
      if (i >= NU && j < NU) e = A[(i - NU) * NU + j];
      K[i * N + j] = scale[i] * scale[j] * e;
    }
  }
  for (k = 0; k < N; ++k) {
    int row = k, best = k;
    double largest = 0.0, swap;
    for (i = k; i < N; ++i) {
      for (j = k; j < N; ++j) {
        if (fabs(K[i * N + j]) > largest) {
          largest = fabs(K[i * N + j]);
          row = i;
          best = j;
        }
      }
    }
    if (!(largest > 1e-11)) break;
    for (j = 0; j < N; ++j) {
      swap = K[k * N + j];
      K[k * N + j] = K[row * N + j];
      K[row * N + j] = swap;
    }
    swap = r[k];
    r[k] = r[row];
    r[row] = swap;
    for (i = 0; i < N; ++i) {
      swap = K[i * N + k];
      K[i * N + k] = K[i * N + best];
      K[i * N + best] = swap;
    }
    i = column[k];
    column[k] = column[best];
    column[best] = i;
    for (i = k + 1; i < N; ++i) {
      const double factor = K[i * N + k] / K[k * N + k];
      for (j = k; j < N; ++j) K[i * N + j] -= factor * K[k * N + j];
      r[i] -= factor * r[k];
    }
    ++rank;
  }
  for (i = rank; i < N; ++i) {
    if (column[i] < NU) return 1;
    if (fabs(r[i]) > 1e-7 * size) return 2;
  }
  for (i = rank - 1; i >= 0; --i) {
    double s = r[i];
    for (j = i + 1; j < rank; ++j) s -= K[i * N + j] * x[column[j]];
    x[column[i]] = s / K[i * N + i];
  }
  for (i = 0; i < NU; ++i) udot[i] = scale[i] * x[i];
  for (i = 0; i < NI; ++i) lambda[i] = scale[NU + i] * x[NU + i];
  return 0;
}

)";

const char* const kMinimalC =
    R"(/* X of  D X = R  for square D [n][n] and R [n][m], by elimination with row exchanges; 0 where D is singular. */
static int eliminate(double *D, double *R, int n, int m) {
  int i, j, k;
  for (k = 0; k < n; ++k) {
    int best = k;
    double size = 0.0;
    for (i = k; i < n; ++i) {
      if (fabs(D[i * n + k]) > fabs(D[best * n + k])) best = i;
    }
    for (j = 0; j < n; ++j) {
      const double swap = D[k * n + j];
      D[k * n + j] = D[best * n + j];
      D[best * n + j] = swap;
      size += fabs(D[k * n + j]);
    }
    if (!(fabs(D[k * n + k]) > 1e-12 * size)) return 0;
    for (j = 0; j < m; ++j) {
      const double swap = R[k * m + j];
      R[k * m + j] = R[best * m + j];
      R[best * m + j] = swap;
    }
    for (i = k + 1; i < n; ++i) {
      const double factor = D[i * n + k] / D[k * n + k];
      for (j = k; j < n; ++j) D[i * n + j] -= factor * D[k * n + j];
      for (j = 0; j < m; ++j) R[i * m + j] -= factor * R[k * m + j];
    }
  }
  for (k = n - 1; k >= 0; --k) {
    for (j = 0; j < m; ++j) {
      double s = R[k * m + j];
      for (i = k + 1; i < n; ++i) s -= D[k * n + i] * R[i * m + j];
      R[k * m + j] = s / D[k * n + k];
    }
  }
  return 1;
}

/* u' and lambda by Kane's reduced equations: u' = V w' + rest with the dependent speeds from the pivot rows,
   V^T M V w' = V^T (f - M rest). Rows that are no pivots get lambda = 0. */
static int solve(const double *M, @parameter@const double *f, const double *A, const double *b, double *udot, double *lambda) {
  double D[SIZE(ND * ND)], R[SIZE(ND * (NW + 1))], V[SIZE(NU * NW)], MV[SIZE(NU * NW)], force[SIZE(NU)], rest[SIZE(NU)];
  double Mr[SIZE(NW * NW)], w[SIZE(NW)], l[SIZE(ND)], largest = 0.0;
  int i, j, k, s;
  for (i = 0; i < ND; ++i) {
    for (j = 0; j < ND; ++j) D[i * ND + j] = A[pivot_rows[i] * NU + dependent[j]];
    for (j = 0; j < NW; ++j) R[i * (NW + 1) + j] = -A[pivot_rows[i] * NU + independent[j]];
    R[i * (NW + 1) + NW] = b[pivot_rows[i]];
  }
  if (!eliminate(D, R, ND, NW + 1)) return 3;
  for (i = 0; i < NU * NW; ++i) V[i] = 0.0;
  for (i = 0; i < NU; ++i) rest[i] = 0.0;
  for (j = 0; j < NW; ++j) V[independent[j] * NW + j] = 1.0;
  for (k = 0; k < ND; ++k) {
    for (j = 0; j < NW; ++j) V[dependent[k] * NW + j] = R[k * (NW + 1) + j];
    rest[dependent[k]] = R[k * (NW + 1) + NW];
  }
  for (i = 0; i < NU; ++i) {
    force[i] = f[i];
    for (s = 0; s < NU; ++s) force[i] -= M[i * NU + s] * rest[s];
    for (j = 0; j < NW; ++j) {
      MV[i * NW + j] = 0.0;
      for (s = 0; s < NU; ++s) MV[i * NW + j] += M[i * NU + s] * V[s * NW + j];
    }
  }
  for (i = 0; i < NW; ++i) {
    w[i] = 0.0;
    for (s = 0; s < NU; ++s) w[i] += V[s * NW + i] * force[s];
    for (j = 0; j < NW; ++j) {
      Mr[i * NW + j] = 0.0;
      for (s = 0; s < NU; ++s) Mr[i * NW + j] += V[s * NW + i] * MV[s * NW + j];
    }
  }
  if (!eliminate(Mr, w, NW, 1)) return 1;
  for (i = 0; i < NU; ++i) {
    udot[i] = rest[i];
    for (j = 0; j < NW; ++j) udot[i] += V[i * NW + j] * w[j];
  }
  for (i = 0; i < NU; ++i) { /* accelerations, and those without constraints: the rounding of loads contradicts nothing */
    if (fabs(udot[i]) > largest) largest = fabs(udot[i]);
    if (@mass@ > 0.0 && fabs(f[i]) > largest * @mass@) largest = fabs(f[i]) / @mass@;
  }
  for (i = 0; i < NI; ++i) {
    double miss = -b[i], size = fabs(b[i]) + 1e-300;
    for (j = 0; j < NU; ++j) {
      miss += A[i * NU + j] * udot[j];
      size += fabs(A[i * NU + j]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
    lambda[i] = 0.0;
  }
  for (k = 0; k < ND; ++k) {
    l[k] = -f[dependent[k]];
    for (s = 0; s < NU; ++s) l[k] += M[dependent[k] * NU + s] * udot[s];
    for (j = 0; j < ND; ++j) D[k * ND + j] = A[pivot_rows[j] * NU + dependent[k]];
  }
  if (!eliminate(D, l, ND, 1)) return 3;
  for (k = 0; k < ND; ++k) lambda[pivot_rows[k]] = l[k];
  return 0;
}

)";

const char* const kEffortsC =
    R"(/* Motion kept by efforts e beside the multipliers: u' is affine in e, the directed rows determine e; of more efforts than
   rows the least sum of (e/scale)^2. Rows kept by `via` have lambda = 0,
   by `law directed` their effort. */
static int solve_with_efforts(const double *M, @parameter@const double *f, const double *A, const double *b, const double *Gamma,
    double *udot, double *lambda, double *effort) {
  enum { NK = NC - NI };
  double Ai[SIZE(NI * NU)], bi[SIZE(NI)], zero[SIZE(NI)] = {0.0}, li[SIZE(NI)], share[SIZE(NE * NI)];
  double each[SIZE(NE * NU)], B[SIZE(NK * NE)], r[SIZE(NK)];
  int i, j, k, result;
  for (i = 0; i < NI; ++i) {
    bi[i] = b[ideal_rows[i]];
    for (j = 0; j < NU; ++j) Ai[i * NU + j] = A[ideal_rows[i] * NU + j];
  }
  result = solve(M, @argument@f, Ai, bi, udot, li);
  for (k = 0; k < NE && result == 0; ++k) {
    result = solve(M, @argument@Gamma + k * NU, Ai, zero, each + k * NU, share + k * NI);
  }
  if (result) return result;
  for (i = 0; i < NK; ++i) {
    const double *row = A + directed_rows[i] * NU;
    r[i] = b[directed_rows[i]];
    for (j = 0; j < NU; ++j) r[i] -= row[j] * udot[j];
    for (k = 0; k < NE; ++k) {
      B[i * NE + k] = 0.0;
      for (j = 0; j < NU; ++j) B[i * NE + k] += row[j] * each[k * NU + j] * effort_scale[k];
    }
  }
  if (least_norm(B, r, NK, NE, effort)) return 2;
  for (i = 0; i < NC; ++i) lambda[i] = 0.0;
  for (k = 0; k < NE; ++k) {
    effort[k] *= effort_scale[k];
    for (j = 0; j < NU; ++j) udot[j] += effort[k] * each[k * NU + j];
    for (i = 0; i < NI; ++i) li[i] += effort[k] * share[k * NI + i];
  }
  for (i = 0; i < NI; ++i) lambda[ideal_rows[i]] = li[i];
  for (k = 0; k < NE; ++k) {
    if (row_of_effort[k] >= 0) lambda[row_of_effort[k]] = effort[k];
  }
  return 0;
}

)";

}  // namespace vinculum::out::solver_texts

/* What the interfaces of FMI 2.0 and 3.0 have in common: the instance, its evaluation, its events, the projection onto
   the constraints, and the integration of co-simulation. Included by fmi2.c and fmi3.c. model.c contains the equations,
   printed by `vinculum derive`; config.h the sizes, names of functions and start values of this model. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include "model.c"
#include "config.h" /* uses SIZE of model.c */
/* clang-format on */

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define MOST_ROUNDS 1000 /* of events at one instant */
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)

enum { OK = 0, DISCARD = 2, ERROR = 3 }; /* statuses of both versions */

/* All that changes during a simulation. It contains no pointers, so a copy of its bytes is a copy of the state. */
typedef struct {
  double t, p[SIZE(N_P)], q[SIZE(N_Q)], u[SIZE(N_U)], z[SIZE(N_Z)];
  double acts[SIZE(N_ACTS)];    /* 1 while the constraint acts */
  double next[SIZE(N_EV)];      /* instant of the next event of a stated time */
  int has_begun;                /* the initialization has ended */
  int is_above[SIZE(N_GUARDS)]; /* side of each event indicator on which the motion is */
  double last_crossing;         /* instant of the last events, and how many followed each other at once */
  int crossings;
  double tolerance;
  double step; /* of co-simulation: the next one to be tried */
} Data;

typedef struct {
  Data d;
  int is_fresh; /* the results below belong to the state */
  double qdot[SIZE(N_Q)], udot[SIZE(N_U)], zdot[SIZE(N_Z)], lambda[SIZE(N_C)], effort[SIZE(N_E)];
  double output[SIZE(N_O)], guards[SIZE(N_GUARDS)];
  int was_ended;           /* by an event of the model */
  int may_return_early;    /* co-simulation may say that a step ended before its time */
  const char* why;         /* of the last failure */
  void *environment, *log; /* as the interfaces use them */
  char name[128];
} Instance;

static const char* const failures[] = {"",
                                       "an acceleration is undetermined",
                                       "the constraints contradict each other",
                                       "the dependent speeds are not determined by the constraints here",
                                       "no state near this one satisfies the constraints",
                                       "a result is not a finite number",
                                       "more than " AS_TEXT(MOST_ROUNDS) " rounds of events at one instant",
                                       "the motion does not go on: forces switch repeatedly, as in a sliding mode",
                                       "the step became too small"};

static int fail_with(Instance* i, int failure) {
  i->why = failures[failure];
  return failure;
}

static int are_finite(const double* x, int n) {
  for (int k = 0; k < n; ++k) {
    if (!(fabs(x[k]) <= 1.7e308)) return 0;
  }
  return 1;
}

static int solve_at(Instance* i, const Data* d) { return MODEL(accelerations)(STATE(d), RESULTS(i)); }

/* Event indicators: guards of events and of constraints with conditions, then switches of the equations. */
static void indicate(const Data* d, double* guards) {
  (void)d;
  (void)guards;
#if N_G > 0
  MODEL(guards)(BARE_STATE(d), guards);
#endif
#if N_GUARDS > N_G
  MODEL(switches)(BARE_STATE(d), guards + N_G);
#endif
}

/* Rates, multipliers, outputs and event indicators at the state. Rows that depend on each other contradict each other
   where the state has drifted off the constraints: then the equations are solved at the nearest state on them. */
static int evaluate(Instance* i) {
  if (i->is_fresh) return 0;
  Data* d = &i->d;
#if N_ACTS > 0
  if (!i->d.has_begun) MODEL(acts)(BARE_STATE(d), d->acts);
#endif
  MODEL(coordinate_rates)(STATE(d), i->qdot);
  int failure = solve_at(i, d);
#if HAS_PROJECT
  if (failure == 2) {
    Data near = *d;
    Data* n = &near;
    if (MODEL(project)(STATE(n)) == 0) failure = solve_at(i, n);
  }
#endif
  if (failure) return fail_with(i, failure);
  if (!are_finite(i->qdot, N_Q) || !are_finite(i->udot, N_U) || !are_finite(i->zdot, N_Z)) return fail_with(i, 5);
#if N_O > 0
  MODEL(outputs)(STATE(d), REACTIONS(i), i->output);
#endif
  indicate(d, i->guards);
  i->is_fresh = 1;
  return 0;
}

/* Continuous states x: q, u, and the states of the model that have rates. */
static void get_x(const Data* d, double* x) {
  int n = 0;
  for (int k = 0; k < N_Q; ++k) x[n++] = d->q[k];
  for (int k = 0; k < N_U; ++k) x[n++] = d->u[k];
  for (int k = 0; k < N_XZ; ++k) x[n++] = d->z[continuous[k]];
}

static void set_x(Data* d, const double* x) {
  int n = 0;
  for (int k = 0; k < N_Q; ++k) d->q[k] = x[n++];
  for (int k = 0; k < N_U; ++k) d->u[k] = x[n++];
  for (int k = 0; k < N_XZ; ++k) d->z[continuous[k]] = x[n++];
}

static int get_rates(Instance* i, double* rates) {
  int failure = evaluate(i);
  if (failure) return failure;
  int n = 0;
  for (int k = 0; k < N_Q; ++k) rates[n++] = i->qdot[k];
  for (int k = 0; k < N_U; ++k) rates[n++] = i->udot[k];
  for (int k = 0; k < N_XZ; ++k) rates[n++] = i->zdot[continuous[k]];
  return 0;
}

static double size_of(const double* x, int n) {
  double size = 0.0;
  for (int k = 0; k < n; ++k) size = fmax(size, fabs(x[k]));
  return size;
}

#if HAS_PROJECT
static int project(Instance* i) {
  Data* d = &i->d;
  i->is_fresh = 0;
  int failure = MODEL(project)(STATE(d));
  return failure ? fail_with(i, failure) : 0;
}

/* Whether the state has drifted off the constraints by much more than the error of a step. A correction starts a solver
   with several steps anew, so it must be rare. */
static int has_drifted(const Instance* i) {
  Data near = i->d;
  Data* n = &near;
  if (MODEL(project)(STATE(n))) return 0; /* evaluation says why */
  double most = 0.0;
  for (int k = 0; k < N_Q; ++k) most = fmax(most, fabs(n->q[k] - i->d.q[k]) / (1e-6 + size_of(n->q, N_Q)));
  for (int k = 0; k < N_U; ++k) most = fmax(most, fabs(n->u[k] - i->d.u[k]) / (1e-6 + size_of(n->u, N_U)));
  return most > fmax(1e-7, 100.0 * i->d.tolerance);
}
#else
static int project(Instance* i) {
  (void)i;
  return 0;
}

static int has_drifted(const Instance* i) {
  (void)i;
  return 0;
}
#endif

#if N_GUARDS > 0
/* The sides of the event indicators a moment later: at the instant of an event itself an indicator is 0. */
static int sides_ahead(Instance* i, int* sides, double* acts) {
  double x[SIZE(N_X)], rates[SIZE(N_X)], guards[SIZE(N_GUARDS)];
  int failure = get_rates(i, rates);
  if (failure) return failure;
  Data ahead = i->d;
  Data* d = &ahead;
  double moment = 1e-9 * fmax(1.0, fabs(d->t));
  get_x(d, x);
  for (int k = 0; k < N_X; ++k) x[k] += moment * rates[k];
  set_x(d, x);
  d->t += moment;
  indicate(d, guards);
  for (int k = 0; k < N_GUARDS; ++k) sides[k] = guards[k] > 0.0;
#if N_ACTS > 0
  MODEL(acts)(BARE_STATE(d), acts);
#else
  (void)acts;
#endif
  return 0;
}

/* Takes over which constraints act; whether something has changed. */
static int switch_constraints(Instance* i, const double* acts) {
  int has_changed = 0;
  for (int k = 0; k < N_ACTS; ++k) {
    has_changed = has_changed || (acts[k] > 0.5) != (i->d.acts[k] > 0.5);
    i->d.acts[k] = acts[k];
  }
  if (has_changed) i->is_fresh = 0;
  return has_changed;
}

/* Constraints that begin to act, and events that set speeds, leave speeds that violate constraints: an impulse. */
static int meet_speeds(Instance* i) {
#if HAS_IMPULSE
  Data* d = &i->d;
  double impulse[SIZE(N_C)];
  i->is_fresh = 0;
  int failure = MODEL(impulse)(STATE(d), impulse);
  return failure ? fail_with(i, failure) : 0;
#else
  (void)i;
  return 0;
#endif
}
#endif

#if N_GUARDS > 0 && N_EV > 0
/* Which events happen at this instant, happened[N_EV]; returns their number. */
static int find_events(Instance* i, const int* sides, double* happened) {
  int count = 0;
  double direction[SIZE(N_GUARDS)];
  MODEL(event_directions)(direction);
  for (int k = 0; k < N_EV; ++k) {
    int is_now = 0;
    if (is_timed[k])
      is_now = i->d.t >= i->d.next[k] - 1e-12 * fmax(1.0, fabs(i->d.t));
    else if (sides[k] != i->d.is_above[k])
      is_now = sides[k] ? direction[k] >= 0.0 : direction[k] <= 0.0;
    happened[k] = is_now ? 1.0 : 0.0;
    count += is_now;
  }
  return count;
}

/* Sets the instants of the events of stated times that come after t; or at t too, if it is the start. */
static void set_times(Data* d, int is_start) {
  double at[SIZE(N_EV)], every[SIZE(N_EV)];
  double least = is_start ? -1e-12 * fmax(1.0, fabs(d->t)) : 1e-12 * fmax(1.0, fabs(d->t));
  MODEL(event_times)(d->p, at, every);
  for (int k = 0; k < N_EV; ++k) {
    d->next[k] = 1e300;
    if (at[k] >= d->t + least) d->next[k] = at[k];
    if (every[k] > 0.0) {
      d->next[k] = every[k] * ceil((d->t + least) / every[k]);
      if (d->next[k] < d->t + least) d->next[k] += every[k];
    }
  }
}
#endif

/* Events at this instant, round after round until none follows from the others. */
static int handle_events(Instance* i, int* has_changed, int* ends) {
  *has_changed = 0;
  *ends = 0;
  (void)i;
#if N_GUARDS > 0
  int sides[SIZE(N_GUARDS)];
  double acts[SIZE(N_ACTS)] = {0};
  for (int round = 0;; ++round) {
    if (round > MOST_ROUNDS) return fail_with(i, 6);
    int failure = sides_ahead(i, sides, acts);
    if (failure) return failure;
    int count = 0;
#if N_EV > 0
    double happened[SIZE(N_EV)];
    count = find_events(i, sides, happened);
#endif
    int switches = switch_constraints(i, acts);
    for (int k = 0; k < N_GUARDS; ++k) i->d.is_above[k] = sides[k];
    if (count == 0 && !switches) break;
#if N_EV > 0
    if (count > 0) {
      Data* d = &i->d;
      MODEL(happen)(BARE_STATE(d), happened);
      for (int k = 0; k < N_EV; ++k) *ends = *ends || (event_ends[k] && happened[k] > 0.5);
      set_times(d, 0);
    }
#endif
    failure = meet_speeds(i);
    if (failure) return failure;
    i->is_fresh = 0;
    *has_changed = 1;
  }
#endif
  return 0;
}

/* Instant of the next event of a stated time; 1e300: there is none. */
static double next_time(const Data* d) {
  double next = 1e300;
  (void)d;
#if N_EV > 0
  for (int k = 0; k < N_EV; ++k) next = fmin(next, d->next[k]);
#endif
  return next;
}

/* Whether an indicator has changed its side since the last events. */
static int has_crossed(Instance* i) {
  (void)i;
#if N_GUARDS > 0
  if (evaluate(i)) return 0;
  for (int k = 0; k < N_GUARDS; ++k) {
    if (k < N_EV && is_timed[k]) continue;
    if ((i->guards[k] > 0.0) != i->d.is_above[k]) return 1;
  }
#endif
  return 0;
}

static void reset(Instance* i) {
  Data* d = &i->d;
  memset(d, 0, sizeof(*d));
  MODEL(parameters)(d->p);
  d->t = START_TIME;
  d->tolerance = 1e-6;
  for (int k = 0; k < N_Q; ++k) d->q[k] = start_q[k];
  for (int k = 0; k < N_U; ++k) d->u[k] = start_u[k];
  for (int k = 0; k < N_Z; ++k) d->z[k] = start_z[k];
  i->is_fresh = i->was_ended = 0;
}

/* The end of initialization: the start values meet the constraints, and the sides of the indicators are known. */
static int begin(Instance* i) {
  Data* d = &i->d;
  (void)d;
#if N_ACTS > 0
  MODEL(acts)(BARE_STATE(d), d->acts);
#endif
  int failure = project(i);
  if (failure) return failure;
  i->d.has_begun = 1;
  i->is_fresh = 0;
#if N_GUARDS > 0
  double acts[SIZE(N_ACTS)] = {0};
  failure = sides_ahead(i, d->is_above, acts);
  if (failure) return failure;
#endif
#if N_GUARDS > 0 && N_EV > 0
  set_times(d, 1);
#endif
  return evaluate(i);
}

/* One step of Dormand and Prince's pair of order 5(4); error[N_X] of the step, x[N_X] after it. */
static int try_step(Instance* i, double h, double* x, double* error) {
  static const double c[] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
  static const double a[7][6] = {{0},
                                 {1.0 / 5},
                                 {3.0 / 40, 9.0 / 40},
                                 {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                 {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                 {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                 {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double e[] = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  double start[SIZE(N_X)], k[7][SIZE(N_X)];
  double t = i->d.t;
  get_x(&i->d, start);
  int failure = 0;
  for (int s = 0; s < 7 && !failure; ++s) {
    for (int n = 0; n < N_X; ++n) {
      x[n] = start[n];
      for (int r = 0; r < s; ++r) x[n] += h * a[s][r] * k[r][n];
    }
    i->d.t = t + c[s] * h;
    set_x(&i->d, x);
    i->is_fresh = 0;
    failure = get_rates(i, k[s]);
  }
  for (int n = 0; n < N_X && !failure; ++n) {
    error[n] = 0.0;
    for (int s = 0; s < 7; ++s) error[n] += h * e[s] * k[s][n];
  }
  i->d.t = t;
  set_x(&i->d, start);
  i->is_fresh = 0;
  return failure;
}

/* The state after a step of length h that was found good. */
static int take_step(Instance* i, double h, const double* x) {
  i->d.t += h;
  set_x(&i->d, x);
  i->is_fresh = 0;
  return project(i);
}

static void restore(Instance* i, const Data* before) {
  i->d = *before;
  i->is_fresh = 0;
}

/* Co-simulation: goes on to the time `end`, over events; stops early where an event ends the run. */
static int go_on(Instance* i, double end, int* ends) {
  double x[SIZE(N_X)], error[SIZE(N_X)];
  const double tolerance = fmin(i->d.tolerance, 1e-6) * 1e-2;
  *ends = 0;
  while (i->d.t < end && !*ends) {
    double target = fmin(end, next_time(&i->d));
    double least = 1e-14 * fmax(1.0, fabs(i->d.t));
    double left = target - i->d.t;
    int is_crossing = 0;
    if (left > least) {
      double h = i->d.step > 0.0 ? i->d.step : fmin(1e-3, left);
      int is_last = h >= left * (1.0 - 1e-9);
      if (is_last) h = left;
      if (h < least) return fail_with(i, 8);
      int failure = try_step(i, h, x, error);
      double worst = 0.0;
      for (int n = 0; n < N_X && !failure; ++n) {
        double size = n < N_Q ? size_of(x, N_Q) : n < N_Q + N_U ? size_of(x + N_Q, N_U) : fabs(x[n]);
        worst = fmax(worst, fabs(error[n]) / (tolerance * (1e-3 + size)));
      }
      if (failure || !(worst <= 1.0)) {
        i->d.step = failure || !(worst < 1e6) ? 0.2 * h : h * fmax(0.2, 0.9 * pow(worst, -0.2));
        if (failure && i->d.step < least) return failure;
        continue;
      }
      const Data before = i->d;
      if (!is_last || worst < 0.5) i->d.step = h * fmin(5.0, 0.9 * pow(fmax(worst, 1e-8), -0.2));
      failure = take_step(i, h, x);
      if (failure) { /* no state on the constraints near the end of the step: a shorter one */
        const double shorter = 0.2 * h;
        restore(i, &before);
        i->d.step = shorter;
        if (shorter < least) return failure;
        continue;
      }
      if (is_last) i->d.t = target;
      if (has_crossed(i)) { /* halve the interval that contains the first crossing; the motion stays on its side */
        double low = 0.0, high = h;
        while (high - low > 4.0 * least) {
          double middle = 0.5 * (low + high);
          restore(i, &before);
          failure = try_step(i, middle, x, error);
          if (!failure) failure = take_step(i, middle, x);
          if (failure) break;
          if (has_crossed(i))
            high = middle;
          else
            low = middle;
        }
        restore(i, &before);
        if (!failure) failure = try_step(i, high, x, error);
        if (!failure) failure = take_step(i, high, x);
        if (failure) {
          restore(i, &before);
          return failure;
        }
        is_crossing = 1;
      } else if (i->d.t < target) {
        continue;
      }
    } else {
      i->d.t = target;
      i->is_fresh = 0;
    }
    if (is_crossing) {
      i->d.crossings = i->d.t - i->d.last_crossing < 1e-9 * fmax(1.0, fabs(i->d.t)) ? i->d.crossings + 1 : 0;
      i->d.last_crossing = i->d.t;
      if (i->d.crossings > MOST_ROUNDS) return fail_with(i, 7);
    }
    int has_changed = 0;
    int failure = handle_events(i, &has_changed, ends);
    if (failure) return failure;
    if (has_changed) i->d.step = 0.0;
  }
  return 0;
}

/* Value of a variable; returns a failure, or -1 if there is no variable with this reference. */
static int get_value(Instance* i, unsigned reference, double* value) {
  const Data* d = &i->d;
  if (reference >= REF_RESULTS) {
    int failure = evaluate(i);
    if (failure) return failure;
  }
  if (reference == 0)
    *value = d->t;
  else if (reference < REF_Q)
    *value = d->p[reference - REF_P];
  else if (reference < REF_U)
    *value = d->q[reference - REF_Q];
  else if (reference < REF_Z)
    *value = d->u[reference - REF_U];
  else if (reference < REF_RESULTS)
    *value = d->z[reference - REF_Z];
  else if (reference < REF_DU)
    *value = i->qdot[reference - REF_RESULTS];
  else if (reference < REF_DZ)
    *value = i->udot[reference - REF_DU];
  else if (reference < REF_OUTPUT)
    *value = i->zdot[reference - REF_DZ];
  else if (reference < REF_LAMBDA)
    *value = i->output[reference - REF_OUTPUT];
  else if (reference < REF_EFFORT)
    *value = i->lambda[reference - REF_LAMBDA];
  else if (reference < REF_GUARD)
    *value = i->effort[reference - REF_EFFORT];
  else if (reference < REF_END)
    *value = i->guards[reference - REF_GUARD];
  else
    return -1;
  return 0;
}

static int is_input(int z) {
  for (int k = 0; k < N_IN; ++k) {
    if (input_given[k] == z) return 1;
  }
  return 0;
}

/* Sets a parameter, a start value or an input; returns 0 if the variable cannot be set. */
static int set_value(Instance* i, unsigned reference, double value) {
  Data* d = &i->d;
  i->is_fresh = 0;
  if (reference == 0 || reference >= REF_RESULTS) return 0;
  if (reference < REF_Q) {
    d->p[reference - REF_P] = value;
#if N_GUARDS > 0 && N_EV > 0
    if (i->d.has_begun) set_times(d, 0);
#endif
  } else if (reference < REF_U) {
    if (i->d.has_begun) return 0;
    d->q[reference - REF_Q] = value;
  } else if (reference < REF_Z) {
    if (i->d.has_begun) return 0;
    d->u[reference - REF_U] = value;
  } else {
    if (i->d.has_begun && !is_input((int)(reference - REF_Z))) return 0;
    d->z[reference - REF_Z] = value;
    for (int k = 0; k < N_IN; ++k) { /* from now on the value given replaces the model's own expression */
      if (input_given[k] == (int)(reference - REF_Z) && input_own[k] >= 0) d->z[input_own[k]] = 0.0;
    }
  }
  return 1;
}

/* What both interfaces offer under names of their own. */

static int save_state(const Instance* i, void** state) {
  if (!*state) *state = malloc(sizeof(Data));
  if (!*state) return ERROR;
  memcpy(*state, &i->d, sizeof(Data));
  return OK;
}

static int restore_state(Instance* i, const void* state) {
  memcpy(&i->d, state, sizeof(Data));
  i->is_fresh = 0;
  return OK;
}

static int free_state(void** state) {
  free(*state);
  *state = NULL;
  return OK;
}

static int write_bytes(const void* state, void* bytes, size_t size) {
  if (size != sizeof(Data)) return ERROR;
  memcpy(bytes, state, size);
  return OK;
}

static int read_bytes(const void* bytes, size_t size, void** state) {
  if (size != sizeof(Data)) return ERROR;
  if (!*state) *state = malloc(size);
  if (!*state) return ERROR;
  memcpy(*state, bytes, size);
  return OK;
}

static int set_time(Instance* i, double t) {
  i->d.t = t;
  i->is_fresh = 0;
  return OK;
}

static int set_states(Instance* i, const double* x, size_t n) {
  if (n != N_X) return ERROR;
  set_x(&i->d, x);
  i->is_fresh = 0;
  return OK;
}

static int get_states(const Instance* i, double* x, size_t n) {
  if (n != N_X) return ERROR;
  get_x(&i->d, x);
  return OK;
}

static int get_nominals(double* nominals, size_t n) {
  for (size_t k = 0; k < n; ++k) nominals[k] = 1.0;
  return OK;
}

/* Event indicators; returns a failure. */
static int get_indicators(Instance* i, double* indicators) {
  int failure = evaluate(i);
  for (int k = 0; k < N_GUARDS && !failure; ++k) indicators[k] = i->guards[k];
  return failure;
}

/* Removes the drift, then events; returns a failure. */
static int update(Instance* i, int* has_changed, int* ends) {
  int by_events = 0;
  int failure = 0;
  *has_changed = has_drifted(i);
  *ends = 0;
  if (*has_changed) failure = project(i);
  if (!failure) failure = handle_events(i, &by_events, ends);
  *has_changed = *has_changed || by_events;
  return failure;
}

/* Whether the state after an integration step needs events or a projection; returns a failure. */
static int complete_step(Instance* i, int* needs_events) {
  int failure = evaluate(i);
  *needs_events = !failure && (has_crossed(i) || has_drifted(i));
  return failure;
}

/* A step of co-simulation. Inputs and parameters may have changed before it. Returns a failure. */
static int step_on(Instance* i, double from, double step, int* ends) {
  int has_changed = 0;
  set_time(i, from);
  int failure = update(i, &has_changed, ends);
  if (!failure && !*ends) failure = go_on(i, from + step, ends);
  i->was_ended = !failure && *ends;
  return failure;
}

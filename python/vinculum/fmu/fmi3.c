/* The interface of FMI 3.0, model exchange and co-simulation. The names and arguments are those of the standard. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core.c"

typedef void *fmi3Instance, *fmi3FMUState;
typedef unsigned fmi3ValueReference;
typedef const char* fmi3String;
typedef void (*fmi3LogMessageCallback)(void*, int, fmi3String, fmi3String);

static int answer(Instance* i, int failure) {
  if (failure == 0) return OK;
  if (i->log && failure > 0) ((fmi3LogMessageCallback)i->log)(i->environment, DISCARD, "motion", i->why);
  return failure > 0 ? DISCARD : ERROR;
}

static Instance* make(fmi3String name, fmi3String token, void* environment, fmi3LogMessageCallback log) {
  if (token && strcmp(token, TOKEN) != 0) {
    if (log) log(environment, ERROR, "token", "the instantiation token is not that of this FMU");
    return NULL;
  }
  Instance* i = (Instance*)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  strncpy(i->name, name ? name : "", sizeof(i->name) - 1);
  i->environment = environment;
  memcpy(&i->log, &log, sizeof(log));
  reset(i);
  return i;
}

EXPORT fmi3String fmi3GetVersion(void) { return "3.0"; }

EXPORT int fmi3SetDebugLogging(fmi3Instance i, bool on, size_t n, const fmi3String categories[]) {
  (void)i, (void)on, (void)n, (void)categories;
  return OK;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                 bool logs, void* environment, fmi3LogMessageCallback log) {
  (void)resources, (void)visible, (void)logs;
  return make(name, token, environment, log);
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                bool logs, bool has_event_mode, bool may_return_early,
                                                const fmi3ValueReference required[], size_t n, void* environment,
                                                fmi3LogMessageCallback log, void* update) {
  (void)resources, (void)visible, (void)logs, (void)has_event_mode, (void)required, (void)n, (void)update;
  Instance* i = make(name, token, environment, log);
  if (i) i->may_return_early = may_return_early;
  return i;
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      bool visible, bool logs, void* environment,
                                                      fmi3LogMessageCallback log, void* clock, void* lock,
                                                      void* unlock) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logs, (void)environment, (void)log;
  (void)clock, (void)lock, (void)unlock;
  return NULL;
}

EXPORT void fmi3FreeInstance(fmi3Instance i) { free(i); }

EXPORT int fmi3EnterInitializationMode(fmi3Instance instance, bool has_tolerance, double tolerance, double start,
                                       bool has_stop, double stop) {
  Instance* i = (Instance*)instance;
  (void)has_stop, (void)stop;
  if (has_tolerance && tolerance > 0.0) i->d.tolerance = tolerance;
  i->d.t = start;
  i->is_fresh = 0;
  return OK;
}

EXPORT int fmi3ExitInitializationMode(fmi3Instance i) {
  return answer((Instance*)i, begin((Instance*)i)) == OK ? OK : ERROR;
}
EXPORT int fmi3EnterEventMode(fmi3Instance i) {
  (void)i;
  return OK;
}
EXPORT int fmi3EnterContinuousTimeMode(fmi3Instance i) {
  (void)i;
  return OK;
}
EXPORT int fmi3EnterStepMode(fmi3Instance i) {
  (void)i;
  return OK;
}
EXPORT int fmi3EnterConfigurationMode(fmi3Instance i) {
  (void)i;
  return ERROR;
}
EXPORT int fmi3ExitConfigurationMode(fmi3Instance i) {
  (void)i;
  return ERROR;
}
EXPORT int fmi3Terminate(fmi3Instance i) {
  (void)i;
  return OK;
}

EXPORT int fmi3Reset(fmi3Instance i) {
  reset((Instance*)i);
  return OK;
}

EXPORT int fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t n, double values[],
                          size_t n_values) {
  int failure = 0;
  if (n != n_values) return ERROR;
  for (size_t k = 0; k < n && !failure; ++k) failure = get_value((Instance*)i, references[k], &values[k]);
  return answer((Instance*)i, failure);
}

EXPORT int fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t n, const double values[],
                          size_t n_values) {
  if (n != n_values) return ERROR;
  for (size_t k = 0; k < n; ++k) {
    if (!set_value((Instance*)i, references[k], values[k])) return ERROR;
  }
  return OK;
}

/* There are no variables of other types. */
#define NO_VARIABLES(NAME, TYPE)                                                                               \
  EXPORT int fmi3Get##NAME(fmi3Instance i, const fmi3ValueReference r[], size_t n, TYPE v[], size_t m) {       \
    (void)i, (void)r, (void)v;                                                                                 \
    return n || m ? ERROR : OK;                                                                                \
  }                                                                                                            \
  EXPORT int fmi3Set##NAME(fmi3Instance i, const fmi3ValueReference r[], size_t n, const TYPE v[], size_t m) { \
    (void)i, (void)r, (void)v;                                                                                 \
    return n || m ? ERROR : OK;                                                                                \
  }
NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(Int32, int32_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(Int64, int64_t)
NO_VARIABLES(UInt64, uint64_t)
NO_VARIABLES(Boolean, bool)
NO_VARIABLES(String, fmi3String)

EXPORT int fmi3GetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n, size_t sizes[], const uint8_t* v[],
                         size_t m) {
  (void)i, (void)r, (void)sizes, (void)v;
  return n || m ? ERROR : OK;
}
EXPORT int fmi3SetBinary(fmi3Instance i, const fmi3ValueReference r[], size_t n, const size_t sizes[],
                         const uint8_t* const v[], size_t m) {
  (void)i, (void)r, (void)sizes, (void)v;
  return n || m ? ERROR : OK;
}
EXPORT int fmi3GetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n, bool v[]) {
  (void)i, (void)r, (void)v;
  return n ? ERROR : OK;
}
EXPORT int fmi3SetClock(fmi3Instance i, const fmi3ValueReference r[], size_t n, const bool v[]) {
  (void)i, (void)r, (void)v;
  return n ? ERROR : OK;
}
EXPORT int fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n, double v[], int q[]) {
  (void)i, (void)r, (void)v, (void)q;
  return n ? ERROR : OK;
}
EXPORT int fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n, uint64_t c[], uint64_t s[],
                                   int q[]) {
  (void)i, (void)r, (void)c, (void)s, (void)q;
  return n ? ERROR : OK;
}
EXPORT int fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n, double v[]) {
  (void)i, (void)r, (void)v;
  return n ? ERROR : OK;
}
EXPORT int fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n, uint64_t c[], uint64_t s[]) {
  (void)i, (void)r, (void)c, (void)s;
  return n ? ERROR : OK;
}
EXPORT int fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n, const double v[]) {
  (void)i, (void)r, (void)v;
  return n ? ERROR : OK;
}
EXPORT int fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n, const uint64_t c[],
                                   const uint64_t s[]) {
  (void)i, (void)r, (void)c, (void)s;
  return n ? ERROR : OK;
}
EXPORT int fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference r[], size_t n, const double v[]) {
  (void)i, (void)r, (void)v;
  return n ? ERROR : OK;
}
EXPORT int fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference r[], size_t n, const uint64_t c[],
                                const uint64_t s[]) {
  (void)i, (void)r, (void)c, (void)s;
  return n ? ERROR : OK;
}

/* Every result may depend on every state, parameter and input; modelDescription.xml lists no dependencies. */
EXPORT int fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference r, size_t* n) {
  (void)i, (void)r, (void)n;
  return ERROR;
}
EXPORT int fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference r, size_t a[], fmi3ValueReference b[],
                                       size_t c[], int kinds[], size_t n) {
  (void)i, (void)r, (void)a, (void)b, (void)c, (void)kinds, (void)n;
  return ERROR;
}
EXPORT int fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference u[], size_t nu,
                                        const fmi3ValueReference k[], size_t nk, const double seed[], size_t ns,
                                        double s[], size_t n) {
  (void)i, (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)s, (void)n;
  return ERROR;
}
EXPORT int fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference u[], size_t nu,
                                    const fmi3ValueReference k[], size_t nk, const double seed[], size_t ns, double s[],
                                    size_t n) {
  (void)i, (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)s, (void)n;
  return ERROR;
}
EXPORT int fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference r[], size_t n, const int32_t orders[],
                                    double v[], size_t m) {
  (void)i, (void)r, (void)n, (void)orders, (void)v, (void)m;
  return ERROR;
}
EXPORT int fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference r, double t) {
  (void)i, (void)r, (void)t;
  return ERROR;
}

EXPORT int fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state) { return save_state((Instance*)i, state); }
EXPORT int fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) { return restore_state((Instance*)i, state); }
EXPORT int fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state) {
  (void)i;
  return free_state(state);
}
EXPORT int fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size) {
  (void)i, (void)state;
  *size = sizeof(Data);
  return OK;
}
EXPORT int fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, uint8_t bytes[], size_t size) {
  (void)i;
  return write_bytes(state, bytes, size);
}
EXPORT int fmi3DeserializeFMUState(fmi3Instance i, const uint8_t bytes[], size_t size, fmi3FMUState* state) {
  (void)i;
  return read_bytes(bytes, size, state);
}

EXPORT int fmi3EvaluateDiscreteStates(fmi3Instance i) {
  (void)i;
  return OK;
}

EXPORT int fmi3UpdateDiscreteStates(fmi3Instance instance, bool* needs_more, bool* ends, bool* nominals, bool* values,
                                    bool* has_next, double* next) {
  Instance* i = (Instance*)instance;
  int has_changed = 0, ends_run = 0;
  int failure = update(i, &has_changed, &ends_run);
  *needs_more = false;
  *nominals = false;
  *ends = ends_run;
  *values = has_changed;
  *next = next_time(&i->d);
  *has_next = *next < 1e300;
  return answer(i, failure) == OK ? OK : ERROR;
}

EXPORT int fmi3CompletedIntegratorStep(fmi3Instance i, bool is_final, bool* enters_event_mode, bool* ends) {
  int needs_events = 0;
  int failure = complete_step((Instance*)i, &needs_events);
  (void)is_final;
  *enters_event_mode = needs_events;
  *ends = false;
  return answer((Instance*)i, failure);
}

EXPORT int fmi3SetTime(fmi3Instance i, double t) { return set_time((Instance*)i, t); }
EXPORT int fmi3SetContinuousStates(fmi3Instance i, const double x[], size_t n) {
  return set_states((Instance*)i, x, n);
}
EXPORT int fmi3GetContinuousStates(fmi3Instance i, double x[], size_t n) { return get_states((Instance*)i, x, n); }
EXPORT int fmi3GetContinuousStateDerivatives(fmi3Instance i, double rates[], size_t n) {
  if (n != N_X) return ERROR;
  return answer((Instance*)i, get_rates((Instance*)i, rates));
}
EXPORT int fmi3GetNominalsOfContinuousStates(fmi3Instance i, double nominals[], size_t n) {
  (void)i;
  return get_nominals(nominals, n);
}
EXPORT int fmi3GetEventIndicators(fmi3Instance instance, double indicators[], size_t n) {
  if (n != N_GUARDS) return ERROR;
  return answer((Instance*)instance, get_indicators((Instance*)instance, indicators));
}
EXPORT int fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* n) {
  (void)i;
  *n = N_GUARDS;
  return OK;
}
EXPORT int fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* n) {
  (void)i;
  *n = N_X;
  return OK;
}

EXPORT int fmi3DoStep(fmi3Instance instance, double from, double step, bool is_final, bool* needs_events, bool* ends,
                      bool* is_early, double* last) {
  Instance* i = (Instance*)instance;
  int ends_run = 0;
  (void)is_final;
  int failure = step_on(i, from, step, &ends_run);
  *needs_events = false;
  *ends = ends_run;
  *is_early = ends_run && i->may_return_early && i->d.t < from + step;
  *last = i->d.t;
  return answer(i, failure);
}

/* The interface of FMI 2.0, model exchange and co-simulation. The names and arguments are those of the standard. */
#include <math.h>

#include "core.c"

typedef void *fmi2Component, *fmi2FMUstate;
typedef unsigned fmi2ValueReference;
typedef const char* fmi2String;
typedef int fmi2Boolean;
typedef struct {
  void (*logger)(void*, fmi2String, int, fmi2String, fmi2String, ...);
  void* (*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void*);
  void (*stepFinished)(void*, int);
  void* componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged, nextEventTimeDefined;
  double nextEventTime;
} fmi2EventInfo;

static int answer(Instance* i, int failure) {
  if (failure == 0) return OK;
  const fmi2CallbackFunctions* functions = (const fmi2CallbackFunctions*)i->log;
  if (functions && functions->logger && failure > 0)
    functions->logger(i->environment, i->name, DISCARD, "motion", "%s", i->why);
  return failure > 0 ? DISCARD : ERROR;
}

EXPORT fmi2String fmi2GetTypesPlatform(void) { return "default"; }
EXPORT fmi2String fmi2GetVersion(void) { return "2.0"; }

EXPORT int fmi2SetDebugLogging(fmi2Component i, fmi2Boolean on, size_t n, const fmi2String categories[]) {
  (void)i, (void)on, (void)n, (void)categories;
  return OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, int type, fmi2String token, fmi2String resources,
                                     const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logs) {
  (void)type, (void)resources, (void)visible, (void)logs;
  if (token && strcmp(token, TOKEN) != 0) {
    if (functions && functions->logger)
      functions->logger(functions->componentEnvironment, name, ERROR, "token", "the guid is not that of this FMU");
    return NULL;
  }
  Instance* i = (Instance*)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  strncpy(i->name, name ? name : "", sizeof(i->name) - 1);
  i->environment = functions ? functions->componentEnvironment : NULL;
  i->log = (void*)functions;
  reset(i);
  return i;
}

EXPORT void fmi2FreeInstance(fmi2Component i) { free(i); }

EXPORT int fmi2SetupExperiment(fmi2Component instance, fmi2Boolean has_tolerance, double tolerance, double start,
                               fmi2Boolean has_stop, double stop) {
  Instance* i = (Instance*)instance;
  (void)has_stop, (void)stop;
  if (has_tolerance && tolerance > 0.0) i->d.tolerance = tolerance;
  i->d.t = start;
  i->is_fresh = 0;
  return OK;
}
EXPORT int fmi2EnterInitializationMode(fmi2Component i) {
  (void)i;
  return OK;
}
EXPORT int fmi2ExitInitializationMode(fmi2Component i) {
  return answer((Instance*)i, begin((Instance*)i)) == OK ? OK : ERROR;
}
EXPORT int fmi2EnterEventMode(fmi2Component i) {
  (void)i;
  return OK;
}
EXPORT int fmi2EnterContinuousTimeMode(fmi2Component i) {
  (void)i;
  return OK;
}
EXPORT int fmi2Terminate(fmi2Component i) {
  (void)i;
  return OK;
}

EXPORT int fmi2Reset(fmi2Component i) {
  reset((Instance*)i);
  return OK;
}

EXPORT int fmi2GetReal(fmi2Component i, const fmi2ValueReference references[], size_t n, double values[]) {
  int failure = 0;
  for (size_t k = 0; k < n && !failure; ++k) failure = get_value((Instance*)i, references[k], &values[k]);
  return answer((Instance*)i, failure);
}
EXPORT int fmi2SetReal(fmi2Component i, const fmi2ValueReference references[], size_t n, const double values[]) {
  for (size_t k = 0; k < n; ++k) {
    if (!set_value((Instance*)i, references[k], values[k])) return ERROR;
  }
  return OK;
}

/* There are no variables of other types. */
#define NO_VARIABLES(NAME, TYPE)                                                                      \
  EXPORT int fmi2Get##NAME(fmi2Component i, const fmi2ValueReference r[], size_t n, TYPE v[]) {       \
    (void)i, (void)r, (void)v;                                                                        \
    return n ? ERROR : OK;                                                                            \
  }                                                                                                   \
  EXPORT int fmi2Set##NAME(fmi2Component i, const fmi2ValueReference r[], size_t n, const TYPE v[]) { \
    (void)i, (void)r, (void)v;                                                                        \
    return n ? ERROR : OK;                                                                            \
  }
NO_VARIABLES(Integer, int)
NO_VARIABLES(Boolean, fmi2Boolean)
NO_VARIABLES(String, fmi2String)

EXPORT int fmi2GetFMUstate(fmi2Component i, fmi2FMUstate* state) { return save_state((Instance*)i, state); }
EXPORT int fmi2SetFMUstate(fmi2Component i, fmi2FMUstate state) { return restore_state((Instance*)i, state); }
EXPORT int fmi2FreeFMUstate(fmi2Component i, fmi2FMUstate* state) {
  (void)i;
  return free_state(state);
}
EXPORT int fmi2SerializedFMUstateSize(fmi2Component i, fmi2FMUstate state, size_t* size) {
  (void)i, (void)state;
  *size = sizeof(Data);
  return OK;
}
EXPORT int fmi2SerializeFMUstate(fmi2Component i, fmi2FMUstate state, char bytes[], size_t size) {
  (void)i;
  return write_bytes(state, bytes, size);
}
EXPORT int fmi2DeSerializeFMUstate(fmi2Component i, const char bytes[], size_t size, fmi2FMUstate* state) {
  (void)i;
  return read_bytes(bytes, size, state);
}
EXPORT int fmi2GetDirectionalDerivative(fmi2Component i, const fmi2ValueReference u[], size_t nu,
                                        const fmi2ValueReference k[], size_t nk, const double seed[], double s[]) {
  (void)i, (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)s;
  return ERROR;
}

EXPORT int fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo* info) {
  Instance* i = (Instance*)instance;
  int has_changed = 0, ends = 0;
  int failure = update(i, &has_changed, &ends);
  info->newDiscreteStatesNeeded = 0;
  info->terminateSimulation = ends;
  info->nominalsOfContinuousStatesChanged = 0;
  info->valuesOfContinuousStatesChanged = has_changed;
  info->nextEventTime = next_time(&i->d);
  info->nextEventTimeDefined = info->nextEventTime < 1e300;
  return answer(i, failure) == OK ? OK : ERROR;
}
EXPORT int fmi2CompletedIntegratorStep(fmi2Component i, fmi2Boolean is_final, fmi2Boolean* enters_event_mode,
                                       fmi2Boolean* ends) {
  (void)is_final;
  *ends = 0;
  return answer((Instance*)i, complete_step((Instance*)i, enters_event_mode));
}
EXPORT int fmi2SetTime(fmi2Component i, double t) { return set_time((Instance*)i, t); }
EXPORT int fmi2SetContinuousStates(fmi2Component i, const double x[], size_t n) {
  return set_states((Instance*)i, x, n);
}
EXPORT int fmi2GetContinuousStates(fmi2Component i, double x[], size_t n) { return get_states((Instance*)i, x, n); }
EXPORT int fmi2GetDerivatives(fmi2Component i, double rates[], size_t n) {
  if (n != N_X) return ERROR;
  return answer((Instance*)i, get_rates((Instance*)i, rates));
}
EXPORT int fmi2GetNominalsOfContinuousStates(fmi2Component i, double nominals[], size_t n) {
  (void)i;
  return get_nominals(nominals, n);
}
EXPORT int fmi2GetEventIndicators(fmi2Component instance, double indicators[], size_t n) {
  if (n != N_GUARDS) return ERROR;
  return answer((Instance*)instance, get_indicators((Instance*)instance, indicators));
}

EXPORT int fmi2DoStep(fmi2Component instance, double from, double step, fmi2Boolean is_final) {
  Instance* i = (Instance*)instance;
  int ends = 0;
  (void)is_final;
  int failure = step_on(i, from, step, &ends);
  if (i->was_ended) return DISCARD; /* an event of the model ends its run; fmi2Terminated says so */
  return answer(i, failure);
}
EXPORT int fmi2CancelStep(fmi2Component i) {
  (void)i;
  return ERROR;
}
EXPORT int fmi2SetRealInputDerivatives(fmi2Component i, const fmi2ValueReference r[], size_t n, const int orders[],
                                       const double v[]) {
  (void)i, (void)r, (void)n, (void)orders, (void)v;
  return ERROR;
}
EXPORT int fmi2GetRealOutputDerivatives(fmi2Component i, const fmi2ValueReference r[], size_t n, const int orders[],
                                        double v[]) {
  (void)i, (void)r, (void)n, (void)orders, (void)v;
  return ERROR;
}
EXPORT int fmi2GetStatus(fmi2Component i, int kind, int* value) {
  (void)i, (void)kind, (void)value;
  return DISCARD;
}
EXPORT int fmi2GetRealStatus(fmi2Component i, int kind, double* value) {
  if (kind != 2) return DISCARD; /* fmi2LastSuccessfulTime */
  *value = ((Instance*)i)->d.t;
  return OK;
}
EXPORT int fmi2GetIntegerStatus(fmi2Component i, int kind, int* value) {
  (void)i, (void)kind, (void)value;
  return DISCARD;
}
EXPORT int fmi2GetBooleanStatus(fmi2Component i, int kind, fmi2Boolean* value) {
  if (kind != 3) return DISCARD; /* fmi2Terminated */
  *value = ((Instance*)i)->was_ended;
  return OK;
}
EXPORT int fmi2GetStringStatus(fmi2Component i, int kind, fmi2String* value) {
  (void)i, (void)kind, (void)value;
  return DISCARD;
}

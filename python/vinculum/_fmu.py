"""Functional mock-up units, FMI 2.0 and 3.0 (docs/howto/fmu.md)."""

import hashlib
import io
import json
import platform
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

from ._errors import FmuError

_SOURCES = Path(__file__).parent / "fmu"
_VERSIONS = ("2.0", "3.0")
# Exponents of kg, m, s, A, K, mol, cd and rad.
_BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
_UNITS = {name: {name: 1} for name in _BASE} | {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
    "C": {"A": 1, "s": 1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "ohm": {"kg": 1, "m": 2, "s": -3, "A": -2},
    "F": {"kg": -1, "m": -2, "s": 4, "A": 2},
    "H": {"kg": 1, "m": 2, "s": -2, "A": -2},
    "T": {"kg": 1, "s": -2, "A": -1},
    "Wb": {"kg": 1, "m": 2, "s": -2, "A": -1},
}


def _exponents(unit):
    """Exponents of the base units of an SI unit such as "kg*m^2/s"; None if one of its names is not known, or if an
    exponent is no whole number, or if it has brackets."""
    if "(" in re.sub(r"\^\(-?\d+\)", "", unit):
        return None
    result = dict.fromkeys(_BASE, 0)
    for sign, name, power in re.findall(r"(^|[*/])([A-Za-z]+)(?:\^\(?(-?\d+)\)?)?", unit):
        if name not in _UNITS:
            return None
        factor = int(power or 1) * (-1 if sign == "/" else 1)
        for base, exponent in _UNITS[name].items():
            result[base] += factor * exponent
    return None if "." in unit else {base: n for base, n in result.items() if n}


class _Variable:
    def __init__(self, name, reference, causality, variability, unit="1", **more):
        self.name, self.reference, self.causality, self.variability = name, reference, causality, variability
        self.unit = "" if unit == "1" else unit
        self.initial = more.get("initial")
        self.start = more.get("start")
        self.derivative = more.get("derivative")  # the state whose rate this is
        self.shown = more.get("shown")
        self.description = more.get("description", "")
        self.is_indicator = more.get("is_indicator", False)


def _shown(quantity):
    """Display unit and its factor: number shown = SI / scale."""
    return (quantity["shown_unit"], quantity["shown_scale"]) if "shown_unit" in quantity else None


class _Contents:
    """The variables of a program and their references, in the order of core.c."""

    def __init__(self, program, start):
        self.program, self.start = program, start
        self.variables, self.references = [], {}
        self.states = program["states"]
        self.continuous = [k for k, z in enumerate(self.states) if "role" not in z and not z["is_held"]]
        self._next, self._names = 0, set()
        self._list()

    def _add(self, name, *args, **more):
        while name in self._names:
            name += "_"
        self._names.add(name)
        variable = _Variable(name, self._next, *args, **more)
        self._next += 1
        self.variables.append(variable)
        return variable

    def _begin(self, name):
        self.references[name] = self._next

    def _list(self):
        p, start = self.program, self.start
        self._add("time", "independent", "continuous", p["time_unit"])
        self._begin("P")
        for one in p["parameters"]:
            self._add(one["name"], "parameter", "tunable", one["unit"], initial="exact", start=one["value"],
                      shown=_shown(one))  # fmt: skip
        self.x = []
        is_met = "project" in p["functions"]  # then start values are replaced by the nearest ones on the constraints
        how = "approx" if is_met else "exact"
        for what, letter, values in (("coordinates", "Q", start.q), ("speeds", "U", start.u)):
            self._begin(letter)
            for one, value in zip(p[what], values, strict=True):
                self.x.append(self._add(one["name"], "local", "continuous", one["unit"], initial=how,
                                        start=float(value), shown=_shown(one)))  # fmt: skip
        self._begin("Z")
        given = {one["given"]: one for one in p["inputs"]}
        for k, (one, value) in enumerate(zip(self.states, start.z, strict=True)):
            if k in given:
                about = "" if given[k]["own"] is None else "until a value is set: the expression of the model"
                self._add(given[k]["name"], "input", "continuous", one["unit"], start=float(value),
                          shown=_shown(given[k]), description=about)  # fmt: skip
            elif k in self.continuous:
                self.x.append(self._add(one["name"], "local", "continuous", one["unit"], initial="exact",
                                        start=float(value), shown=_shown(one)))  # fmt: skip
            else:
                self._add(one["name"], "local", "discrete", one["unit"], initial="exact", start=float(value),
                          shown=_shown(one))  # fmt: skip
        self._begin("RESULTS")
        rates = []
        for part, letter in (("coordinates", None), ("speeds", "DU"), ("states", "DZ")):
            if letter:
                self._begin(letter)
            for k, one in enumerate(p[part]):
                unit = f"{one['unit']}/s" if one["unit"] != "1" else "1/s"
                rates.append(self._add(f"der({one['name']})", "local", "continuous", unit, initial="calculated"))
                is_state = part != "states" or k in self.continuous
                rates[-1].is_rate = is_state
        self.rates = [one for one in rates if one.is_rate]
        for state, rate in zip(self.x, self.rates, strict=True):
            rate.derivative = state
        self.found = [one for one in self.x if one.initial == "approx"]
        self._begin("OUTPUT")
        self.outputs = [self._add(one["name"], "output", "continuous", one["unit"], initial="calculated",
                                  shown=_shown(one)) for one in p["outputs"]]  # fmt: skip
        self._begin("LAMBDA")
        for one in p["multipliers"]:
            self._add(one["name"], "local", "continuous", one["unit"], initial="calculated")
        self._begin("EFFORT")
        for k in range(p["efforts"]):
            self._add(f"effort[{k + 1}]", "local", "continuous", initial="calculated")
        self._begin("GUARD")
        self.indicators = [self._add(f"indicator({name})", "local", "continuous", initial="calculated")
                           for name in self._guards()]  # fmt: skip
        self._begin("END")

    def _guards(self):
        names = [one["name"] or f"sample[{k + 1}]" for k, one in enumerate(self.program["events"])]
        names += self.program["switched"]
        return names + [f"switch[{k + 1}]" for k in range(len(self.program["switches"]))]


def _c_array(kind, name, values, size):
    text = ", ".join(repr(float(v)) if kind == "double" else str(int(v)) for v in values) or "0"
    return f"static const {kind} {name}[SIZE({size})] = {{{text}}};\n"


def _config(contents, token):
    """config.h: what core.c needs to know of this model."""
    p, start = contents.program, contents.start
    has = set(p["functions"])
    sizes = {
        "P": len(p["parameters"]), "Q": len(p["coordinates"]), "U": len(p["speeds"]), "Z": len(p["states"]),
        "C": len(p["multipliers"]), "E": p["efforts"], "O": len(p["outputs"]), "EV": len(p["events"]),
        "ACTS": len(p["switched"]), "G": len(p["events"]) + len(p["switched"]),
        "GUARDS": len(contents.indicators), "IN": len(p["inputs"]),
        "XZ": len(contents.continuous), "X": len(contents.x),
    }  # fmt: skip
    text = "/* Sizes, functions and start values of this model, for core.c. */\n"
    text += f'#define TOKEN "{token}"\n#define MODEL(name) {p["prefix"]}_##name\n'
    text += "".join(f"#define N_{name} {size}\n" for name, size in sizes.items())
    text += "".join(f"#define REF_{name} {first}\n" for name, first in contents.references.items())
    for name in ("project", "impulse"):
        text += f"#define HAS_{name.upper()} {int(name in has)}\n"
    bare = "(d)->t, (d)->q, (d)->u, " + ("(d)->z, " if sizes["Z"] else "") + "(d)->p"
    acts = ", (d)->acts" if sizes["ACTS"] else ""
    effort = ", (i)->effort" if sizes["E"] else ""
    text += f"#define BARE_STATE(d) {bare}\n#define STATE(d) {bare}{acts}\n"
    text += f"#define REACTIONS(i) (i)->udot, (i)->lambda{effort}\n"
    text += f"#define RESULTS(i) (i)->udot, (i)->lambda{effort}{', (i)->zdot' if sizes['Z'] else ''}\n"
    text += f"#define START_TIME {float(start.t)!r}\n"
    for name, values, size in (("q", start.q, "N_Q"), ("u", start.u, "N_U"), ("z", start.z, "N_Z")):
        text += _c_array("double", f"start_{name}", values, size)
    text += _c_array("int", "continuous", contents.continuous, "N_XZ")
    text += _c_array("int", "input_given", [one["given"] for one in p["inputs"]], "N_IN")
    text += _c_array("int", "input_own", [-1 if one["own"] is None else one["own"] for one in p["inputs"]], "N_IN")
    if contents.indicators:
        text += _c_array("int", "is_timed", [one["is_timed"] for one in p["events"]], "N_EV")
        text += _c_array("int", "event_ends", [one["ends_run"] for one in p["events"]], "N_EV")
    return text


def _unit_definitions(parent, variables):
    node = xml.SubElement(parent, "UnitDefinitions")
    seen = {}
    for one in variables:
        if one.unit:
            seen.setdefault(one.unit, {}).update({one.shown[0]: one.shown[1]} if one.shown else {})
    for unit, shown in seen.items():
        entry = xml.SubElement(node, "Unit", name=unit)
        exponents = _exponents(unit)
        if exponents is not None:
            xml.SubElement(entry, "BaseUnit", {base: str(n) for base, n in exponents.items()})
        for name, scale in shown.items():
            xml.SubElement(entry, "DisplayUnit", name=name, factor=repr(1.0 / scale))
    if not seen:
        parent.remove(node)


def _experiment(parent, start, stop):
    xml.SubElement(parent, "DefaultExperiment", startTime=repr(float(start)), stopTime=repr(float(stop)),
                   tolerance="1e-8")  # fmt: skip


def _attributes(one):
    result = {"causality": one.causality, "variability": one.variability}
    if one.initial:
        result["initial"] = one.initial
    if one.description:
        result["description"] = one.description
    return result


def _typed(one):
    """Attributes of the type Real or Float64."""
    result = {}
    if one.unit:
        result["unit"] = one.unit
    if one.shown and one.unit:
        result["displayUnit"] = one.shown[0]
    if one.start is not None:
        result["start"] = repr(one.start)
    return result


def _description_3(contents, token, stop):
    p = contents.program
    root = xml.Element("fmiModelDescription", fmiVersion="3.0", modelName=p["model"], instantiationToken=token,
                       description=p["title"], generationTool="Vinculum",
                       variableNamingConvention="flat")  # fmt: skip
    shared = {"modelIdentifier": p["prefix"], "canGetAndSetFMUState": "true", "canSerializeFMUState": "true"}
    xml.SubElement(root, "ModelExchange", needsCompletedIntegratorStep="true", **shared)
    xml.SubElement(root, "CoSimulation", canHandleVariableCommunicationStepSize="true", **shared)
    _unit_definitions(root, contents.variables)
    _experiment(root, contents.start.t, stop)
    variables = xml.SubElement(root, "ModelVariables")
    for one in contents.variables:
        more = {"derivative": str(one.derivative.reference)} if one.derivative else {}
        if one in contents.x:
            more["reinit"] = "true"
        xml.SubElement(variables, "Float64", name=one.name, valueReference=str(one.reference), **_attributes(one),
                       **_typed(one), **more)  # fmt: skip
    structure = xml.SubElement(root, "ModelStructure")
    for kind, group in (("Output", contents.outputs), ("ContinuousStateDerivative", contents.rates),
                        ("InitialUnknown", contents.outputs + contents.rates + contents.found),
                        ("EventIndicator", contents.indicators)):  # fmt: skip
        for one in group:
            xml.SubElement(structure, kind, valueReference=str(one.reference))
    return root


def _description_2(contents, token, stop):
    p = contents.program
    root = xml.Element("fmiModelDescription", fmiVersion="2.0", modelName=p["model"], guid=token,
                       description=p["title"], generationTool="Vinculum", variableNamingConvention="flat",
                       numberOfEventIndicators=str(len(contents.indicators)))  # fmt: skip
    shared = {"modelIdentifier": p["prefix"], "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true"}
    for kind, more in (("ModelExchange", {}), ("CoSimulation", {"canHandleVariableCommunicationStepSize": "true"})):
        files = xml.SubElement(xml.SubElement(root, kind, **shared, **more), "SourceFiles")
        xml.SubElement(files, "File", name="fmi2.c")
    _unit_definitions(root, contents.variables)
    _experiment(root, contents.start.t, stop)
    variables = xml.SubElement(root, "ModelVariables")
    index = {id(one): k + 1 for k, one in enumerate(contents.variables)}
    for one in contents.variables:
        entry = xml.SubElement(variables, "ScalarVariable", name=one.name, valueReference=str(one.reference),
                               **_attributes(one))  # fmt: skip
        more = {"derivative": str(index[id(one.derivative)])} if one.derivative else {}
        if one in contents.x:
            more["reinit"] = "true"
        xml.SubElement(entry, "Real", **_typed(one), **more)
    structure = xml.SubElement(root, "ModelStructure")
    for kind, group in (("Outputs", contents.outputs), ("Derivatives", contents.rates),
                        ("InitialUnknowns", contents.outputs + contents.rates + contents.found)):  # fmt: skip
        if group:
            node = xml.SubElement(structure, kind)
            for one in sorted(group, key=lambda one: index[id(one)]):
                xml.SubElement(node, "Unknown", index=str(index[id(one)]))
    return root


def _build_description(p):
    root = xml.Element("fmiBuildDescription", fmiVersion="3.0")
    files = xml.SubElement(xml.SubElement(root, "BuildConfiguration", modelIdentifier=p["prefix"]), "SourceFileSet",
                           language="C99")  # fmt: skip
    xml.SubElement(files, "SourceFile", name="fmi3.c")
    return root


def _platform(version):
    """Folder and ending of the shared library on this machine; None where FMI has no name for it."""
    machine = platform.machine().lower()
    system = {"Linux": ("linux", ".so"), "Darwin": ("darwin", ".dylib")}.get(platform.system())
    if system is None:
        return None
    name, ending = system
    if version == "2.0":
        return (f"{name}64", ending) if machine in ("x86_64", "amd64", "arm64") else None
    architecture = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}.get(machine)
    return (f"{architecture}-{name}", ending) if architecture else None


def _compile(files, main, ending):
    """The shared library, or the compiler's messages as text."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        library = Path(folder) / f"model{ending}"
        flags = ["-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off"]
        made = subprocess.run([compiler, *flags, "-o", library, Path(folder) / main, "-lm"], capture_output=True,
                              text=True, check=False)  # fmt: skip
        if made.returncode != 0:
            raise FmuError(f"the C compiler `{compiler}` refused the sources of the FMU:\n{made.stderr}")
        return library.read_bytes()


def _as_xml(root):
    xml.indent(root)
    stream = io.BytesIO()
    xml.ElementTree(root).write(stream, encoding="UTF-8", xml_declaration=True)
    return stream.getvalue() + b"\n"


def write(model, path, version="3.0", *, binary=None, stop=None):
    """Writes the FMU; see Model.fmu."""
    if version not in _VERSIONS:
        raise FmuError(f"there is no version `{version}`: write one of {', '.join(_VERSIONS)}")
    derivation = model.derive()
    program = json.loads(derivation.program)
    if program["has_friction_that_sticks"]:
        raise FmuError(f"no FMU of {program['model']}: its friction may stick, which printed code does not contain")
    if program["lacks_impulse"]:
        raise FmuError(f"no FMU of {program['model']}: an event changes speeds, and the laws of its constraints "
                       "determine no impulse")  # fmt: skip
    if program["has_jumps"]:
        raise FmuError(f"no FMU of {program['model']}: its speeds may jump where a stated motion starts or stops, "
                       "which printed code does not contain; state the jump as an `event`")  # fmt: skip
    main = "fmi3.c" if version == "3.0" else "fmi2.c"
    contents = _Contents(program, model.assemble())
    sources = {"model.c": derivation.c, "core.c": (_SOURCES / "core.c").read_text(encoding="utf-8"),
               main: (_SOURCES / main).read_text(encoding="utf-8")}  # fmt: skip
    sources["config.h"] = _config(contents, "")
    token = hashlib.sha256("".join(f"{k}\n{v}" for k, v in sorted(sources.items())).encode()).hexdigest()[:32]
    token = f"{{{token[:8]}-{token[8:12]}-{token[12:16]}-{token[16:20]}-{token[20:]}}}"
    sources["config.h"] = _config(contents, token)
    if stop is None:
        stop = contents.start.t + (program["duration"] or 1.0)
    describe = _description_3 if version == "3.0" else _description_2
    files = {"modelDescription.xml": _as_xml(describe(contents, token, stop))}
    files |= {f"sources/{name}": text.encode() for name, text in sources.items()}
    if version == "3.0":
        files["sources/buildDescription.xml"] = _as_xml(_build_description(program))
    place = _platform(version)
    library = _compile(sources, main, place[1]) if binary is not False and place else None
    if library is None and binary:
        raise FmuError("no binary for the FMU: there is no C compiler here, or FMI has no name for this platform")
    if library is not None:
        files[f"binaries/{place[0]}/{program['prefix']}{place[1]}"] = library
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    path = Path(path)
    path.write_bytes(stream.getvalue())
    return path

"""Lexer of the model language for Pygments: `vin` in Sphinx, MkDocs and notebooks.

Written by tools/editors.py from the tables of the language; do not edit.
"""

import re

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace

_FIRST = (
    "generalized|restitution|compliance|constraint|lagrangian|component|potential|terminate|conserve|"
    "friction|nonideal|particle|capsule|gravity|include|surface|branch|camera|damper|expect|limits|ou"
    "tput|reveal|source|spring|torque|arrow|color|coord|event|force|frame|input|joint|label|model|par"
    "am|point|shape|speed|start|state|sweep|trace|axes|body|coil|else|hide|mesh|view|when|for|law|let"
    "|rod|run|use|via|if|no"
)
_INNER = (
    "cylindrical|formulation|generalized|independent|restitution|compliance|constraint|gyroscopic|lag"
    "rangian|prescribed|sequential|adiabatic|augmented|component|energetic|newtonian|potential|prisma"
    "tic|spherical|stiffness|terminate|tolerance|universal|vakonomic|conserve|directed|distance|expli"
    "cit|friction|inertial|nonideal|particle|revolute|surface2|between|capsule|contact|damping|fallin"
    "g|gravity|include|inertia|minimal|poisson|rolling|rotated|sliding|surface|viscous|always|branch|"
    "camera|damper|dop853|expect|follow|ground|kozlov|length|limits|method|moreau|newton|output|plana"
    "r|radius|record|reveal|rising|source|spring|static|traces|about|along|arrow|axis2|blade|color|co"
    "ord|count|event|every|fixed|frame|ideal|input|joint|kappa|label|model|param|pitch|plane|point|ra"
    "dau|ratio|scale|screw|shape|speed|start|state|stiff|sweep|trace|tsit5|axes|axis|body|coil|from|g"
    "ear|hide|mass|mesh|rods|step|stop|view|when|dp5|end|for|law|let|rod|run|set|use|via|as|at|in|mu|"
    "no|of|on|to"
)
_FUNCTIONS = (
    "generalized_nonideal_force|generalized_ideal_force|generalized_force|angular_momentum|ideal_mult"
    "iplier|nonideal_force|ideal_force|multiplier|smoothstep|departure|transpose|jacobian|momentum|re"
    "action|residual|center|closed|effort|torque|alpha|atan2|cross|floor|force|omega|power|solve|tabl"
    "e|acos|asin|atan|cosh|norm|pinv|sign|sinh|sqrt|tanh|unit|abs|acc|cos|dot|exp|log|max|min|pos|sin"
    "|tan|vel|dt"
)
_QUANTITIES = (
    "free_acceleration|effective_energy|potential_energy|kinetic_energy|Q_constraint|hamiltonian|Q_no"
    "nideal|Q_ideal|energy|gauss"
)
_JOINTS = (
    "prescribed_orientation|prescribed_position|prescribed_velocity|point_on_surface|cylindrical|pris"
    "matic|spherical|universal|distance|revolute|contact|rolling|planar|blade|fixed|screw|gear"
)
_LAWS = "gyroscopic|adiabatic|vakonomic|directed|inertial|viscous|kozlov|ideal|stiff"
_COLOURS = "orange|violet|yellow|black|brown|green|white|blue|grey|pink|teal|red"
_OPERATORS = "else|and|not|if|or"
_UNIT = (
    "\\[\\s*(?:1\\s*/\\s*)?(?:(?:percent|arcmin|arcsec|inch|knot|slug|turn|atm|bar|cal|day|deg|dyn|erg|go"
    "n|kgf|kph|lbf|lbm|min|mol|mph|nmi|ohm|psi|rad|rev|rpm|Hz|Pa|Wb|Wh|au|cd|eV|ft|ha|hp|in|lb|mi|oz|"
    "sr|yd|yr|A|C|F|H|J|K|L|N|S|T|V|W|d|g|h|l|m|s|t|[YZEPTGMkhdcmunpfazy](?:bar|cal|mol|ohm|rad|Hz|Pa"
    "|Wb|Wh|cd|eV|A|C|F|H|J|K|L|N|S|T|V|W|g|l|m|s|t))(?![A-Za-z_]))(?:\\^(?:-?[0-9]+(?:/[0-9]+)?|\\(\\s*"
    "-?[0-9]+(?:\\s*/\\s*[0-9]+)?\\s*\\)))?(?:\\s*[*/]\\s*(?:(?:percent|arcmin|arcsec|inch|knot|slug|turn|a"
    "tm|bar|cal|day|deg|dyn|erg|gon|kgf|kph|lbf|lbm|min|mol|mph|nmi|ohm|psi|rad|rev|rpm|Hz|Pa|Wb|Wh|a"
    "u|cd|eV|ft|ha|hp|in|lb|mi|oz|sr|yd|yr|A|C|F|H|J|K|L|N|S|T|V|W|d|g|h|l|m|s|t|[YZEPTGMkhdcmunpfazy"
    "](?:bar|cal|mol|ohm|rad|Hz|Pa|Wb|Wh|cd|eV|A|C|F|H|J|K|L|N|S|T|V|W|g|l|m|s|t))(?![A-Za-z_]))(?:\\^"
    "(?:-?[0-9]+(?:/[0-9]+)?|\\(\\s*-?[0-9]+(?:\\s*/\\s*[0-9]+)?\\s*\\)))?)*\\s*\\]|\\[\\s*1\\s*\\](?=\\s|$|,)"
)
_DECLARING = (
    "constraint|component|particle|output|reveal|coord|event|frame|input|joint|model|param|point|speed|state|body|let"
)
_SYMBOL = "==|!=|<=|>=|\\.\\.|\\+-|(?<!/)/(?!/)|[-+*^=<>~,:;.()\\[\\]{}|±−]"
_NUMBER = "(?:[0-9]+(?:\\.(?!\\.)[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


class VinculumLexer(RegexLexer):
    """The model language. Characters that no token begins with are error tokens."""

    name = "Vinculum"
    aliases = ["vin", "vinculum"]
    filenames = ["*.vin"]
    flags = re.MULTILINE | re.ASCII
    tokens = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r'"[^"\n]*"', String),
            (_UNIT, Name.Attribute),
            (
                rf"^([ \t]*)(joint)([ \t]+)([A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\n]*\])?)([ \t]*)(:)([ \t]*)({_JOINTS})\b",
                bygroups(Whitespace, Keyword, Whitespace, Name.Class, Whitespace, Operator, Whitespace, Keyword.Type),
            ),
            (
                rf"^([ \t]*)({_DECLARING})([ \t]+)([A-Za-z_][A-Za-z0-9_]*)",
                bygroups(Whitespace, Keyword, Whitespace, Name.Class),
            ),
            (
                rf"(^[ \t]*)?\b(law)([ \t]+)({_LAWS})\b",
                bygroups(Whitespace, Keyword, Whitespace, Keyword.Type),
            ),
            (rf"^([ \t]*)({_FIRST})\b", bygroups(Whitespace, Keyword)),
            (rf"\b(colour)([ \t]+)({_COLOURS})\b", bygroups(Keyword.Pseudo, Whitespace, Name.Constant)),
            (r"\b(?:body|space)[1-3]{3}\b", Name.Builtin),
            (rf"\b(?:{_FUNCTIONS})(?=\s*\()", Name.Builtin),
            (rf"\b(?:{_OPERATORS})\b", Operator.Word),
            (rf"(?<![.\w])(?:{_INNER})\b(?!\s*[=('\[.])", Keyword.Pseudo),
            (rf"(?<![.\w])(?:{_QUANTITIES})\b", Name.Builtin.Pseudo),
            (r"(?<![.\w])(?:t|pi)\b", Name.Constant),
            (_NUMBER, Number),
            (r"[A-Za-z_][A-Za-z0-9_]*", Name),
            (r"(?<=[A-Za-z0-9_\]])'+", Operator),
            (_SYMBOL, Operator),
            (r"[ \t\r\n\f\ufeff]+", Whitespace),
        ]
    }

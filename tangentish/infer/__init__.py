"""Kinds and activity: an abstract walk that gives every expression its kind.

Branches and loops join what their ways bring, to a fixed point. The walk also follows buffers: which arrays a name may
share memory with. A write through one name makes every other name on that buffer stale; reading a stale name that
carries a derivative is a conflict, resolved where the name is a known view (`paths`) and refused otherwise.

From the bottom up: `known_functions` (tables), `facts` (what is found out), `environment` (what is known at a point of
the program), `indices` and `views` (shapes and paths), `walk` (the state that all parts share); its parts `rule_calls`,
`operations`, `subscripts`, `writes`, `user_calls` and `calls`; `expressions`, `iteration` (what loops run over), and
`inference` for the statements. docs/where_changes_go.md has all files by what they are about.
"""

from tangentish.infer.callee_arguments import defaults_of
from tangentish.infer.changes import READING
from tangentish.infer.constants_apart import are_sought, is_looked_at_again, tell_apart
from tangentish.infer.dict_methods import DictMethod
from tangentish.infer.exchanges import exchanged_elements
from tangentish.infer.facts import (
    ApartNeeded,
    BoundEntry,
    Callee,
    Choice,
    Conflict,
    Facts,
    ListNeeded,
    Summary,
    UserCall,
)
from tangentish.infer.in_place_calls import InPlaceCall, Unable
from tangentish.infer.indices import index_sort, may_repeat
from tangentish.infer.inference import Inference
from tangentish.infer.items_made_late import TUPLES
from tangentish.infer.iteration import is_range
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.keyed_lists import is_list_entry
from tangentish.infer.known_functions import MAY_VIEW, DictView, EntryOr, ListMethod, has_rule
from tangentish.infer.list_lines import LIST_LINES
from tangentish.infer.literals import known_key, literal_of
from tangentish.infer.objects import is_shared, is_static
from tangentish.infer.operator_methods import gives_itself, method_in_place
from tangentish.infer.resized_lists import is_taken_out
from tangentish.infer.starting_again import (
    Count,
    EmptiedHere,
    FilledHere,
    GivenAsRecords,
    InFull,
    InLoop,
    InnerTable,
    Instead,
    LentChanged,
    ListedHere,
    Mirror,
    NameFirst,
    NoneApart,
    OneByOne,
    OneName,
    OtherLines,
    PutIn,
    RecordsNeeded,
    RecordsUsed,
    SetBefore,
    StartAgain,
    StartAnew,
    Tabled,
    Unpack,
    Unroll,
)
from tangentish.infer.views import lasts
from tangentish.kinds import buffers_of

__all__ = [
    "Count",
    "ApartNeeded",
    "BoundEntry",
    "tell_apart",
    "is_looked_at_again",
    "are_sought",
    "MAY_VIEW",
    "Callee",
    "Choice",
    "Conflict",
    "Facts",
    "InPlaceCall",
    "Inference",
    "DictMethod",
    "DictView",
    "LIST_LINES",
    "EmptiedHere",
    "EntryOr",
    "FilledHere",
    "GivenAsRecords",
    "ListMethod",
    "ListNeeded",
    "InFull",
    "Instead",
    "InLoop",
    "LentChanged",
    "ListedHere",
    "PutIn",
    "READING",
    "RecordsNeeded",
    "RecordsUsed",
    "SetBefore",
    "Mirror",
    "NameFirst",
    "NoneApart",
    "OneByOne",
    "OneName",
    "OtherLines",
    "StartAgain",
    "StartAnew",
    "Summary",
    "TUPLES",
    "InnerTable",
    "Tabled",
    "Unpack",
    "Unable",
    "Unroll",
    "UserCall",
    "buffers_of",
    "defaults_of",
    "exchanged_elements",
    "gives_itself",
    "has_rule",
    "index_sort",
    "is_keyed_dict",
    "is_list_entry",
    "is_range",
    "is_shared",
    "is_static",
    "is_taken_out",
    "known_key",
    "lasts",
    "method_in_place",
    "literal_of",
    "may_repeat",
]

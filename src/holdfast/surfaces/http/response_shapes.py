"""The shapes of what routes give, as JSON Schema: what a caller may rely on. More fields may come, none goes.

What a tool gives too is taken from `operations/result_shapes.py`; here stands what a route adds to it.
"""

from __future__ import annotations

from holdfast.operations.result_shapes import CHANGE, ENTRY, FACT, HIT, SHAPES, Shape, list_of, maybe
from holdfast.operations.result_shapes import ERROR as TOOL_ERROR

TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
NUMBER: Shape = {"type": "number"}
SWITCH: Shape = {"type": "boolean"}
ANYTHING: Shape = {"type": "object"}
TEXTS: Shape = {"type": "array", "items": TEXT}


def _all(**fields: Shape) -> Shape:
    """An object that always has these fields."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def _some(shape: Shape, **fields: Shape) -> Shape:
    """The same object, which may have these fields too."""
    return shape | {"properties": shape["properties"] | fields}


def _always(shape: Shape, *names: str) -> Shape:
    """The same object, in which these fields are never missing."""
    return shape | {"required": [*shape["required"], *names]}


_PAGE = {"total": WHOLE, "offset": WHOLE}
ERROR = _all(error=_some(TOOL_ERROR["properties"]["error"], line=maybe(WHOLE)))
HEALTH = _all(status=TEXT, version=TEXT)
LINK = _all(url=TEXT)
ENTERED = _all(page=TEXT, agent=TEXT)
LEFT = _all(left=SWITCH)
BROWSERS = _all(browsers=list_of(_all(id=TEXT, first=TEXT, last=TEXT, name=TEXT, this=SWITCH)))
REVOKED = _all(id=TEXT, revoked=SWITCH)
WHO = _some(
    _all(
        origin=TEXT,
        agent=TEXT,
        home=TEXT,
        version=TEXT,
        today=TEXT,
        zone=maybe(TEXT),
        remote=SWITCH,
        secure=SWITCH,
    ),
    tenant=TEXT,
    role=TEXT,
)
RESULTS = SHAPES["memory_search"]
GOT = _always(_some(SHAPES["memory_get"], path=TEXT), "text", "lines", "total_lines", "truncated")
NOTE = _all(path=TEXT, source=TEXT, bytes=WHOLE, modified=TEXT, hash=maybe(TEXT))
NOTES = _all(**_PAGE, count=WHOLE, notes=list_of(NOTE))
TREE = _all(generation=TEXT, total=WHOLE, notes=list_of({"type": "array", "minItems": 4, "maxItems": 4}))
RENAMED = _all(renamed=SWITCH, **{"from": TEXT}, path=TEXT, hash=TEXT, checkpointId=TEXT, checkpointIds=TEXTS)
LINE_ORIGINS = _all(
    path=TEXT,
    hash=TEXT,
    runs=list_of(_all(**{"from": WHOLE}, to=WHOLE, origin=maybe(TEXT), checkpoint=maybe(TEXT), at=maybe(TEXT))),
)
LINKS = _all(
    path=TEXT,
    links=list_of(_all(path=TEXT, line=WHOLE, exists=SWITCH)),
    backlinks=list_of(_all(path=TEXT, line=WHOLE, text=TEXT)),
    partial=SWITCH,
)
AGENTS = _all(
    default=TEXT,
    agents=list_of(_all(id=TEXT, notes=maybe(WHOLE), has_memory=SWITCH, has_settings=SWITCH)),
)
READ = _some(
    _all(path=TEXT, text=TEXT, hash=TEXT),
    writable=SWITCH,
    because=TEXT,
    next_from=maybe(WHOLE),
    origin=maybe(TEXT),
    bytes=WHOLE,
    modified=TEXT,
)
SAVED = _some(SHAPES["memory_save"], hash=TEXT, bytes=WHOLE, existed=SWITCH)
DELETED = SHAPES["memory_delete"]
FORGOT = _some(SHAPES["memory_forget"], plan=TEXT)
CHECKPOINT = _some(CHANGE, before=maybe(TEXT), after=maybe(TEXT), undoable=SWITCH, because=TEXT)
CHECKPOINTS = _all(count=WHOLE, checkpoints=list_of(CHECKPOINT), next_before=maybe(WHOLE))
DAYS = _all(days=list_of(_all(day=TEXT, changes=WHOLE, origins=ANYTHING)))
ONE_CHANGE = _some(CHECKPOINT, current=SWITCH, notes=list_of(CHECKPOINT))
SIDE = _all(checkpoint=TEXT, side=TEXT, path=TEXT, text=maybe(TEXT), hash=maybe(TEXT))
DIFF = _all(checkpoint=TEXT, diff=TEXT)
RESTORED = _always(_some(SHAPES["checkpoint_restore"], checkpointIds=TEXTS), "checkpointIds")
TOOK_BACK = _all(origin=TEXT, undone=SWITCH, notes=list_of(ANYTHING), left=list_of(ANYTHING), checkpointIds=TEXTS)
PRUNED = _all(changes=WHOLE, objects=WHOLE, bytes=WHOLE)
PURGED = _some(_all(changes=WHOLE, objects=maybe(WHOLE), bytes=maybe(WHOLE)), plan=TEXT)
STORED = SHAPES["store"]
FACTS = SHAPES["list"]
RECALLED_FACTS = SHAPES["recall"]
_FACT_SOURCE = _all(session=TEXT, message=maybe(TEXT), at=maybe(NUMBER), text=maybe(TEXT))
ONE_FACT = _all(
    fact=FACT, chain=list_of(FACT), recalls=maybe(WHOLE), last_recalled=maybe(TEXT), source=maybe(_FACT_SOURCE)
)
FACT_HISTORY = _all(query=TEXT, as_of=maybe(TEXT), facts=list_of(FACT))
CHANGED_FACT = _all(fact=FACT, checkpointIds=TEXTS)
SESSIONS = _all(
    sessions=list_of(
        _all(key=TEXT, kind=TEXT, channel=TEXT, created=NUMBER, last=NUMBER, excluded=SWITCH, bytes=WHOLE, path=TEXT)
    )
)
MESSAGE = _some(_all(kind=TEXT, id=TEXT, at=NUMBER, role=TEXT), text=TEXT, origin=TEXT, tags=TEXTS)
MESSAGES = _some(_all(session=TEXT, messages=list_of(MESSAGE)), kind=TEXT, channel=TEXT, excluded=SWITCH)
PROMPT = _all(text=TEXT, characters=WHOLE, tokens=WHOLE, mode=TEXT, because=TEXT, blocks=list_of(ANYTHING))
RECALLED = _all(query=TEXT, skipped=TEXT, hits=list_of(HIT), text=TEXT)
TURNED = _all(text=TEXT)
STOPPED = _all(session=TEXT, stopped=SWITCH)
CONTEXT_VIEW = _all(
    session=TEXT,
    model=maybe(TEXT),
    style=TEXT,
    mode=TEXT,
    frozen=SWITCH,
    frozen_at=maybe(TEXT),
    recall=SWITCH,
    because=TEXT,
    window=WHOLE,
    reserve=WHOLE,
    flush_at=WHOLE,
    cycle=WHOLE,
    sandbox=TEXT,
    sent=WHOLE,
    parts=list_of(_all(name=TEXT, kind=TEXT, characters=WHOLE, tokens=WHOLE, source=TEXT, truncated=SWITCH, text=TEXT)),
    spent=_all(requests=WHOLE, input_tokens=WHOLE, output_tokens=WHOLE, cost=maybe(NUMBER)),
)
CAPTURED = _all(facts=list_of(ANYTHING), looked_at=WHOLE)
DUE = _all(due=SWITCH, why=TEXT, tokens=WHOLE, limit=WHOLE, cycle=WHOLE)
EXPORTED = _all(exported=maybe(ANYTHING))
VALUES = _all(values=list_of(_all(namespace=TEXT, key=TEXT, value={}, updated=NUMBER)))
VALUE = _all(namespace=TEXT, key=TEXT, found=SWITCH, value={})
TOOLS = _all(tools=list_of(ANYTHING))
SETTING = _some(_all(key=TEXT, value={}, default={}, source=TEXT), variable=TEXT)
SETTINGS = _some(_all(settings=list_of(SETTING)), path=TEXT, diff=TEXT, file=TEXT, because=TEXT, undo=TEXT)
CATALOGUE = _all(
    tables=list_of(_all(name=TEXT, title=TEXT)),
    keys=list_of(
        _all(
            key=TEXT,
            table=TEXT,
            kind=TEXT,
            choices={"type": ["array", "null"], "items": TEXT},
            least=maybe(NUMBER),
            most=maybe(NUMBER),
            default={},
            optional=SWITCH,
            description=TEXT,
            example={},
            secret=SWITCH,
            variable=TEXT,
            by_hand=SWITCH,
            of_home=SWITCH,
        )
    ),
)
RECIPES = _all(recipes=list_of(_all(name=TEXT, title=TEXT, description=TEXT, changes=ANYTHING)))
TESTED = _all(
    ok=SWITCH,
    what=TEXT,
    provider=maybe(TEXT),
    model=maybe(TEXT),
    endpoint=maybe(TEXT),
    sends_to=maybe(TEXT),
    dimensions=maybe(WHOLE),
    tokens=maybe(WHOLE),
    took_ms=NUMBER,
    because=TEXT,
)
STATUS = ANYTHING
DOCTOR = _all(ok=SWITCH, checks=list_of(_all(name=TEXT, ok=SWITCH, detail=TEXT, remedy=TEXT, warn=SWITCH)))
SPACES = _all(spaces=list_of(ANYTHING))
PROFILE = _all(user=ANYTHING)
REPORTS = _all(**_PAGE, reports=list_of(NOTE))
DREAM_RUNS = _all(
    runs=list_of(
        _all(
            run=TEXT,
            at=TEXT,
            origin=TEXT,
            report=maybe(TEXT),
            notes=TEXTS,
            why=TEXTS,
            rolled_back=SWITCH,
            checkpointIds=TEXTS,
        )
    )
)
QUESTIONS = _all(file=TEXT, hash=TEXT, questions=list_of(ANYTHING), missing=TEXTS)
DRAFTS = _all(questions=list_of(ANYTHING))
MAP = _all(
    notes=TEXTS,
    points=list_of({"type": "array", "items": NUMBER, "minItems": 4, "maxItems": 4}),
    groups=list_of(_all(x=NUMBER, y=NUMBER, label=TEXT, count=WHOLE)),
    because=TEXT,
)
_MORE_OF_ENTRY = {
    "kind": TEXT,
    "source": maybe(TEXT),
    "source_line": maybe(WHOLE),
    "replaces": maybe(TEXT),
    "score": maybe(NUMBER),
}
INBOX = _all(entries=list_of(_always(_some(ENTRY, **_MORE_OF_ENTRY), *_MORE_OF_ENTRY)))
JOB = _all(
    id=TEXT,
    kind=TEXT,
    agent=TEXT,
    state={"type": "string", "enum": ["waiting", "running", "done", "failed", "cancelled"]},
    progress=maybe(ANYTHING),
    result=maybe(ANYTHING),
    error=maybe(ANYTHING),
    created=NUMBER,
    ended=maybe(NUMBER),
)
JOBS = _all(jobs=list_of(JOB))

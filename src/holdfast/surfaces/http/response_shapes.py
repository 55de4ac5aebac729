"""The shapes of what routes give, as JSON Schema: what a caller may rely on. More fields may come, none goes."""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]

TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
NUMBER: Shape = {"type": "number"}
SWITCH: Shape = {"type": "boolean"}
ANYTHING: Shape = {"type": "object"}
TEXTS: Shape = {"type": "array", "items": TEXT}


def _or_null(shape: Shape) -> Shape:
    return shape | {"type": [shape["type"], "null"]}


def _all(**fields: Shape) -> Shape:
    """An object that always has these fields."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def _list_of(shape: Shape) -> Shape:
    return {"type": "array", "items": shape}


def _some(shape: Shape, **fields: Shape) -> Shape:
    """The same object, which may have these fields too."""
    return shape | {"properties": shape["properties"] | fields}


_PAGE = {"total": WHOLE, "offset": WHOLE}
ERROR = _all(error=_some(_all(type=TEXT, message=TEXT), line=_or_null(WHOLE)))
HEALTH = _all(status=TEXT, version=TEXT)
LINK = _all(url=TEXT)
ENTERED = _all(page=TEXT, agent=TEXT)
LEFT = _all(left=SWITCH)
BROWSERS = _all(browsers=_list_of(_all(id=TEXT, first=TEXT, last=TEXT, name=TEXT, this=SWITCH)))
REVOKED = _all(id=TEXT, revoked=SWITCH)
WHO = _some(
    _all(
        origin=TEXT,
        agent=TEXT,
        home=TEXT,
        version=TEXT,
        today=TEXT,
        zone=_or_null(TEXT),
        remote=SWITCH,
        secure=SWITCH,
    ),
    tenant=TEXT,
    role=TEXT,
)
HIT = _some(
    _all(
        chunk_id=TEXT,
        path=TEXT,
        start_line=WHOLE,
        end_line=WHOLE,
        score=NUMBER,
        confidence=NUMBER,
        likely=SWITCH,
        vector_score=_or_null(NUMBER),
        text_score=_or_null(NUMBER),
        snippet=TEXT,
        citation=_or_null(TEXT),
        source=TEXT,
    ),
    waits=SWITCH,
    newer=TEXT,
    older=TEXT,
    origin=_or_null(TEXT),
)
RESULTS = _all(
    query=TEXT,
    backend=TEXT,
    mode=TEXT,
    because=TEXT,
    partial=SWITCH,
    likely=SWITCH,
    results=_list_of(HIT),
    provider=_or_null(TEXT),
    model=_or_null(TEXT),
    took_ms=NUMBER,
)
GOT = _some(
    _all(status=TEXT, path=TEXT, text=TEXT, lines=WHOLE, total_lines=WHOLE, truncated=SWITCH),
    next_from=_or_null(WHOLE),
    chunk_id=TEXT,
    hash=_or_null(TEXT),
    origin=_or_null(TEXT),
)
NOTE = _all(path=TEXT, source=TEXT, bytes=WHOLE, modified=TEXT, hash=_or_null(TEXT))
NOTES = _all(**_PAGE, count=WHOLE, notes=_list_of(NOTE))
TREE = _all(generation=TEXT, total=WHOLE, notes=_list_of({"type": "array", "minItems": 4, "maxItems": 4}))
RENAMED = _all(renamed=SWITCH, **{"from": TEXT}, path=TEXT, hash=TEXT, checkpointId=TEXT, checkpointIds=TEXTS)
LINE_ORIGINS = _all(
    path=TEXT,
    hash=TEXT,
    runs=_list_of(
        _all(**{"from": WHOLE}, to=WHOLE, origin=_or_null(TEXT), checkpoint=_or_null(TEXT), at=_or_null(TEXT))
    ),
)
LINKS = _all(
    path=TEXT,
    links=_list_of(_all(path=TEXT, line=WHOLE, exists=SWITCH)),
    backlinks=_list_of(_all(path=TEXT, line=WHOLE, text=TEXT)),
    partial=SWITCH,
)
AGENTS = _all(
    default=TEXT,
    agents=_list_of(_all(id=TEXT, notes=_or_null(WHOLE), has_memory=SWITCH, has_settings=SWITCH)),
)
READ = _some(
    _all(path=TEXT, text=TEXT, hash=TEXT),
    writable=SWITCH,
    because=TEXT,
    next_from=_or_null(WHOLE),
    origin=_or_null(TEXT),
    bytes=WHOLE,
    modified=TEXT,
)
SAVED = _some(
    _all(saved=SWITCH, path=TEXT, bytes_written=WHOLE, checkpointId=TEXT),
    waits=SWITCH,
    because=TEXT,
    hash=TEXT,
    bytes=WHOLE,
    existed=SWITCH,
)
DELETED = _some(
    _all(deleted=SWITCH, path=TEXT, file_deleted=SWITCH, matches_removed=WHOLE, checkpointId=TEXT), because=TEXT
)
FORGOT = _some(
    _all(
        forgotten=_list_of(ANYTHING),
        needs_confirmation=SWITCH,
        candidates=_list_of(ANYTHING),
        because=TEXT,
        checkpointIds=TEXTS,
        dry_run=SWITCH,
    ),
    everywhere=ANYTHING,
    plan=TEXT,
)
CHECKPOINT = _some(
    _all(
        id=TEXT,
        seq=WHOLE,
        createdAt=_or_null(TEXT),
        path=TEXT,
        origin=TEXT,
        tool=TEXT,
        reason=TEXT,
        existed=SWITCH,
        exists=SWITCH,
    ),
    before=_or_null(TEXT),
    after=_or_null(TEXT),
    group=TEXT,
)
CHECKPOINTS = _all(count=WHOLE, checkpoints=_list_of(CHECKPOINT), next_before=_or_null(WHOLE))
DAYS = _all(days=_list_of(_all(day=TEXT, changes=WHOLE, origins=ANYTHING)))
ONE_CHANGE = CHECKPOINT | {"properties": CHECKPOINT["properties"] | {"current": SWITCH, "undoable": SWITCH}}
SIDE = _all(checkpoint=TEXT, side=TEXT, path=TEXT, text=_or_null(TEXT), hash=_or_null(TEXT))
DIFF = _all(checkpoint=TEXT, diff=TEXT)
RESTORED = _some(
    _all(restored=SWITCH, path=TEXT, exists=SWITCH, checkpointId=TEXT, checkpointIds=TEXTS),
    also=TEXTS,
    left=TEXTS,
    later=WHOLE,
    outside=SWITCH,
    because=TEXT,
)
TOOK_BACK = _all(origin=TEXT, undone=SWITCH, notes=_list_of(ANYTHING), left=_list_of(ANYTHING), checkpointIds=TEXTS)
PRUNED = _all(changes=WHOLE, objects=WHOLE, bytes=WHOLE)
PURGED = _some(_all(changes=WHOLE, objects=_or_null(WHOLE), bytes=_or_null(WHOLE)), plan=TEXT)
STORED = ANYTHING
FACTS = _all(total=WHOLE, facts=_list_of(ANYTHING))
RECALLED_FACTS = _all(results=_list_of(ANYTHING))
ONE_FACT = _all(fact=ANYTHING, chain=_list_of(ANYTHING), recalls=_or_null(WHOLE), last_recalled=_or_null(TEXT))
FACT_HISTORY = _all(facts=_list_of(ANYTHING))
CHANGED_FACT = _all(fact=ANYTHING, checkpointIds=TEXTS)
SESSIONS = _all(
    sessions=_list_of(
        _all(key=TEXT, kind=TEXT, channel=TEXT, created=NUMBER, last=NUMBER, excluded=SWITCH, bytes=WHOLE, path=TEXT)
    )
)
MESSAGE = _some(_all(kind=TEXT, id=TEXT, at=NUMBER, role=TEXT), text=TEXT, origin=TEXT, tags=TEXTS)
MESSAGES = _some(_all(session=TEXT, messages=_list_of(MESSAGE)), kind=TEXT, channel=TEXT, excluded=SWITCH)
PROMPT = _all(text=TEXT, characters=WHOLE, tokens=WHOLE, mode=TEXT, because=TEXT, blocks=_list_of(ANYTHING))
RECALLED = _all(query=TEXT, skipped=TEXT, hits=_list_of(HIT), text=TEXT)
TURNED = _all(text=TEXT)
STOPPED = _all(session=TEXT, stopped=SWITCH)
CONTEXT_VIEW = _all(
    session=TEXT,
    model=_or_null(TEXT),
    style=TEXT,
    mode=TEXT,
    frozen=SWITCH,
    frozen_at=_or_null(TEXT),
    recall=SWITCH,
    because=TEXT,
    window=WHOLE,
    reserve=WHOLE,
    flush_at=WHOLE,
    cycle=WHOLE,
    sandbox=TEXT,
    sent=WHOLE,
    parts=_list_of(
        _all(name=TEXT, kind=TEXT, characters=WHOLE, tokens=WHOLE, source=TEXT, truncated=SWITCH, text=TEXT)
    ),
    spent=_all(requests=WHOLE, input_tokens=WHOLE, output_tokens=WHOLE, cost=_or_null(NUMBER)),
)
CAPTURED = _all(facts=_list_of(ANYTHING), looked_at=WHOLE)
DUE = _all(due=SWITCH, why=TEXT, tokens=WHOLE, limit=WHOLE, cycle=WHOLE)
EXPORTED = _all(exported=_or_null(ANYTHING))
VALUES = _all(values=_list_of(_all(namespace=TEXT, key=TEXT, value={}, updated=NUMBER)))
VALUE = _all(namespace=TEXT, key=TEXT, found=SWITCH, value={})
TOOLS = _all(tools=_list_of(ANYTHING))
SETTING = _some(_all(key=TEXT, value={}, default={}, source=TEXT), variable=TEXT)
SETTINGS = _some(_all(settings=_list_of(SETTING)), path=TEXT, diff=TEXT, file=TEXT, because=TEXT)
CATALOGUE = _all(
    tables=_list_of(_all(name=TEXT, title=TEXT)),
    keys=_list_of(
        _all(
            key=TEXT,
            table=TEXT,
            kind=TEXT,
            choices={"type": ["array", "null"], "items": TEXT},
            least=_or_null(NUMBER),
            most=_or_null(NUMBER),
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
RECIPES = _all(recipes=_list_of(_all(name=TEXT, title=TEXT, description=TEXT, changes=ANYTHING)))
TESTED = _all(
    ok=SWITCH,
    what=TEXT,
    provider=_or_null(TEXT),
    model=_or_null(TEXT),
    endpoint=_or_null(TEXT),
    sends_to=_or_null(TEXT),
    dimensions=_or_null(WHOLE),
    tokens=_or_null(WHOLE),
    took_ms=NUMBER,
    because=TEXT,
)
STATUS = ANYTHING
DOCTOR = _all(ok=SWITCH, checks=_list_of(_all(name=TEXT, ok=SWITCH, detail=TEXT, remedy=TEXT, warn=SWITCH)))
SPACES = _all(spaces=_list_of(ANYTHING))
PROFILE = _all(user=ANYTHING)
REPORTS = _all(**_PAGE, reports=_list_of(NOTE))
DREAM_RUNS = _all(
    runs=_list_of(
        _all(
            run=TEXT,
            at=TEXT,
            origin=TEXT,
            report=_or_null(TEXT),
            notes=TEXTS,
            why=TEXTS,
            rolled_back=SWITCH,
            checkpointIds=TEXTS,
        )
    )
)
QUESTIONS = _all(file=TEXT, hash=TEXT, questions=_list_of(ANYTHING))
DRAFTS = _all(questions=_list_of(ANYTHING))
MAP = _all(
    notes=TEXTS,
    points=_list_of({"type": "array", "items": NUMBER, "minItems": 4, "maxItems": 4}),
    groups=_list_of(_all(x=NUMBER, y=NUMBER, label=TEXT, count=WHOLE)),
    because=TEXT,
)
INBOX = _all(
    entries=_list_of(
        _all(
            id=TEXT,
            text=TEXT,
            origin=_or_null(TEXT),
            client=TEXT,
            at=_or_null(TEXT),
            place=TEXT,
            because=TEXT,
            kind=TEXT,
            source=_or_null(TEXT),
            source_line=_or_null(WHOLE),
            replaces=_or_null(TEXT),
            score=_or_null(NUMBER),
        )
    )
)
JOB = _all(
    id=TEXT,
    kind=TEXT,
    agent=TEXT,
    state={"type": "string", "enum": ["waiting", "running", "done", "failed", "cancelled"]},
    progress=_or_null(ANYTHING),
    result=_or_null(ANYTHING),
    error=_or_null(ANYTHING),
    created=NUMBER,
    ended=_or_null(NUMBER),
)
JOBS = _all(jobs=_list_of(JOB))

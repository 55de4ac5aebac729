#!/bin/sh
# Each stage of a search switched off, on seven sets, into docs/quality-ablation.json and its page:
# bench/ablation.sh [DATA] [HOMES]
set -eu
cd "$(dirname "$0")/.."
HOLDFAST=${HOLDFAST:-.venv/bin/holdfast}
DATA=${1:-../shared/data}
HOMES=${2:-.bench/quality}

ask() {
  echo "== $*" >&2
  "$HOLDFAST" eval run "$@" --sample 300 --data "$DATA" --homes "$HOMES" --results docs/quality-ablation.json \
    --way shipped --way keywords --way vectors --way rrf --way 'no context' --way 'no closer' --way 'no typos' \
    --way 'no time' --way 'oldest as well' --way 'questions as well' --way 'no boosts' --way mmr >/dev/null
}

ask locomo --level turn
ask scifact
ask docs
ask friendsqa --level turn
ask covid-faq-en --level turn
ask fact-update --shape daily --level turn
ask bench/data/household
# The page says when all of it was measured.
sed -i "s|^Measured .*|$(.venv/bin/python bench/stamp.py sh bench/ablation.sh)|" bench/ablation-note.md
"$HOLDFAST" eval page docs/quality-ablation.json --note bench/ablation-note.md --write docs/quality-ablation.md

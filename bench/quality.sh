#!/bin/sh
# Every labelled set in the shapes that docs/quality.md shows: bench/quality.sh [DATA] [HOMES]
# Figures are kept in docs/quality.json, a set at a time; a name as third argument runs the lines with that name only.
set -eu
cd "$(dirname "$0")/.."
HOLDFAST=${HOLDFAST:-.venv/bin/holdfast}
DATA=${1:-../shared/data}
HOMES=${2:-.bench/quality}
ONLY=${3:-}

ask() {
  case "$1" in *"$ONLY"*) ;; *) return 0 ;; esac
  echo "== $*" >&2
  "$HOLDFAST" eval run "$@" --data "$DATA" --homes "$HOMES" --results docs/quality.json >/dev/null
}

# Conversations: what a session export, a log and a chat look like.
for shape in bullets paragraphs replies chat; do ask locomo --shape "$shape"; done
ask realmem
ask realmem --shape paragraphs --level session
ask prefeval-memory
ask prefeval-memory --shape paragraphs --level session
for shape in bullets paragraphs; do ask friendsqa --shape "$shape"; done
# Facts and memories of a line each, as an export, in daily files and singly.
for shape in bullets daily notes; do
  ask ikat-ptkb --shape "$shape"
  ask madial-en --shape "$shape"
done
for set in madial-zh letta-facts precision-mem; do ask "$set"; done
for shape in bullets daily; do ask fact-update --shape "$shape"; done
# Documents.
ask qmd
ask scifact
ask docs
for set in covid-faq-de covid-faq-en mtrag-un timeqa-train chunking-eval; do ask "$set"; done
for set in mtrag-un timeqa-train product-docs tau2-banking code-chunks; do ask "$set" --shape paragraphs; done
# Languages.
ask xquad
for set in cnil-fr drcd-dev faquad squad-es-dev squad-it-test; do ask "$set" --sample 2000; done
# Our own, which were written before any search had seen them.
for shape in notes daily; do ask bench/data/one-liners --shape "$shape"; done
ask bench/data/household

# The page says when all of it was measured; a part that is measured anew changes nothing of that.
[ -n "$ONLY" ] || sed -i "s|^Measured .*|$(.venv/bin/python bench/stamp.py make quality)|" bench/quality-note.md
"$HOLDFAST" eval page docs/quality.json --note bench/quality-note.md --write docs/quality.md

#!/bin/sh
# The main job from end to end, with the real command on a home of its own. Usage: tour.sh [HOLDFAST]
set -eu
holdfast=${1:-holdfast}
HOLDFAST_HOME=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-tour.XXXXXX")
export HOLDFAST_HOME
trap 'rm -rf "$HOLDFAST_HOME"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] || say() { printf '\n%s\n' "$1"; }
show() {
  printf '$ holdfast'
  for word in "$@"; do case $word in *' '*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
  printf '\n'
  "$holdfast" "$@" 2>&1
}

say "1. A home for memory: plain Markdown, nothing else to set up."
show init

say "2. Write a few things down."
show save "The launch moved from 14 February to 3 March, because the audit runs late." --file memory/launch.md
show save "- Prefers answers in plain English, short, with the command to run."
show save "Chose PostgreSQL over MySQL: row-level security decided it (INC-43948-QJV)." --file memory/decisions.md
printf '# Trip to Lisbon\n\nThe hotel is booked under Ada; the train leaves at 9:40.\n' > "$HOLDFAST_HOME/memory/trip.md"
echo "  (and one note written with an editor: memory/trip.md)"

say "3. Index: only what changed is read again."
show index

say "4. Ask. A question, an id inside a question, and one that shares no word with its answer."
show config set memory.citations on
show search "when do we launch?" -n 1
show search "what did we agree about incident INC-43948-QJV?" -n 1
show search "our travel accommodation in Portugal" -n 1

say "5. Nothing is lost: change a note, look at the change, take it back."
show save "The launch is cancelled." --file memory/launch.md --replace
show diff
show undo
show get memory/launch.md

say "That was everything: files in, answers out, every change undone by one command."
cat <<'TEXT'
Next:
  . .venv/bin/activate         use `holdfast` from this checkout
  holdfast init                a home of your own, in ~/.holdfast
  holdfast save "..."          or write Markdown in ~/.holdfast/memory with any editor
  holdfast --help              all commands; README.md has the library in ten lines
TEXT

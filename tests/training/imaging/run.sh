#!/bin/bash
# The whole of it: run.sh FILMS WORK OUT. FILMS is the folder of films, WORK keeps what is in between, OUT gets the weights.
# Hours on one core. PYTHON and NODE name the programs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
films=$(realpath "$1") work=$(realpath -m "$2") out=$(realpath -m "$3")
python=${PYTHON:-/usr/bin/python3} node=${NODE:-$here/../../../node_modules/.bin/node}
mkdir -p "$work/packages"
cd "$work/packages"
for name in tuxpaint-stamps-default mate-backgrounds gnome-backgrounds python3-skimage python-skimage-doc \
  invesalius-examples mricron-data insighttoolkit5-examples adwaita-icon-theme; do
  ls "${name}"_*.deb >/dev/null 2>&1 || apt-get download "$name"
done
for file in *.deb; do dpkg -x "$file" unpacked; done
cd "$here"
"$node" --disable-warning=ExperimentalWarning draw-others.ts "$work/drawn"
"$python" others.py "$work" "$work/packages/unpacked"
# Each part begins with the smoothed weights of the one before, and ends with a smaller rate.
"$python" train_judge.py "$films" "$work" --steps 1600 --until 400 --name judge-first
"$python" train_judge.py "$films" "$work" --steps 700 --until 400 --rate 2e-3 --seed 3 --start "$work/judge-first.pt" --name judge-second
"$python" train_judge.py "$films" "$work" --steps 180 --rate 1.2e-3 --seed 4 --start "$work/judge-second.pt"
"$python" train_recogniser.py "$films" "$work" --steps 1200 --until 900 --name recogniser-first
"$python" train_recogniser.py "$films" "$work" --steps 200 --rate 1.5e-3 --seed 5 --start "$work/recogniser-first.pt"
for only in child adult; do
  "$python" train_judge.py "$films" "$work" --steps $([ $only = child ] && echo 150 || echo 80) --only $only --name "judge-$only"
done
"$python" evaluate.py "$films" "$work" | tee "$work/report.md"
"$python" export.py "$films" "$work" "$out" --calibrate-on tune test

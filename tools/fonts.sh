#!/usr/bin/env bash
# Makes assets/fonts/*.otf anew from Debian's fonts-noto-cjk: after text with new
# characters (the tests say so). Needs Python 3 with venv; brings its own fonttools.
#
#   tools/fonts.sh [FOLDER]    where the Noto CJK collections are
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
noto=${1:-/usr/share/fonts/opentype/noto}
if [ ! -e "$noto/NotoSansCJK-Regular.ttc" ] || [ ! -e "$noto/NotoSerifCJK-Bold.ttc" ]; then
  echo "No Noto CJK in $noto. On Debian: apt-get install fonts-noto-cjk" >&2
  exit 2
fi
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "fonttools==4.68.0"
"$venv/bin/python" "$root/tools/fonts.py" "$noto"

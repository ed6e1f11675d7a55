#!/bin/sh
# The command line of a release: its own Node, its own program, no preparation.
set -eu
self=$(readlink -f "$0")
folder=${self%/bin/probant}
exec "$folder/bin/node" --disable-warning=ExperimentalWarning "$folder/compiled/probant.js" "$@"

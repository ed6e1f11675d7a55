#!/bin/sh
# The command line of the package, with the settings of the installation where the caller may read them.
set -eu
if [ -z "${PROBANT_SETTINGS+set}" ] && [ -r /etc/probant/probant.env ]; then
  export PROBANT_SETTINGS=/etc/probant/probant.env
fi
exec /usr/lib/probant/bin/probant "$@"

import { profileScript, relayScript } from '../browser/jail.ts'

/** The picture: rows at the top that the browser shows, and below them the strip that the encoder adds. */
export const stage = { width: 1280, pageHeight: 800, height: 840 } as const

/** Chromium makes no window as large as its screen where no window manager asks it to: one column and one row less. They are outside the picture. */
const screen = `${String(stage.width + 1)}x${String(stage.pageHeight + 1)}x24`

/** Where the jail sees the folder that only we can write to. */
export const stageFolder = '/stage'
export const soundSocket = '/tmp/pulse.sock'

/** Descriptors that the first process of the jail inherits besides those of the browser (3 and 4); all are sockets to us. */
export const descriptors = {
  commands: 5,
  events: 6,
  pointerIn: 7,
  pointerOut: 8,
  clipboard: 9,
  screen: 10,
  firstEncoder: 11,
} as const

/** An encoder that ended is never written to again: each has pipes of its own, so that the end of one is the end of its pipes. */
export const encoderRuns = 12
const perEncoder = 4
export const encoderDescriptors = (run: number) => {
  const stdin = descriptors.firstEncoder + run * perEncoder
  return { stdin, video: stdin + 1, audio: stdin + 2, looks: stdin + 3 }
}
const lastDescriptor = descriptors.firstEncoder + encoderRuns * perEncoder - 1
/** Pipes from 5 on. */
export const stagePipes = lastDescriptor - descriptors.commands + 1

/**
 * First process of a jail with a display: starts the X server, the sound server and the pointer, then the browser, and takes
 * commands. Each program gets the descriptors it needs and no other. Ends with the browser or the X server, and the namespace
 * with it. bash, as descriptors past 9 are needed.
 *
 * Commands, one a line: `encoder RUN`, `pointer` (again), `screen` (a way to the X server), `clipboard NUMBER BYTES` (and so many bytes on their own descriptor). Events, one a line:
 * `ended NAME STATUS` (of `sounding`: 0 when the sound server listens), `clipboard NUMBER STATUS`.
 */
export const stageScript = `set -u
${profileScript}
# run NAME DESCRIPTORS COMMAND…: in the background; says when it ended.
run() {
  local name=$1 keep=" $2 "
  shift 2
  (
    for fd in {3..${lastDescriptor}}; do
      [[ $keep == *" $fd "* || $fd == ${descriptors.events} ]] || exec {fd}>&-
    done
    "$@" ${descriptors.events}>&-
    echo "ended $name $?" >&${descriptors.events}
    [[ $name != browser && $name != display ]] || kill -TERM $$
  ) &
}
display() { Xvfb :0 -screen 0 ${screen} -dpi 96 -nolisten tcp -nolisten local -noreset -extension GLX -displayfd 3 3>/tmp/display-ready; }
sound() {
  pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disallow-module-loading=yes --disable-shm=yes --realtime=no --high-priority=no \\
    -L 'module-null-sink sink_name=witness rate=48000 channels=2 norewinds=1' -L 'module-native-protocol-unix auth-anonymous=1 socket=${soundSocket}'
}
pointer() { stdbuf -oL xdotool - <&${descriptors.pointerIn} >&${descriptors.pointerOut} ${descriptors.pointerIn}<&- ${descriptors.pointerOut}>&-; }
listening() {
  for ((i = 0; i < 1000; i++)); do
    [[ ! -S ${soundSocket} ]] || return 0
    sleep 0.01
  done
  return 1
}
screen() { socat FD:${descriptors.screen} UNIX-CONNECT:/tmp/.X11-unix/X0; }
encoder() {
  local arguments
  mapfile -t arguments < ${stageFolder}/encoder-$1
  ffmpeg "\${arguments[@]}" <&$2
}
clipboard() {
  local end=$((SECONDS + 5)) status=1
  head -c "$2" <&${descriptors.clipboard} > /tmp/clipboard
  ( for fd in {3..${lastDescriptor}}; do exec {fd}>&-; done; exec xclip -selection clipboard -i /tmp/clipboard )
  # The owner says nothing when it is the owner: it is asked for what it holds. Another may take its place meanwhile.
  until (( SECONDS > end )); do
    ( for fd in {3..${lastDescriptor}}; do exec {fd}>&-; done; timeout 2 xclip -selection clipboard -o | cmp -s - /tmp/clipboard ) && status=0 && break
    sleep 0.005
  done
  rm -f /tmp/clipboard
  echo "clipboard $1 $status" >&${descriptors.events}
}
mkdir -m 1777 /tmp/.X11-unix
mkdir -m 700 /tmp/run
mkfifo /tmp/display-ready
run display '' display
run sound '' sound
# The relay gets none of the descriptors: whoever holds the pipes of an encoder hides its end.
(
  for fd in {3..${lastDescriptor}}; do exec {fd}>&-; done
${relayScript}
) || exit 97
read -r _ < /tmp/display-ready || exit 96
run pointer '${descriptors.pointerIn} ${descriptors.pointerOut}' pointer
run browser '3 4' nice -n 10 "$@"
# Nothing waits for the sound but an encoder.
run sounding '' listening
exec 3>&- 4>&-
while read -r -u ${descriptors.commands} command first second; do
  case $command in
    encoder)
      stdin=$((${descriptors.firstEncoder} + first * ${perEncoder})) video=$((${descriptors.firstEncoder} + first * ${perEncoder} + 1)) audio=$((${descriptors.firstEncoder} + first * ${perEncoder} + 2)) looks=$((${descriptors.firstEncoder} + first * ${perEncoder} + 3))
      run "encoder-$first" "$stdin $video $audio $looks" encoder "$first" "$stdin"
      exec {stdin}>&- {video}>&- {audio}>&- {looks}>&-
      ;;
    clipboard) clipboard "$first" "$second" ;;
    screen)
      run screen '${descriptors.screen}' screen
      exec ${descriptors.screen}>&-
      ;;
    pointer) run pointer '${descriptors.pointerIn} ${descriptors.pointerOut}' pointer ;;
  esac
done
`

/** What the programs on the stage are told. */
export const stageEnvironment: Readonly<Record<string, string>> = {
  DISPLAY: ':0',
  XDG_RUNTIME_DIR: '/tmp/run',
  PULSE_SERVER: `unix:${soundSocket}`,
  // There is none, and none shall be started.
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
  // Else a bar over the page says that there are none.
  GOOGLE_API_KEY: 'no',
  GOOGLE_DEFAULT_CLIENT_ID: 'no',
  GOOGLE_DEFAULT_CLIENT_SECRET: 'no',
}

import { stage, stageFolder } from './stage-script.ts'

export const framesPerSecond = 25
/** A key picture at least so often, by time and where the page moves by pictures: what a reconnecting viewer is replayed, and what a `kill -9` can lose. */
const secondsPerGroup = 2
const picturesPerGroup = 25
/** Where nothing changes, of so many looks at the screen one becomes a picture: five a second. */
const looksPerPicture = 5
/** After so many looks we are told how many there were: once a second. */
const looksPerCount = framesPerSecond
const font = '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf'
const fontSize = 15
/** Characters that fit in a row of the strip: the advance of that font is 0.6 of its size. */
export const stripColumns = Math.floor((stage.width - 16) / (fontSize * 0.6))

const changed = 'lavfi.freezedetect.freeze_end'

/** Files of the strip in the stage's folder. `line` is hostile text and is drawn as it is; `clock` is ours and is expanded. */
export const stripFiles = { line: 'strip', session: 'session', clock: 'clock' } as const
/** When the picture was taken from the screen, to the millisecond: from its time stamp, not from when it is drawn upon. */
export const clockText = '%{pts:gmtime:0:%Y-%m-%d %H\\:%M\\:%S}.%{eif:mod(floor(t*1000)\\,1000):d:3} UTC'

const strip = (file: string, expansion: 'none' | 'normal', baseline: number, x: number, colour: string) =>
  [
    `drawtext=fontfile=${font}:textfile=${stageFolder}/${file}:expansion=${expansion}`,
    `fontsize=${String(fontSize)}:fontcolor=${colour}:x=${String(x)}:y=${String(baseline)}-ascent${file === stripFiles.line ? ':reload=1' : ''}`,
  ].join(':')

/**
 * ffmpeg's arguments. Time stamps of both inputs are the machine's clock (`-copyts`); `origin` (Unix seconds) is taken off them, so that
 * both streams count from the same moment. Picture: FLV, whose every tag is complete when it is written (a fragment of MP4 waits for the
 * next picture). Sound: MP4 in fragments of one packet. Each to a pipe of its own: neither waits for the other. To a third, how often the
 * screen was looked at (read-looks.ts). The grabber's fourth octet of a pixel means nothing; named alpha, the detector takes it uncopied.
 *
 * Inputs are opened in their order, and the first has no streams: it is read until its end, from the other side of the pipe of the picture.
 * Until we end that side, the program is loaded and does nothing; not the screen, nor sound, nor the strip's files are opened. (By `async:`,
 * else it would take no `q` from its standard input.)
 */
export function encoderArguments(options: {
  readonly video: number
  readonly audio: number
  readonly looks: number
  readonly sound: boolean
  readonly origin: number
}): readonly string[] {
  const { video, audio, looks, sound, origin } = options
  const gate = `-f ffmetadata -i async:pipe:${String(video)}`
  const size = `${String(stage.width)}x${String(stage.pageHeight)}`
  // Of the sound: 20 ms of two channels with 16 bits at a time.
  const soundInput = `-probesize 32 -analyzeduration 0 -thread_queue_size 256 -f pulse -sample_rate 48000 -channels 2 -fragment_size 3840 -i witness.monitor`
  const pictureInput = `-probesize 32 -analyzeduration 0 -thread_queue_size 8 -f x11grab -draw_mouse 1 -framerate ${String(framesPerSecond)} -video_size ${size} -vtag BGRA -i :0`
  const filters = [
    // After a stall the grabber catches up: pictures of one and the same moment are left out, one that was due is kept (decision 0243).
    'select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,0.005)',
    // What does not differ in one octet from the picture before goes no further (decision 0474). `changed` is the detector's own word for it;
    // one of several is given it all the same. Without `look` some would have no words at all, and those `select` lets pass.
    'freezedetect=n=0:d=0',
    'metadata=mode=add:key=look:value=1',
    `metadata=mode=print:key=look:file=pipe\\\\:${String(looks)}:direct=1:enable=not(mod(n\\,${String(looksPerCount)}))`,
    `metadata=mode=add:key=${changed}:value=0:enable=not(mod(n\\,${String(looksPerPicture)}))`,
    `metadata=mode=select:key=${changed}`,
    'scale=out_color_matrix=bt709:out_range=tv',
    'format=yuv420p',
    `pad=${String(stage.width)}:${String(stage.height)}:0:0:color=0x14181d`,
    strip(stripFiles.line, 'none', 816, 8, 'white'),
    strip(stripFiles.clock, 'normal', 834, 8, '0xffd75e'),
    strip(stripFiles.session, 'none', 834, 280, '0xb8c0cc'),
    `setpts=PTS-${String(origin)}/TB`,
  ].join(',')
  const colours = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'
  const x264 = `-c:v libx264 -preset veryfast -tune zerolatency -crf 25 -maxrate 6M -bufsize 3M -bf 0 -g ${String(2 * picturesPerGroup)} -threads 1`
  // By time too: pictures are fewer where nothing changes.
  const keyPictures = `-force_key_frames expr:isnan(prev_forced_t)+gte(t,prev_forced_t+${String(secondsPerGroup)})+gte(n,prev_forced_n+${String(picturesPerGroup)})`
  // Later versions say -fps_mode for -vsync; all we support know this one.
  const pictureOutput = `-vsync passthrough -enc_time_base 1:1000 ${x264} ${keyPictures} ${colours} -flush_packets 1 -avoid_negative_ts disabled -f flv -flvflags no_duration_filesize pipe:${String(video)}`
  const opus = '-c:a libopus -b:a 64k -frame_duration 20 -flush_packets 1 -avoid_negative_ts disabled'
  const fragments = '-f mp4 -movflags +frag_every_frame+empty_moov+default_base_moof+frag_discont'
  return [
    ...'-hide_banner -nostats -loglevel error -copyts'.split(' '),
    ...gate.split(' '),
    ...(sound ? soundInput.split(' ') : []),
    ...pictureInput.split(' '),
    '-map',
    sound ? '2:v' : '1:v',
    '-vf',
    filters,
    ...pictureOutput.split(' '),
    ...(sound
      ? `-map 1:a -af aresample=async=1,asetpts=PTS-${String(origin)}/TB ${opus} ${fragments} pipe:${String(audio)}`.split(' ')
      : []),
  ]
}

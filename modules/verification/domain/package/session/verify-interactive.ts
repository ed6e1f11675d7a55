/**
 * What an interactive session recorded (docs/package-format.md): its timeline against what was dated, the pieces that lines name, and every
 * picture and packet of its video against the chain that stands in the timeline.
 */
import { concatBytes, toHex, utf8 } from '../../../../../kernel/bytes.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { OpenedEntry } from '../contents/open-package.ts'
import { portableSha256 } from '../../hash/running-hash.ts'
import { type VerifyDeps } from '../../known/verify-deps.ts'
import { sha256Hex } from './recompute-rolling-hash.ts'
import type { Check } from '../../report/package-report.ts'
import { readWithheld } from '../contents/read-withheld.ts'
import type { SessionRecord } from './session-record.ts'
import { audioTimescale, chainLines, sampleLine, videoTimescale, type PictureGroup } from './picture-group.ts'
import { hashSamples, readRecording } from './read-recording.ts'
import { readTimeline, type ReadTimeline } from './read-timeline.ts'

export const timelinePath = 'capture/timeline.jsonl'
export const videoPath = 'capture/session.mp4'

/** Nothing for a static capture, nor for a package whose pieces are withheld. @throws VerificationStopped */
export async function interactiveChecks(
  entries: ReadonlyMap<string, OpenedEntry>,
  manifest: Manifest | undefined,
  { session, short }: { readonly session: SessionRecord | null; readonly short: boolean },
  deps: VerifyDeps,
): Promise<Check[]> {
  const [timelineFile, videoFile] = [entries.get(timelinePath), entries.get(videoPath)]
  const expected = !short && manifest?.subject.kind === 'interactive'
  if (timelineFile === undefined && videoFile === undefined && !expected) return []
  const base = { id: 'session_timeline', subject: timelinePath, repeat_command: repeatTimeline } as const
  if (timelineFile === undefined) return [{ ...base, status: 'failed', data: { reason: 'missing' } }]

  const dated = session?.checkpoints.flatMap(({ statement }) => statement.timeline ?? []) ?? []
  let timeline: ReadTimeline
  try {
    timeline = await readTimeline(timelineFile, new Set(dated.map((each) => each.entries)), deps)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [{ ...base, status: 'failed', data: { reason: said.includes(error.message) ? error.message : 'malformed' } }]
  }
  const differs = dated.some(({ entries: count, head }) => count > 0 && timeline.heads.get(count) !== head)
  // What was dated last is all of it: otherwise lines could follow that nobody dated.
  const reason = differs ? 'timeline_dated' : session !== null && dated.at(-1)?.entries !== timeline.entries ? 'after_end' : null
  return [
    reason === null
      ? { ...base, status: 'passed', data: { entries: timeline.entries, checkpoints: dated.length } }
      : { ...base, status: 'failed', data: { reason } },
    ...namedCheck(timeline, entries, manifest, await readWithheld(entries, manifest)),
    ...(await videoCheck(timeline, videoFile, manifest, deps)),
  ]
}

/** What the reader of the timeline says in words of its own. */
const said: readonly string[] = ['timeline_chain', 'timeline_end']

const repeatTimeline =
  'p=null; while IFS= read -r l; do case $l in *"\\"previous\\":$p,\\"type\\""*) ;; *) printf "%s\\n" "$l";; esac; p=\\"$(printf %s "$l" | sha256sum | cut -c1-64)\\"; done < capture/timeline.jsonl'

/** Prints the groups whose pictures are others; nothing when all are those that the timeline chained. */
const repeatVideo = String.raw`v=$(ffmpeg -v error -i ${videoPath} -map 0:v -c copy -f framehash -hash sha256 - | awk -F', *' '/^[^#]/{print $3" "$6}'); sed -n 's/.*"first_frame":\([0-9]*\),"first_packet":[0-9]*,"frames":\([0-9]*\),.*"group":\([0-9]*\),.*"video":"\([0-9a-f]*\)".*/\1 \2 \3 \4/p' ${timelinePath} | while read -r f n g h; do echo "$v" | sed -n "$((f+1)),$((f+n))p" | sha256sum | grep -q "^$h" || echo "group $g"; done`

/** What was never sealed was lost before the seal, which is no conclusion; what was sealed and is gone was taken out. */
function absent(path: string, manifest: Manifest | undefined): 'failed' | 'indeterminate' {
  return manifest === undefined || manifest.pieces.some((piece) => piece.path === path) ? 'failed' : 'indeterminate'
}

function namedCheck(
  { named }: ReadTimeline,
  entries: ReadonlyMap<string, OpenedEntry>,
  manifest: Manifest | undefined,
  withheld: ReadonlyMap<string, string>,
): Check[] {
  const isLeftOut = ({ path, sha256 }: (typeof named)[number]) => !entries.has(path) && withheld.get(path) === sha256
  const others = named.filter((one) => entries.get(one.path)?.sha256 !== one.sha256 && !isLeftOut(one))
  const wrong = others.find(({ path }) => entries.has(path)) ?? others[0]
  const base = { id: 'session_pieces', subject: timelinePath } as const
  if (wrong !== undefined) {
    return entries.has(wrong.path)
      ? [{ ...base, status: 'failed', data: { reason: 'differs', path: wrong.path } }]
      : [{ ...base, status: absent(wrong.path, manifest), data: { reason: 'missing', path: wrong.path } }]
  }
  const kept = new Set(named.flatMap((one) => (isLeftOut(one) ? [] : [one.path]))).size
  const left = [...new Set(named.filter(isLeftOut).map(({ path }) => path))]
  return [
    ...(kept === 0 ? [] : [{ ...base, status: 'passed' as const, data: { pieces: kept } }]),
    ...left.map((path): Check => {
      const data = { reason: 'withheld_secret', path }
      return { ...base, status: 'indeterminate', data, supplementary: true }
    }),
  ]
}

async function videoCheck(
  { groups }: ReadTimeline,
  file: OpenedEntry | undefined,
  manifest: Manifest | undefined,
  deps: VerifyDeps,
): Promise<Check[]> {
  if (file === undefined && groups.length === 0) return []
  const base = { id: 'session_video', subject: videoPath, repeat_command: repeatVideo } as const
  const result = (status: Check['status'], data: Check['data']): Check[] => [{ ...base, status, data }]
  if (file === undefined) return result(absent(videoPath, manifest), { reason: 'missing' })
  try {
    const reason = await flawOfVideo(groups, file, deps)
    if (reason !== null) return result('failed', { reason })
  } catch (error) {
    if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
    return result('failed', { reason: 'malformed' })
  }
  const sum = (name: 'frames' | 'packets'): number => groups.reduce((all, group) => all + group[name], 0)
  return result('passed', { frames: sum('frames'), packets: sum('packets'), groups: groups.length })
}

/** @throws MalformedError, VerificationStopped */
async function flawOfVideo(groups: readonly PictureGroup[], file: OpenedEntry, deps: VerifyDeps): Promise<string | null> {
  const recording = await readRecording(file)
  const [video, audio] = recording.tracks
  if (video?.timescale !== videoTimescale || (audio !== undefined && audio.timescale !== audioTimescale)) return 'video_times'
  const counted = { frames: 0, packets: 0 }
  for (const [i, group] of groups.entries()) {
    const isNext = group.group === i + 1 && group.first_frame === counted.frames && group.first_packet === counted.packets
    if (!isNext || group.frames === 0) return 'video_count'
    if (video.keys[i] !== group.first_frame) return 'video_groups'
    counted.frames += group.frames
    counted.packets += group.packets
    const times = [video.times[group.first_frame], video.times[counted.frames - 1]]
    if (times[0] !== group.from_us || times[1] !== group.last_us) return 'video_times'
  }
  if (counted.frames !== video.sizes.length || counted.packets !== (audio?.sizes.length ?? 0)) return 'video_count'
  if (video.keys.length !== groups.length) return 'video_groups'

  const hashers = recording.tracks.map(() => (deps.sha256 ?? portableSha256)())
  const digests: string[][] = recording.tracks.map(() => [])
  // Groups without sound have the digest of nothing.
  const close = (track: number, number: number): void => {
    const found = digests[track] as string[]
    for (;;) {
      const group = groups[found.length]
      if (group === undefined) return
      const end = track === 0 ? group.first_frame + group.frames : group.first_packet + group.packets
      if (number < end) return
      found.push(toHex((hashers[track] as ReturnType<typeof portableSha256>).digest()))
      hashers[track] = (deps.sha256 ?? portableSha256)()
    }
  }
  for (const track of recording.tracks.keys()) close(track, 0)
  await hashSamples(file, recording, deps, (track, number, sha256) => {
    hashers[track]?.update(utf8(sampleLine(recording.tracks[track]?.times[number] ?? 0, toHex(sha256))))
    close(track, number + 1)
  })
  let chain = ''
  for (const [i, group] of groups.entries()) {
    const entry = video.entries[group.first_frame] ?? 0
    const config = sha256Hex(concatBytes(video.configs[entry] ?? utf8(''), audio?.configs[entry] ?? utf8('')))
    const found = {
      config,
      video: digests[0]?.[i] ?? '',
      audio: audio === undefined ? sha256Hex(utf8('')) : (digests[1]?.[i] ?? ''),
    }
    chain = sha256Hex(utf8(chainLines(chain, found)))
    if (found.config !== group.config || found.video !== group.video || found.audio !== group.audio) return 'video_altered'
    if (chain !== group.chain) return 'video_chain'
  }
  return null
}

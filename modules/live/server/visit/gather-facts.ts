/** After the visit: the recording closed, its moments decoded for the report, and everything measured said. */
import type { Log } from '../../../../platform/log/log.ts'
import type { InteractiveFacts, CapturedFile, ShowDeps } from '../../../capture/server/index.ts'
import type { InteractiveInput } from './visit-input.ts'
import { mostKeyFrames } from '../session/picture/start-picture.ts'
import type { SteeredBrowser } from '../session/tabs/steered-browser.ts'
import type { Timeline } from '../session/timeline/timeline.ts'
import type { Visit } from './visit-pages.ts'

export const videoPath = 'capture/session.mp4'
/** How long after a navigation its page is likely shown, in milliseconds: what stands a moment later is what people saw. */
const shownAfterMs = 1_500

export async function gatherFacts(
  visit: Visit,
  deps: {
    readonly input: InteractiveInput
    readonly stage: SteeredBrowser
    readonly timeline: Timeline
    readonly signal: AbortSignal
    readonly log: Log
    readonly progress: ShowDeps['progress']
  },
): Promise<{ readonly facts: Omit<InteractiveFacts, 'timeline'>; readonly files: readonly CapturedFile[] }> {
  const { timeline, signal, log } = deps
  await deps.stage.tabs.stop()
  const endMs = timeline.ms()
  deps.progress('completing', 'video')
  const [downloads, video] = await Promise.all([
    visit.downloads.finish(),
    visit.picture.finish().catch((error: unknown) => {
      // What was recorded stays named in the timeline; that there is no file of it is said.
      log.error({ err: error }, 'the recording could not be made into a file')
      timeline.add('crash', { what: 'picture', reason: 'file', recovered: false })
      return null
    }),
  ])
  signal.throwIfAborted()
  const files: CapturedFile[] = [...visit.shots.files(), ...downloads.files]
  const keyFrames: InteractiveFacts['key_frames'][number][] = []
  if (video !== null) {
    files.push({ path: videoPath, role: 'session_video', media_type: video.media_type, file: video.file })
    deps.progress('completing', 'key_frames')
    const shown = await video.keyFrames(momentsOf(visit, endMs), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      log.warn({ err: error }, 'pictures of the recording could not be decoded')
      return []
    })
    const paths = new Map<string, string>()
    for (const { file, ms, reason, width, height } of shown) {
      let path = paths.get(file)
      if (path === undefined) {
        path = `capture/key-frames/${String(paths.size + 1).padStart(3, '0')}.jpg`
        paths.set(file, path)
        files.push({ path, role: 'key_frame', media_type: 'image/jpeg', file })
      }
      keyFrames.push({ path, ms, reason, width, height })
    }
  }
  const { device } = visit
  return {
    files,
    facts: {
      ended_by: visit.endedBy,
      began_at: visit.beganAt,
      duration_ms: Math.round(visit.visitedMs),
      device:
        device.kind === 'desktop'
          ? { kind: 'desktop' }
          : { kind: 'mobile', name: device.name, width: device.width, height: device.height },
      video:
        video === null
          ? null
          : {
              path: videoPath,
              media_type: video.media_type,
              width: video.width,
              height: video.height,
              page_height: deps.stage.display.picture.pageHeight,
              codec: video.codec,
              frames: video.frames,
              duration_ms: video.duration_ms,
              chain: video.chain,
              sound: video.sound,
              gaps: video.gaps,
              frames_dropped: video.frames_dropped,
            },
      navigations: visit.navigations,
      screenshots: visit.shots.facts(),
      key_frames: keyFrames,
      downloads: downloads.facts,
      uploads: visit.asks.facts(),
      // What is masked where is known once every piece is written.
      secrets: visit.secrets.all().map(({ ms, kind, url }) => ({ ms, kind, url: visit.secrets.mask(url), masked_in: [] })),
      ...visit.running.viewers.facts(),
      crashes: visit.crashes,
    },
  }
}

/** Moments that the report shows: the first and the last, each page that was gone to, each screenshot. */
function momentsOf(visit: Visit, endMs: number): readonly { readonly ms: number; readonly reason: string }[] {
  const pages = visit.navigations.map(({ ms }, i) => ({
    ms: Math.min(ms + shownAfterMs, visit.navigations[i + 1]?.ms ?? endMs, endMs),
    reason: 'navigation',
  }))
  const shots = visit.shots.facts().map(({ ms }) => ({ ms, reason: 'screenshot' }))
  const last = { ms: endMs, reason: 'end' }
  const all = [...pages, ...shots].toSorted((a, b) => a.ms - b.ms)
  // More than fit: spread over the session, so that no part of it goes unseen.
  const room = mostKeyFrames - 1
  const kept = all.length <= room ? all : Array.from({ length: room }, (_, i) => all[Math.floor((i * all.length) / room)])
  return [...kept.filter((one) => one !== undefined), last]
}

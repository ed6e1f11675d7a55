import { useEffect, useImperativeHandle, useRef, useState, type ReactNode, type RefObject } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { groupOf, type TimelineLine } from './timeline.ts'
import { useLineText } from './use-line-text.ts'
import styles from './review.module.css'

export type VideoHandle = {
  /** Milliseconds into the recording. */
  readonly seek: (ms: number) => void
}

const speeds = [0.25, 0.5, 1, 2, 4]
/** How long a caption stands at most, in seconds. */
const captionSeconds = 3

/** The recording, with what happened as captions. Its own controls seek and play by keyboard. */
export function SessionVideo(props: {
  video: NonNullable<EvidenceSession['video']>
  lines: readonly TimelineLine[]
  startMs: number
  /** The reader was led here: the player takes the focus, and with it comes into view. */
  led: boolean
  handle: RefObject<VideoHandle | null>
  onTime: (ms: number) => void
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { video, handle } = props
  const player = useRef<HTMLVideoElement>(null)
  const [broken, setBroken] = useState(false)
  const [captions, setCaptions] = useState(false)
  const renewed = useRef(false)
  useCaptions(player, props.lines, captions)
  useImperativeHandle(
    handle,
    () => ({
      seek: (ms) => {
        const element = player.current
        if (element !== null) element.currentTime = Math.max(0, ms) / 1000
      },
    }),
    [],
  )
  const { led } = props
  useEffect(() => {
    if (led) player.current?.focus()
  }, [led])
  const step = (seconds: number) => {
    const element = player.current
    if (element !== null) element.currentTime = Math.max(0, element.currentTime + seconds)
  }
  const told = () => props.onTime((player.current?.currentTime ?? 0) * 1000)
  if (video.url === null) return <p role="alert">{text('review.video.none')}</p>
  const url = apiAddress(video.url)
  return (
    <div className={styles['player']}>
      {/* Captions are made of the timeline, below. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={player}
        className={styles['video']}
        src={url}
        width={video.width}
        height={video.height}
        controls
        playsInline
        preload="metadata"
        aria-label={text('review.video')}
        onLoadedMetadata={() => {
          setBroken(false)
          if (props.startMs > 0) handle.current?.seek(props.startMs)
        }}
        onTimeUpdate={told}
        onSeeking={told}
        onError={() => {
          // Links expire: a new one is asked for once.
          if (renewed.current) setBroken(true)
          else props.refresh()
          renewed.current = true
        }}
      />
      {broken ? <p role="alert">{text('review.video.broken')}</p> : null}
      <div className={styles['tools']} role="group" aria-label={text('review.video.tools')}>
        <button type="button" onClick={() => step(-10)}>
          {text('review.video.back')}
        </button>
        <button type="button" onClick={() => step(10)}>
          {text('review.video.forward')}
        </button>
        <button type="button" aria-pressed={captions} onClick={() => setCaptions(!captions)}>
          {text('review.video.captions')}
        </button>
        <label>
          {text('review.video.speed')}{' '}
          <select
            defaultValue={1}
            onChange={(event) => {
              if (player.current !== null) player.current.playbackRate = Number(event.currentTarget.value)
            }}
          >
            {speeds.map((speed) => (
              <option key={speed} value={speed}>
                {text('review.video.speed.value', { speed })}
              </option>
            ))}
          </select>
        </label>
        <a href={url} download={video.path.split('/').at(-1)}>
          {text('review.video.download')}
        </a>
      </div>
    </div>
  )
}

const captioned = new Set(['pages', 'input', 'shots', 'files', 'masked', 'people'])

/** Cues can be added to a video's own track; no file of them is fetched, and the policy needs to allow none. */
function useCaptions(player: RefObject<HTMLVideoElement | null>, lines: readonly TimelineLine[], shown: boolean): void {
  const text = useText()
  const locale = useLocale()
  const lineText = useLineText()
  const track = useRef<TextTrack | null>(null)
  const label = text('review.video.captions.track')
  useEffect(() => {
    const element = player.current
    if (track.current !== null) track.current.mode = shown ? 'showing' : 'hidden'
    if (element === null || !shown || lines.length === 0 || track.current !== null) return
    const added = element.addTextTrack('captions', label, locale)
    const said = lines.filter((line) => line.ms >= 0 && captioned.has(groupOf(line)) && line.data['kind'] !== 'up')
    for (const [i, line] of said.entries()) {
      const from = line.ms / 1000
      const to = Math.min(from + captionSeconds, (said[i + 1]?.ms ?? Number.POSITIVE_INFINITY) / 1000)
      if (to <= from) continue
      // Cue text is markup (WebVTT): what a page wrote must stay text.
      const plain = lineText(line).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      added.addCue(new VTTCue(from, to, plain))
    }
    added.mode = 'showing'
    track.current = added
  }, [player, lines, shown, label, locale, lineText])
}

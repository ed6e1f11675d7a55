import { useEffect, useRef, useState, type ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { ImageViewer, type ViewedImage } from '../../../../ui/media/ImageViewer.tsx'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import type { Focus } from './SessionReview.tsx'
import { clockOf } from './timeline.ts'
import styles from './review.module.css'

type Shot = EvidenceSession['screenshots'][number]

/** Screenshots by their numbers, those of the report; the one that is chosen in full below. */
export function SessionShots(props: {
  session: EvidenceSession
  focus: Focus | null
  show: (focus: Focus) => void
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { screenshots } = props.session
  const asked = props.focus !== null && 'shot' in props.focus ? props.focus.shot : null
  const [number, setNumber] = useState(asked ?? screenshots[0]?.number ?? 0)
  const shot = screenshots.find((one) => one.number === number)
  const renewed = useRef(false)
  const onBroken = () => {
    if (renewed.current) return
    renewed.current = true
    props.refresh()
  }
  return (
    <>
      <p>{text('review.shots.lead', { count: screenshots.length })}</p>
      <ol className={styles['gallery']} aria-label={text('review.shots')}>
        {screenshots.map((one) => (
          <li key={one.number}>
            <button type="button" aria-pressed={one.number === number} onClick={() => setNumber(one.number)}>
              {one.images[0] === undefined ? null : (
                <img src={apiAddress(one.images[0].url)} alt="" loading="lazy" decoding="async" onError={onBroken} />
              )}
              <span>
                {text('review.shot', { number: one.number })}{' '}
                <span className={styles['soft']}>{text('review.shot.kind', { kind: one.kind })}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {shot === undefined ? null : (
        <Whole key={shot.number} shot={shot} led={shot.number === asked} show={props.show} onBroken={onBroken} />
      )}
    </>
  )
}

function Whole(props: { shot: Shot; led: boolean; show: (focus: Focus) => void; onBroken: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { shot, onBroken } = props
  const [images, setImages] = useState<readonly ViewedImage[]>([])
  const { images: parts, number, page_url } = shot
  useEffect(() => {
    // The size of an image is known when it is there; the viewer lays out by it.
    let gone = false
    const sizes = parts.map(async ({ url }, i) => {
      const image = new Image()
      image.src = apiAddress(url)
      await image.decode()
      const alt = text('review.shot.alt', { number, url: visible(page_url), part: i + 1, parts: parts.length })
      return { url, width: image.naturalWidth, height: image.naturalHeight, alt }
    })
    Promise.all(sizes).then(
      (known) => {
        if (!gone) setImages(known)
      },
      () => onBroken(),
    )
    return () => {
      gone = true
    }
    // `text` and `onBroken` are made anew with each drawing and mean the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [parts, number, page_url])
  const heading = useRef<HTMLHeadingElement>(null)
  const { led } = props
  useEffect(() => {
    if (led) heading.current?.focus()
  }, [led])
  const name = text('review.shot', { number })
  return (
    <section className={styles['shot']} aria-labelledby={`shot-${number}`}>
      <h2 id={`shot-${number}`} ref={heading} tabIndex={-1}>
        {name}
      </h2>
      <p className={styles['soft']}>
        {text('review.shot.kind', { kind: shot.kind })} · {formatExact(shot.at, locale)}
        {shot.automatic ? ` · ${text('review.shot.automatic')}` : ''}
      </p>
      <p>
        {shot.title === '' ? null : (
          <>
            {visible(shot.title)}
            <br />
          </>
        )}
        <PageAddress url={page_url} />
      </p>
      <p className={styles['ways']}>
        <button type="button" onClick={() => props.show({ ms: shot.ms })}>
          {text('review.go.time', { time: clockOf(shot.ms, locale) })}
        </button>
      </p>
      {parts.length === 0 ? <p>{text('review.shot.missing')}</p> : null}
      {images.length === 0 ? null : <ImageViewer name={name} images={images} onBroken={onBroken} />}
    </section>
  )
}

import { useRef, type ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatExact, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { ImageViewer } from '../../../../ui/media/ImageViewer.tsx'
import type { EvidenceImage, EvidencePreview, EvidenceVantage } from '../../contract/evidence.ts'
import styles from './preview-vantage.module.css'

/** What a second capture server saw of the address at the same moment, beside the first: item by item, then by eye. */
export function PreviewVantage(props: { preview: EvidencePreview; vantage: EvidenceVantage; refresh: () => void }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const locale = useLocale()
  const { preview, vantage } = props
  const { server, failure } = vantage
  const place = server.country === null ? null : new Intl.DisplayNames(locale, { type: 'region' }).of(server.country)
  const words =
    failure === null ? null : (optionalText(`capture.vantage.${failure}`) ?? optionalText(`capture.failure.${failure}`))
  return (
    <>
      <p className={styles['lead']}>{text('evidence.vantage.lead')}</p>
      {vantage.state === 'failed' ? (
        <p className={styles['failed']}>
          {text('evidence.vantage.failed')} {words ?? (failure === null ? null : visible(failure))}
        </p>
      ) : null}
      <Facts
        rows={[
          [
            text('evidence.vantage.server'),
            <span key="s">
              {visible(server.name)}
              {place === null || place === undefined ? null : ` · ${place}`}
            </span>,
          ],
          ...(vantage.started_at === null
            ? []
            : ([[text('evidence.fact.started'), formatExact(vantage.started_at, locale)]] as const)),
          ...(vantage.apart_ms === null
            ? []
            : ([
                [text('evidence.vantage.apart'), text('evidence.vantage.apart.value', { seconds: vantage.apart_ms / 1000 })],
              ] as const)),
        ]}
      />
      {vantage.comparisons.length === 0 ? null : <Comparison comparisons={vantage.comparisons} />}
      {vantage.state === 'captured' ? <SideBySide {...props} first={preview.images} second={vantage.images} /> : null}
    </>
  )
}

function Comparison(props: { comparisons: EvidenceVantage['comparisons'] }): ReactNode {
  const text = useText()
  const value = (item: string, given: string | null) => {
    if (given === null) return <span className={styles['soft']}>{text('evidence.fact.not_measured')}</span>
    if (/^[0-9a-f]{64}$/.test(given)) return <code>{groupHex(given)}</code>
    if (item === 'certificate' && given === 'none') return text('evidence.network.no_certificate')
    if (item === 'visible_text') return text('evidence.vantage.words', { count: Number(given) })
    if (item === 'resources') return text('evidence.vantage.resources', { count: Number(given) })
    return visible(given)
  }
  return (
    <section>
      <h2>{text('evidence.vantage.comparison')}</h2>
      <ul className={styles['items']}>
        {props.comparisons.map(({ item, result, first, second, share }) => (
          <li key={item} data-result={result}>
            <p className={styles['item']}>
              <strong>{text(`evidence.vantage.item.${item}`)}</strong>
              <span className={styles['result']}>
                {text(`evidence.vantage.result.${result}`)}
                {/* Never rounded up: what is not wholly alike is not said to be. */}
                {share === null || result === 'same'
                  ? null
                  : ` · ${text('evidence.vantage.share', { percent: Math.floor(share * 1000) / 10 })}`}
              </span>
            </p>
            {result === 'same' ? (
              <p className={styles['value']}>{value(item, first)}</p>
            ) : (
              <dl className={styles['values']}>
                <div>
                  <dt>{text('evidence.vantage.first')}</dt>
                  <dd>{value(item, first)}</dd>
                </div>
                <div>
                  <dt>{text('evidence.vantage.second')}</dt>
                  <dd>{value(item, second)}</dd>
                </div>
              </dl>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function SideBySide(props: {
  preview: EvidencePreview
  first: readonly EvidenceImage[]
  second: readonly EvidenceImage[]
  refresh: () => void
}): ReactNode {
  const text = useText()
  const renewed = useRef(false)
  /** Links to images expire; a broken one is asked for again once. */
  const onBroken = () => {
    if (renewed.current) return
    renewed.current = true
    props.refresh()
  }
  const url = visible(props.preview.final_url)
  const wholePage = (images: readonly EvidenceImage[]) =>
    images.filter(({ kind }) => kind === 'full_page').toSorted((a, b) => a.index - b.index)
  return (
    <section>
      <h2>{text('evidence.vantage.images')}</h2>
      <div className={styles['sides']}>
        {(['first', 'second'] as const).map((side) => {
          const images = wholePage(props[side])
          const name = text(`evidence.vantage.${side}`)
          return (
            <figure key={side} className={styles['side']}>
              <figcaption>{name}</figcaption>
              {images.length === 0 ? (
                <p>{text('evidence.images.none')}</p>
              ) : (
                <ImageViewer
                  name={name}
                  onBroken={onBroken}
                  images={images.map((image) => ({
                    url: image.url,
                    width: image.width,
                    height: image.height,
                    alt: `${name} — ${text('evidence.images.alt.full_page', { url, index: image.index + 1, count: images.length })}`,
                  }))}
                />
              )}
            </figure>
          )
        })}
      </div>
    </section>
  )
}

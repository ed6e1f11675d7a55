import { useEffect, useRef, type ReactNode } from 'react'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatBytes, formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { VerificationReport } from '../../domain/report.ts'
import { CheckList } from './CheckList.tsx'
import styles from './verification-result.module.css'

const tones = { 'TOTAL-PASSED': 'good', INDETERMINATE: 'caution', 'TOTAL-FAILED': 'bad' } as const

/** The verdict first, what it rests on, then the seal, the pieces and every check with the command that repeats it. */
export function VerificationResult(props: { name: string; report: VerificationReport }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { report } = props
  const tone = tones[report.verdict]
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [report])
  return (
    <section className={styles['result']} aria-labelledby="verdict" data-verdict={report.verdict}>
      <div className={styles['verdict']} data-tone={tone}>
        <div>
          <h2 id="verdict" ref={heading} tabIndex={-1}>
            {text(report.unusable ? 'site.proofs.verdict.unusable' : `site.proofs.verdict.${tone}`)}
          </h2>
          <p>{text(report.unusable ? 'site.proofs.verdict.unusable.text' : `site.proofs.verdict.${tone}.text`)}</p>
          <p className={styles['soft']}>
            {visible(props.name)} · {formatInstant(report.verified_at, locale, { seconds: true })} · <code>{report.verdict}</code>
          </p>
        </div>
        {report.root === null || report.verdict === 'TOTAL-FAILED' ? null : <RosetteImage root={report.root} />}
      </div>
      {report.unusable ? null : (
        <>
          {report.seal === null ? null : <p className={styles['assumption']}>{text(`site.proofs.trust.${report.trust}`)}</p>}
          <Summary report={report} />
          <Pieces report={report} />
          <CheckList checks={report.checks} />
        </>
      )}
    </section>
  )
}

function RosetteImage(props: { root: string }): ReactNode {
  const text = useText()
  if (!/^[0-9a-f]{64}$/.test(props.root)) return null
  const title = text('site.proofs.rosette', { root: props.root.slice(0, 16) })
  const svg = sealRosette(props.root, { size: 160, title })
  return (
    <img
      className={styles['rosette']}
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      width={160}
      height={160}
      alt={title}
    />
  )
}

function Summary(props: { report: VerificationReport }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { subject, root, seal } = props.report
  const instant = (at: string) => formatInstant(at, locale, { seconds: true })
  const rows: (readonly [string, ReactNode])[] = []
  if (subject !== null) {
    rows.push(
      [text('site.proofs.fact.page'), <bdi key="p">{visible(subject.final_url)}</bdi>],
      [text('site.proofs.fact.captured'), instant(subject.started_at)],
      [text('site.proofs.fact.software'), visible(subject.software)],
    )
  }
  if (root !== null) rows.push([text('site.proofs.fact.root'), <code key="r">{groupHex(root)}</code>])
  if (seal !== null) {
    if (seal.signer !== null) {
      rows.push([
        text('site.proofs.fact.signer'),
        <>
          {visible(seal.signer.name)}
          {seal.signed_at === null ? null : `, ${instant(seal.signed_at)}`}
        </>,
      ])
    }
    if (seal.platform_authority_sha256 !== null) {
      rows.push([text('site.proofs.fact.authority'), <code key="a">{groupHex(seal.platform_authority_sha256)}</code>])
    }
    for (const stamp of seal.timestamps) {
      rows.push([
        text('site.proofs.fact.dated'),
        <>
          {instant(stamp.gen_time)} · {visible(stamp.authority)}
          <br />
          <strong>{text('site.proofs.not_qualified')}</strong>
        </>,
      ])
    }
  }
  return rows.length === 0 ? null : <Facts rows={rows} />
}

function Pieces(props: { report: VerificationReport }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pieces, short } = props.report
  if (pieces.length === 0) return null
  const faults = pieces.filter(({ state }) => state !== 'intact' && state !== 'withheld')
  return (
    <section aria-labelledby="pieces-heading" className={styles['section']}>
      <h3 id="pieces-heading">
        {text('site.proofs.pieces', { count: pieces.length, faults: faults.length })}
        {short ? ` ${text('site.proofs.short')}` : null}
      </h3>
      <ul className={styles['pieces']}>
        {[...faults, ...pieces.filter((piece) => !faults.includes(piece))].map((piece) => (
          <li key={piece.path} data-piece={piece.state}>
            <span className={styles['state']}>{text(`site.proofs.piece.${piece.state}`)}</span>
            <code>{visible(piece.path)}</code>
            <span className={styles['soft']}>{piece.bytes === null ? null : formatBytes(piece.bytes, locale)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

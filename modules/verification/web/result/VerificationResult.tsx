import { useId, type ReactNode } from 'react'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatBytes, formatExact, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { describeCheck, describeQualified, nameOfAuthority } from '../../domain/describe/describe-check.ts'
import type { ConclusionSaid } from '../../domain/describe/describe-conclusion.ts'
import { anchorSaid } from '../../domain/minutes/minutes-of-package.ts'
import type { VerificationReport, VerifiedPiece } from '../../domain/report/package-report.ts'
import { datesOfPackage } from '../../domain/dossier/concluded/independence.ts'
import { useWords } from './use-words.ts'
import { CheckList } from './CheckList.tsx'
import { DatesTable } from './DatesTable.tsx'
import { VerdictBand } from './VerdictBand.tsx'
import styles from './verification-result.module.css'

/** The verdict first, what it rests on, then the seal, the pieces and every check with the command that repeats it. */
export function VerificationResult(props: {
  name: string
  said: ConclusionSaid
  report: VerificationReport
  focused: boolean
}): ReactNode {
  const text = useText()
  const words = useWords()
  const { report } = props
  const withheld = report.pieces.filter(({ state }) => state === 'withheld').length
  const dates = datesOfPackage(report)
  return (
    <div className={styles['result']} data-verdict={report.verdict ?? 'none'} data-kind="package">
      <VerdictBand
        said={props.said}
        at={report.verified_at}
        name={props.name}
        focused={props.focused}
        picture={report.root === null || report.verdict === 'TOTAL-FAILED' ? null : <RosetteImage root={report.root} />}
      >
        <Faults report={report} />
        {report.short ? <p>{text('verification.summary.short', { withheld })}</p> : null}
      </VerdictBand>
      {report.unusable ? null : (
        <>
          <Summary report={report} />
          {dates.length === 0 ? null : <DatesTable dates={dates} />}
          <Pieces report={report} />
          <CheckList
            checks={report.checks}
            describe={(check) => {
              const said = describeCheck(check, words)
              const subject = visible(check.subject ?? '')
              return { ...said, about: said.sentence.includes(subject) ? '' : subject }
            }}
          />
        </>
      )}
    </div>
  )
}

const mostFaults = 12

/** What is not as it was sealed, named with the conclusion. */
function Faults({ report }: { report: VerificationReport }): ReactNode {
  const text = useText()
  const faults = report.pieces.filter(({ state }) => state === 'altered' || state === 'missing' || state === 'added')
  if (faults.length === 0) return null
  return (
    <ul className={styles['plain']}>
      {faults.slice(0, mostFaults).map(({ path, state }) => (
        <li key={path}>
          <code>{visible(path)}</code> – {text(`verification.state.${state}`)}
        </li>
      ))}
    </ul>
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
  const words = useWords()
  const { subject, root, seal } = props.report
  const instant = (at: string) => formatExact(at, locale)
  const rows: (readonly [string, ReactNode])[] = []
  if (subject !== null) {
    if (subject.requested_url !== subject.final_url)
      rows.push([text('site.proofs.fact.requested'), <bdi key="q">{visible(subject.requested_url)}</bdi>])
    rows.push(
      [text('site.proofs.fact.page'), <bdi key="p">{visible(subject.final_url)}</bdi>],
      [text('site.proofs.fact.captured'), instant(subject.started_at)],
      [text('site.proofs.fact.software'), visible(subject.software)],
      [text('verification.minutes.asked_by'), text('verification.minutes.asked_by.unnamed')],
    )
  }
  if (root !== null) rows.push([text('site.proofs.fact.root'), <code key="r">{groupHex(root)}</code>])
  if (seal !== null) {
    if (seal.signer !== null) {
      rows.push([
        text('site.proofs.fact.signer'),
        <>
          {nameOfAuthority(seal.signer.name, words)}
          {seal.signed_at === null ? null : `, ${instant(seal.signed_at)}`}
        </>,
      ])
    }
    for (const stamp of seal.timestamps) {
      rows.push([
        text('site.proofs.fact.dated'),
        <>
          {instant(stamp.gen_time)} · {nameOfAuthority(stamp.authority, words)}
          <br />
          <strong>{text(stamp.embedded ? 'verification.embedded_authority' : 'verification.outside_authority')}</strong>
        </>,
      ])
    }
    rows.push([text('verification.minutes.anchor'), anchorSaid(props.report, words)])
  }
  if (rows.length === 0) return null
  return (
    <div>
      <Facts rows={rows} />
      {seal === null ? null : <p className={styles['note']}>{describeQualified(props.report, words)}</p>}
    </div>
  )
}

function Pieces(props: { report: VerificationReport }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { pieces } = props.report
  if (pieces.length === 0) return null
  const faults = pieces.filter(({ state }) => !['intact', 'withheld', 'system_file'].includes(state))
  const others = pieces.filter((piece) => !faults.includes(piece))
  const withheld = others.filter(({ state }) => state === 'withheld').length
  const line = (piece: VerifiedPiece) => (
    <li key={piece.path} data-piece={piece.state}>
      <span className={styles['state']}>{text(`verification.state.${piece.state}`)}</span>
      <code>{visible(piece.path)}</code>
      <span className={styles['soft']}>{piece.bytes === null ? null : formatBytes(piece.bytes, locale)}</span>
    </li>
  )
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h3 id={id}>{text('site.proofs.pieces', { count: pieces.length, faults: faults.length })}</h3>
      {faults.length === 0 ? null : <ul className={styles['pieces']}>{faults.map(line)}</ul>}
      {others.length === 0 ? null : (
        <details className={styles['folded']}>
          <summary>{text('verification.pieces.others', { count: others.length, withheld })}</summary>
          <ul className={styles['pieces']}>{others.map(line)}</ul>
        </details>
      )}
    </section>
  )
}

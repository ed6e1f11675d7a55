import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { useMeasuredValues } from '../life/measured-values.ts'
import { AgainWithoutBanner } from './AgainWithoutBanner.tsx'
import { LiveInstead } from './LiveInstead.tsx'
import type { StrongAction } from './strongest-action.ts'
import styles from './preview.module.css'

/** Advice in the order in which it is given. */
const saidAdvice = ['retry', 'cookie_option', 'check_address', 'interactive'] as const

/** The quality gate in words, before anyone agrees: nothing is hidden that will be sealed. */
export function Warnings(props: {
  evidence: Evidence
  preview: EvidencePreview
  token: EvidenceToken
  strong: StrongAction
}): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const measured = useMeasuredValues()
  const { evidence } = props
  const { warnings, completeness, quality } = props.preview
  const { verdict, advice, coverage } = quality
  const lines = warnings.map((warning) => optionalText(`capture.warning.${warning.code}`, measured(warning.data)) ?? warning.code)
  if (completeness.state === 'incomplete') {
    lines.push(text('evidence.network.incomplete', { count: completeness.losses.length }))
  }
  // Whoever steered himself has no other way to be sent to.
  const said = saidAdvice.filter(
    (one) => advice.includes(one) && (evidence.action === 'static' || (one !== 'interactive' && one !== 'cookie_option')),
  )
  return (
    <section className={styles['quality']} data-verdict={verdict} aria-labelledby="quality-heading">
      <h2 id="quality-heading">{text('capture.quality.heading', { verdict: text(`capture.quality.verdict.${verdict}`) })}</h2>
      <p>{text(`capture.quality.sentence.${verdict}`)}</p>
      <p>{text('capture.quality.coverage', coverage)}</p>
      {lines.length === 0 ? null : (
        <>
          <h3>{text('evidence.warnings.heading', { count: lines.length })}</h3>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {said.map((one) => (
        <p key={one} className={styles['advice']}>
          {text(`capture.quality.advice.${one}`)}
        </p>
      ))}
      {said.includes('cookie_option') && evidence.status === 'to_validate' ? (
        <AgainWithoutBanner evidence={evidence} token={props.token} strong={props.strong === 'cookie_option'} />
      ) : null}
      {said.includes('interactive') && evidence.status === 'to_validate' ? (
        <LiveInstead url={evidence.page_url} strong={props.strong === 'interactive'} />
      ) : null}
    </section>
  )
}

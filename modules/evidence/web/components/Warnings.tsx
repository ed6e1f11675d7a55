import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import type { EvidencePreview } from '../../contract/evidence.ts'
import { useMeasuredValues } from '../measured-values.ts'
import styles from './preview.module.css'

/** The quality gate in words, before anyone agrees: nothing is hidden that will be sealed. */
export function Warnings(props: { preview: EvidencePreview }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const measured = useMeasuredValues()
  const { warnings, completeness } = props.preview
  if (warnings.length === 0 && completeness.state === 'complete')
    return <p className={styles['clear']}>{text('evidence.warnings.none')}</p>
  const lines = warnings.map((warning) => optionalText(`capture.warning.${warning.code}`, measured(warning.data)) ?? warning.code)
  if (completeness.state === 'incomplete') {
    lines.push(text('evidence.network.incomplete', { count: completeness.losses.length }))
  }
  return (
    <section className={styles['warnings']} aria-labelledby="warnings-heading">
      <h2 id="warnings-heading">{text('evidence.warnings.heading', { count: lines.length })}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { presenceOf } from '../../../capture/contract/conditions.ts'
import type { EvidencePreview } from '../../contract/evidence.ts'
import { useMeasuredValues } from '../life/measured-values.ts'
import styles from './preview.module.css'

/** The conditions of the capture: met, not met or not measured, each with what was measured. */
export function PreviewChecklist(props: { preview: EvidencePreview }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const measured = useMeasuredValues()
  const lines = props.preview.checklist
  const count = (result: string) => lines.filter((line) => line.result === result).length
  return (
    <>
      <p>{text('evidence.checklist.lead')}</p>
      <p className={styles['soft']}>
        {text('evidence.checklist.summary', { pass: count('pass'), fail: count('fail'), unmeasured: count('not_measured') })}
      </p>
      <ol className={styles['plain']}>
        {lines.map((line) => {
          const detail =
            line.result === 'not_measured' && Object.values(line.data).every((value) => value === null)
              ? null
              : optionalText(`capture.checklist.${line.id}.detail`, { ...measured(line.data), ...presenceOf(line.data) })
          const why = optionalText(`capture.checklist.${line.id}.why`)
          return (
            <li key={line.id} className={styles['line']}>
              <span className={styles['state']} data-result={line.result}>
                {text(`evidence.checklist.${line.result}`)}
              </span>
              <div>
                <p>
                  <b>{optionalText(`capture.checklist.${line.id}.title`, measured(line.data)) ?? line.id}</b>
                </p>
                {why === null ? null : <p className={styles['soft']}>{why}</p>}
                {detail === null ? null : <p>{detail}</p>}
                {line.evidence_path === null ? null : (
                  <p className={styles['soft']}>
                    {text('evidence.checklist.raw')} <code>{line.evidence_path}</code>
                  </p>
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

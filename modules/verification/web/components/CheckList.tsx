import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Check } from '../../domain/report.ts'
import styles from './verification-result.module.css'

/** Each check in plain words; the failed ones first; the command of a common tool to repeat it. */
export function CheckList(props: { checks: readonly Check[] }): ReactNode {
  const text = useText()
  const order = { failed: 0, indeterminate: 1, passed: 2 }
  const checks = props.checks.toSorted((a, b) => order[a.status] - order[b.status])
  return (
    <section aria-labelledby="checks-heading" className={styles['section']}>
      <h3 id="checks-heading">{text('site.proofs.checks', { count: checks.length })}</h3>
      <ul className={styles['checks']}>
        {checks.map((check, i) => (
          <CheckLine key={i} check={check} />
        ))}
      </ul>
    </section>
  )
}

function CheckLine(props: { check: Check }): ReactNode {
  const text = useText()
  const words = useCheckWords()
  const { check } = props
  return (
    <li data-status={check.status}>
      <span className={styles['state']}>{text(`site.proofs.check.${check.status}`)}</span>
      <div>
        <p>{words(check)}</p>
        {check.subject === undefined ? null : (
          <p className={styles['soft']}>
            <code>{visible(check.subject)}</code>
          </p>
        )}
        {check.repeat_command === undefined ? null : (
          <details>
            <summary>{text('site.proofs.repeat')}</summary>
            <pre tabIndex={0}>
              <code>{visible(check.repeat_command)}</code>
            </pre>
          </details>
        )}
      </div>
    </li>
  )
}

/** The sentence of a check, with its reason; hostile values are made visible before they are put into it. */
function useCheckWords(): (check: Check) => string {
  const optionalText = useOptionalText()
  return ({ id, status, data, subject }) => {
    const values: Record<string, string | number> = { subject: visible(subject ?? '') }
    for (const [name, value] of Object.entries(data)) values[name] = typeof value === 'string' ? visible(value) : value
    const sentence = optionalText(`verification.check.${id}.${status}`, values) ?? id
    const reason =
      typeof data['reason'] === 'string' ? (optionalText(`verification.reason.${data['reason']}`, values) ?? data['reason']) : ''
    return reason === '' ? sentence : `${sentence} ${reason}`
  }
}

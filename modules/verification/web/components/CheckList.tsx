import { useId, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { describeCheck } from '../../domain/describe-check.ts'
import { byGravity } from '../../domain/describe-proof.ts'
import type { Check } from '../../domain/report.ts'
import { useWords } from '../use-words.ts'
import { FoldedChecks } from './FoldedChecks.tsx'
import styles from './verification-result.module.css'

/** Each check in plain words; what passed is folded away; the command of a common tool to repeat it. */
export function CheckList(props: { checks: readonly Check[] }): ReactNode {
  const text = useText()
  const id = useId()
  const checks = byGravity(props.checks)
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h3 id={id}>{text('site.proofs.checks', { count: checks.length })}</h3>
      <FoldedChecks checks={checks} renderCheck={(check, i) => <CheckLine key={i} check={check} />} />
    </section>
  )
}

function CheckLine(props: { check: Check }): ReactNode {
  const text = useText()
  const { check } = props
  const { title, sentence } = describeCheck(check, useWords())
  return (
    <li data-status={check.status}>
      <span className={styles['state']}>{text(`verification.status.${check.status}`)}</span>
      <div>
        <h4>{title}</h4>
        <p>{sentence}</p>
        {check.subject === undefined || sentence.includes(visible(check.subject)) ? null : (
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

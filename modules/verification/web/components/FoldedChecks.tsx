import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { CheckStatus } from '../../domain/report.ts'
import styles from './verification-result.module.css'

/** What did not pass is read first, and in full; the rest is one line until it is asked for. */
export function FoldedChecks<Each extends { readonly status: CheckStatus }>(props: {
  checks: readonly Each[]
  renderCheck: (check: Each, index: number) => ReactNode
}): ReactNode {
  const text = useText()
  const passed = props.checks.filter(({ status }) => status === 'passed')
  const open = props.checks.filter(({ status }) => status !== 'passed')
  return (
    <>
      {open.length === 0 ? null : <ul className={styles['checks']}>{open.map(props.renderCheck)}</ul>}
      {passed.length === 0 ? null : (
        <details className={styles['folded']}>
          <summary>{text('verification.checks.passed', { count: passed.length })}</summary>
          <ul className={styles['checks']}>{passed.map(props.renderCheck)}</ul>
        </details>
      )}
    </>
  )
}

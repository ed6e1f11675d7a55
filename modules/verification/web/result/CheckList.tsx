import type { ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { groupHex } from '../../../../ui/intl/format.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { byGravity, describeStep } from '../../domain/describe/describe-proof.ts'
import type { ProofCheck, Step } from '../../domain/report/proof-report.ts'
import { useWords } from './use-words.ts'
import styles from './verification-result.module.css'

/** More steps than a reader follows on a screen; the report has them all. */
const mostSteps = 40

type Check = Pick<ProofCheck, 'status' | 'steps' | 'repeat_command'>
/** In plain words; `about` is what was checked, and empty when the words name it. */
type Description = { readonly title: string; readonly sentence: string; readonly about: string }

/**
 * Each check of a package or a proof in plain words, with the bytes that were hashed and the command of a common tool that repeats it.
 * What did not pass is read first, and in full; the rest is one line until it is asked for.
 */
export function CheckList<Each extends Check>(props: {
  checks: readonly Each[]
  describe: (check: Each) => Description
}): ReactNode {
  const text = useText()
  const checks = byGravity(props.checks)
  const passed = checks.filter(({ status }) => status === 'passed')
  const open = checks.filter(({ status }) => status !== 'passed')
  const line = (check: Each, i: number) => <CheckLine key={i} check={check} {...props.describe(check)} />
  return (
    <section className={styles['section']}>
      <h3>{text('verification.page.checks', { count: checks.length })}</h3>
      {open.length === 0 ? null : <ul className={styles['checks']}>{open.map(line)}</ul>}
      {passed.length === 0 ? null : (
        <details className={styles['folded']}>
          <summary>{text('verification.checks.passed', { count: passed.length })}</summary>
          <ul className={styles['checks']}>{passed.map(line)}</ul>
        </details>
      )}
    </section>
  )
}

function CheckLine(props: { check: Check } & Description): ReactNode {
  const text = useText()
  const { check, title, sentence, about } = props
  const steps = check.steps ?? []
  return (
    <li data-status={check.status}>
      <span className={styles['state']}>{text(`verification.status.${check.status}`)}</span>
      <div>
        <h4>{title}</h4>
        <p>{sentence}</p>
        {about === '' ? null : (
          <p className={styles['soft']}>
            <code>{about}</code>
          </p>
        )}
        {steps.length === 0 ? null : <Steps steps={steps} />}
        {check.repeat_command === undefined ? null : (
          <details>
            <summary>{text('verification.page.repeat')}</summary>
            <pre tabIndex={0}>
              <code>{visible(check.repeat_command)}</code>
            </pre>
            <CopyButton value={check.repeat_command} what={text('verification.page.command')} />
          </details>
        )}
      </div>
    </li>
  )
}

function Steps(props: { steps: readonly Step[] }): ReactNode {
  const text = useText()
  const words = useWords()
  const { steps } = props
  return (
    <details>
      <summary>{text('verification.page.steps', { count: steps.length })}</summary>
      <ol className={styles['steps']}>
        {steps.slice(0, mostSteps).map((step, i) => (
          <li key={i}>
            <b>{describeStep(step.operation, words)}</b> · {text('verification.proof.step_in', { bytes: step.input_bytes })}
            <code>
              {groupHex(step.input)}
              {step.input_bytes * 2 > step.input.length ? '…' : ''}
            </code>
            → <code>{groupHex(step.output)}</code>
          </li>
        ))}
      </ol>
      {steps.length > mostSteps ? <p>{text('verification.page.steps_cut', { count: steps.length - mostSteps })}</p> : null}
    </details>
  )
}

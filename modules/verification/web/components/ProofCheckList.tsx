import type { ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { groupHex } from '../../../../ui/intl/format.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { byGravity, describeProofCheck, describeStep } from '../../domain/describe-proof.ts'
import type { ProofCheck, Step } from '../../domain/proof.ts'
import { useWords } from '../use-words.ts'
import { FoldedChecks } from './FoldedChecks.tsx'
import styles from './verification-result.module.css'

/** More steps than a reader follows on a screen; the report has them all. */
const mostSteps = 40

/** Each check in plain words, what passed folded away, with the bytes that were hashed and the command that repeats it. */
export function ProofCheckList(props: { kind: string; checks: readonly ProofCheck[] }): ReactNode {
  const text = useText()
  return (
    <section className={styles['section']}>
      <h3>{text('verification.page.checks', { count: props.checks.length })}</h3>
      <FoldedChecks
        checks={byGravity(props.checks)}
        renderCheck={(check, i) => <CheckLine key={i} kind={props.kind} check={check} />}
      />
    </section>
  )
}

function CheckLine(props: { kind: string; check: ProofCheck }): ReactNode {
  const text = useText()
  const { kind, check } = props
  const { title, sentence, about } = describeProofCheck(kind, check, useWords())
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

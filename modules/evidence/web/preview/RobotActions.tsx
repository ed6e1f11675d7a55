import type { ReactNode } from 'react'
import { formatExact } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { EvidencePreview } from '../../contract/evidence.ts'
import styles from './robot-actions.module.css'

/** What the robot did to the page before it was photographed, in order; nothing when nobody asked for anything. */
export function RobotActions(props: { preview: EvidencePreview }): ReactNode {
  const text = useText()
  const { scenario, cookie_banner } = props.preview
  if (scenario === null && cookie_banner === null) return null
  return (
    <section className={styles['robot']} aria-labelledby="robot-heading">
      <h2 id="robot-heading">{text('evidence.robot.heading')}</h2>
      {cookie_banner === null ? null : <Banner banner={cookie_banner} />}
      {scenario === null ? null : <Steps scenario={scenario} />}
    </section>
  )
}

function Banner({ banner }: { banner: NonNullable<EvidencePreview['cookie_banner']> }): ReactNode {
  const locale = useLocale()
  return (
    <p data-result={banner.result}>
      <Message
        id={`evidence.robot.cookies.${banner.result}`}
        values={{
          text: visible(banner.text ?? ''),
          at: banner.at === null ? '' : formatExact(banner.at, locale),
        }}
      />
      {banner.selector === null ? null : (
        <>
          {' '}
          <code>{visible(banner.selector)}</code>
        </>
      )}
    </p>
  )
}

/** A page with nothing folded away, or without a banner, is no fault. */
const leavesNothing = ({ kind, result }: NonNullable<EvidencePreview['scenario']>['steps'][number]) =>
  result === 'not_found' && (kind === 'expand' || kind === 'dismiss_cookie_banner')

function Steps({ scenario }: { scenario: NonNullable<EvidencePreview['scenario']> }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const locale = useLocale()
  return (
    <>
      <p>
        <Message
          id="evidence.robot.scenario"
          values={{ name: visible(scenario.name[locale]), version: scenario.version, count: scenario.steps.length }}
        />
      </p>
      {scenario.steps.length === 0 ? null : (
        <ol>
          {scenario.steps.map((step) => (
            <li key={step.index} data-result={leavesNothing(step) ? 'nothing' : step.result}>
              <span>
                {optionalText(`evidence.robot.step.${step.kind}`) ?? step.kind}
                {step.text === null ? null : ` ${text('evidence.robot.quoted', { text: visible(step.text) })}`}
                {step.target === null ? null : (
                  <>
                    {' '}
                    <code>{visible(step.target)}</code>
                  </>
                )}
              </span>
              <span className={styles['result']}>
                {text(`evidence.robot.result.${leavesNothing(step) ? 'nothing' : step.result}`)}
                {step.reason === null ? null : ` – ${optionalText(`evidence.robot.reason.${step.reason}`) ?? step.reason}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

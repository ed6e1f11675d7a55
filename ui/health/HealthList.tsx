import type { ReactNode } from 'react'
import type { ShownProofHealth } from '../../kernel/proof-health.ts'
import { formatExact, formatInstant } from '../intl/format.ts'
import { useLocale, useText } from '../intl/text.tsx'
import { visible } from '../intl/visible.ts'
import styles from './health.module.css'

type Element = ShownProofHealth['elements'][number]

/** What is told of, whose words these are. */
export type HealthOf = 'evidence' | 'document'

/** What proves something today, until when, and what is done about it next. */
export function HealthList(props: {
  of: HealthOf
  /** Undefined: on its way, or it could not be read. */
  health: ShownProofHealth | undefined
  isError: boolean
  /** Stands above the details. */
  badges: ReactNode
}): ReactNode {
  const text = useText()
  const { of, health } = props
  return (
    <section aria-labelledby="health-heading" className={styles['health']}>
      <h2 id="health-heading">{text(`${of}.health.title`)}</h2>
      {health === undefined ? (
        <p role="status">{text(props.isError ? `${of}.health.failed` : `${of}.health.loading`)}</p>
      ) : (
        <>
          {props.badges}
          <p>{text(`${of}.health.${health.state}`)}</p>
          <ul>
            {health.elements.map((element) => (
              <li key={`${element.kind} ${element.subject}`} data-state={element.state}>
                <Described of={of} element={element} health={health} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Described({ of, element, health }: { of: HealthOf; element: Element; health: ShownProofHealth }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const date = (iso: string | null): string => (iso === null ? '' : formatInstant(iso, locale))
  const { kind, subject } = element
  const { facts } = health
  const stamp = facts.stamps.find(({ file }) => kind === 'stamp' && file === subject)
  const authority = visible(stamp?.authority ?? '')
  const anchor = facts.anchor
  const names = new Intl.ListFormat(locale).format(facts.pending_authorities.map(visible))
  const said = {
    stamp: () => text(`${of}.health.stamp.${stampState(element.state)}`, { date: date(element.until) }),
    authorities: () =>
      text(`${of}.health.authorities.${element.state === 'given_up' ? 'given_up' : 'pending'}`, {
        count: Number(subject),
        names,
      }),
    log: () =>
      text(`${of}.health.log.sound`, {
        index: Number(subject),
        date: date(facts.log?.logged_at ?? null),
        count: facts.log?.cosignatures ?? 0,
      }),
    anchor: () =>
      anchor?.state === 'anchored'
        ? text(`${of}.health.anchor.${anchor.network === 'main' ? 'sound' : 'test'}`, {
            height: anchor.block_height,
            date: date(anchor.block_time),
          })
        : [
            text(`${of}.health.anchor.pending`, { date: date(anchor?.since ?? null) }),
            ...(anchor?.network === 'test' ? [text(`${of}.anchor.test`)] : []),
          ].join(' '),
  }
  return (
    <>
      <h3>
        {kind === 'stamp'
          ? text(`${of}.health.${(stamp?.covers ?? []).length > 0 ? 'renewal' : 'stamp'}`, { authority })
          : text(`${of}.health.${kind}`)}
      </h3>
      <p>{said[kind]()}</p>
      <Next of={of} element={element} assessedAt={health.assessed_at} />
      {stamp === undefined ? null : (
        <p className={styles['soft']}>
          {text(`${of}.health.stamped`, { date: formatExact(stamp.at, locale), file: stamp.file })}
        </p>
      )}
    </>
  )
}

const stampStates = ['sound', 'ageing', 'renewed', 'ended', 'weak'] as const
const stampState = (state: Element['state']) => stampStates.find((known) => known === state) ?? 'sound'

function Next({ of, element, assessedAt }: { of: HealthOf; element: Element; assessedAt: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { action, at } = element.next
  if (action === 'none' || at === null) return null
  const due = action === 'renew' && at <= assessedAt
  return <p>{text(`${of}.health.next.${due ? 'renew.due' : action}`, { date: formatInstant(at, locale) })}</p>
}

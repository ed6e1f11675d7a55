import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Evidence } from '../../contract/evidence.ts'
import type { ShownProofHealth } from '../../../../kernel/proof-health.ts'
import type { EvidenceToken } from '../held-evidences.ts'
import { proofHealthQuery } from '../queries.ts'
import styles from './proof-health.module.css'

type Element = ShownProofHealth['elements'][number]

const badgeOf = { anchored: 'evidence.health.badge.anchored', pending: 'evidence.health.badge.pending' } as const

/** Until when a time stamp speaks for itself, and whether the Bitcoin chain does: in a row of the list, and above the details. */
export function HealthBadges(props: {
  evidence: Pick<Evidence, 'seal' | 'anchor'>
  /** As measured on the files, where it was; null: none holds. */
  until?: string | null
  now: number
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { seal, anchor } = props.evidence
  const until = props.until ?? seal?.stamped_until ?? null
  const ended = until !== null && Date.parse(until) <= props.now
  if (until === null && anchor === null) return null
  return (
    <p className={styles['badges']}>
      {until === null ? null : (
        <span data-tone={ended ? 'caution' : 'good'}>
          {text(ended ? 'evidence.health.badge.ended' : 'evidence.health.badge.until', { date: formatInstant(until, locale) })}
        </span>
      )}
      {anchor === null ? null : (
        <span data-tone={anchor.network === 'test' ? 'caution' : anchor.state === 'anchored' ? 'good' : 'plain'}>
          {text(anchor.network === 'test' ? 'evidence.health.badge.test' : badgeOf[anchor.state])}
        </span>
      )}
    </p>
  )
}

/** What proves the report today, until when, and what is done about it next. */
export function ProofHealth(props: { evidence: Evidence; token: EvidenceToken }): ReactNode {
  const text = useText()
  const { evidence, token } = props
  const stands = `${evidence.anchor?.state ?? ''} ${evidence.seal?.stamped_until ?? ''}`
  const { data, isError } = useQuery(proofHealthQuery(evidence.id, token, stands))
  return (
    <section aria-labelledby="health-heading" className={styles['health']}>
      <h2 id="health-heading">{text('evidence.health.title')}</h2>
      {data === undefined ? (
        <p role="status">{text(isError ? 'evidence.health.failed' : 'evidence.health.loading')}</p>
      ) : (
        <>
          <HealthBadges evidence={evidence} until={data.stamped_until} now={Date.parse(data.assessed_at)} />
          <p>{text(`evidence.health.${data.state}`)}</p>
          <ul>
            {data.elements.map((element) => (
              <li key={`${element.kind} ${element.subject}`} data-state={element.state}>
                <Described element={element} health={data} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Described({ element, health }: { element: Element; health: ShownProofHealth }): ReactNode {
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
    stamp: () => text(stampWords(element.state), { date: date(element.until) }),
    authorities: () =>
      text(element.state === 'given_up' ? 'evidence.health.authorities.given_up' : 'evidence.health.authorities.pending', {
        count: Number(subject),
        names,
      }),
    log: () =>
      text('evidence.health.log.sound', {
        index: Number(subject),
        date: date(facts.log?.logged_at ?? null),
        count: facts.log?.cosignatures ?? 0,
      }),
    anchor: () =>
      anchor?.state === 'anchored'
        ? text(anchor.network === 'main' ? 'evidence.health.anchor.sound' : 'evidence.health.anchor.test', {
            height: anchor.block_height,
            date: date(anchor.block_time),
          })
        : [
            text('evidence.health.anchor.pending', { date: date(anchor?.since ?? null) }),
            ...(anchor?.network === 'test' ? [text('evidence.anchor.test')] : []),
          ].join(' '),
  }
  const renewal = subject.startsWith('seal/renewal-')
  return (
    <>
      <h3>
        {kind === 'stamp'
          ? text(renewal ? 'evidence.health.renewal' : 'evidence.health.stamp', { authority })
          : text(`evidence.health.${kind}`)}
      </h3>
      <p>{said[kind]()}</p>
      <Next element={element} assessedAt={health.assessed_at} />
      {stamp === undefined ? null : (
        <p className={styles['soft']}>
          {text('evidence.health.stamped', { date: formatInstant(stamp.at, locale, { seconds: true }), file: stamp.file })}
        </p>
      )}
    </>
  )
}

const stampStates = ['sound', 'ageing', 'renewed', 'ended', 'weak'] as const

function stampWords(state: Element['state']) {
  return `evidence.health.stamp.${stampStates.find((known) => known === state) ?? 'sound'}` as const
}

function Next({ element, assessedAt }: { element: Element; assessedAt: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { action, at } = element.next
  if (action === 'none' || at === null) return null
  const due = action === 'renew' && at <= assessedAt
  return (
    <p>{text(due ? 'evidence.health.next.renew.due' : `evidence.health.next.${action}`, { date: formatInstant(at, locale) })}</p>
  )
}

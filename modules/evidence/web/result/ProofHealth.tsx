import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Badges, type Badge } from '../../../../ui/health/Badges.tsx'
import { HealthList } from '../../../../ui/health/HealthList.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { proofHealthQuery } from '../life/queries.ts'

const badgeOf = { anchored: 'evidence.health.badge.anchored', pending: 'evidence.health.badge.pending' } as const

/**
 * Until when a time stamp speaks for itself, and whether the Bitcoin chain does: in a row of the list, and above the details.
 * @param measured on the files, where it was; null: none holds
 */
export function useHealthBadges(
  { seal, anchor }: Pick<Evidence, 'seal' | 'anchor'>,
  now: number,
  measured: string | null = null,
): readonly Badge[] {
  const text = useText()
  const locale = useLocale()
  const until = measured ?? seal?.stamped_until ?? null
  const badges: Badge[] = []
  if (until !== null) {
    const date = formatInstant(until, locale)
    const ended = Date.parse(until) <= now
    badges.push(
      ended
        ? { tone: 'caution', words: text('evidence.health.badge.ended', { date }) }
        : { tone: 'good', words: text('evidence.health.badge.until', { date }) },
    )
  }
  if (anchor !== null)
    badges.push(
      anchor.network === 'test'
        ? { tone: 'caution', words: text('evidence.health.badge.test') }
        : { tone: anchor.state === 'anchored' ? 'good' : 'plain', words: text(badgeOf[anchor.state]) },
    )
  return badges
}

function HealthBadges(props: { evidence: Evidence; until: string | null; now: number }): ReactNode {
  return <Badges badges={useHealthBadges(props.evidence, props.now, props.until)} />
}

/** What proves the report today, until when, and what is done about it next. */
export function ProofHealth(props: { evidence: Evidence; token: EvidenceToken }): ReactNode {
  const { evidence, token } = props
  const stands = `${evidence.anchor?.state ?? ''} ${evidence.seal?.stamped_until ?? ''}`
  const { data, isError } = useQuery(proofHealthQuery(evidence.id, token, stands))
  return (
    <HealthList
      of="evidence"
      health={data}
      isError={isError}
      badges={
        data === undefined ? null : (
          <HealthBadges evidence={evidence} until={data.stamped_until} now={Date.parse(data.assessed_at)} />
        )
      }
    />
  )
}

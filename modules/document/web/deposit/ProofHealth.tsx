import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Badges } from '../../../../ui/health/Badges.tsx'
import { HealthList } from '../../../../ui/health/HealthList.tsx'
import { formatDay, formatExact, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Document } from '../../contract/document.ts'
import { healthQuery } from './queries.ts'

/** What proves the deposit today, until when, by which certificates that was measured, and what is done about it next. */
export function ProofHealth(props: { document: Document }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data, isError } = useQuery(healthQuery(props.document))
  return (
    <HealthList
      of="document"
      health={data}
      isError={isError}
      badges={
        data === undefined ? null : (
          <>
            <Badges
              badges={
                data.stamped_until === null
                  ? []
                  : [
                      {
                        tone: 'good',
                        words: text('document.health.badge.until', { date: formatInstant(data.stamped_until, locale) }),
                      },
                    ]
              }
            />
            <p>{text('document.health.measured', { date: formatExact(data.assessed_at, locale) })}</p>
          </>
        )
      }
    />
  )
}

/** In a row of the list: until when it is dated, as the certificates said when they were read last. */
export function HealthSign(props: { health: Document['health'] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { health } = props
  if (health === null) return null
  const date = formatDay(health.stamped_until.slice(0, 10), locale)
  const measured = text('document.health.measured', { date: formatInstant(health.assessed_at, locale) })
  return (
    <span title={measured} data-health={health.state}>
      {text(`document.health.sign.${health.state}`, { date })}
    </span>
  )
}

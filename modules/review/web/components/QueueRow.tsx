import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { Badge, BadgeRow } from '../../../../ui/controls/Badge.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AdminUserEntry } from '../../contract/review.ts'
import { formatAgo } from '../format-ago.ts'
import { useQueueSearch, writeQueueSearch } from '../queue-search.ts'
import styles from '../users.module.css'

const toneOf = { collecting: 'plain', pending: 'accent', success: 'good', failure: 'bad' } as const

export function QueueRow(props: { entry: AdminUserEntry; own: boolean; busy: boolean; onOpen: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const search = useQueueSearch()
  const { entry } = props
  const { verification } = entry
  const name = visible(`${entry.first_name} ${entry.last_name}`)
  const submitted = verification?.submitted_at ?? null
  const ago = submitted === null ? null : formatAgo(Date.parse(submitted), serverNow(), locale)
  return (
    <li className={styles['row']}>
      <div className={styles['who']}>
        <Link
          className={styles['open']}
          data-open=""
          to="/$locale/admin/$/"
          params={{ locale, _splat: `users/${entry.id}` }}
          search={writeQueueSearch(search)}
          preload={false}
          aria-busy={props.busy}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            props.onOpen()
          }}
        >
          {name}
        </Link>
        {entry.company_name === null ? null : <span> – {visible(entry.company_name)}</span>}
        <p className={styles['soft']}>{visible(entry.email)}</p>
      </div>
      <BadgeRow>
        {props.own ? <Badge tone="plain">{text('review.page.yourself')}</Badge> : null}
        {entry.roles.map((role) => (
          <Badge key={role} tone="plain">
            {text(`review.page.role.${role}`)}
          </Badge>
        ))}
        {entry.status === 'active' ? null : <Badge tone="caution">{text(`review.page.status.${entry.status}`)}</Badge>}
        {verification?.stands_since == null ? null : <Badge tone="plain">{text('review.page.replacement')}</Badge>}
        {verification?.awaits_second === true ? <Badge tone="caution">{text('review.page.awaits_second')}</Badge> : null}
        {verification?.claim == null ? null : (
          <Badge tone={verification.claim.own ? 'good' : 'caution'}>
            {verification.claim.own
              ? text('review.page.claim.yours')
              : text('review.page.claim.by', { name: visible(verification.claim.by.name) })}
          </Badge>
        )}
        {verification === null ? null : (
          <Badge tone={toneOf[verification.state]}>{text(`review.page.filter.state.${verification.state}`)}</Badge>
        )}
      </BadgeRow>
      <p className={styles['when']}>
        {verification === null || submitted === null ? (
          text('review.page.registered', { date: formatInstant(entry.created_at, locale) })
        ) : (
          <>
            <time dateTime={submitted} title={formatInstant(submitted, locale)}>
              {ago === null ? text('review.page.sent_now') : text('review.page.sent_ago', { ago })}
            </time>
            {verification.state === 'pending'
              ? ` · ${text('review.page.documents_count', { count: verification.documents })}`
              : null}
          </>
        )}
      </p>
    </li>
  )
}

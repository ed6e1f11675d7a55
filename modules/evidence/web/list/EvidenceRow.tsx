import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { dot } from '../../../../ui/intl/dot.ts'
import { formatCountdown, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { ListRow } from '../../../../ui/list/ListRow.tsx'
import { RowPicture } from '../../../../ui/list/RowPicture.tsx'
import styles from '../../../../ui/list/rows.module.css'
import { useIsNarrow } from '../../../../ui/list/use-is-narrow.ts'
import type { Evidence, EvidenceAnchor } from '../../contract/evidence.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import { useHealthBadges } from '../result/ProofHealth.tsx'

type Held = { readonly id: string; readonly page_url: string; readonly created_at: string }

/** One line of a list: what it looks like, what it is, how far it is. `evidence` is null while it is read, or when it could not be. */
export function EvidenceRow(props: {
  held: Held
  evidence: Evidence | null
  failed: boolean
  /** Said after the date. */
  more?: ReactNode
  /** Where rows can be selected. */
  check?: ReactNode
  selected?: boolean
  /** What is done most. */
  action?: ReactNode
  menu?: ReactNode
  below?: ReactNode
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const narrow = useIsNarrow()
  const { held, evidence } = props
  const title = evidence?.preview?.title ?? ''
  const picture = evidence?.preview?.thumbnail_url ?? null
  const label = evidence?.label ?? ''
  const reference = label === '' ? null : <span className={styles['reference']}>{visible(label)}</span>
  const status =
    evidence === null
      ? props.failed
        ? text('evidence.list.unreachable')
        : text('ui.loading')
      : evidence.status === 'final' && evidence.content_deleted_at !== null
        ? text('evidence.list.files_deleted')
        : text(`evidence.status.${evidence.status}`)
  return (
    <ListRow
      check={props.check}
      selected={props.selected ?? false}
      picture={
        <RowPicture
          url={picture === null ? null : apiAddress(picture)}
          instead={evidence?.action === 'interactive' ? '▶' : '—'}
        />
      }
      name={
        <Link
          to="/$locale/capture/$id/"
          params={{ locale, id: held.id }}
          className={styles['name']}
          data-open=""
          title={title === '' ? held.page_url : title}
        >
          {title === '' ? <PageAddress url={held.page_url} /> : visible(title)}
        </Link>
      }
      aside={
        <>
          {reference}
          {title === '' ? null : <PageAddress url={held.page_url} />}
        </>
      }
      more={
        <>
          {narrow ? reference : null}
          <Kept evidence={evidence} />
          <Left evidence={evidence} />
          {narrow
            ? formatInstant(held.created_at, locale)
            : text('evidence.list.asked', { date: formatInstant(held.created_at, locale) })}
          {evidence === null ? null : (
            <>
              {dot}
              {text(`capture.action.${evidence.action}`)}
              {props.more}
              <Proofs evidence={evidence} />
            </>
          )}
        </>
      }
      status={
        <span
          className={styles['status']}
          data-status={evidence === null ? 'unknown' : evidence.content_deleted_at === null ? evidence.status : 'deleted'}
        >
          {status}
        </span>
      }
      usual={evidence?.status === 'final' && evidence.content_deleted_at === null}
      action={props.action}
      menu={props.menu}
      below={props.below}
    />
  )
}

/** Of what was thrown away, how long it is kept: before all else, as a line may be cut. */
function Kept({ evidence }: { evidence: Evidence | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (evidence === null) return null
  const { trashed_at: trashed, content_deleted_at: deleted } = evidence
  if (deleted !== null)
    return (
      <>
        {text('evidence.account.deleted', { date: formatInstant(deleted, locale) })}
        {dot}
      </>
    )
  if (trashed === null) return null
  const until = new Date(Date.parse(trashed) + trashLifetimeMs)
  return (
    <>
      {text('evidence.account.deleted_on', { date: formatInstant(until, locale) })}
      {dot}
    </>
  )
}

/** How long it waits for whoever has to decide: first, too. */
function Left({ evidence }: { evidence: Evidence | null }): ReactNode {
  const text = useText()
  const now = useServerTime(30_000)
  if (evidence === null || evidence.status !== 'to_validate' || evidence.expires_at === null) return null
  return (
    <>
      <span data-soon="true">
        {text('evidence.row.deleted_in', { time: formatCountdown(Date.parse(evidence.expires_at) - now) })}
      </span>
      {dot}
    </>
  )
}

function Proofs({ evidence }: { evidence: Evidence }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  const badges = useHealthBadges(evidence, now)
  const anchorText = ({ block }: EvidenceAnchor): string =>
    block === null
      ? text('evidence.anchor.pending')
      : `${text('evidence.anchor.block', { height: block.height })}, ${formatInstant(block.time, locale)}`
  return (
    <>
      {evidence.anchor === null ? null : (
        <>
          {dot}
          {anchorText(evidence.anchor)}
        </>
      )}
      {evidence.status !== 'final'
        ? null
        : badges.map(({ tone, words }) => (
            <span key={words} data-tone={tone}>
              {dot}
              {words}
            </span>
          ))}
    </>
  )
}

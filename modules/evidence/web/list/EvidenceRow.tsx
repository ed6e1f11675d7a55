import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { formatCountdown, formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Evidence, EvidenceAnchor } from '../../contract/evidence.ts'
import styles from '../../../../ui/list/rows.module.css'
import { HealthBadges } from '../result/ProofHealth.tsx'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'

/** One line of a list: what it looks like, what it is, how far it is. `evidence` is null while it is read, or when it could not be. */
export function EvidenceRow(props: {
  held: { readonly id: string; readonly page_url: string; readonly created_at: string }
  evidence: Evidence | null
  failed: boolean
  /** Said after the date. */
  more?: ReactNode
  /** By which it is found again. */
  label?: ReactNode
  /** Where rows can be selected. */
  check?: ReactNode
  selected?: boolean
  action: ReactNode
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  const { held, evidence } = props
  const anchorText = ({ block }: EvidenceAnchor): string =>
    block === null
      ? text('evidence.anchor.pending')
      : `${text('evidence.anchor.block', { height: block.height })}, ${formatInstant(block.time, locale)}`
  const title = evidence?.preview?.title ?? ''
  // Of a session: the last that was taken.
  const shot = evidence?.preview?.session?.screenshots.findLast(({ kind, images }) => kind === 'viewport' && images.length > 0)
  const image = shot?.images[0] ?? evidence?.preview?.images.find(({ kind }) => kind === 'viewport')
  const status =
    evidence === null
      ? props.failed
        ? text('evidence.list.unreachable')
        : text('ui.loading')
      : evidence.status === 'final' && evidence.content_deleted_at !== null
        ? text('evidence.list.files_deleted')
        : text(`evidence.status.${evidence.status}`)
  return (
    <li
      className={styles['row']}
      data-check={props.check === undefined ? undefined : ''}
      data-selected={props.selected === true ? '' : undefined}
    >
      {props.check === undefined ? null : <div className={styles['rowCheck']}>{props.check}</div>}
      <div className={styles['thumbnail']}>
        {image === undefined ? null : <img src={apiAddress(image.url)} alt="" loading="lazy" />}
      </div>
      <div className={styles['what']}>
        <Link to="/$locale/capture/$id/" params={{ locale, id: held.id }} className={styles['name']}>
          {title === '' ? <PageAddress url={held.page_url} /> : visible(title)}
        </Link>
        {title === '' ? null : (
          <p className={styles['soft']}>
            <PageAddress url={held.page_url} />
          </p>
        )}
        <p className={styles['soft']}>
          {evidence === null ? null : `${text(`capture.action.${evidence.action}`)} · `}
          {text('evidence.list.asked', { date: formatInstant(held.created_at, locale) })}
          {evidence?.status === 'to_validate' && evidence.expires_at !== null ? (
            <>
              {' · '}
              <Message
                id="evidence.preview.deleted_in"
                values={{ time: formatCountdown(Date.parse(evidence.expires_at) - now) }}
              />
            </>
          ) : null}
          {props.more}
          {evidence?.anchor == null ? null : <> · {anchorText(evidence.anchor)}</>}
        </p>
        {props.label}
        {evidence?.status !== 'final' ? null : <HealthBadges evidence={evidence} now={now} />}
      </div>
      <span
        className={styles['status']}
        data-status={evidence === null ? 'unknown' : evidence.content_deleted_at === null ? evidence.status : 'deleted'}
      >
        {status}
      </span>
      {props.action}
    </li>
  )
}

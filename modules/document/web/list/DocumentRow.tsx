import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { formatCountdown, formatInstant, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import listStyles from '../../../../ui/list/list.module.css'
import styles from '../../../../ui/list/rows.module.css'
import { useMayPay } from '../../../billing/web/index.ts'
import type { Document } from '../../contract/document.ts'
import { draftReminderMs, trashLifetimeMs, type Category } from '../../domain/status.ts'
import { CheckFile, useDroppedOn } from '../check/CheckFile.tsx'
import { HealthSign } from '../deposit/ProofHealth.tsx'
import { useDocumentName } from '../deposit/document-name.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { changesOf } from './row-changes.ts'
import own from './documents.module.css'

/** One deposit of a list: what it is called, when, how far, and what may be done with it. A file dropped on it is compared with it. */
export function DocumentRow(props: {
  document: Document
  category: Category
  userId: string
  /** As this browser knows it, where the name was not sent. */
  hiddenName: string | undefined
  manage: boolean
  check: ReactNode
  selected: boolean
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { document, category, manage } = props
  const name = useDocumentName()(document, props.hiddenName)
  const [file, setFile] = useState<File | null>(null)
  const [open, setOpen] = useState(false)
  const { over, handlers } = useDroppedOn((dropped) => {
    setFile(dropped)
    setOpen(true)
  })
  const changes = changesOf(document, category, manage).map((change) => ({ change, ids: [document.id] }))
  const buttons = { name, buttons: { size: 'compact-sm', px: 'sm' }, onDone: props.onDone } as const
  return (
    <li
      className={`${styles['row']} ${own['row']}`}
      data-check={props.check === null ? 'none' : ''}
      data-over={over}
      data-selected={props.selected ? '' : undefined}
      {...handlers}
    >
      {props.check === null ? null : <div className={styles['rowCheck']}>{props.check}</div>}
      <What document={document} name={name} userId={props.userId} hidden={props.hiddenName !== undefined} />
      <span className={`${styles['status']} ${own['status']}`} data-status={document.status}>
        {text(`document.status.${document.status}`)}
      </span>
      <div className={listStyles['rowActions']}>
        <ChangeButtons {...buttons} changes={changes.filter(({ change }) => change === 'agree')} />
        {changes.some(({ change }) => change === 'pay') ? <Pay document={document} name={name} /> : null}
        <Button
          variant="default"
          size="compact-sm"
          mih={44}
          px="sm"
          aria-label={`${text('document.check.do')} – ${name}`}
          onClick={() => {
            setFile(null)
            setOpen(true)
          }}
        >
          {text('document.check.do')}
        </Button>
        <ChangeButtons {...buttons} changes={changes.filter(({ change }) => change !== 'agree' && change !== 'pay')} />
        <CheckFile document={document} name={name} file={file} open={open} onClose={() => setOpen(false)} />
      </div>
    </li>
  )
}

/** To its own page, where what it is paid for with is said too. */
function Pay(props: { document: Document; name: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const mayPay = useMayPay('document')
  if (!mayPay) return null
  return (
    <Button
      size="compact-sm"
      mih={44}
      px="sm"
      aria-label={`${text('document.do.pay')} – ${props.name}`}
      renderRoot={(root) => <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: props.document.id }} {...root} />}
    >
      {text('document.do.pay')}
    </Button>
  )
}

function What(props: { document: Document; name: string; userId: string; hidden: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  // Who acts for somebody sees that one’s alone.
  const acting = (useSession()?.delegation ?? null) !== null
  const { document, name } = props
  // Of a copy what somebody may have to do something about, and that there is one.
  const copySaid = (state: NonNullable<Document['stored']>['state'] | undefined) =>
    state === 'waiting' || state === 'receiving' || state === 'refused' || state === 'stored'
      ? [text(`document.row.copy.${state}`)]
      : []
  const { owner, created_by: maker, trashed_at: trashed, expires_at: expires, sealed_at: sealed } = document
  const said = [
    sealed === null
      ? text('document.row.deposited', { date: formatInstant(document.created_at, locale) })
      : text('document.row.sealed', { date: formatInstant(sealed, locale) }),
    ...(document.anchor === null ? [] : [text(`document.anchor.${document.anchor.state}`)]),
    ...(acting || owner.id === props.userId ? [] : [text('document.row.owner', { name: visible(owner.name) })]),
    ...(maker === null || maker.id === owner.id ? [] : [text('document.row.by', { name: visible(maker.name) })]),
    ...(document.api_key === null ? [] : [text('document.row.key', { name: visible(document.api_key) })]),
    ...(document.share_url === null ? [] : [text('document.row.shared')]),
    ...copySaid(document.stored?.state),
    ...(trashed === null || document.content_deleted_at !== null || document.stored?.state !== 'stored'
      ? []
      : [text('document.row.copy_deleted_on', { date: formatInstant(new Date(Date.parse(trashed) + trashLifetimeMs), locale) })]),
  ]
  return (
    <div className={`${styles['what']} ${own['what']}`}>
      <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: document.id }} className={styles['name']}>
        {name}
      </Link>
      <p className={styles['soft']}>
        <code title={document.sha256}>{document.sha256.slice(0, 16)}…</code>
        {props.hidden ? ` · ${text('document.row.name_hidden')}` : null}
      </p>
      {/* A line ends after a dot and does not begin with one. */}
      <p className={styles['soft']}>
        {said.join('\u00a0· ')}
        {document.health === null ? null : (
          <>
            {'\u00a0· '}
            <HealthSign health={document.health} />
          </>
        )}
      </p>
      {document.payment === null ? null : (
        <p>
          {text(`document.row.payment.${document.payment.state}`, {
            amount: formatMoney(document.payment.to_pay_cents, 'EUR', locale),
            count: document.payment.count,
          })}
        </p>
      )}
      {(document.status !== 'draft' && document.payment === null) ||
      document.payment?.state === 'processing' ||
      expires === null ? null : (
        <p className={own['ending']} data-soon={Date.parse(expires) - now < draftReminderMs}>
          {text('document.row.deleted_in', { time: formatCountdown(Date.parse(expires) - now) })}
        </p>
      )}
      {document.label === '' ? null : (
        <p className={`${listStyles['label']} ${own['label']}`}>
          <span>{visible(document.label)}</span>
        </p>
      )}
      {document.duplicate_of === null ? null : (
        <p className={styles['soft']}>
          <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: document.duplicate_of.id }}>
            {document.duplicate_of.sealed_at === null
              ? text('document.row.duplicate_unsealed')
              : text('document.row.duplicate', { date: formatInstant(document.duplicate_of.sealed_at, locale) })}
          </Link>
        </p>
      )}
      {document.failure === null ? null : <p>{text('document.row.failed')}</p>}
    </div>
  )
}

import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { dot } from '../../../../ui/intl/dot.ts'
import { formatCountdown, formatInstant, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { ListRow } from '../../../../ui/list/ListRow.tsx'
import { RowMenu } from '../../../../ui/list/RowMenu.tsx'
import { RowPicture } from '../../../../ui/list/RowPicture.tsx'
import styles from '../../../../ui/list/rows.module.css'
import { useMayPay } from '../../../billing/web/index.ts'
import type { Document } from '../../contract/document.ts'
import { draftReminderMs, trashLifetimeMs, type Category } from '../../domain/status.ts'
import { CheckFile, useDroppedOn } from '../check/CheckFile.tsx'
import { HealthSign } from '../deposit/ProofHealth.tsx'
import { useDocumentName } from '../deposit/document-name.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { changesOf, hasProofs } from './row-changes.ts'
import { useProofsOfMany } from './use-list-change.ts'

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
  const locale = useLocale()
  const { document, category, manage } = props
  const name = useDocumentName()(document, props.hiddenName)
  const [file, setFile] = useState<File | null>(null)
  const [open, setOpen] = useState(false)
  const { over, handlers } = useDroppedOn((dropped) => {
    setFile(dropped)
    setOpen(true)
  })
  const changes = changesOf(document, category, manage).map((change) => ({ change, ids: [document.id] }))
  const [agreed, others] = [
    changes.filter(({ change }) => change === 'agree'),
    changes.filter(({ change }) => change !== 'agree' && change !== 'pay'),
  ]
  const buttons = (some: typeof changes, look: ButtonProps, onDone = props.onDone) =>
    some.length === 0 ? null : <ChangeButtons name={name} buttons={look} onDone={onDone} changes={some} />
  // A row may outlive what was done with it.
  const done = (close: () => void) => {
    close()
    props.onDone()
  }
  const first = changes.some(({ change }) => change === 'pay') ? (
    <Pay document={document} name={name} />
  ) : (
    (buttons(agreed, small) ?? <Proof document={document} name={name} />)
  )
  return (
    <ListRow
      check={props.check}
      selected={props.selected}
      on={{ 'data-over': over, ...handlers }}
      picture={<RowPicture url={null} instead={kindOf(document.document_name ?? props.hiddenName ?? '')} />}
      name={
        <Link
          to="/$locale/documents/deposit/$id/"
          params={{ locale, id: document.id }}
          className={styles['name']}
          data-open=""
          title={name}
        >
          {name}
        </Link>
      }
      aside={
        <>
          {document.label === '' ? null : <span className={styles['reference']}>{visible(document.label)}</span>}
          <code title={document.sha256}>{document.sha256.slice(0, 16)}…</code>
          {props.hiddenName === undefined ? null : ` · ${text('document.row.name_hidden')}`}
        </>
      }
      more={<More document={document} userId={props.userId} />}
      status={
        <span className={styles['status']} data-status={document.status}>
          {text(`document.status.${document.status}`)}
        </span>
      }
      usual={document.status === 'final'}
      action={first}
      menu={
        <RowMenu name={name}>
          {(close) => (
            <>
              <button
                type="button"
                aria-label={`${text('document.check.do')} – ${name}`}
                onClick={() => {
                  close()
                  setFile(null)
                  setOpen(true)
                }}
              >
                {text('document.check.do')}
              </button>
              {buttons(others, { variant: 'subtle' }, () => done(close))}
            </>
          )}
        </RowMenu>
      }
      below={
        open || document.duplicate_of !== null || document.failure !== null ? (
          <>
            <Below document={document} />
            <CheckFile document={document} name={name} file={file} open={open} onClose={() => setOpen(false)} />
          </>
        ) : null
      }
    />
  )
}

const small = { size: 'compact-sm', px: 'sm' } as const

/** The letters that its name ends with, which say of what kind it is. */
const kindOf = (name: string): string => /\.([a-z0-9]{1,4})$/i.exec(name)?.[1]?.toUpperCase() ?? '—'

/** What proves it, as one file: its certificate where that was printed, else its proofs. */
function Proof(props: { document: Document; name: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const downloading = useProofsOfMany()
  const { document, name } = props
  if (!hasProofs(document)) return null
  if (document.certificates !== null)
    return (
      <Button
        component="a"
        variant="default"
        {...small}
        href={apiAddress(document.certificates[locale])}
        target="_blank"
        rel="noopener"
        aria-label={`${text('document.certificate')} – ${name}`}
      >
        {text('document.certificate')}
      </Button>
    )
  return (
    <Button
      variant="default"
      {...small}
      aria-label={`${text('document.do.proofs')} – ${name}`}
      loading={downloading.isPending}
      onClick={() => downloading.mutate([document.id])}
    >
      {text('document.row.proofs')}
    </Button>
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
      variant="default"
      size="compact-sm"
      px="sm"
      aria-label={`${text('document.do.pay')} – ${props.name}`}
      renderRoot={(root) => <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: props.document.id }} {...root} />}
    >
      {text('document.do.pay')}
    </Button>
  )
}

function More(props: { document: Document; userId: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  // Who acts for somebody sees that one’s alone.
  const acting = (useSession()?.delegation ?? null) !== null
  const { document } = props
  // Of a copy what somebody may have to do something about, and that there is one.
  const copySaid = (state: NonNullable<Document['stored']>['state'] | undefined) =>
    state === 'waiting' || state === 'receiving' || state === 'refused' || state === 'stored'
      ? [text(`document.row.copy.${state}`)]
      : []
  const { owner, created_by: maker, trashed_at: trashed, expires_at: expires, sealed_at: sealed } = document
  const ends =
    (document.status !== 'draft' && document.payment === null) || document.payment?.state === 'processing' || expires === null
      ? null
      : Date.parse(expires) - now
  const said = [
    sealed === null
      ? text('document.row.deposited', { date: formatInstant(document.created_at, locale) })
      : // How far it is stands beside it.
        formatInstant(sealed, locale),
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
    <>
      {/* What somebody may have to do something about comes first: the end of the line may be cut off. */}
      {ends === null ? null : (
        <>
          <span data-soon={ends < draftReminderMs}>{text('document.row.deleted_in', { time: formatCountdown(ends) })}</span>
          {dot}
        </>
      )}
      {document.payment === null ? null : (
        <>
          {text(`document.row.payment.${document.payment.state}`, {
            amount: formatMoney(document.payment.to_pay_cents, 'EUR', locale),
            count: document.payment.count,
          })}
          {dot}
        </>
      )}
      {said.join(dot)}
      {document.health === null ? null : (
        <>
          {dot}
          <HealthSign health={document.health} />
        </>
      )}
    </>
  )
}

/** What is told in a line of its own: that it was deposited before, and that it failed. */
function Below({ document }: { document: Document }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <>
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
    </>
  )
}

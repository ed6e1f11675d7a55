import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type DragEvent, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { DropZone } from '../../../../ui/files/DropZone.tsx'
import { foundInTransfer } from '../../../../ui/files/found-files.ts'
import type { FileHashes } from '../../../../ui/hash/hash-blob.ts'
import type { HashFailureReason } from '../../../../ui/hash/hash-failure.ts'
import { formatBytes, formatExact, formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { depositLink } from '../deposit/deposit-link.tsx'
import { startHashing } from '../../../../ui/hash/start-hashing.ts'
import intakeStyles from '../deposit/panels.module.css'
import { earlierQuery } from '../deposit/queries.ts'
import { compare } from './check-file.ts'
import styles from './check.module.css'

type Deposit = { readonly id: string; readonly sha256: string; readonly sha512: string | null; readonly sealed_at: string | null }
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'hashing'; readonly done: number; readonly size: number }
  | { readonly kind: 'failed'; readonly reason: HashFailureReason }
  | { readonly kind: 'hashed'; readonly hashes: FileHashes; readonly name: string }

const beginning = (file: File | null): State => (file === null ? { kind: 'idle' } : { kind: 'hashing', done: 0, size: file.size })

/** A file that is dropped on something. */
export function useDroppedOn(take: (file: File) => void): {
  over: boolean
  handlers: Pick<React.HTMLAttributes<HTMLElement>, 'onDragOver' | 'onDragLeave' | 'onDrop'>
} {
  const [over, setOver] = useState(false)
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        const file = event.dataTransfer.files[0]
        setOver(false)
        if (file === undefined) return
        event.preventDefault()
        take(file)
      },
    },
  }
}

/** Whether a file is the one whose fingerprint was deposited: hashed here, and compared here. */
export function CheckFile(props: {
  document: Deposit
  name: string
  /** Given already; null: it is asked for. */
  file: File | null
  open: boolean
  onClose: () => void
}): ReactNode {
  const text = useText()
  return (
    <Dialog open={props.open} title={text('document.check.title')} onClose={props.onClose}>
      <Check key={props.file === null ? 'asked' : `${props.file.name} ${props.file.lastModified}`} {...props} />
    </Dialog>
  )
}

/** @param props.shared whoever looks has no deposits of his own to look among */
export function Check(props: { document: Deposit; name: string; file: File | null; shared?: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [file, setFile] = useState(props.file)
  const [state, setState] = useState<State>(() => beginning(props.file))
  const take = (next: File | null) => {
    setFile(next)
    setState(beginning(next))
  }
  useEffect(() => {
    if (file === null) return undefined
    const pool = startHashing()
    let current = true
    void pool
      .hash(file, (done) => {
        if (current) setState({ kind: 'hashing', done, size: file.size })
      })
      .outcome.then((outcome) => {
        pool.end()
        if (!current) return
        if (outcome.ok) setState({ kind: 'hashed', hashes: outcome, name: file.name })
        else setState({ kind: 'failed', reason: outcome.reason === 'cancelled' ? 'unreadable' : outcome.reason })
      })
    return () => {
      current = false
      pool.end()
    }
  }, [file])
  return (
    <div className={intakeStyles['intake']}>
      <p>{text('document.check.of', { name: props.name })}</p>
      <div role="status" className={intakeStyles['live']}>
        {state.kind === 'hashing' ? (
          <div className={intakeStyles['working']}>
            <p>{text('document.check.hashing', { size: formatBytes(state.size, locale) })}</p>
            <progress
              className={intakeStyles['whole']}
              value={state.done}
              max={Math.max(1, state.size)}
              aria-label={text('document.intake.progress')}
            />
          </div>
        ) : null}
        {state.kind === 'failed' ? (
          <p className={intakeStyles['notice']} data-kind="bad">
            {text(`document.intake.failed.${state.reason}`)}
          </p>
        ) : null}
        {state.kind === 'hashed' ? (
          <Result document={props.document} hashes={state.hashes} name={state.name} shared={props.shared === true} />
        ) : null}
      </div>
      {state.kind === 'hashing' ? (
        <Button variant="default" mih={44} onClick={() => take(null)}>
          {text('document.intake.cancel')}
        </Button>
      ) : (
        <DropZone
          lead={text('document.check.drop')}
          note={text('document.check.local')}
          single
          choices={[{ label: text('document.check.choose') }]}
          onDropped={(transfer) => {
            const found = foundInTransfer(transfer)
            void found.next().then(({ value }) => take(value?.[0]?.file ?? null))
          }}
          onChosen={([chosen]) => {
            if (chosen !== undefined) take(chosen)
          }}
        />
      )}
    </div>
  )
}

function Result(props: { document: Deposit; hashes: FileHashes; name: string; shared: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { document, hashes } = props
  const found = compare(document, hashes)
  const name = visible(props.name)
  if (found.same)
    return (
      <div className={intakeStyles['notice']} data-kind="good" data-verdict="same">
        <p>
          <strong>{text('document.check.same', { name })}</strong>
        </p>
        <p>
          {document.sealed_at === null
            ? text('document.check.same.unsealed')
            : text('document.check.same.sealed', { date: formatExact(document.sealed_at, locale) })}{' '}
          <Message id="document.check.same.with" values={{ count: found.with.length }} />
        </p>
      </div>
    )
  return (
    <div className={intakeStyles['notice']} data-kind="bad" data-verdict="other">
      <p>
        <strong>{text('document.check.other', { name })}</strong>
      </p>
      <dl className={styles['prints']}>
        <dt>{text('document.check.expected', { algorithm: found.differs === 'sha256' ? 'SHA-256' : 'SHA-512' })}</dt>
        <dd>
          <code>{groupHex(found.expected)}</code>
        </dd>
        <dt>{text('document.check.found', { algorithm: found.differs === 'sha256' ? 'SHA-256' : 'SHA-512' })}</dt>
        <dd>
          <code>{groupHex(found.found)}</code>
        </dd>
      </dl>
      {props.shared ? null : <OfAnother sha256={hashes.sha256} not={document.id} />}
    </div>
  )
}

/** The file may be another one that was deposited. */
function OfAnother(props: { sha256: string; not: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data, isError } = useQuery(earlierQuery([props.sha256]))
  if (isError) return <p>{text('document.check.another.unknown')}</p>
  if (data === undefined) return null
  const other = data.get(props.sha256)
  if (other === undefined || other.id === props.not) return <p>{text('document.check.another.none')}</p>
  return (
    <p>
      <Message
        id="document.check.another"
        values={{
          name: <bdi>{visible(other.document_name ?? other.sha256.slice(0, 16))}</bdi>,
          date: formatInstant(other.sealed_at ?? other.created_at, locale),
          a: depositLink(locale, other.id),
        }}
      />
    </p>
  )
}

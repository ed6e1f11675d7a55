import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { saveFile } from '../../../../ui/api/save-file.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { DropZone } from '../../../../ui/files/DropZone.tsx'
import { foundInTransfer } from '../../../../ui/files/found-files.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatBytes, formatExact, formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { deleteDocumentCopy, readDocumentCopy, type DocumentCopy } from '../../contract/copy.ts'
import type { Document } from '../../contract/document.ts'
import { changeDocument } from '../../contract/endpoints.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import { compare } from '../check/check-file.ts'
import styles from '../deposit/deposit.module.css'
import intakeStyles from '../deposit/panels.module.css'
import { startHashing } from '../../../../ui/hash/start-hashing.ts'
import { useMayDeposit } from '../../../account/web/index.ts'
import { UploadProgress } from './UploadProgress.tsx'
import { theUploads, uploadCopy, useUpload } from './use-uploads.ts'

/** While it is compared, which nobody here can hasten. */
const lookAgainMs = 2_000

/** E-33, E-34: the file itself, where its depositor wished it kept: on its way, kept, or gone. */
export function Copy(props: { document: Document; manage: boolean }): ReactNode {
  const text = useText()
  const { document, manage } = props
  const mayDeposit = useMayDeposit()
  const sendable = document.trashed_at === null && document.status !== 'expired' && document.content_deleted_at === null
  if (document.stored === null && !(sendable && manage)) return null
  return (
    <section className={styles['section']} aria-labelledby="copy-heading">
      <h2 id="copy-heading">{text('document.copy')}</h2>
      {document.stored === null ? null : (
        <Stored document={document} manage={manage} sendable={sendable && mayDeposit && document.store} />
      )}
      {sendable && manage && !document.store ? <Wish id={document.id} store /> : null}
    </section>
  )
}

function Stored(props: { document: Document; manage: boolean; sendable: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { document, manage, sendable } = props
  const { id } = document
  const running = useUpload(id)
  const { data, error } = useQuery({
    queryKey: ['document-copy', id] as const,
    queryFn: ({ signal }) => call(readDocumentCopy, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'comparing' && !state.data.unopened ? lookAgainMs : false),
  })
  const sent = running?.glance.kind === 'sent'
  useEffect(() => {
    if (!sent) return
    // Known first, so that nothing is said of an upload that was interrupted.
    void client.invalidateQueries({ queryKey: ['document-copy', id] }).finally(() => theUploads().forget([id]))
  }, [client, id, sent])
  // What the deposit says of it, its link among it.
  const state = data?.state
  useEffect(() => {
    if (state === undefined || state === 'receiving') return
    void client.invalidateQueries({ queryKey: ['document', id] })
  }, [client, id, state])
  const open = data !== undefined && ['waiting', 'receiving', 'refused', 'deleted'].includes(data.state)
  const savable = state === 'stored' && !data?.unopened ? document.document_url : null
  const deletable = manage && running === null && (state === 'stored' || state === 'receiving' || data?.unopened === true)
  const stop = () => {
    theUploads().forget([id])
    void client.invalidateQueries({ queryKey: ['document-copy', id] })
  }
  return (
    <>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      <div role="status">
        {data === undefined || running !== null ? null : <Said copy={data} trashedAt={document.trashed_at} />}
      </div>
      {running === null ? null : <UploadProgress copy={running} onStop={stop} />}
      {running === null && open && sendable ? <Choose document={document} copy={data} /> : null}
      {savable === null && !deletable ? null : (
        <div className={intakeStyles['buttons']}>
          {savable === null ? null : (
            <Save url={savable} name={document.document_name ?? `document_${id}.bin`} bytes={data?.bytes ?? 0} />
          )}
          {deletable ? <Delete id={id} stored={state !== 'receiving'} /> : null}
        </div>
      )}
      {data === undefined || !open || !sendable ? null : (
        <p className={styles['soft']}>
          {text('document.copy.limits', {
            size: formatBytes(Math.min(data.limits.bytes, data.limits.room), locale),
            left: formatBytes(data.limits.left, locale),
            days: data.limits.days,
          })}
        </p>
      )}
      {running === null && open && sendable && manage && data.state !== 'receiving' ? <Wish id={id} store={false} /> : null}
    </>
  )
}

/** E-33: afterwards, or no longer. */
function Wish(props: { id: string; store: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { id, store } = props
  const wishing = useMutation({
    mutationFn: () => call(changeDocument, { params: { id }, body: { store } }),
    onSuccess: async (document) => {
      keepAnswer(client, ['document', id], document)
      await client.invalidateQueries({ queryKey: ['document-copy', id] })
      await client.invalidateQueries({ queryKey: ['documents'] })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <>
      {store ? <p>{text('document.copy.wish.text')}</p> : null}
      <p>
        <Button variant="default" size="md" loading={wishing.isPending} onClick={() => wishing.mutate()}>
          {text(store ? 'document.copy.wish' : 'document.copy.unwish')}
        </Button>
      </p>
    </>
  )
}

function Said(props: { copy: DocumentCopy; trashedAt: string | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { copy, trashedAt } = props
  if (copy.unopened)
    return (
      <p className={intakeStyles['notice']} data-kind="bad" data-copy="unopened">
        {text('document.copy_unopened')}
      </p>
    )
  const size = formatBytes(copy.bytes ?? 0, locale)
  if (copy.state === 'receiving')
    return <p>{text('document.copy.receiving', { share: (copy.parts - copy.missing.length) / Math.max(1, copy.parts), size })}</p>
  if (copy.state === 'stored' && copy.kept_until !== null && copy.stored_at !== null)
    return (
      <div className={intakeStyles['notice']} data-kind="good" data-copy="stored">
        <p>{text('document.copy.stored', { size, date: formatExact(copy.stored_at, locale) })}</p>
        <p>
          {trashedAt === null
            ? text('document.copy.kept_until', { date: formatInstant(copy.kept_until, locale) })
            : text('document.copy.in_trash', { date: formatInstant(endInTrash(trashedAt, copy.kept_until), locale) })}
        </p>
      </div>
    )
  if (copy.state === 'refused')
    return (
      <div className={intakeStyles['notice']} data-kind="bad" data-copy="refused">
        <p>{text('document.copy.refused')}</p>
        <p>
          {text('document.check.found', { algorithm: 'SHA-256' })} <code>{groupHex(copy.found_sha256 ?? '')}</code>
        </p>
      </div>
    )
  if (copy.state === 'deleted' && copy.ended_at !== null)
    return <p>{text('document.copy.deleted', { date: formatInstant(copy.ended_at, locale), why: copy.ended_by ?? 'owner' })}</p>
  return <p>{text(copy.state === 'comparing' ? 'document.copy.comparing' : 'document.copy.waiting')}</p>
}

/** Whichever comes first. */
function endInTrash(trashedAt: string, keptUntil: string): string {
  return new Date(Math.min(Date.parse(trashedAt) + trashLifetimeMs, Date.parse(keptUntil))).toISOString()
}

/** The file is asked for, again after a reload, and hashed here first: what is another file is not sent at all. */
function Choose(props: { document: Document; copy: DocumentCopy }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { document } = props
  const [file, setFile] = useState<File | null>(null)
  const [done, setDone] = useState(0)
  const [fault, setFault] = useState<'other' | 'unreadable' | 'too_large' | null>(null)
  const { id, sha256, sha512, document_name: name } = document
  const most = Math.min(
    props.copy.limits.bytes,
    // What came already takes no room any more.
    props.copy.state === 'receiving' ? Infinity : props.copy.limits.room,
    props.copy.limits.left + (props.copy.state === 'receiving' ? (props.copy.bytes ?? 0) : 0),
  )
  const take = (next: File | null) => {
    setDone(0)
    setFault(next !== null && next.size > most ? 'too_large' : null)
    setFile(next !== null && next.size > most ? null : next)
  }
  useEffect(() => {
    if (file === null) return undefined
    const pool = startHashing()
    let current = true
    void pool
      .hash(file, (bytes) => {
        if (current) setDone(bytes)
      })
      .outcome.then((outcome) => {
        pool.end()
        if (!current) return
        setFile(null)
        if (!outcome.ok) setFault('unreadable')
        else if (compare({ sha256, sha512 }, outcome).same) uploadCopy({ id, name: name ?? file.name, sha256 }, file)
        else setFault('other')
      })
    return () => {
      current = false
      pool.end()
    }
    // Not on the deposit, which is read anew, with other links, while a large file is hashed.
  }, [file, id, name, sha256, sha512])
  if (file !== null)
    return (
      <div className={intakeStyles['working']}>
        <p role="status">{text('document.check.hashing', { size: formatBytes(file.size, locale) })}</p>
        <progress
          className={intakeStyles['whole']}
          value={done}
          max={Math.max(1, file.size)}
          aria-label={text('document.intake.progress')}
        />
        <Button variant="default" mih={44} onClick={() => take(null)}>
          {text('document.intake.cancel')}
        </Button>
      </div>
    )
  return (
    <>
      {fault === null ? null : (
        <p className={intakeStyles['notice']} data-kind="bad" role="alert" data-copy={fault}>
          {text(fault === 'unreadable' ? 'document.intake.failed.unreadable' : `document.copy.fault.${fault}`)}
        </p>
      )}
      <DropZone
        lead={text(props.copy.state === 'receiving' ? 'document.copy.drop_again' : 'document.copy.drop')}
        note={text('document.copy.note')}
        single
        choices={[{ label: text('document.copy.choose') }]}
        onDropped={(transfer) => {
          const found = foundInTransfer(transfer)
          void found.next().then(({ value }) => take(value?.[0]?.file ?? null))
        }}
        onChosen={([chosen]) => {
          if (chosen !== undefined) take(chosen)
        }}
      />
    </>
  )
}

function Save(props: { url: string; name: string; bytes: number }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  return (
    <Button
      size="md"
      variant="default"
      loading={busy}
      onClick={() => {
        setBusy(true)
        void saveFile(props).finally(() => setBusy(false))
      }}
    >
      {text('document.copy.download', { size: formatBytes(props.bytes, locale) })}
    </Button>
  )
}

function Delete(props: { id: string; stored: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const deleting = useMutation({
    mutationFn: () => call(deleteDocumentCopy, { params: { id: props.id } }),
    onSuccess: async (copy) => {
      keepAnswer(client, ['document-copy', props.id], copy)
      await client.invalidateQueries({ queryKey: ['document', props.id] })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button variant="default" size="md" onClick={() => setAsking(true)}>
        {text(props.stored ? 'document.copy.delete' : 'document.copy.drop_upload')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={text('document.copy.delete.ask')}
        text={text('document.copy.delete.text')}
        confirm={text('document.copy.delete')}
        cancel={text('document.described.cancel')}
        destructive
        busy={deleting.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => deleting.mutate()}
      />
    </>
  )
}

import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatBytes, formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { deleteIdentityDocument } from '../../contract/endpoints.ts'
import type { IdentityDocument, IdentityVerification } from '../../contract/review.ts'
import { largestDocumentBytes, mostDocumentPages, type DocumentKind } from '../../domain/identity-document.ts'
import { verificationQuery } from '../queries.ts'
import { useUpload, type Upload } from '../use-upload.ts'
import styles from '../identity-documents.module.css'
import { DocumentPages } from './DocumentPages.tsx'
import { ReviewersNote } from './NoteText.tsx'

/** Told in whole units, as the server does. */
const largestMegabytes = Math.floor(largestDocumentBytes / 1024 ** 2)
const accepted = 'image/jpeg,image/png,image/webp,application/pdf'

/** E-20, E-21: one document, from an empty place to what was decided of it. */
export function DocumentSlot(props: {
  kind: DocumentKind
  document: IdentityDocument | null
  /** What counts beside it, until it is accepted. */
  counting: IdentityDocument | null
  /** Whether one may be uploaded now. */
  open: boolean
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { kind, document, counting, open } = props
  const state = document?.state ?? 'none'
  const upload = useUpload(kind)
  const [over, setOver] = useState(false)
  const name = text(`review.page.kind.${kind}`)
  return (
    <li
      className={styles['slot']}
      data-state={state}
      data-over={over || undefined}
      {...(open
        ? {
            onDragOver: (event) => {
              event.preventDefault()
              setOver(true)
            },
            onDragLeave: () => setOver(false),
            onDrop: (event) => {
              event.preventDefault()
              setOver(false)
              const file = event.dataTransfer.files[0]
              if (file !== undefined) void upload.send(file)
            },
          }
        : {})}
    >
      <div className={styles['slotHead']}>
        <h4>{name}</h4>
        <span className={styles['badge']} data-state={state}>
          {text(`review.page.document.${state}`)}
        </span>
      </div>
      {counting === null ? null : (
        <p className={styles['counting']}>
          {text(`review.page.counting.${document?.state === 'failure' ? 'refused' : 'until_then'}`, {
            version: counting.version,
            until: counting.expires_on === null ? 'none' : formatDay(counting.expires_on, locale),
          })}
        </p>
      )}
      {document === null ? (
        <p className={styles['soft']}>{text(`review.page.kind.${kind}.hint`)}</p>
      ) : (
        <Held document={document} name={name} />
      )}
      {open ? <Pick upload={upload} name={name} again={document !== null} renews={document?.state === 'success'} /> : null}
      <Running upload={upload} name={name} />
      {document?.state === 'ready' ? <TakeBack document={document} name={name} /> : null}
    </li>
  )
}

function Held(props: { document: IdentityDocument; name: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { document } = props
  const { reason, note, erased_at: erased } = document
  return (
    <>
      {reason === null || document.state !== 'failure' ? null : (
        <div className={styles['refusal']}>
          <p>
            <strong>{text(`review.page.reason.${reason}`)}</strong>
          </p>
          <p>{text(`review.page.reason.${reason}.text`)}</p>
          {note === null ? null : <ReviewersNote note={note} />}
        </div>
      )}
      {document.pages > 0 ? <DocumentPages document={document} name={props.name} /> : null}
      <p className={styles['soft']}>
        {text('review.page.uploaded', { date: formatInstant(document.uploaded_at, locale) })} ·{' '}
        {formatBytes(document.bytes, locale)}
        {document.pages > 1 ? ` · ${text('review.page.pages', { count: document.pages })}` : null}
        {document.expires_on === null
          ? null
          : ` · ${text('review.page.good_until', { date: formatDay(document.expires_on, locale) })}`}
        {erased === null ? null : ` · ${text('review.page.erased', { date: formatInstant(erased, locale) })}`}
      </p>
    </>
  )
}

/** By dropping it, by choosing it, and on a telephone by its camera. */
function Pick(props: { upload: Upload; name: string; again: boolean; renews: boolean }): ReactNode {
  const text = useText()
  const file = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const { upload, name } = props
  if (upload.share !== null) return null
  const take = (input: HTMLInputElement) => {
    const chosen = input.files?.[0]
    // The same file may be chosen again.
    if (chosen !== undefined) void upload.send(chosen).finally(() => (input.value = ''))
  }
  const choose = text(props.renews ? 'review.page.renew' : props.again ? 'review.page.replace' : 'review.page.choose')
  return (
    <div className={styles['pick']}>
      <input
        ref={file}
        type="file"
        hidden
        accept={accepted}
        aria-label={`${choose} – ${name}`}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/jpeg,image/png"
        capture="environment"
        aria-label={`${text('review.page.photograph')} – ${name}`}
        onChange={(event) => take(event.currentTarget)}
      />
      <div className={styles['actions']}>
        <Button variant="default" aria-label={`${choose} – ${name}`} onClick={() => file.current?.click()}>
          {choose}
        </Button>
        <Button
          variant="default"
          className={styles['camera'] ?? ''}
          aria-label={`${text('review.page.photograph')} – ${name}`}
          onClick={() => camera.current?.click()}
        >
          {text('review.page.photograph')}
        </Button>
      </div>
      {props.again ? null : (
        <p className={styles['soft']}>{text('review.page.choose.hint', { size: largestMegabytes, pages: mostDocumentPages })}</p>
      )}
    </div>
  )
}

/** What is under way, what was found before it was sent, and what went wrong. */
function Running(props: { upload: Upload; name: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { upload, name } = props
  const percent = Math.round((upload.share ?? 0) * 100)
  return (
    <>
      {upload.share === null ? null : (
        <div className={styles['running']}>
          <progress value={percent} max={100} aria-label={text('review.page.upload.progress', { name })} />
          <span role="status">
            {percent < 100 ? text('review.page.upload.percent', { percent }) : text('review.page.upload.checking')}
          </span>
          <Button variant="default" aria-label={`${text('review.page.upload.cancel')} – ${name}`} onClick={upload.cancel}>
            {text('review.page.upload.cancel')}
          </Button>
        </div>
      )}
      {upload.warnings.length === 0 ? null : (
        <ul className={styles['warnings']} aria-label={text('review.page.warnings')}>
          {upload.warnings.map((warning) => (
            <li key={warning}>{text(`review.page.warning.${warning}`, upload.measured)}</li>
          ))}
        </ul>
      )}
      <p className={styles['fault']} role="alert">
        {upload.fault !== null
          ? text(`review.page.fault.${upload.fault}`, { size: largestMegabytes })
          : upload.error === null
            ? null
            : errorText(upload.error)}
      </p>
    </>
  )
}

function TakeBack(props: { document: IdentityDocument; name: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const taking = useMutation({
    mutationFn: () => call(deleteIdentityDocument, { params: { id: props.document.id } }),
    onSuccess: (verification) => {
      keepAnswer<IdentityVerification>(client, verificationQuery.queryKey, verification)
      notify('success', text('review.page.notice.taken_back', { name: props.name }), text('ui.notice.dismiss'))
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  const words = text('review.page.take_back')
  return (
    <div className={styles['actions']}>
      <Button variant="outline" color="bad" aria-label={`${words} – ${props.name}`} onClick={() => setAsking(true)}>
        {words}
      </Button>
      <ConfirmDialog
        open={asking}
        title={`${words} – ${props.name}`}
        text={text('review.page.take_back.text')}
        confirm={words}
        cancel={text('review.page.cancel')}
        destructive
        busy={taking.isPending}
        onConfirm={() => taking.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}

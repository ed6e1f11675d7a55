import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { ReferencePage } from '../../../../ui/controls/ReferencePage.tsx'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { atRest } from '../../../../ui/shell/at-rest.ts'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { notify, prepareNotices } from '../../../../ui/shell/notify.ts'
import type { Concluded } from '../result/Concluded.tsx'
import { DropZone } from '../ask/DropZone.tsx'
import type { FormKind } from '../ask/form-kinds.ts'
import { ProofForms } from '../ask/ProofForms.tsx'
import { filesOfTransfer, type GivenFile } from '../run/read-files.ts'
import { useVerification, type Verification, type VerifyRequest } from '../run/use-verification.ts'
import type { KnownFields as Fields } from '../run/verify.worker.ts'
import styles from '../ask/proofs.module.css'

/** A package that another page hands over, to be verified without being chosen by hand. */
export type HandedPackage = { readonly load: () => Promise<File> }

const noticeOf = { green: 'passed', amber: 'indeterminate', red: 'failed' } as const

/** R-04, P-02: anyone checks anything, in the browser, by the code that verify.html, the command line and the calls use. */
export function ProofsPage(props: {
  handed: HandedPackage | null
  version: string
  kind: FormKind | null
  onKind: (kind: FormKind | null) => void
  /** Fetches the sentences of results. */
  words: () => Promise<void>
}): ReactNode {
  const text = useText()
  const optional = useOptionalText()
  const [trouble, setTrouble] = useState<'not_loaded' | 'nothing_dropped' | null>(null)
  const [fields, setFields] = useState<Fields>({})
  //
  const { verification, verify, stop, clear } = useVerification((dossier) => {
    const close = text('ui.notice.dismiss')
    if (dossier === null) notify('error', text('verification.page.notice.error'), close, 'verification')
    else if (dossier.conclusion.colour === 'grey') notify('info', text('verification.page.notice.hashed'), close, 'verification')
    else {
      const said = noticeOf[dossier.conclusion.colour]
      notify(
        said === 'passed' ? 'success' : said === 'failed' ? 'error' : 'info',
        text(`verification.page.notice.${said}`),
        close,
        'verification',
      )
    }
  })
  const run = (request: VerifyRequest) => {
    setTrouble(null)
    verify(request)
  }
  const take = (files: readonly GivenFile[]) => run({ kind: 'dossier', files, fields })
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => void atRest().then(prepareNotices), [])
  useHanded(props.handed, latest, () => setTrouble('not_loaded'))
  usePasted(text('verification.page.pasted'), latest)
  const done = verification.state === 'done' ? verification : null
  const concluded = useConcluded(props.words, verification.state)
  return (
    <ReferencePage title={text('ui.page.proofs')} lead={[text('verification.page.lead')]}>
      <DropZone
        lead={text('verification.page.drop')}
        note={`${text('verification.page.paste')} ${text('verification.page.local')}`}
        choices={[
          { label: text('verification.page.choose_files') },
          { label: text('verification.page.choose_folder'), folder: true },
        ]}
        onFiles={take}
        onNothing={() => setTrouble('nothing_dropped')}
      />
      <div role="status" className={styles['status']}>
        {verification.state === 'working' ? text('verification.page.working', { count: verification.items.length }) : null}
        {verification.state === 'stopped' ? text('verification.page.stopped') : null}
      </div>
      {trouble === null ? null : (
        <p role="alert" className={styles['failed']}>
          {text(`verification.page.${trouble}`)}
        </p>
      )}
      {verification.state === 'working' ? (
        <div className={styles['working']}>
          <progress value={verification.share} max={1} aria-label={text('verification.page.progress')} />
          <ul className={styles['glances']}>
            {verification.items.slice(0, 20).map((item, i) => (
              <li key={i}>
                {[<bdi key="name">{visible(item.name)}</bdi>, optional(`verification.kind.${item.kind}`)].flatMap((said, j) =>
                  said === null ? [] : j === 0 ? [said] : [' · ', said],
                )}
              </li>
            ))}
          </ul>
          <Button variant="default" size="md" onClick={stop}>
            {text('verification.page.stop')}
          </Button>
        </div>
      ) : null}
      {verification.state === 'failed' ? (
        <p role="alert" className={styles['failed']}>
          {text('verification.page.failed')}
        </p>
      ) : null}
      {done === null ? null : concluded === null ? (
        <p role="status">{text('ui.loading')}</p>
      ) : (
        <concluded.Result
          done={done}
          version={props.version}
          fields={fields}
          take={take}
          clear={clear}
          verifyWith={(request, given) => {
            setFields(given)
            run(withFields(request, given))
          }}
        />
      )}
      <ProofForms kind={props.kind} onKind={props.onKind} onVerify={(input) => run({ kind: 'form', input, fields })} />
    </ReferencePage>
  )
}

/**
 * Fetched once, with its words, while the page is read, so that what was loaded verifies without a network too; at the latest when
 * something is verified.
 * @returns null: it has not come yet @throws what it could not be fetched for, once there is something to say
 */
function useConcluded(words: () => Promise<void>, state: Verification['state']): { readonly Result: typeof Concluded } | null {
  const [came, setCame] = useState<{ readonly Result: typeof Concluded } | { readonly cause: unknown } | null>(null)
  const coming = useRef<Promise<void> | null>(null)
  const fetchAll = useEffectEvent(async () => {
    coming.current ??= Promise.all([loadChunk(() => import('../result/Concluded.tsx')), words()]).then(
      ([result]) => setCame({ Result: result.Concluded }),
      (cause: unknown) => {
        coming.current = null
        throw cause
      },
    )
    await coming.current
  })
  const isIdle = state === 'idle'
  useEffect(() => {
    // What could not be had ahead is asked for again once it is needed.
    if (isIdle)
      void atRest()
        .then(() => fetchAll())
        .catch(() => undefined)
    else fetchAll().catch((cause: unknown) => setCame({ cause }))
  }, [isIdle])
  if (came === null || 'Result' in came) return came
  if (state === 'done') throw came.cause
  return null
}

/** What was typed in a form keeps its own fields; what is known from elsewhere goes beside it, or over it. */
function withFields(request: VerifyRequest, fields: Fields): VerifyRequest {
  if (request.kind === 'dossier') return { ...request, fields }
  const { trust, address, account, digest } = fields
  const given = Object.entries({ trust, address, account, digest }).filter(([, value]) => value !== undefined)
  return { ...request, fields, input: { ...request.input, ...Object.fromEntries(given) } }
}

type Latest = { readonly current: (files: readonly GivenFile[]) => void }

function useHanded(given: HandedPackage | null, latest: Latest, onFailure: () => void): void {
  const handed = useRef(given)
  const failed = useRef(onFailure)
  useEffect(() => {
    let current = true
    handed.current?.load().then(
      (file) => {
        if (current) latest.current([{ path: file.name, file }])
      },
      () => {
        if (current) failed.current()
      },
    )
    return () => {
      current = false
    }
  }, [latest])
}

/** What is pasted outside a field is a proof: files as they are, text as a file. */
function usePasted(name: string, latest: Latest): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      if (
        clipboardData === null ||
        (target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null)
      )
        return
      const pasted = clipboardData.getData('text/plain')
      const files = pasted === '' ? filesOfTransfer(clipboardData) : Promise.resolve([{ path: name, file: new Blob([pasted]) }])
      void files.then((found) => {
        if (found.length > 0) latest.current(found)
      })
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [name, latest])
}

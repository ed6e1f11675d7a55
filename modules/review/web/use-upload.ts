import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendFile } from '../../../ui/api/send-file.ts'
import { useText } from '../../../ui/intl/text.tsx'
import { notify } from '../../../ui/shell/notify.ts'
import { uploadIdentityDocument } from '../contract/endpoints.ts'
import type { DocumentKind } from '../domain/identity-document.ts'
import { warningsOf, type FileFault, type FileWarning } from './file-check.ts'
import { inspectFile } from './inspect-file.ts'
import { verificationQuery } from './queries.ts'

type State = {
  /** Share that has left; null: nothing is under way. */
  readonly share: number | null
  readonly fault: FileFault | null
  readonly error: Error | null
  readonly warnings: readonly FileWarning[]
  /** What the warnings speak of. */
  readonly measured: Readonly<Record<string, number>>
}
export type Upload = State & { readonly send: (file: File) => Promise<void>; readonly cancel: () => void }

/** Of every upload of the page: what is still on its way is not sent to the reviewers. */
export const uploadKey = ['upload-identity-document'] as const

const rest: State = { share: null, fault: null, error: null, warnings: [], measured: {} }

/** One document on its way: looked at, sent, and shown as the server rendered it. What is cancelled leaves what was there before. */
export function useUpload(kind: DocumentKind): Upload {
  const text = useText()
  const client = useQueryClient()
  const [state, setState] = useState(rest)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (file: File): Promise<void> => {
    const control = new AbortController()
    running.current = control
    setState({ ...rest, share: 0 })
    try {
      const found = await inspectFile(file)
      if (found.fault !== null) {
        setState({ ...rest, fault: found.fault })
        return
      }
      const { measures } = found
      const told = {
        ...rest,
        warnings: measures === null ? [] : warningsOf(measures),
        measured: {
          width: measures?.width ?? 0,
          height: measures?.height ?? 0,
          brightness: Math.round((measures?.brightness ?? 0) * 100),
          sharpness: Math.round(measures?.sharpness ?? 0),
        },
      }
      const document = await sendFile(uploadIdentityDocument, {
        query: { kind },
        file,
        signal: control.signal,
        onProgress: (share) => setState({ ...told, share }),
      })
      await client.invalidateQueries({ queryKey: verificationQuery.queryKey })
      setState(told)
      const name = text(`review.page.kind.${document.kind}`)
      notify('success', text('review.page.notice.uploaded', { name }), text('ui.notice.dismiss'))
    } catch (error) {
      setState({ ...rest, error: control.signal.aborted || !(error instanceof Error) ? null : error })
    } finally {
      running.current = null
    }
  }
  const uploading = useMutation({ mutationKey: uploadKey, mutationFn: run })
  const send = async (file: File): Promise<void> => {
    if (running.current === null) await uploading.mutateAsync(file)
  }
  return { ...state, send, cancel: () => running.current?.abort() }
}

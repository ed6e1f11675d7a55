import { useCallback, useEffect, useRef, useState } from 'react'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { atRest } from '../../../../ui/shell/at-rest.ts'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import { loadPlatformFacts } from './platform-facts.ts'
import type { ItemGlance, VerifyAnswer, VerifyRequest as WorkerRequest } from './verify.worker.ts'

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type VerifyRequest = Without<WorkerRequest, 'facts' | 'ahead'>

export type Verification =
  | { readonly state: 'idle' }
  | { readonly state: 'working'; readonly items: readonly ItemGlance[]; readonly share: number }
  | { readonly state: 'done'; readonly dossier: Dossier; readonly heights: readonly number[]; readonly request: VerifyRequest }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly name: string }

const startWorker = () => new Worker(new URL('./verify.worker.ts', import.meta.url), { type: 'module' })

/** No progress for this long: the file has led the checks astray, and they are ended. */
const stuck = 60_000

/** Verifies what was given together in a worker of its own, one verification at a time. Nothing leaves the browser. */
export function useVerification(onDone: (dossier: Dossier | null) => void): {
  verification: Verification
  verify: (request: VerifyRequest) => void
  stop: () => void
  clear: () => void
} {
  const [verification, setVerification] = useState<Verification>({ state: 'idle' })
  const running = useRef<{ worker: Worker; timer: ReturnType<typeof setTimeout> | undefined; done: AbortController } | null>(null)
  const spare = useRef<Worker | null>(null)
  /** One that came to its end: used again where no other can be loaded, as without a network and what the browser kept. */
  const rested = useRef<Worker | null>(null)
  const facts = useRef<ReturnType<typeof loadPlatformFacts> | null>(null)
  const told = useRef(onDone)
  useEffect(() => {
    told.current = onDone
  })
  // One that could not be loaded is not kept to be used.
  const startSpare = useCallback(() => {
    const worker = startWorker()
    worker.addEventListener('error', () => {
      if (spare.current === worker) spare.current = null
    })
    return worker
  }, [])
  const end = useCallback((how: 'stopped' | 'finished' = 'stopped') => {
    const job = running.current
    if (job === null) return
    clearTimeout(job.timer)
    job.done.abort()
    running.current = null
    if (how === 'stopped') return job.worker.terminate()
    if (rested.current !== job.worker) rested.current?.terminate()
    rested.current = job.worker
  }, [])
  useEffect(() => {
    let current = true
    // At hand before it is asked for: what was loaded once verifies without a network.
    void atRest().then(() => {
      if (!current) return
      if (spare.current === null) spare.current = startSpare()
      facts.current ??= loadPlatformFacts()
    })
    return () => {
      current = false
      spare.current?.terminate()
      spare.current = null
      end()
      rested.current?.terminate()
      rested.current = null
    }
  }, [end, startSpare])
  const verify = (request: VerifyRequest) => {
    end()
    const worker = spare.current ?? rested.current ?? startWorker()
    if (rested.current === worker) rested.current = null
    spare.current = startSpare()
    const job = { worker, timer: undefined as ReturnType<typeof setTimeout> | undefined, done: new AbortController() }
    const { signal } = job.done
    running.current = job
    const name = request.kind === 'dossier' ? (request.files[0]?.path ?? '') : ''
    let items: ItemGlance[] = []
    const fail = () => {
      end()
      setVerification({ state: 'failed', name })
      told.current(null)
    }
    const alive = () => {
      clearTimeout(job.timer)
      job.timer = setTimeout(fail, stuck)
    }
    const hear = ({ data }: MessageEvent<VerifyAnswer>) => {
      if (running.current !== job) return
      if (data.kind === 'progress') {
        alive()
        setVerification({ state: 'working', items, share: data.total === 0 ? 0 : data.done / data.total })
      } else if (data.kind === 'item') {
        alive()
        items = [...items.slice(0, data.index), data.item]
        setVerification({ state: 'working', items, share: 0 })
      } else if (data.kind === 'dossier') {
        end('finished')
        setVerification({ state: 'done', dossier: data.dossier, heights: data.heights, request })
        told.current(data.dossier)
      } else fail()
    }
    worker.addEventListener('error', fail, { signal })
    worker.addEventListener('message', hear, { signal })
    alive()
    setVerification({ state: 'working', items, share: 0 })
    facts.current ??= loadPlatformFacts()
    void facts.current.then((known) => {
      const asked = { ...request, facts: known, ahead: serverNow() - Date.now() } satisfies WorkerRequest
      // A worker has no origin to name; the rule is about windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      if (running.current === job) worker.postMessage(asked)
    })
  }
  const stop = () => {
    end()
    setVerification({ state: 'stopped' })
  }
  const clear = () => {
    end()
    setVerification({ state: 'idle' })
  }
  return { verification, verify, stop, clear }
}

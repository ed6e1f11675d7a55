import { useCallback, useEffect, useRef, useState } from 'react'
import type { VerificationReport } from '../domain/report.ts'
import type { VerifyAnswer, VerifyRequest } from './verify.worker.ts'

export type Verification =
  | { readonly state: 'idle' }
  | { readonly state: 'working'; readonly name: string; readonly share: number }
  | { readonly state: 'done'; readonly name: string; readonly report: VerificationReport }
  | { readonly state: 'failed'; readonly name: string }

/** No progress for this long: the file has led the checks astray, and they are ended. */
const stuck = 60_000

/** Verifies one package at a time in a worker of its own. Nothing leaves the browser. */
export function useVerification(): {
  verification: Verification
  verify: (name: string, request: VerifyRequest) => void
  stop: () => void
} {
  const [verification, setVerification] = useState<Verification>({ state: 'idle' })
  const running = useRef<{ worker: Worker; timer: ReturnType<typeof setTimeout> | undefined } | null>(null)
  const end = useCallback(() => {
    clearTimeout(running.current?.timer)
    running.current?.worker.terminate()
    running.current = null
  }, [])
  useEffect(() => end, [end])
  const verify = (name: string, request: VerifyRequest) => {
    end()
    const worker = new Worker(new URL('./verify.worker.ts', import.meta.url), { type: 'module' })
    const job = { worker, timer: undefined as ReturnType<typeof setTimeout> | undefined }
    running.current = job
    const fail = () => {
      end()
      setVerification({ state: 'failed', name })
    }
    const alive = () => {
      clearTimeout(job.timer)
      job.timer = setTimeout(fail, stuck)
    }
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<VerifyAnswer>) => {
      if (running.current !== job) return
      if (data.kind === 'progress') {
        alive()
        setVerification({ state: 'working', name, share: data.total === 0 ? 0 : data.done / data.total })
      } else if (data.kind === 'report') {
        end()
        setVerification({ state: 'done', name, report: data.report })
      } else fail()
    })
    alive()
    setVerification({ state: 'working', name, share: 0 })
    // A worker has no origin to name; the rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(request)
  }
  const stop = () => {
    end()
    setVerification({ state: 'idle' })
  }
  return { verification, verify, stop }
}

/** The same things with somebody who listens: what they do and answer stays as it was. */
import type { Span } from '@opentelemetry/api'
import { CaptureFailure, type CaptureProgress } from '../../../modules/capture/server/index.ts'
import type { PaymentProvider } from '../../../modules/billing/server/index.ts'
import type { BlobStore, StoredBlob } from '../../../platform/blobs/blob-store.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import { beginSpan } from '../../../platform/trace/spans.ts'
import type { Instruments } from './instruments.ts'

export function watchMailer(mailer: Mailer, { mailTaken }: Pick<Instruments, 'mailTaken'>): Mailer {
  return {
    async send(mail) {
      try {
        await mailer.send(mail)
      } catch (error) {
        mailTaken(false)
        throw error
      }
      mailTaken(true)
    },
    close: () => mailer.close(),
  }
}

export function watchBlobs(store: BlobStore, hears: Pick<Instruments, 'blobWritten'>): BlobStore {
  const count = (stored: StoredBlob): StoredBlob => {
    hears.blobWritten(stored.bytes)
    return stored
  }
  return {
    ...store,
    putFile: async (path) => count(await store.putFile(path)),
    putBytes: async (bytes) => count(await store.putBytes(bytes)),
    putStream: async (chunks) => count(await store.putStream(chunks)),
    scope: (name) => watchBlobs(store.scope(name), hears),
  }
}

/** What it answers says in one word what came of a call: its state, or the answer itself where that is a word. */
function outcomeOf(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'state' in answer && typeof answer.state === 'string') return answer.state
  return answer === 'unknown' ? 'unknown' : 'answered'
}

/** Calls are named as the port names them: `readPayment`, `cards.chargeNow`. */
export function watchProvider(provider: PaymentProvider, hears: Pick<Instruments, 'providerCalled'>): PaymentProvider {
  return watchCalls(provider, '', hears)
}

function watchCalls<T extends object>(target: T, path: string, hears: Pick<Instruments, 'providerCalled'>): T {
  const call = (made: (...args: unknown[]) => unknown, name: string) =>
    function (...args: unknown[]): unknown {
      const began = performance.now()
      const heard = (outcome: string) =>
        hears.providerCalled({ call: name, outcome, seconds: (performance.now() - began) / 1000 })
      const answer = made.apply(target, args)
      // What is only reckoned asks nobody.
      if (!(answer instanceof Promise)) return answer
      return answer.then(
        (value: unknown) => {
          heard(outcomeOf(value))
          return value
        },
        (error: unknown) => {
          heard('error')
          throw error
        },
      )
    }
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name)
      if (typeof name === 'symbol') return value
      if (typeof value === 'function') return call(value as (...args: unknown[]) => unknown, `${path}${name}`)
      return typeof value === 'object' && value !== null ? watchCalls(value, `${path}${name}.`, hears) : value
    },
  })
}

type Asked = { onProgress(progress: CaptureProgress): void }

export function watchCapture<Request extends Asked, Result>(
  kind: 'static' | 'interactive',
  capture: (request: Request) => Promise<Result>,
  hears: Pick<Instruments, 'captureBegan' | 'phaseEnded' | 'captureEnded'>,
): (request: Request) => Promise<Result> {
  return async (request) => {
    const began = performance.now()
    let phase: string | null = null
    let since = began
    let span: Span | null = null
    const enter = (next: string | null) => {
      if (next === phase) return
      const now = performance.now()
      if (phase !== null) hears.phaseEnded({ kind, phase, seconds: (now - since) / 1000 })
      span?.end()
      span = next === null ? null : beginSpan(`capture ${next}`, {})
      phase = next
      since = now
    }
    const end = (outcome: string) => {
      enter(null)
      hears.captureEnded({ kind, outcome, seconds: (performance.now() - began) / 1000 })
    }
    hears.captureBegan(kind)
    try {
      const captured = await capture({
        ...request,
        onProgress(progress) {
          enter(progress.phase === 'finished' ? null : progress.phase)
          request.onProgress(progress)
        },
      })
      end('captured')
      return captured
    } catch (error) {
      end(error instanceof CaptureFailure ? error.code : 'error')
      throw error
    }
  }
}

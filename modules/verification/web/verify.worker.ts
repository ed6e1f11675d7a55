import type { PackageSource, Readable } from '../domain/package-source.ts'
import type { VerificationReport } from '../domain/report.ts'
import { verifyPackage } from '../domain/verify-package.ts'

/** A package handed to the worker: a ZIP file, or the files of the folder that it was unpacked to. */
export type VerifyRequest =
  | { readonly kind: 'zip'; readonly file: Blob }
  | { readonly kind: 'folder'; readonly files: readonly { readonly path: string; readonly file: Blob }[] }
export type VerifyAnswer =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'report'; readonly report: VerificationReport }
  | { readonly kind: 'failed'; readonly message: string }

function readable(blob: Blob): Readable {
  return {
    size: blob.size,
    async read(offset, length) {
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      if (bytes.length !== length) throw new RangeError('the file became shorter while it was read')
      return bytes
    },
  }
}

function sourceOf(request: VerifyRequest): PackageSource {
  if (request.kind === 'zip') return { kind: 'zip', file: readable(request.file) }
  return { kind: 'folder', files: request.files.map(({ path, file }) => ({ path, ...readable(file) })) }
}

function answer(message: VerifyAnswer): void {
  const worker = self as unknown as { postMessage(message: VerifyAnswer): void }
  // A worker has no origin to name; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message)
}

/** Apart from the page, so that a hostile or huge file can be stopped by ending the worker. */
self.addEventListener('message', (event: MessageEvent<VerifyRequest>) => {
  let told = 0
  verifyPackage(sourceOf(event.data), {
    now: () => new Date(),
    onProgress: (done, total) => {
      if (done - told < total / 200 && done !== total) return
      told = done
      answer({ kind: 'progress', done, total })
    },
  }).then(
    (report) => answer({ kind: 'report', report }),
    (error: unknown) => answer({ kind: 'failed', message: error instanceof Error ? error.message : 'unknown' }),
  )
})

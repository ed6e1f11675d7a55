import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { DocumentWebDeps } from '../deposit/deps.ts'

/** A file of a deposit as its bytes are asked for. */
export type ProofDownload = {
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string
  /** Strong validator: what the bytes are determined by. */
  readonly etag: string
  /** `end` is exclusive. */
  open(start: number, end: number): Promise<Readable>
}

export const etagOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

export function downloadOf(data: Uint8Array, mediaType: string, fileName: string): ProofDownload {
  return {
    bytes: data.length,
    mediaType,
    fileName,
    etag: etagOf(data),
    open: async (start, end) => await Promise.resolve(Readable.from([data.subarray(start, end)], { objectMode: false })),
  }
}

type Stored = { readonly bytes: number; readonly sha256: string }

export function storedDownload(
  deps: Pick<DocumentWebDeps, 'blobs'>,
  scope: string,
  { bytes, sha256 }: Stored,
  described: Pick<ProofDownload, 'mediaType' | 'fileName'>,
): ProofDownload {
  const blobs = deps.blobs.scope(scope)
  return {
    ...described,
    bytes,
    etag: sha256,
    open: async (start, end) => (start >= end ? Readable.from([]) : await blobs.open(sha256, { start, end: end - 1 })),
  }
}

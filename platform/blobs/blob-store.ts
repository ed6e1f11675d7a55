import type { Readable } from 'node:stream'

/** A blob is named by the SHA-256 of its bytes, lower-case hexadecimal: the same bytes are stored once. */
export type StoredBlob = { readonly sha256: string; readonly bytes: number }

export type ListedBlob = StoredBlob & { readonly modifiedAt: Date }

/** Inclusive offsets in bytes, as in RFC 9110 §14.1.2 after resolution. */
export type ByteRange = { readonly start: number; readonly end: number }

export type BlobStore = {
  /** The file stays where it is. */
  putFile(path: string): Promise<StoredBlob>
  putBytes(bytes: Uint8Array): Promise<StoredBlob>
  putStream(chunks: AsyncIterable<Uint8Array>): Promise<StoredBlob>
  /** @throws BlobMissing before any byte; RangeError when the range is outside the blob */
  open(sha256: string, range?: ByteRange): Promise<Readable>
  /** Whole content. @throws BlobMissing; RangeError when it is longer than `maxBytes` */
  read(sha256: string, options: { maxBytes: number }): Promise<Buffer>
  has(sha256: string): Promise<boolean>
  /** Removing what is not there succeeds. */
  remove(sha256: string): Promise<void>
  /** Every blob of this store, in no particular order; not those of its scopes. */
  list(): AsyncIterable<ListedBlob>
  /**
   * A store of its own inside this one: `name` matches `^[a-z0-9-]{1,64}$`. Each evidence has its scope, so that erasing it
   * can never take a blob that another evidence shares, and needs no reference count.
   */
  scope(name: string): BlobStore
  /** Names of the scopes that hold anything, or held something once; in no particular order. */
  scopes(): AsyncIterable<string>
  /** Removes every blob and every leftover of this store, and the store's folder; succeeds when there is nothing. */
  clear(): Promise<void>
  /** Bytes that there is room for, as far as the store can tell; null: it cannot. */
  room(): Promise<number | null>
}

/** @throws RangeError */
export function assertScopeName(name: string): void {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new RangeError('a scope is named by 1 to 64 lower-case letters, digits and hyphens')
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
  readonly sha256: string
  constructor(sha256: string, cause?: unknown) {
    super(`blob ${sha256} is not in the store`, cause === undefined ? undefined : { cause })
    this.sha256 = sha256
  }
}

/** Keeps a hostile or mistyped name from ever becoming a path or an object key. @throws RangeError */
export function assertBlobName(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError('a blob is named by 64 lower-case hexadecimal digits')
}

/** Bodies on their way to memory or disk: written as they come, held in bounded memory, hashed on the way. */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ExchangeBody, LossReason, RecordLimits, SpooledBytes } from './exchange.ts'

export type Spool = {
  newBody(): BodySink
}

export type BodySink = {
  /** Bytes that are both on the wire and in the entity. */
  write(bytes: Uint8Array): void
  /** Bytes of chunked framing: on the wire, not in the entity. */
  writeFraming(bytes: Uint8Array): void
  /** Bytes of the entity so far. */
  length(): number
  finish(transfer: ExchangeBody['transfer'], truncated: LossReason | null): ExchangeBody
}

const flushBytes = 64 * 1024

/** @param spoolDir existing folder; files are named `body-000001`… */
export function createSpool(spoolDir: string, limits: RecordLimits): Spool {
  let files = 0
  let inlineTotal = 0

  const newBody = (): BodySink => {
    const hash = createHash('sha256')
    // Of chunked bodies alone: without framing, wire and entity are the same bytes.
    let wireHash: Hash | null = null
    let held: Buffer[] = []
    let heldBytes = 0
    let file: string | null = null
    let fileBytes = 0
    let entityBytes = 0
    let wireBytes = 0
    let over = false

    // Opened for each write: hundreds of bodies may be under way at once, more than a process may hold files open.
    const flush = (): void => {
      if (file === null) {
        files += 1
        file = join(spoolDir, `body-${String(files).padStart(6, '0')}`)
      }
      const descriptor = openSync(file, fileBytes === 0 ? 'w' : 'a', 0o600)
      try {
        for (const part of held) {
          let written = 0
          while (written < part.length) written += writeSync(descriptor, part, written)
        }
      } finally {
        closeSync(descriptor)
      }
      fileBytes += heldBytes
      held = []
      heldBytes = 0
    }

    const keep = (bytes: Uint8Array): void => {
      wireBytes += bytes.length
      wireHash?.update(bytes)
      heldBytes += bytes.length
      if (heldBytes > flushBytes) {
        // Written at once: the caller's memory needs no copy.
        held.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        flush()
      } else held.push(Buffer.from(bytes))
    }

    const settle = (): SpooledBytes => {
      const small = file === null && heldBytes <= limits.inline_bytes && inlineTotal + heldBytes <= limits.inline_total_bytes
      if (small || (file === null && heldBytes === 0)) {
        inlineTotal += heldBytes
        return { kind: 'bytes', bytes: Buffer.concat(held) }
      }
      if (heldBytes > 0) flush()
      return { kind: 'file', file: file ?? '', length: fileBytes }
    }

    return {
      write(bytes) {
        if (over || bytes.length === 0) return
        const room = limits.body_bytes - entityBytes
        const part = bytes.length > room ? bytes.subarray(0, room) : bytes
        over = bytes.length > room
        if (part.length === 0) return
        hash.update(part)
        entityBytes += part.length
        keep(part)
      },
      writeFraming(bytes) {
        if (over || bytes.length === 0) return
        // A chunk's size comes before its bytes: the first framing is the first of all.
        if (wireBytes === 0) wireHash = createHash('sha256')
        keep(bytes)
      },
      length: () => entityBytes,
      finish(transfer, truncated) {
        const raw = settle()
        const digest = hash.digest('hex')
        return {
          raw,
          transfer,
          wire_bytes: wireBytes,
          entity_bytes: entityBytes,
          entity_sha256: digest,
          wire_sha256: wireHash?.digest('hex') ?? digest,
          content: { bytes: entityBytes, sha256: digest },
          truncated: over ? 'body_over_limit' : truncated,
        }
      },
    }
  }
  return { newBody }
}

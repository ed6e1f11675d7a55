import { createHash } from 'node:crypto'
import { PDFDocument } from '@cantoo/pdf-lib'
import { systemClock } from '../kernel/clock.ts'
import { entryOfBytes, layOutPackage } from '../modules/evidence/server/package/lay-out.ts'
import { packageStream } from '../modules/evidence/server/package/write-package.ts'
import {
  coverEntries,
  createTimestampers,
  openKeyring,
  sealPieces,
  signPdf,
  type PublicLog,
} from '../modules/sealing/server/index.ts'
import type { Piece, Subject } from '../modules/verification/server/index.ts'
import { silentLog } from '../platform/log/log.ts'

/**
 * A sealed package as the platform makes it, of given pieces and with small PDF reports: real keys, signatures and tokens.
 * `keys` is a folder for the keyring; one folder gives one platform.
 */
export async function sealedPackage(input: {
  keys: string
  pieces: readonly { path: string; role: Piece['role']; bytes: Uint8Array }[]
  full?: boolean
  /** Of what kind of capture; static unless told. */
  kind?: Subject['kind']
  verifyHtml?: Uint8Array
  tsaUrls?: readonly string[]
  /** Authorities of the container's lists, when they are others than the seal's. */
  coverTsaUrls?: readonly string[]
  /** Whose log the seal is put into; none unless told. */
  publicLog?: PublicLog
  /** When the capture began; the moment of the seal unless told. */
  startedAt?: string
}): Promise<{ zip: Uint8Array; root: string; paths: readonly string[] }> {
  const clock = systemClock
  const keyring = await openKeyring({ dir: input.keys, clock, log: silentLog })
  const timestampers = createTimestampers({ urls: input.tsaUrls ?? [], keyring, clock, log: silentLog })
  const coverers =
    input.coverTsaUrls === undefined
      ? timestampers
      : createTimestampers({ urls: input.coverTsaUrls, keyring, clock, log: silentLog })
  const pieces = input.pieces
    .map(({ path, role, bytes }) => ({
      ...entryOfBytes(path, 'application/octet-stream', bytes),
      role,
      media_type: 'application/octet-stream',
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const now = clock.now().toISOString()
  const subject = {
    evidence_id: '0190a0b0-0000-7000-8000-000000000000',
    kind: input.kind ?? 'static',
    requested_url: 'https://example.org/é?q=<b>',
    final_url: 'https://example.org/',
    started_at: input.startedAt ?? now,
    finished_at: now,
    software: 'probant/0.1.0',
  }
  const sealed = await sealPieces({ subject, pieces }, { keyring, timestampers, clock, log: input.publicLog })
  const report = async (reason: string): Promise<Uint8Array> => {
    const document = await PDFDocument.create()
    document.addPage([200, 200]).drawText(createHash('sha256').update(reason).digest('hex').slice(0, 8))
    return await signPdf(await document.save(), { keyring, timestampers, clock, reason })
  }
  const layout = await layOutPackage(
    {
      sealedFiles: sealed.files,
      reports: { en: await report('Seal'), fr: await report('Sceau') },
      verifyHtml: input.verifyHtml ?? Buffer.from('<!doctype html><title>v</title>'),
      readme: Buffer.from('How to verify\n'),
      pieces,
    },
    { coverEntries: (entries) => coverEntries(entries, { timestampers: coverers }) },
  )
  const entries = input.full === false ? layout.short() : layout.full()
  const { stream } = packageStream(entries)
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  return { zip: new Uint8Array(Buffer.concat(chunks)), root: sealed.root, paths: entries.map(({ path }) => path) }
}

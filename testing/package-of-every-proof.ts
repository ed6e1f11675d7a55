import { createHash, randomBytes } from 'node:crypto'
import { PDFDocument } from '@cantoo/pdf-lib'
import { fromHex, utf8 } from '../kernel/bytes.ts'
import { systemClock } from '../kernel/clock.ts'
import { entryOfBytes, layOutPackage } from '../modules/evidence/server/package/lay-out.ts'
import { packageStream } from '../modules/evidence/server/package/write-package.ts'
import {
  coverEntries,
  createTimestampers,
  openKeyring,
  renewStamps,
  sealPieces,
  signPdf,
  type CoveredEntry,
  type PublicLog,
  type Timestamper,
} from '../modules/sealing/server/index.ts'
import { buildOts } from '../modules/verification/domain/opentimestamps/write-ots.ts'
import type { Piece, Subject } from '../modules/verification/server/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { logInMemory } from './log-in-memory.ts'

type Files = ReadonlyMap<string, Uint8Array>
export type EveryProof = {
  /** By path: everything that the two lists cover. */
  readonly files: Files
  readonly root: string
  readonly timestampers: readonly Timestamper[]
  readonly publicLog: PublicLog
}
export type EveryProofInput = {
  /** Folder of the keyring. */
  readonly keys: string
  readonly pieces?: readonly { readonly path: string; readonly role: Piece['role']; readonly bytes: Uint8Array }[]
  readonly subject?: Partial<Subject>
  /** Anchor of a root, by path; a calendar's promise unless told. */
  readonly anchor?: (root: Uint8Array) => Files
  /** Files of the seal that the renewal names; all but the record unless told. */
  readonly renewed?: readonly string[]
}

/**
 * What the platform makes of pieces, with what a package of its first day has not: its place in a public log, an anchor, and a renewal
 * of its stamp.
 */
export async function sealEveryProof({
  keys,
  pieces = [page],
  subject,
  anchor = promised,
  renewed,
}: EveryProofInput): Promise<EveryProof> {
  const clock = systemClock
  const keyring = await openKeyring({ dir: keys, clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const publicLog = logInMemory(keyring)
  const now = clock.now().toISOString()
  const about: Subject = {
    evidence_id: '0190a0b0-0000-7000-8000-000000000000',
    kind: 'static',
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: now,
    finished_at: now,
    software: 'probant/0.1.0',
    ...subject,
  }
  const listed = pieces
    .map(({ path, role, bytes }) => ({ ...entryOfBytes(path, mediaType, bytes), role, media_type: mediaType }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const sealed = await sealPieces({ subject: about, pieces: listed }, { keyring, timestampers, clock, log: publicLog })
  const isRenewed = (path: string) => renewed?.includes(path) ?? (path.startsWith('seal/') && path !== 'seal/seal.json')
  const named = sealed.files
    .filter(({ path }) => isRenewed(path))
    .map(({ path, bytes }) => ({ path, sha256: createHash('sha256').update(bytes).digest('hex') }))
  const { renewals } = await renewStamps([{ number: 1, root: sealed.root, files: named }], { publicLog, timestampers })
  const report = async (reason: string): Promise<Uint8Array> => {
    const document = await PDFDocument.create()
    document.addPage([200, 200]).drawText(reason)
    return await signPdf(await document.save(), { keyring, timestampers, clock, reason })
  }
  const files = new Map([
    ...sealed.files.map(({ path, bytes }) => [path, bytes] as const),
    ...anchor(fromHex(sealed.root)),
    ...renewals.flat().map(({ path, bytes }) => [path, bytes] as const),
    ['report.en.pdf', await report('Seal')] as const,
    ['report.fr.pdf', await report('Sceau')] as const,
    ['verify.html', utf8('<!doctype html><title>v</title>')] as const,
    ['README.txt', utf8('How to verify\n')] as const,
    ...listed.map(({ path, data }) => [path, data] as const),
  ])
  return { files, root: sealed.root, timestampers, publicLog }
}

const mediaType = 'application/octet-stream'
const page = { path: 'capture/page.html', role: 'dom' as const, bytes: utf8('<p>hello') }

function promised(root: Uint8Array): Files {
  const promise = buildOts({
    digest: root,
    operations: [{ op: 'append', data: new Uint8Array(randomBytes(16)) }, { op: 'sha256' }],
    end: [{ kind: 'pending', uri: 'https://calendar.example' }],
  })
  return new Map([['seal/anchor.ots', promise]])
}

/** The container of files, whatever they are: its lists cover them as they are now. Answers its entries, in order. */
export async function coverEveryProof(
  files: Files,
  timestampers: readonly Timestamper[],
  /** What a list says of the entries, in place of what they are. */
  listed: (number: 1 | 2, entries: readonly CoveredEntry[]) => readonly CoveredEntry[] = (_, entries) => entries,
): Promise<[path: string, bytes: Uint8Array][]> {
  const of = (path: string): Uint8Array => files.get(path) ?? new Uint8Array()
  const among = (pattern: RegExp) => [...files].filter(([path]) => pattern.test(path))
  const layout = await layOutPackage(
    {
      sealedFiles: among(/^(?:manifest\.json$|seal\/)/).map(([path, bytes]) => ({ path, media_type: mediaType, bytes })),
      reports: { en: of('report.en.pdf'), fr: of('report.fr.pdf') },
      verifyHtml: of('verify.html'),
      readme: of('README.txt'),
      pieces: among(/^(?:capture|environment)\//).map(([path, bytes]) => entryOfBytes(path, mediaType, bytes)),
    },
    {
      coverEntries: ({ number, entries }) => coverEntries({ number, entries: listed(number, entries) }, { timestampers }),
    },
  )
  const made = new Map([...layout.core, ...layout.coverOfCore, ...layout.coverOfPieces].map(({ path, data }) => [path, data]))
  return layout.full().map(({ path }) => [path, made.get(path) ?? of(path)])
}

/** The ZIP file of entries, in the order given. */
export async function zipOfEntries(entries: readonly (readonly [path: string, bytes: Uint8Array])[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const laid = entries.map(([path, bytes]) => entryOfBytes(path, mediaType, bytes))
  for await (const chunk of packageStream(laid).stream) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}

/** A whole package of one page, its anchor pending. `keys` is a folder for the keyring. */
export async function packageOfEveryProof(keys: string): Promise<Uint8Array> {
  const { files, timestampers } = await sealEveryProof({ keys })
  return await zipOfEntries(await coverEveryProof(files, timestampers))
}

import { readFile } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { coverEntries, signPdf, type Keyring, type PublicLog, type Timestamper } from '../../../sealing/server/index.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { agreeEvidence } from '../draft/agree-evidence.ts'
import { downloadPackage } from '../download/download-files.ts'
import { insertFiles, listFiles, orderFiles, type FileRecord } from '../files/file-store.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { layOutPackage } from '../package/lay-out.ts'
import { sampleFacts } from '../../../report/server/sample-report.test-data.ts'
import { sealEvidence } from '../seal/seal-evidence.ts'
import { storeBytes } from '../files/store-files.ts'
import { changeStatus } from '../record/store.ts'

export type World = {
  readonly db: Db
  readonly blobs: BlobStore & { scope(id: string): BlobStore }
  readonly clock: Clock
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly publicLog: PublicLog
}

export const webDeps = ({ db, blobs, clock, publicLog }: World) => ({
  db,
  blobs,
  clock,
  publicLog,
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [],
  scenarios: [],
})

/** A final evidence with one small piece: its seal and package are real, its reports are small PDFs. @returns its id and token */
export async function finalEvidence(world: World, by: { readonly actor?: Actor } = {}): Promise<{ id: string; token: string }> {
  const { db, blobs, clock, keyring, timestampers } = world
  const asked = { url: 'https://boutique.example/', action: 'static', locale: 'en' } as const
  const { evidence, token } = await createEvidence(webDeps(world), asked, { addressPrefix: null, ...by })
  const { id } = evidence
  const claim = await claimNext(db, await haveServer(db, 'a'), 600)
  if (claim?.id !== id) throw new Error('another evidence was claimed')
  const scope = blobs.scope(id)
  const described = { path: 'capture/page.html', section: 'piece', role: 'dom', mediaType: 'text/html' } as const
  const piece = await storeBytes(scope, described, Buffer.from('<p>What was seen'))
  const at = clock.now().toISOString()
  await db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim.fence, {
      status: 'completing',
      facts: { ...sampleFacts(900), started_at: at, finished_at: at },
    })
    await insertFiles(tx, id, [piece])
  })
  await sealEvidence({ ...webDeps(world), ...world }, id)
  await agreeEvidence(webDeps(world), { evidenceToken: token, ...by }, id)

  const report = async (reason: string): Promise<Uint8Array> => {
    const document = await PDFDocument.create()
    document.addPage([200, 200])
    return await signPdf(await document.save(), { keyring, timestampers, clock, reason })
  }
  const sealed = await listFiles(db, id)
  const sealedFiles = []
  for (const { path, mediaType, sha256 } of sealed.filter(({ section }) => section === 'seal'))
    sealedFiles.push({ path, media_type: mediaType, bytes: await scope.read(sha256, { maxBytes: 1 << 24 }) })
  const layout = await layOutPackage(
    {
      sealedFiles,
      reports: { en: await report('Seal'), fr: await report('Sceau') },
      verifyHtml: Buffer.from('<!doctype html><title>v</title>'),
      readme: await readFile(new URL('../../../../README.md', import.meta.url)),
      pieces: [
        { ...piece, open: async () => await scope.open(piece.sha256), openAt: async () => await scope.open(piece.sha256) },
      ],
    },
    { coverEntries: (entries) => coverEntries(entries, { timestampers }) },
  )
  const made: FileRecord[] = []
  const known = new Set(sealed.map(({ path }) => path))
  for (const [section, entries] of [
    ['core', layout.core],
    ['cover_core', layout.coverOfCore],
    ['cover_pieces', layout.coverOfPieces],
  ] as const)
    for (const { path, mediaType, data } of entries.filter((entry) => !known.has(entry.path)))
      made.push(await storeBytes(scope, { path, section, role: null, mediaType }, data))
  await db.transaction().execute(async (tx) => {
    await insertFiles(tx, id, made)
    await orderFiles(
      tx,
      id,
      layout.full().map(({ path }) => path),
    )
    await changeStatus(tx, id, 'final', clock.now(), { finalizedAt: clock.now() })
  })
  return { id, token }
}

export async function packageOf(world: World, id: string): Promise<Buffer> {
  const download = await downloadPackage(webDeps(world), id, true)
  const chunks: Uint8Array[] = []
  for await (const chunk of await download.open(0, download.bytes)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

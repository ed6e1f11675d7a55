import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DomainError } from '../../../../kernel/errors.ts'
import { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { progressOfAnchor, progressOfAnchors } from '../../../sealing/server/index.ts'
import { archiveProofs } from './archive-proofs.ts'
import { confirmAnchor } from '../confirm-anchor.test-data.ts'
import { createPlaces } from '../../../../platform/http/request/places.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { linkSecret, openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import type { ProofDownload } from './proof-download.ts'
import { downloadAnchor, downloadCertificate, downloadProofs } from './download-proofs.ts'
import { makeCertificates, type CertificateJobDeps } from '../certificate/make-certificates.ts'
import { presentDocument } from '../present/present-document.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { spreadAnchor } from '../anchor/spread-anchor.ts'
import { findDocument, type DocumentRecord } from '../deposit/store.ts'

const run = promisify(execFile)
const database = withDatabase()
const never = new AbortController().signal
let world: DepositWorld
let jobs: CertificateJobDeps

beforeAll(async () => {
  world = { ...(await openDepositWorld(database.db)), anchoring: true }
  jobs = {
    ...world,
    anchoring: true,
    bitcoinNetwork: 'regtest',
    secret: linkSecret,
    publicUrl: 'https://probant.example',
    verifierUrl: 'https://probant.example/proofs/',
    workFolder: join(world.folder, 'work'),
    software: 'probant/1.0.0',
    log: silentLog,
    typeset,
  }
})
afterAll(async () => {
  await world.remove()
})

async function bytesOf(download: ProofDownload): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await download.open(0, download.bytes)) chunks.push(chunk as Uint8Array)
  const whole = Buffer.concat(chunks)
  expect(whole).toHaveLength(download.bytes)
  return whole
}

/** Final deposits of these contents, all under one token or each under its own. */
async function deposited(contents: readonly string[]): Promise<DocumentRecord[]> {
  const user = await haveAccount(database.db)
  const documents = contents.map((content) => ({ sha256: sha256Hex(content), document_name: 'Plan.pdf', store: false }))
  const made = await createDocuments(world, actorOf(user), { documents, agree: true })
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
  return await Promise.all(
    made.map(async ({ id }) => {
      const record = await findDocument(database.db, id)
      if (record === null) throw new Error('a deposit is gone')
      return record
    }),
  )
}

test(
  'C-18 C-76 the certificate is made when it is first asked for, in both languages, and anew once the deposit is anchored',
  { timeout: 180_000 },
  async () => {
    const contents = Array.from({ length: 21 }, (_, i) => `${randomUUID()} ${String(i)}`)
    const [record] = await deposited(contents)
    const id = record?.id ?? ''
    await expect(downloadCertificate(world, id, 'en')).rejects.toThrow(
      new DomainError('unavailable', 'document.certificate_not_ready', { seconds: 3 }).message,
    )
    const asked = await sql`select key from graphile_worker._private_jobs where key = ${`certificates:${id}`}`.execute(
      database.db,
    )
    expect(asked.rows).toHaveLength(1)
    await makeCertificates(jobs, id, never)
    await makeCertificates(jobs, id, never)
    const actor = actorOf(record?.ownerId ?? '')
    const shown = async () => {
      const now = await findDocument(database.db, id)
      return now === null ? null : await presentDocument(world, actor, now)
    }
    expect((await shown())?.certificates).toEqual({
      en: expect.stringContaining('language=en'),
      fr: expect.stringContaining('language=fr'),
    })
    expect((await shown())?.anchor).toMatchObject({ state: 'waiting' })

    const { size, header } = await confirmAnchor(world)
    expect(await spreadAnchor(world, { size })).toBe(1)
    expect(await spreadAnchor(world, { size })).toBe(0)
    expect((await shown())?.anchor).toMatchObject({ state: 'anchored', block_height: 7 })
    await makeCertificates(jobs, id, never)
    const editions = await database.db
      .selectFrom('document_certificate')
      .select(['locale', 'edition', 'anchored'])
      .where('document_id', '=', id)
      .orderBy('locale')
      .orderBy('edition')
      .execute()
    expect(editions).toEqual([
      { locale: 'en', edition: 1, anchored: false },
      { locale: 'en', edition: 2, anchored: true },
      { locale: 'fr', edition: 1, anchored: false },
      { locale: 'fr', edition: 2, anchored: true },
    ])
    const download = await downloadCertificate(world, id, 'fr')
    expect(download.fileName).toBe(`deposit_${id}.pdf`)
    const pdf = join(world.folder, 'deposit.pdf')
    await writeFile(pdf, await bytesOf(download))
    expect((await runTool(world.folder, 'pdfsig', pdf)).output).toContain('Signature is Valid')
    const attached = (await runTool(world.folder, 'pdfdetach', '-list', pdf)).output
    for (const name of ['document.tsr', 'document.ers', 'document.ots', 'document.chainpoint.json', 'signature.p7s'])
      expect(attached).toContain(name)

    // Readers that are not ours come from the fingerprint of the file to the block.
    await writeFile(join(world.folder, 'document.ots'), await bytesOf(await downloadAnchor(world, id, 'ots')))
    const python = `
import sys
from opentimestamps.core.timestamp import DetachedTimestampFile
from opentimestamps.core.serialize import StreamDeserializationContext
from bitcoin.core import CBlockHeader
with open(sys.argv[1], 'rb') as f:
    proof = DetachedTimestampFile.deserialize(StreamDeserializationContext(f))
assert proof.timestamp.msg.hex() == sys.argv[2]
for message, attestation in proof.timestamp.all_attestations():
    attestation.verify_against_blockheader(message, CBlockHeader.deserialize(bytes.fromhex(sys.argv[3])))
    print(attestation.height)`
    const print = sha256Hex(contents[0] ?? '')
    const read = ['-c', python, join(world.folder, 'document.ots'), print, header.toString('hex')]
    expect((await run('/usr/bin/python3', read)).stdout.trim()).toBe('7')
    const peer = createRequire(import.meta.url)('chainpoint-parse') as {
      parse(proof: object): { hash: string; branches: { anchors?: { expected_value: string }[] }[] }
    }
    const chainpoint = JSON.parse((await bytesOf(await downloadAnchor(world, id, 'chainpoint'))).toString('utf8')) as object
    const parsed = peer.parse(chainpoint)
    expect([parsed.hash, parsed.branches[0]?.anchors?.[0]?.expected_value]).toEqual([
      print,
      Buffer.from(header.subarray(36, 68).toReversed()).toString('hex'),
    ])
  },
)

test('all proofs are one archive whose commands hold, in any shell', { timeout: 60_000 }, async () => {
  const content = randomUUID()
  const [single] = await deposited([content])
  const many = [content, ...Array.from({ length: 20 }, () => randomUUID())]
  const [together] = await deposited(many)
  for (const record of [single, together]) {
    const id = record?.id ?? ''
    const download = await downloadProofs(world, id)
    const folder = join(world.folder, `proofs-${id}`)
    await mkdir(folder)
    await writeFile(join(folder, 'proofs.zip'), await bytesOf(download))
    const part: Uint8Array[] = []
    for await (const chunk of await download.open(100, 300)) part.push(chunk as Uint8Array)
    expect(Buffer.concat(part).equals((await readFile(join(folder, 'proofs.zip'))).subarray(100, 300))).toBe(true)
    expect((await runTool(folder, 'unzip', '-q', 'proofs.zip')).code).toBe(0)
    await writeFile(join(folder, 'YOUR_FILE'), content)
    const readme = await readFile(join(folder, 'README.txt'), 'utf8')
    expect(readme).toContain(sha256Hex(content))
    expect(readme).not.toMatch(/\{[a-z]+[,}]/)
    const english = readme.split('*'.repeat(72))[0] ?? ''
    const commands = [...english.matchAll(/^ {4}((?:openssl|sha256sum) (?:.*\\\n)*.*)$/gm)].map((match) => match[1] ?? '')
    expect(commands).toHaveLength(3)
    for (const command of commands) {
      const { code, output } = await runTool(folder, 'sh', '-c', command)
      expect([command, code]).toEqual([command, 0])
      if (command.startsWith('openssl ts')) expect(output).toContain('Verification: OK')
      if (command.startsWith('sha256sum')) expect(output).toContain(sha256Hex(content))
    }
    const { output: logged } = await runTool(
      folder,
      'sh',
      '-c',
      `{ printf 'probant-log/1\\n'; sed -n 's/^extra //p' log-proof.txt | base64 -d; sha256sum logged.bin | cut -c1-64 | xxd -r -p; } | sha256sum`,
    )
    const { rows } = await sql<{ entry: Buffer }>`
      select l.entry from log_leaf l join document_batch b on l.index = (b.summary -> 'log' ->> 'index')::bigint
      where b.id = ${record?.batchId ?? ''}::uuid`.execute(database.db)
    expect(logged).toContain(rows[0]?.entry.toString('hex') ?? 'none')
  }
})

test(
  'proofs of many deposits are one archive, each folder the files that its deposit has alone',
  { timeout: 60_000 },
  async () => {
    const contents = Array.from({ length: 21 }, () => randomUUID())
    const together = await deposited(contents)
    const owner = actorOf(together[0]?.ownerId ?? '')
    const named = { sha256: sha256Hex('alone'), document_name: '../Été 2026 – «bail».pdf', store: false }
    const [single] = await createDocuments(world, owner, { documents: [named], agree: true })
    for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
    const [draft] = await createDocuments(world, owner, { documents: [{ ...named, sha256: sha256Hex('draft') }], agree: false })
    const [strange] = await deposited([randomUUID()])
    const places = createPlaces({ most: 16, ofOne: 2, busy: 'document.too_many_archives' })
    const [last, alone, unknown] = [together.at(-1)?.id ?? '', single?.id ?? '', randomUUID()]
    const ids = [alone, ...together.map(({ id }) => id), alone, draft?.id ?? '', strange?.id ?? '', unknown]
    const archive = async (asked: { ids: string[]; files?: ('tsr' | 'ers' | 'ots')[] }) =>
      Buffer.concat(await (await archiveProofs(world, places, owner, asked)).toArray())

    const folder = join(world.folder, 'many')
    await mkdir(folder)
    await writeFile(join(folder, 'all.zip'), await archive({ ids }))
    expect((await runTool(folder, 'unzip', '-q', 'all.zip')).code).toBe(0)
    const index = JSON.parse(await readFile(join(folder, 'deposits.json'), 'utf8')) as {
      deposits: { id: string; folder: string | null; code: string | null; root: string; batch_size: number }[]
    }
    expect(index.deposits.map(({ id }) => id)).toEqual([...new Set(ids)])
    expect(index.deposits.slice(-3).map(({ code, folder: none }) => [code, none])).toEqual([
      ['document.not_final', null],
      ['document.not_found', null],
      ['document.not_found', null],
    ])
    expect(index.deposits[0]).toMatchObject({ folder: `Ete_2026_bail_.pdf_${alone}`, code: null, batch_size: 1 })
    for (const id of [alone, last]) {
      const own = join(folder, 'own')
      await mkdir(own, { recursive: true })
      await writeFile(join(own, 'proofs.zip'), await bytesOf(await downloadProofs(world, id)))
      expect((await runTool(own, 'unzip', '-oq', 'proofs.zip')).code).toBe(0)
      const at = join(folder, index.deposits.find((each) => each.id === id)?.folder ?? '')
      expect((await readdir(at)).toSorted()).toEqual((await readdir(own)).filter((name) => name !== 'proofs.zip').toSorted())
      for (const name of await readdir(at))
        expect([name, (await readFile(join(at, name))).equals(await readFile(join(own, name)))]).toEqual([name, true])
      await rm(own, { recursive: true })
    }

    // Of some kinds alone; each record leads from its own file to the one token.
    await mkdir(join(folder, 'some'))
    await writeFile(join(folder, 'some', 'some.zip'), await archive({ ids: [alone, last], files: ['tsr', 'ers'] }))
    const listed = (await runTool(folder, 'unzip', '-Z1', 'some/some.zip')).output.trim().split('\n')
    expect(listed.map((name) => name.replace(/^.*\//, ''))).toEqual([
      'deposits.json',
      ...Array.from({ length: 2 }, () => ['document.tsr', 'document.ers']).flat(),
    ])
    await expect(archive({ ids: [unknown, draft?.id ?? ''] })).rejects.toMatchObject({ code: 'document.not_found' })
    // What breaks off gives its place back, as what is refused does.
    for (let round = 0; round < 3; round += 1) {
      const held = [
        await archiveProofs(world, places, owner, { ids: [alone] }),
        await archiveProofs(world, places, owner, { ids }),
      ]
      await expect(archive({ ids: [alone] })).rejects.toMatchObject({ code: 'document.too_many_archives' })
      await Promise.all(held.map(async (stream) => await once(stream.destroy(), 'close')))
    }
  },
)

test('how far anchors have come is known of many at once as of each', async () => {
  const records = await deposited(Array.from({ length: 3 }, () => randomUUID()))
  const leaves: number[] = []
  for (const { batchId } of records) {
    const { rows } = await sql<{ leaf: number }>`
      select (summary -> 'log' ->> 'index')::int as leaf from document_batch where id = ${batchId}::uuid`.execute(database.db)
    leaves.push(rows[0]?.leaf ?? -1)
  }
  const one = async (leaf: number) => [leaf, await progressOfAnchor(database.db, leaf)] as const
  const each = async () => new Map(await Promise.all([...leaves, 1_000_000].map(one)))
  const many = async () => await progressOfAnchors(database.db, [...leaves, 1_000_000])
  expect(await many()).toEqual(await each())
  await confirmAnchor(world)
  expect((await many()).get(leaves[0] ?? -1)?.place).toBe('in_block')
  expect(await many()).toEqual(await each())
})

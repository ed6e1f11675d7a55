import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { pemOf, publishKeys, readPlatformKeys } from '../../../sealing/server/index.ts'
import { fileOfBytes } from '../../../verification/domain/dossier/dropped/dossier-units.ts'
import { nodeHashes, verifyDossier, type Dossier } from '../../../verification/server/index.ts'
import { confirmAnchor } from '../confirm-anchor.test-data.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import { downloadAnchor, downloadProofs } from './download-proofs.ts'
import type { ProofDownload } from './proof-download.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { spreadAnchor } from '../anchor/spread-anchor.ts'

const database = withDatabase()
let world: DepositWorld
let tsa: OutsideTsa
let trust: Buffer
let header: Buffer

/** A file and what is downloaded of its deposit, which is anchored: by itself, or with others under one time stamp. */
type Anchored = { readonly file: Buffer; readonly zip: Buffer; readonly chainpoint: Buffer }
const anchored: Record<string, Anchored> = {}

beforeAll(async () => {
  tsa = await startOutsideTsa()
  world = { ...(await openDepositWorld(database.db, { urls: [tsa.url] })), anchoring: true }
  const contents = { alone: [randomUUID()], together: Array.from({ length: 21 }, () => randomUUID()) }
  const ids: Record<string, string> = {}
  for (const [which, all] of Object.entries(contents)) {
    const documents = all.map((content) => ({ sha256: sha256Hex(content), document_name: 'Plan.pdf', store: false }))
    const made = await createDocuments(world, actorOf(await haveAccount(database.db)), { documents, agree: true })
    ids[which] = made[0]?.id ?? ''
  }
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
  const confirmed = await confirmAnchor(world)
  header = confirmed.header
  expect(await spreadAnchor(world, confirmed)).toBe(2)
  for (const [which, [content]] of Object.entries(contents))
    anchored[which] = {
      file: Buffer.from(content ?? ''),
      zip: await bytesOf(await downloadProofs(world, ids[which] ?? '')),
      chainpoint: await bytesOf(await downloadAnchor(world, ids[which] ?? '', 'chainpoint')),
    }
  const { db, keyring, clock } = world
  await publishKeys({ db, keyring, clock, log: silentLog, names: { log: 'proofs.example/log' } })
  trust = Buffer.concat([await readFile(tsa.caFile), Buffer.from(pemOf((await keyring.signer('platform')).chain))])
}, 120_000)
afterAll(async () => {
  await tsa.close()
  await world.remove()
})

async function bytesOf(download: ProofDownload): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await download.open(0, download.bytes)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

async function verify(files: Readonly<Record<string, Uint8Array>>): Promise<Dossier> {
  const given = Object.entries(files).map(([path, bytes]) => fileOfBytes(path, bytes))
  return await verifyDossier(given, {
    now: () => new Date(),
    hashes: nodeHashes,
    trust,
    keys: await readPlatformKeys(database.db),
    headers: async (height) => await Promise.resolve(height === 7 ? [{ height, header, source: 'given' }] : []),
    // Such a block is none on the main chain.
    network: 'regtest',
  })
}

const of = (which: string): Anchored => {
  const found = anchored[which]
  if (found === undefined) throw new Error('no deposit')
  return found
}
const altered = (file: Buffer): Uint8Array => Uint8Array.from(file, (octet, i) => (i === 5 ? octet ^ 1 : octet))

/** Every check that did not pass, but for those that take no part in the verdict. */
const open = ({ items }: Dossier): string[] =>
  items.flatMap(({ name, result }) =>
    'report' in result
      ? result.report.checks
          .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
          .map(({ id, status }) => `${name} ${id} ${status}`)
      : [],
  )
const proofs = ['document.chainpoint.json', 'document.ers', 'document.ots', 'document.tsr', 'log-proof.txt', 'signature.p7s']
const overFile = { alone: proofs.slice(0, 4), together: proofs.slice(0, 3) } as const

test.each(['alone', 'together'] as const)(
  'E-35 the archive of an anchored deposit and its file (%s): every proof holds, and dates the file',
  async (which) => {
    const { zip, file } = of(which)
    const dossier = await verify({ 'proofs.zip': zip, 'plan.pdf': file })
    expect([dossier.verdict, open(dossier)]).toEqual(['TOTAL-PASSED', []])
    const [answer, ...more] = dossier.answers
    expect([answer?.name, answer?.sha256, answer?.verdict, more]).toEqual(['plan.pdf', sha256Hex(file), 'TOTAL-PASSED', []])
    expect(answer?.proofs.map(({ name, verdict, matches }) => [name, verdict, matches]).toSorted()).toEqual(
      proofs.map((name) => [`proofs.zip/${name}`, 'TOTAL-PASSED', true]),
    )
    expect(new Set(answer?.dates.map(({ kind }) => kind))).toEqual(new Set(['timestamp', 'bitcoin']))
  },
)

test.each(['alone', 'together'] as const)(
  'E-35 one octet of the file is another (%s): it fails, and names the file and each proof that is about another',
  async (which) => {
    const { zip, file } = of(which)
    const dossier = await verify({ 'proofs.zip': zip, 'plan.pdf': altered(file) })
    const [answer, ...more] = dossier.answers
    expect([dossier.verdict, answer?.name, answer?.verdict, answer?.dates, more]).toEqual([
      'TOTAL-FAILED',
      'plan.pdf',
      'TOTAL-FAILED',
      [],
      [],
    ])
    const others = answer?.proofs.filter(({ matches }) => !matches).map(({ name }) => name)
    expect(others?.toSorted()).toEqual(overFile[which].map((name) => `proofs.zip/${name}`))
  },
)

test.each(['alone', 'together'] as const)('C-76 the Chainpoint proof and the file (%s), as it was and altered', async (which) => {
  const { chainpoint, file } = of(which)
  const whole = await verify({ 'plan.chainpoint.json': chainpoint, 'plan.pdf': file })
  expect([whole.verdict, open(whole)]).toEqual(['TOTAL-PASSED', []])
  const about = (dossier: Dossier) =>
    dossier.answers.map(({ name, verdict, proofs: its }) => [name, verdict, its.map((each) => [each.name, each.matches])])
  expect(about(whole)).toEqual([['plan.pdf', 'TOTAL-PASSED', [['plan.chainpoint.json', true]]]])
  expect(whole.answers[0]?.dates.map(({ kind }) => kind)).toEqual(['bitcoin'])
  const other = await verify({ 'plan.chainpoint.json': chainpoint, 'plan.pdf': altered(file) })
  expect(other.verdict).toBe('TOTAL-FAILED')
  expect(about(other)).toEqual([['plan.pdf', 'TOTAL-FAILED', [['plan.chainpoint.json', false]]]])
  expect(other.answers[0]?.dates).toEqual([])
})

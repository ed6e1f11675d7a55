import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { coverEveryProof, sealEveryProof, zipOfEntries } from '../../../../testing/package-of-every-proof.ts'
import type { EveryProof, EveryProofInput } from '../../../../testing/package-of-every-proof.ts'
import { createTimestampers, openKeyring, renewStamps } from '../../../sealing/server/index.ts'
import { displayed, readBlockHeader } from '../bitcoin/block-header.ts'
import { anchorFiles } from './check-anchor.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'later-proofs-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const seal = async (input: Partial<EveryProofInput> = {}): Promise<EveryProof> =>
  await sealEveryProof({ keys: join(dir, 'keys'), ...input })

async function verified(files: EveryProof['files'], { timestampers }: EveryProof, deps: Partial<VerifyDeps> = {}) {
  const zip = await zipOfEntries(await coverEveryProof(files, timestampers))
  const file = { size: zip.length, read: async (at: number, length: number) => zip.subarray(at, at + length) }
  return await verifyCompared({ kind: 'zip', file }, { now: () => new Date(), network: 'regtest', ...deps })
}

test('who renewed the stamps is one of those relied upon: named, and measured against the reader’s roots', async () => {
  const sealed = await seal()
  const keyring = await openKeyring({ dir: join(dir, 'others'), clock: systemClock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  const named = [...sealed.files]
    .filter(([path]) => /^seal\/(?!seal\.json$|renewal-)/.test(path))
    .map(([path, bytes]) => ({ path, sha256: createHash('sha256').update(bytes).digest('hex') }))
  const { renewals } = await renewStamps([{ number: 1, root: sealed.root, files: named }], {
    publicLog: sealed.publicLog,
    timestampers,
  })
  const files = new Map([...sealed.files, ...renewals.flat().map(({ path, bytes }) => [path, bytes] as const)])
  const pem = (path: string) => Buffer.from(files.get(path) ?? [])
  const first = [pem('seal/platform-ca.pem'), pem('seal/timestamp-1-ca.pem')]
  const alone = await verified(files, sealed)
  expect(alone.verdict).toBe('TOTAL-PASSED')
  expect(alone.authorities.map(({ kind }) => kind)).toEqual(['platform', 'time', 'time'])
  const some = await verified(files, sealed, { trust: Buffer.concat(first) })
  expect(some.verdict).toBe('INDETERMINATE')
  expect(some.checks.filter(({ status }) => status !== 'passed').map(({ id, subject }) => `${id} ${subject ?? ''}`)).toEqual([
    'time_trust seal/renewal-1-ca.pem',
    'anchor seal/anchor.ots',
  ])
  const every = await verified(files, sealed, { trust: Buffer.concat([...first, pem('seal/renewal-1-ca.pem')]) })
  expect(every.verdict).toBe('TOTAL-PASSED')
})

test('a block of before the capture, beyond what a miner’s clock may be wrong by, is no date that follows it', async () => {
  const height = 900
  const judged = async (hoursBefore: number) => {
    let header: Uint8Array = new Uint8Array()
    const anchor = (root: Uint8Array) => {
      header = mineHeader(root, { at: Math.floor(Date.now() / 1000) - Math.round(hoursBefore * 3600) })
      const { hash, time } = readBlockHeader(header)
      const said = { hash: displayed(hash), header: toHex(header), time: new Date(time * 1000).toISOString(), sources: ['node'] }
      return new Map([
        [anchorFiles.ots, buildOts({ digest: root, operations: [], end: [{ kind: 'bitcoin', height }] })],
        [anchorFiles.header, utf8(canonicalJson({ format: 'probant-anchor-header/1', height, ...said }))],
      ])
    }
    const sealed = await seal({ anchor })
    const given: VerifyDeps['headers'] = async (at) => (at === height ? [{ height, header, source: 'given' }] : [])
    const { verdict, checks } = await verified(sealed.files, sealed, { headers: given })
    return [verdict, checks.find(({ id }) => id === 'time_order')?.data['reason'] ?? '']
  }
  expect(await judged(1)).toEqual(['TOTAL-PASSED', ''])
  expect(await judged(24)).toEqual(['INDETERMINATE', 'block_before_capture'])
})

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import en from '../../messages/wacz.en.json' with { type: 'json' }
import fr from '../../messages/wacz.fr.json' with { type: 'json' }
import type { ProofReport } from '../proof.ts'
import { zipFlaws } from '../zip/read-any-zip.ts'
import { verifyWaczProof, waczCheckIds, waczFactIds, waczReasons } from './verify-wacz-proof.ts'

const sha = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const key = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const created = '2026-11-21T10:00:00Z'

type Made = { files?: readonly ZipPart[]; list?: object; digest?: object | null; signed?: object | null }

/** An archive of the anonymous form (WACZ Signing and Verification 0.1.0 §2.2.1), with what a test wants changed. */
function archive({ files, list, digest, signed }: Made = {}): Uint8Array {
  const pieces = [
    { path: 'archive/data.warc.gz', bytes: Buffer.from('WARC/1.1') },
    { path: 'pages/pages.jsonl', bytes: Buffer.from('{"format":"json-pages-1.0"}\n'), deflate: true },
  ]
  const resources = pieces.map(({ path, bytes }) => ({ name: path, path, hash: sha(bytes), bytes: bytes.length }))
  const bytes = Buffer.from(
    JSON.stringify({ profile: 'data-package', wacz_version: '1.1.1', software: 'probant', created, resources, ...list }),
  )
  const hash = sha(bytes)
  const own = {
    hash,
    created,
    software: 'probant',
    version: '0.1.0',
    signature: sign('sha256', Buffer.from(hash), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
    publicKey: key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
  const kept = { path: 'datapackage.json', hash, ...(signed === null ? {} : { signedData: { ...own, ...signed } }), ...digest }
  return zipOf([
    ...(files ?? pieces),
    { path: 'datapackage.json', bytes },
    ...(digest === null ? [] : [{ path: 'datapackage-digest.json', bytes: Buffer.from(JSON.stringify(kept)) }]),
  ])
}

async function verify(bytes: Uint8Array, trust?: Uint8Array): Promise<ProofReport> {
  const file = {
    size: bytes.length,
    read: async (at: number, length: number) => {
      if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(at, at + length)
    },
  }
  return await verifyWaczProof({ file }, { now: () => new Date(), ...(trust === undefined ? {} : { trust }) })
}
const findings = (report: ProofReport): string[] =>
  report.checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

test('a whole archive: all but whose key it is, which nobody vouches for', async () => {
  const report = await verify(archive())
  expect(findings(report)).toEqual(['trust~anonymous'])
  expect(report.verdict).toBe('INDETERMINATE')
  expect(report.bound.filter(({ of }) => of === 'entry')).toHaveLength(2)
})

const changed = [
  { path: 'archive/data.warc.gz', bytes: Buffer.from('WARC/1.2') },
  { path: 'pages/pages.jsonl', bytes: Buffer.from('{"format":"json-pages-1.0"}\n') },
]
const one = { name: 'a', path: 'archive/data.warc.gz', bytes: 8 }

test.each<[string, () => Uint8Array, readonly string[]]>([
  ['a file altered', () => archive({ files: changed }), ['resource=differs', 'resources=differs', 'trust~anonymous']],
  ['a file left out', () => archive({ files: changed.slice(1) }), ['resource=missing', 'resources=differs', 'trust~anonymous']],
  [
    'a file of another length',
    () => archive({ files: [{ path: 'archive/data.warc.gz', bytes: Buffer.from('WARC') }, ...changed.slice(1)] }),
    ['resource=size', 'resources=differs', 'trust~anonymous'],
  ],
  [
    'a digest of another kind',
    () => archive({ list: { resources: [{ ...one, hash: 'md5:00' }] } }),
    ['resource~unknown_digest', 'resources~differs', 'unlisted~not_listed', 'trust~anonymous'],
  ],
  ['a list without resources', () => archive({ list: { resources: 3 } }), ['datapackage=malformed']],
  ['no list', () => zipOf([{ path: 'archive/data.warc.gz', bytes: Buffer.from('x') }]), ['datapackage=missing']],
  ['no digest', () => archive({ digest: null }), ['signature~unsigned']],
  ['a digest of something else', () => archive({ digest: { hash: sha('other') } }), ['digest=other_digest']],
  ['not signed', () => archive({ signed: null }), ['signature~unsigned']],
  [
    'a signature over something else',
    () => archive({ signed: { signature: Buffer.alloc(96, 1).toString('base64') } }),
    ['signature=signature'],
  ],
  ['another date', () => archive({ signed: { created: '2020-01-01T00:00:00Z' } }), ['signature=created_differs']],
  ['a member too many', () => archive({ signed: { more: 'x' } }), ['signature=malformed']],
  ['not a ZIP file', () => Buffer.from('a web archive that is none at all'), ['container=not_zip']],
  ['a name twice', () => zipOf([...changed, ...changed]), ['container=duplicate', 'datapackage=missing']],
])('%s: finds exactly what is wrong', async (_, made, finds) => {
  expect(findings(await verify(made()))).toEqual(finds)
})

test('archives that py-wacz publishes: as py-wacz judges them', async () => {
  const read = async (name: string): Promise<Uint8Array> =>
    new Uint8Array(await readFile(new URL(`../../../../e2e/oracles/py-wacz/${name}.wacz`, import.meta.url)))
  const valid = await verify(await read('valid_signed_example_1'))
  expect(findings(valid)).toEqual(['trust~no_roots', 'time_trust~no_roots'])
  expect(valid.facts).toContainEqual({ id: 'domain', value: 'btrix-sign-test.webrecorder.net', form: 'text' })
  expect(valid.dates).toMatchObject([{ at: '2022-01-18T19:00:12.000Z', rests_on: ['time_authority'] }])
  expect(findings(await verify(await read('invalid_signed_example_1')))).toEqual(['trust~no_roots', 'time_trust~no_roots'])
  expect(findings(await verify(await read('valid_example_2')))).toEqual(['signature~unsigned'])
  expect((await verify(await read('invalid_example_1'))).verdict).toBe('TOTAL-FAILED')
})

test('4,000 altered archives: never an exception, never green', async () => {
  const base = archive()
  let state = 11
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < 4000; i += 1) {
    const bytes = Uint8Array.from(i % 20 === 0 ? base : base.subarray(0, base.length - next(40)))
    const at = next(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8))
    expect((await verify(bytes)).verdict).not.toBe('TOTAL-PASSED')
  }
})

test('every check, reason and fact has words in both languages', () => {
  for (const words of [en, fr] as Readonly<Record<string, string>>[])
    for (const id of [
      ...waczCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
      ...[...waczReasons, ...zipFlaws].map((reason) => `reason.${reason}`),
      ...waczFactIds.map((fact) => `fact.${fact}`),
    ])
      expect(words[`verification.proof.wacz.${id}`], id).toMatch(/\S/)
})

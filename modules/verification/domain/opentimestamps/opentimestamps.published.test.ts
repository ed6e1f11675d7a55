import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { readUpstream } from '../../../../testing/read-ots-upstream.ts'
import { MalformedError } from '../encoding/der.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { readOts } from './read-ots.ts'
import { attestationsOf } from './tree.ts'
import { verifyOpenTimestamps } from './verify-opentimestamps.ts'
import { writeOts } from './write-ots.ts'

const published = JSON.parse(readFileSync(new URL('./published.json', import.meta.url), 'utf8')) as {
  repository: string
  commit: string
  files: Readonly<Record<string, string>>
}
const files = new Map<string, Uint8Array>()
const vector = (name: string): Uint8Array => files.get(name) ?? new Uint8Array()
const names = Object.keys(published.files)
const valid = names.filter((name) => name.endsWith('.ots') && !name.startsWith('invalid/'))
beforeAll(async () => {
  const { repository, commit } = published
  for (const name of names)
    files.set(name, await readPublished({ repository, commit, path: `examples/${name}`, sha256: published.files[name] ?? '' }))
})

const now = () => new Date('2026-06-01T00:00:00Z')
/** Of the block that holds `hello-world.txt`. */
const header = fromHex(
  '02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6',
)
const given: VerifyDeps = {
  now,
  headers: (height) => Promise.resolve(height === 358_391 ? [{ height, header, source: 'given' }] : []),
}
const statuses = (report: ProofReport) =>
  report.checks.map(({ id, status, data }) => [id, status, data['reason'] ?? ''].join(' ').trim())

describe('the examples of the OpenTimestamps client', () => {
  test('octet for octet, and as upstream reads them', () => {
    const theirs = readUpstream(valid.map(vector))
    expect(valid).toHaveLength(14)
    for (const [i, name] of valid.entries()) {
      const read = readOts(vector(name))
      expect(toHex(writeOts(read)), name).toBe(toHex(vector(name)))
      expect([theirs[i]?.same, theirs[i]?.digest], name).toEqual([true, toHex(read.tree.message)])
      const messages = attestationsOf(read.tree).map(({ message }) => toHex(message))
      expect(theirs[i]?.attestations.map(([message]) => message).toSorted(), name).toEqual(messages.toSorted())
    }
  })

  test.each([
    ['invalid/bad-major-version.ots', 'version', 'UnsupportedMajorVersion'],
    ['invalid/exceeds-max-msg-length.ots', 'message_length', 'DeserializationError'],
    ['invalid/invalid-file-digest-type.ots', 'file_hash', 'DeserializationError'],
  ] as const)('%s is refused by name: %s', async (name, reason, theirs) => {
    expect(readUpstream([vector(name)])[0]?.attestations).toEqual([[theirs]])
    expect(() => readOts(vector(name))).toThrow(new MalformedError(reason))
    const report = await verifyOpenTimestamps({ proof: vector(name) }, { now })
    expect([report.verdict, report.checks]).toEqual(['TOTAL-FAILED', [{ id: 'format', status: 'failed', data: { reason } }]])
  })

  test('hello-world.txt is in block 358,391, as its header shows', async () => {
    const report = await verifyOpenTimestamps({ proof: vector('hello-world.txt.ots'), data: vector('hello-world.txt') }, given)
    expect(statuses(report)).toEqual(['format passed', 'digest passed', 'attestation passed', 'block_header passed'])
    expect(report.dates).toEqual([
      { kind: 'bitcoin', at: '2015-05-28T15:41:18.000Z', by: 'Bitcoin #358391', rests_on: ['bitcoin', 'given'] },
    ])
    expect(report.facts).toContainEqual({
      id: 'transaction',
      value: '7e9f0f7d9daa2d9e51b2e22f4abe814c3f90539afa778a9bef88dc64627cb2ec',
      form: 'hex',
    })
    expect(report.checks[2]?.steps).toHaveLength(38)
  })

  test('bad-stamp.txt leads to another root, and fails by that', async () => {
    const report = await verifyOpenTimestamps({ proof: vector('bad-stamp.txt.ots'), data: vector('bad-stamp.txt') }, given)
    const failed = report.checks.filter(({ status }) => status === 'failed')
    expect([report.verdict, failed.map(({ id, data }) => [id, data['reason']])]).toEqual([
      'TOTAL-FAILED',
      [['attestation', 'merkle_root']],
    ])
  })

  test.each([
    ['two-calendars.txt.ots', ['attestation indeterminate pending', 'attestation indeterminate pending']],
    ['unknown-notary.txt.ots', ['attestation indeterminate unknown']],
    ['known-and-unknown-notary.txt.ots', ['attestation indeterminate pending', 'attestation indeterminate unknown']],
    ['incomplete.txt.ots', ['attestation indeterminate pending']],
    ['hello-world.txt.ots', ['attestation indeterminate no_header', 'block_header indeterminate no_header']],
    [
      'sha1/a-or-b.ots',
      [
        'attestation indeterminate pending',
        'attestation indeterminate no_header',
        'attestation indeterminate pending',
        'attestation indeterminate pending',
        'block_header indeterminate no_header',
      ],
    ],
  ] as const)('%s without document or header concludes nothing', async (name, rest) => {
    const report = await verifyOpenTimestamps({ proof: vector(name) }, { now })
    expect(statuses(report)).toEqual(['format passed', 'digest indeterminate nothing_given', ...rest])
    expect(report.verdict).toBe('INDETERMINATE')
  })

  test('two documents of one SHA-1 share a proof, which therefore does not say which was meant', async () => {
    const [a, b] = [vector('sha1/a'), vector('sha1/b')]
    expect(toHex(a)).not.toBe(toHex(b))
    for (const data of [a, b]) {
      const report = await verifyOpenTimestamps({ proof: vector('sha1/a-or-b.ots'), data }, given)
      expect(report.checks[1]).toMatchObject({ id: 'digest', status: 'indeterminate', data: { reason: 'weak_algorithm' } })
      expect(report.verdict).toBe('INDETERMINATE')
    }
  })
})

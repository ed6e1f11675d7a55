/** A recording that was left out because a secret stands in it: said so, and only by a sealed account of what never was sealed. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Manifest } from '../../manifest/manifest.ts'
import { readWithheld } from '../contents/read-withheld.ts'
import { sessionChecks } from './verify-session.ts'
import { interactiveChecks } from './verify-interactive.ts'
import { recordedInteractive } from '../../../../../testing/recorded-interactive.ts'
import { recordedSession, type SessionPiece } from '../../../../../testing/recorded-session.ts'
import { hostSha256 } from '../../../server/index.ts'

const subject = { evidence_id: '0190a0b0-0000-7000-8000-000000000000', requested_url: 'https://example.org/' }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const deps = { now: () => new Date(), sha256: hostSha256 }
const pcap = 'capture/network.pcap'
const download = 'capture/downloads/1.bin'
const masking = 'environment/masking.json'

const account = (withheld: unknown, format = 'probant-masking/1'): SessionPiece => ({
  path: masking,
  role: 'environment',
  bytes: Buffer.from(JSON.stringify({ format, secrets: [], withheld })),
})
const open = (pieces: readonly SessionPiece[]) =>
  new Map(
    pieces.map(({ path, bytes }) => {
      const read = async (at: number, length: number) => await Promise.resolve(bytes.subarray(at, at + length))
      return [path, { path, size: bytes.length, sha256: sha256(bytes), read }] as const
    }),
  )
const manifestOf = (pieces: readonly SessionPiece[]): Manifest => ({
  format: 'probant-evidence/1',
  root: '',
  subject: {
    ...subject,
    kind: 'interactive',
    final_url: subject.requested_url,
    started_at: new Date(Date.now() - 30 * 60_000).toISOString(),
    finished_at: new Date().toISOString(),
    software: 'probant/0.1.0',
  },
  pieces: pieces.map(({ path, role, bytes }) => ({ path, role, media_type: 'x', bytes: bytes.length, sha256: sha256(bytes) })),
})

test('H-45 a recording that was left out is said to be that, and removed ones are missing', async () => {
  const all = await recordedSession(() => Promise.resolve({ token: new Uint8Array([48, 0]), caPem: '' }), { subject })
  const rest = all.filter(({ path }) => path !== pcap)
  const digest = sha256(all.find(({ path }) => path === pcap)?.bytes ?? new Uint8Array())
  const hash = async (present: readonly SessionPiece[], sealed: readonly SessionPiece[] | null = present) => {
    const manifest = sealed === null ? undefined : manifestOf(sealed)
    const { checks } = await sessionChecks(open(present), manifest, [], deps)
    const { status, data, supplementary } = checks.find(({ id }) => id === 'session_hash') ?? {}
    return [status, data?.['reason'] ?? null, supplementary ?? false]
  }
  const said = account([{ path: pcap, sha256: digest, bytes: 1 }])
  expect(await hash(all)).toEqual(['passed', null, false])
  expect(await hash([...rest, said])).toEqual(['indeterminate', 'withheld_secret', true])
  const missing = ['failed', 'missing', false]
  expect(await hash(rest)).toEqual(missing)
  // It was sealed: whoever holds the package took it out.
  expect(await hash([...rest, said], [...all, said])).toEqual(missing)
  // The account is none of the sealed pieces, or another one than was sealed.
  expect(await hash([...rest, said], rest)).toEqual(missing)
  expect(await hash([...rest, said], [...rest, account([])])).toEqual(missing)
  expect(await hash([...rest, said], null)).toEqual(missing)
  for (const other of [
    account([{ path: 'capture/other.pcap', sha256: digest }]),
    account([{ path: pcap, sha256: 'no digest' }]),
    account([null]),
    account({ path: pcap }),
    account([{ path: pcap, sha256: digest }], 'probant-masking/2'),
    { ...said, bytes: Buffer.from('{') },
    { ...said, bytes: Buffer.from([0xff]) },
  ])
    expect(await hash([...rest, other])).toEqual(missing)
  expect(await readWithheld(open([said]), manifestOf([said]))).toEqual(new Map([[pcap, digest]]))
})

test('H-45 a download that was left out is said to be that; with another digest, or without a word, it is missing', async () => {
  const { pieces } = await recordedInteractive()
  const digest = sha256(pieces.find(({ path }) => path === download)?.bytes ?? new Uint8Array())
  const rest = pieces.filter(({ path }) => path !== download)
  const named = async (present: readonly SessionPiece[]) => {
    const checks = await interactiveChecks(open(present), manifestOf(present), { session: null, short: false }, deps)
    return checks.flatMap(({ id, status, data }) => (id === 'session_pieces' ? [[status, data['reason'] ?? null]] : []))
  }
  expect(await named(pieces)).toEqual([['passed', null]])
  expect(await named([...rest, account([{ path: download, sha256: digest }])])).toEqual([['indeterminate', 'withheld_secret']])
  expect(await named([...rest, account([{ path: download, sha256: '0'.repeat(64) }])])).toEqual([['indeterminate', 'missing']])
  expect(await named(rest)).toEqual([['indeterminate', 'missing']])
})

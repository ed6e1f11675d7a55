/**
 * P-02: one sealed package of a live session, altered in every entry: none passes, and each is named. Most alterations come in
 * two forms, the bare one and that of a forger who writes the container anew. `e2e/tamper.spec.ts` does the same to a static one.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import { zipOfEntries } from '../../../../../testing/package-of-every-proof.ts'
import { recordedInteractive } from '../../../../../testing/recorded-interactive.ts'
import { recordedSession } from '../../../../../testing/recorded-session.ts'
import { sealedPackage } from '../../../../../testing/sealed-package.ts'
import { createNotary, openKeyring } from '../../../../sealing/server/index.ts'
import { readZip } from '../../zip/read-zip.ts'
import type { VerificationReport } from '../../report/package-report.ts'
import { hostSha256, verifyPackage } from '../../../server/index.ts'
import { fingerprintsOf } from '../../../../../testing/verify-compared.ts'

type Entry = readonly [path: string, bytes: Uint8Array]
/** `names`: paths that checks which do not pass must be about. */
type Alteration = { readonly what: string; readonly names: readonly string[]; readonly zip: Uint8Array | Promise<Uint8Array> }

let dir: string
let whole: Uint8Array
let entries: readonly { readonly path: string; readonly dataAt: number; readonly size: number }[]
const readable = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (at: number, length: number) => await Promise.resolve(bytes.subarray(at, at + length)),
})
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tamper-'))
  const [clock, log, keys] = [systemClock, silentLog, join(dir, 'keys')]
  const notary = await createNotary({
    keyring: await openKeyring({ dir: keys, clock, log }),
    archiveKeyDir: join(dir, 'archive-keys'),
    domain: null,
    urls: [],
    software: 'probant/0.1.0',
    clock,
    log,
  })
  const startedAt = clock.now().toISOString()
  // Of the download nothing is a piece but what is said of it: a secret stands in it.
  const { pieces, lines, headAfter } = await recordedInteractive()
  const download = pieces.find(({ role }) => role === 'download')
  const withheld = [{ path: download?.path, sha256: sha256(download?.bytes ?? new Uint8Array()), bytes: download?.bytes.length }]
  const text = (path: string, said: unknown) => ({ path, role: 'environment' as const, bytes: Buffer.from(JSON.stringify(said)) })
  const { zip } = await sealedPackage({
    keys,
    kind: 'interactive',
    startedAt,
    pieces: [
      ...pieces.filter((piece) => piece !== download),
      ...(await recordedSession((digest) => notary.timestampDigest(digest), {
        subject: { evidence_id: '0190a0b0-0000-7000-8000-000000000000', requested_url: 'https://example.org/é?q=<b>' },
        alter: (one) => ({ ...one, timeline: headAfter({ start: 0, screenshot: 3, end: lines.length }[one.reason]) }),
      })),
      { path: 'capture/screenshots/001-viewport.png', role: 'viewport_screenshot', bytes: Buffer.from('a picture') },
      { path: 'capture/key-frames/001.jpg', role: 'key_frame', bytes: Buffer.from('a frame of the video') },
      text('environment/masking.json', { format: 'probant-masking/1', secrets: [], withheld }),
      text('environment/checklist.json', []),
    ],
  })
  whole = zip
  fingerprints = await fingerprintsOf({ kind: 'zip', file: readable(zip) }, deps)
  entries = (await readZip(readable(whole))).entries
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const deps = { now: () => new Date(), sha256: hostSha256 }
/** As by a reader who compared the fingerprints of the package before it was altered. */
let fingerprints: readonly string[] = []
const verify = async (zip: Uint8Array): Promise<VerificationReport> =>
  await verifyPackage({ kind: 'zip', file: readable(zip) }, { ...deps, fingerprints })
const listed = (): Entry[] => entries.map(({ path, dataAt, size }) => [path, whole.subarray(dataAt, dataAt + size)])

/** Paths that the checks which do not pass are about. */
const named = ({ checks }: VerificationReport): unknown[] =>
  checks.flatMap(({ status, subject, data, supplementary }) =>
    status === 'passed' || (status === 'indeterminate' && supplementary === true) ? [] : [subject, data['path']],
  )

function* alterations(): Generator<Alteration> {
  const all = listed()
  for (const [i, { path, dataAt, size }] of entries.entries()) {
    // Another octet of each, the same in every run.
    const at = createHash('sha256').update(path).digest().readUInt32BE() % size
    const bit = 1 << (at % 8)
    const octets = (all[i] as Entry)[1]
    const next = (i + 1) % all.length
    const [other, others] = all[next] as Entry
    const place = `${path} at ${at}`
    yield { what: `flip ${place}`, names: [path], zip: whole.with(dataAt + at, (whole[dataAt + at] ?? 0) ^ bit) }
    yield {
      what: `flip and repair ${place}`,
      names: [path],
      zip: zipOfEntries(all.with(i, [path, octets.with(at, (octets[at] ?? 0) ^ bit)])),
    }
    yield { what: `remove ${path}`, names: [path], zip: zipOfEntries(all.toSpliced(i, 1)) }
    const renamed = path.replace(/(?=\.[a-z0-9]+$)|$/, '-2')
    yield { what: `rename ${path}`, names: [path], zip: zipOfEntries(all.with(i, [renamed, octets])) }
    yield {
      what: `exchange ${path} and ${other}`,
      names: [path, other],
      zip: zipOfEntries(all.with(i, [path, others]).with(next, [other, octets])),
    }
  }
  // What was left out before the seal is another file, and whoever adds it adds what nobody sealed.
  const added = 'capture/downloads/1.bin'
  yield { what: `add ${added}`, names: [added], zip: zipOfEntries([...all, [added, Buffer.from('a file that the page gave')]]) }
}

test('P-02 a package of a live session holds, and after its container is written anew', async () => {
  const report = await verify(whole)
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(
    report.checks.flatMap(({ id, status, data }) =>
      id.startsWith('session_') ? [`${id} ${status} ${data['reason'] ?? ''}`.trim()] : [],
    ),
  ).toEqual(
    expect.arrayContaining([
      'session_timeline passed',
      'session_video passed',
      'session_pieces indeterminate withheld_secret',
      'session_hash passed',
    ]),
  )
  expect(Buffer.compare(await zipOfEntries(listed()), whole)).toBe(0)
  expect(entries.length).toBeGreaterThanOrEqual(30)
})

test('P-02 altered in any entry, it never passes, and the entry is named', { timeout: 120_000 }, async () => {
  const wrong: unknown[] = []
  let tried = 0
  for (const { what, names, zip } of alterations()) {
    const report = await verify(await zip)
    tried += 1
    const said = named(report)
    if (report.verdict !== 'TOTAL-FAILED' && report.verdict !== 'INDETERMINATE') wrong.push([what, report.verdict])
    const unsaid = names.filter((path) => !said.includes(path))
    if (unsaid.length > 0) wrong.push([what, report.verdict, 'not named', unsaid])
  }
  expect(wrong).toEqual([])
  expect(tried).toBe(5 * entries.length + 1)
})

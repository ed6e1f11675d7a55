import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { content, grown, laterRoots, steps } from '../../../../testing/proof-vectors/later-proofs.ts'
import { readCms } from '../cms/read-cms.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { verifyCms } from './verify-cms.ts'
import { below, seed, share } from '../../../../testing/sweep.ts'

const [june, july, september, october] = ['2026-06-01', '2026-07-02', '2026-09-01', '2026-10-01'].map(
  (day) => `${day}T10:00:00Z`,
) as [string, string, string, string]
const stamped = steps.signature(june)

/** The certificate of the signer ended in August: only what proves that the signature is from before makes it hold. */
const forms: Readonly<Record<string, { readonly bytes: Uint8Array; readonly dates: readonly string[]; readonly level: string }>> =
  {
    'an archive time stamp, version 3': {
      bytes: grown([stamped, steps.version3(september)]),
      dates: [june, september],
      level: 'CAdES B-T',
    },
    'an archive time stamp, version 3, by the first index': {
      bytes: grown([stamped, steps.version3(september, 1)]),
      dates: [june, september],
      level: 'CAdES B-T',
    },
    'an archive time stamp, version 3, by the second index': {
      bytes: grown([stamped, steps.values(), steps.version3(september, 2)], { crls: true }),
      dates: [june, september],
      level: 'CAdES B-LTA',
    },
    'an archive time stamp alone, renewed': {
      bytes: grown([steps.version3(july), steps.version3(september)], { detached: false }),
      dates: [july, september],
      level: 'CAdES B-B',
    },
    'an archive time stamp, version 2': {
      bytes: grown([stamped, steps.version2(september)], { crls: true }),
      dates: [june, september],
      level: 'CAdES B-LTA',
    },
    'an archive time stamp, version 2, of the older edition': {
      bytes: grown([stamped, steps.version2(july), steps.version2(september, 'bare')], { detached: false }),
      dates: [june, july, september],
      level: 'CAdES B-T',
    },
    'time stamps over references': {
      bytes: grown([stamped, steps.references(), steps.revocations(), steps.complete(july), steps.referencesStamped(july)]),
      dates: [june, july, july],
      level: 'CAdES B-T',
    },
    'an evidence record in it': { bytes: grown([steps.internal(july)]), dates: [july], level: 'CAdES B-B' },
    'an evidence record over it and the file': {
      bytes: grown([stamped, steps.external(september)]),
      dates: [june, september],
      level: 'CAdES B-T',
    },
    'a countersignature': { bytes: grown([stamped, steps.counter()]), dates: [june], level: 'CAdES B-T' },
    'all of it': {
      bytes: grown(
        [
          stamped,
          steps.counter(),
          steps.references(),
          steps.revocations(),
          steps.complete(july),
          steps.version3(september),
          steps.internal(october),
        ],
        { crls: true },
      ),
      dates: [june, july, september, october],
      level: 'CAdES B-LTA',
    },
  }

const verify = async (signature: Uint8Array, given: Uint8Array | null = content): Promise<ProofReport> =>
  await verifyCms(
    { signature, ...(given === null ? {} : { content: { bytes: given } }) },
    { now: () => new Date('2026-11-21T12:00:00Z'), trust: laterRoots },
  )
const findings = ({ checks }: ProofReport): string[] =>
  checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

describe.each(Object.entries(forms))('%s', (_, { bytes, dates, level }) => {
  test('is evaluated and dates the signature', async () => {
    const report = await verify(bytes)
    expect(findings(report)).toEqual([])
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.dates.map(({ at }) => at.replace('.000', ''))).toEqual(dates)
    expect(report.facts.find(({ id }) => id === 'level')?.value).toBe(level)
  })

  test(`altered in any octet it is never green (seed ${seed})`, async () => {
    const next = below()
    const green: number[] = []
    for (let i = 0; i < share(300); i += 1) {
      const at = next(bytes.length)
      const altered = bytes.with(at, (bytes[at] ?? 0) ^ (1 << next(8)))
      if ((await verify(altered)).verdict === 'TOTAL-PASSED') green.push(at)
    }
    expect(green).toEqual([])
  })
})

test.each([
  [
    'an archive time stamp over another signature',
    [stamped, () => steps.version3(september)(grown([]), content)],
    'archive=timestamp_failed',
  ],
  [
    'an archive time stamp, version 2, over another',
    [stamped, () => steps.version2(september)(grown([]), content)],
    'archive=timestamp_failed',
  ],
  ['a list of what is no longer here', [stamped, steps.version3(september, 3, [new Uint8Array(20)])], 'archive~index_unmatched'],
  ['a record over another file', [stamped, steps.external(september, new Uint8Array(20))], 'archive=timestamp_failed'],
  ['a record over another signature', [stamped, () => steps.internal(september)(grown([]), content)], 'archive=timestamp_failed'],
  [
    'time-stamped references that were changed',
    [stamped, steps.references(), steps.complete(july), steps.revocations()],
    'archive=timestamp_failed',
  ],
  [
    'two time stamps of which one is false',
    [stamped, () => steps.signature(july)(content, content)],
    'signature_timestamp=timestamp_failed',
  ],
  ['a countersignature of something else', [stamped, steps.counter(content)], 'countersignature=other_content'],
  ['an archive time stamp of before 2008', [stamped, steps.oldest(september)], 'unsigned~not_evaluated'],
] as const)('%s is not green', async (_, added, finds) => {
  expect(findings(await verify(grown(added)))).toEqual([finds])
})

test('what is enclosed among certificates, and is none of any form, is not passed over', async () => {
  const { bytes } = forms['time stamps over references'] ?? expect.unreachable()
  for (const { encoded } of readCms(bytes).certificates) {
    const at = Buffer.from(bytes).indexOf(encoded)
    for (let bit = 0; bit < 8; bit += 1) {
      const report = await verify(bytes.with(at, 0x30 ^ (1 << bit)))
      expect(report.verdict).not.toBe('TOTAL-PASSED')
      expect(findings(report)).toContain('octets~certificate_unreadable')
    }
  }
})

test('with revocation data, too, the version of the container has its value', async () => {
  for (const name of ['an archive time stamp, version 2', 'an archive time stamp, version 3, by the second index', 'all of it']) {
    const { bytes } = forms[name] ?? expect.unreachable()
    // Behind three headers of four octets and the object identifier of eleven.
    expect([...bytes.subarray(23, 26)], name).toEqual([0x02, 0x01, 1])
    for (const version of [0, 2, 3, 4, 5, 129])
      expect((await verify(bytes.with(25, version))).verdict, `${name}: ${version}`).not.toBe('TOTAL-PASSED')
  }
})

test('without the content, what is over it stays open; over another it fails', async () => {
  for (const step of [steps.version2(september), steps.version3(september)])
    expect(findings(await verify(grown([stamped, step]), null))).toEqual([
      'content~content_absent',
      'message_digest~content_absent',
      'archive~content_absent',
    ])
  const other = await verify(grown([stamped, steps.version2(september)]), new Uint8Array(3))
  expect(findings(other)).toEqual(['message_digest=other_content', 'archive=timestamp_failed'])
})

test('openssl reads the same signatures: what was added does not change what was signed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'later-proofs-'))
  const inFolder = (name: string): string => join(folder, name)
  try {
    await writeFile(inFolder('content'), content)
    await writeFile(inFolder('roots'), laterRoots)
    for (const { bytes } of Object.values(forms)) {
      await writeFile(inFolder('p7s'), bytes)
      const at = String(Date.parse(july) / 1000)
      await promisify(execFile)('openssl', [
        'cms', '-verify', '-binary', '-inform', 'DER', '-in', inFolder('p7s'), '-content', inFolder('content'),
        '-CAfile', inFolder('roots'), '-purpose', 'any', '-attime', at, '-out', '/dev/null',
      ]) // prettier-ignore
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/**
 * Seals and tokens a second with the embedded authority beside `openssl ts -reply`, which is what an operator would script.
 * openssl has no server for time stamps: its figure holds the start of a process for each token, and `openssl version` beside it
 * says what that start alone costs. Prints ratios; run: `node bench/seals.ts [rounds]`.
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTimestampers, openKeyring, sealPieces } from '../modules/sealing/server/index.ts'
import { median } from './measure.ts'

const rounds = Number(process.argv[2] ?? 5)
const each = 100
const dir = mkdtempSync(join(tmpdir(), 'probant-bench-'))
const clock = { now: () => new Date() }
const log = { info: () => undefined, warn: () => undefined }

function openssl(...args: string[]): void {
  const done = spawnSync('openssl', args, { cwd: dir })
  if (done.status !== 0) throw new Error(`openssl ${args[0] ?? ''}: ${done.stderr.toString()}`)
}

/** An authority of openssl's own with the same kind of key: ECDSA over P-256. */
function prepareOpenssl(): void {
  writeFileSync(
    join(dir, 'tsa.cnf'),
    `[req]
distinguished_name=dn
[dn]
[tsa_ext]
extendedKeyUsage=critical,timeStamping
keyUsage=critical,digitalSignature
[tsa]
default_tsa=one
[one]
serial=${dir}/serial
signer_cert=${dir}/tsa.pem
certs=${dir}/tsa.pem
signer_key=${dir}/tsa.key
signer_digest=sha256
default_policy=1.2.3.4
digests=sha256
ess_cert_id_alg=sha256
`,
  )
  writeFileSync(join(dir, 'serial'), '01\n')
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'tsa.key')
  openssl(...'req -x509 -new -key tsa.key -subj /CN=bench -days 30 -config tsa.cnf -extensions tsa_ext -out tsa.pem'.split(' '))
}

const queries: string[] = []
function prepareQueries(): void {
  for (let i = 0; i < each; i += 1) {
    openssl('ts', '-query', '-digest', randomBytes(32).toString('hex'), '-sha256', '-cert', '-out', `q${String(i)}.tsq`)
    queries.push(`q${String(i)}.tsq`)
  }
}

async function perSecond(count: number, work: () => Promise<void> | void): Promise<number> {
  const start = performance.now()
  await work()
  return (count * 1000) / (performance.now() - start)
}

try {
  prepareOpenssl()
  prepareQueries()
  const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log })
  const [embedded] = timestampers
  if (embedded === undefined) throw new Error('there is no embedded authority')
  const pieces = Array.from({ length: 24 }, (_, i) => ({
    path: `capture/piece-${String(i).padStart(2, '0')}.bin`,
    role: 'dom' as const,
    media_type: 'application/octet-stream',
    bytes: i,
    sha256: createHash('sha256').update(String(i)).digest('hex'),
  }))
  const subject = {
    evidence_id: '01930000-0000-7000-8000-000000000000',
    kind: 'static' as const,
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:00:09.000Z',
    software: 'probant/bench',
  }
  const names = ['openssl ts -reply', 'start of openssl alone', 'our tokens', 'our whole seals of 24 pieces'] as const
  const taken = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    const speeds = [
      await perSecond(each, () => {
        for (const query of queries)
          openssl('ts', '-reply', '-config', 'tsa.cnf', '-section', 'one', '-queryfile', query, '-out', 'reply.tsr')
      }),
      await perSecond(each, () => {
        for (let i = 0; i < each; i += 1) openssl('version')
      }),
      await perSecond(each, async () => {
        for (let i = 0; i < each; i += 1) await embedded.timestamp(randomBytes(32))
      }),
      await perSecond(each, async () => {
        for (let i = 0; i < each; i += 1) await sealPieces({ subject, pieces }, { keyring, timestampers, clock })
      }),
    ]
    names.forEach((name, i) => taken.get(name)?.push(speeds[i] ?? 0))
  }
  const base = median(taken.get(names[0]) ?? [])
  for (const name of names) console.log(`${name}: ×${(median(taken.get(name) ?? []) / base).toFixed(2)} a second`)
} finally {
  rmSync(dir, { recursive: true, force: true })
}

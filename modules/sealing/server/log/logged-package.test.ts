import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { hostSha256, openPackageSource, type VerificationReport } from '../../../verification/server/index.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { openPublicLog } from './open-public-log.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

const run = promisify(execFile)
const database = withDatabase()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let unpacked: string
beforeAll(async () => {
  folder = await temporaryFolder()
  const keys = join(folder.dir, 'keys')
  const keyring = await openKeyring({ dir: keys, clock: systemClock, log: silentLog })
  const publicLog = await openPublicLog({
    db: database.db,
    keyring,
    clock: systemClock,
    origin: 'proofs.example/log',
    folder: join(folder.dir, 'log'),
  })
  for (let i = 0; i < 5; i += 1) await publicLog.include(new Uint8Array(randomBytes(32)))
  const { zip } = await sealedPackage({
    keys,
    pieces: [{ path: 'capture/page.html', role: 'dom', bytes: Buffer.from('<p>') }],
    publicLog,
  })
  const file = join(folder.dir, 'package.zip')
  await writeFile(file, zip)
  unpacked = join(folder.dir, 'package')
  await mkdir(unpacked)
  await run('unzip', ['-q', file, '-d', unpacked])
})
afterAll(async () => await folder.remove())

const verify = async (): Promise<VerificationReport> => {
  const { source, close } = await openPackageSource(unpacked)
  try {
    return await verifyCompared(source, { now: () => new Date(), sha256: hostSha256 })
  } finally {
    await close()
  }
}
const logCheck = ({ checks }: VerificationReport) => checks.find(({ id }) => id === 'log_inclusion')

test('a sealed package proves its place in the log by the keys that it holds, and by the command that repeats it', async () => {
  const report = await verify()
  expect(logCheck(report)).toMatchObject({
    status: 'passed',
    data: { origin: 'proofs.example/log', index: 5, size: 6, witnesses: 0 },
  })
  expect(report.verdict).toBe('TOTAL-PASSED')
  const command = logCheck(report)?.repeat_command ?? ''
  const { stdout } = await run('sh', ['-c', command], { cwd: unpacked })
  const row = await database.db.selectFrom('log_leaf').select('entry').where('index', '=', 5).executeTakeFirstOrThrow()
  expect(stdout.split(' ')[0]).toBe(row.entry.toString('hex'))
})

test('an altered or exchanged proof is named', async () => {
  const path = join(unpacked, 'seal/log-proof.txt')
  const { stdout } = await run('cat', [path])
  for (const [altered, reason] of [
    [stdout.replace('index 5', 'index 4'), 'log_inclusion'],
    [stdout.replace(/extra \S+/, `extra ${randomBytes(32).toString('base64')}`), 'log_inclusion'],
    [stdout.replace(/extra \S+\n/, ''), 'log_commitment'],
    [stdout.replace(/(?<=— \S+ \S{20})./, (sign) => (sign === 'A' ? 'B' : 'A')), 'log_checkpoint_signature'],
    [stdout.slice(0, -1), 'log_form'],
  ] as const) {
    await writeFile(path, altered)
    const report = await verify()
    expect([reason, report.verdict, logCheck(report)?.data['reason']]).toEqual([reason, 'TOTAL-FAILED', reason])
    expect(report.pieces.find((piece) => piece.path === 'seal/log-proof.txt')?.state).toBe('altered')
  }
  await writeFile(path, stdout)
  expect((await verify()).verdict).toBe('TOTAL-PASSED')
})

/**
 * Processor time of each stage of a sealed package: start, capture, seal, print, pack, with everything that each starts. As root:
 * `node bench/stages.ts [rounds] [folder of another checkout]`, which runs beside ours, alternating.
 */
import { createHash, randomUUIDv7 } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../platform/log/log.ts'
import type * as Capture from '../modules/capture/server/index.ts'
import type * as Sealing from '../modules/sealing/server/index.ts'
import type * as Report from '../modules/report/server/index.ts'
import type * as Layout from '../modules/evidence/server/package/lay-out.ts'
import type * as Evidence from '../modules/evidence/server/index.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { measure, median } from './measure.ts'

const stages = ['start', 'capture', 'seal', 'print', 'pack'] as const
type Stages = Readonly<Record<(typeof stages)[number], number>>

const ours = join(import.meta.dirname, '..')
const [given = '5', other, url, folder] = process.argv.slice(2)
if (given === 'run' && other !== undefined && url !== undefined && folder !== undefined) await run(other, url, folder)
else await compare(Number(given), other === undefined ? [ours] : [ours, other])

async function compare(rounds: number, roots: readonly string[]): Promise<void> {
  const site = await startFixtureSite()
  const place = mkdtempSync(join(tmpdir(), 'probant-bench-stages-'))
  for (const path of ['/resources/', '/tall/']) {
    const taken = new Map<string, Stages[]>(roots.map((root) => [root, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, root] of roots.entries()) {
        const target = join(place, `${String(round)}-${String(index)}${path.replaceAll('/', '')}`)
        await measure(process.execPath, [import.meta.filename, 'run', root, site.origin + path, target])
        taken.get(root)?.push(JSON.parse(readFileSync(join(target, 'stages.json'), 'utf8')) as Stages)
        rmSync(target, { recursive: true })
      }
    }
    console.log(path)
    for (const [root, list] of taken) tell(root === ours ? 'this checkout' : 'the other', list)
  }
  await site.close()
  rmSync(place, { recursive: true, force: true })
}

function tell(name: string, list: readonly Stages[]): void {
  const words = stages.map((stage) => {
    const values = list.map((one) => one[stage])
    return `${stage} ${median(values).toFixed(2)} s (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  })
  const after = median(list.map(({ seal, print, pack }) => seal + print + pack))
  console.log(`  ${name}: ${words.join(', ')}; seal, print and pack together ${after.toFixed(2)} s`)
}

/** Processor time of the control group that this program runs in, in seconds. */
function groupSeconds(): number {
  const line = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find((one) => /:(?:[^:]*\bcpuacct\b[^:]*)?:\/probant-bench-/.test(one))
  const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line ?? '') ?? []
  return controllers === ''
    ? Number(/usage_usec (\d+)/.exec(readFileSync(`/sys/fs/cgroup${path}/cpu.stat`, 'utf8'))?.[1]) / 1e6
    : Number(readFileSync(`/sys/fs/cgroup/cpuacct${path}/cpuacct.usage`, 'utf8')) / 1e9
}

/** What `probant capture` does, stage by stage, with the code of a checkout. */
async function run(root: string, address: string, target: string): Promise<void> {
  const from = async <T>(path: string): Promise<T> => (await import(join(root, path))) as T
  const { captureStatic, defaultCaptureLimits } = await from<typeof Capture>('modules/capture/server/index.ts')
  const { createTimestampers, openKeyring, sealPieces, coverEntries } = await from<typeof Sealing>(
    'modules/sealing/server/index.ts',
  )
  const { printReports, makeReadme } = await from<typeof Report>('modules/report/server/index.ts')
  const { layOutPackage } = await from<typeof Layout>('modules/evidence/server/package/lay-out.ts')
  const { packageStream, subjectOf } = await from<typeof Evidence>('modules/evidence/server/index.ts')
  mkdirSync(join(target, 'capture'), { recursive: true })
  const signal = AbortSignal.timeout(300_000)
  const evidenceId = randomUUIDv7()
  const marks = [groupSeconds()]
  const captured = await captureStatic(
    {
      evidenceId,
      url: address,
      locale: 'en',
      workDir: join(target, 'capture'),
      limits: defaultCaptureLimits,
      allowAddresses: [new URL(address).host],
      includeTlsKeys: false,
      onProgress: () => undefined,
    },
    { clock: systemClock, log: silentLog, signal, isolationOverride: false },
  )
  marks.push(groupSeconds())
  const keyring = await openKeyring({ dir: join(target, 'keys'), clock: systemClock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  const pieces = captured.files
    .map((file) => {
      const data = readFileSync(file.file)
      return {
        path: file.path,
        role: file.role,
        media_type: file.media_type,
        mediaType: file.media_type,
        bytes: data.length,
        sha256: createHash('sha256').update(data).digest('hex'),
        crc32: crc32(data),
        open: async () => await Promise.resolve(createReadStream(file.file)),
      }
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const subject = subjectOf(evidenceId, 'static', captured.facts)
  const sealed = await sealPieces(
    { subject, pieces: pieces.map(({ path, role, media_type, bytes, sha256 }) => ({ path, role, media_type, bytes, sha256 })) },
    { keyring, timestampers, clock: systemClock, signal },
  )
  marks.push(groupSeconds())
  const input = { subject, facts: captured.facts, pieces, seal: sealed.summary, siteUrl: null }
  const reports = await printReports(input, {
    keyring,
    timestampers,
    clock: systemClock,
    localFile: async (path) => await Promise.resolve(captured.files.find((file) => file.path === path)?.file ?? '/nonexistent'),
    workDir: join(target, 'reports'),
    signal,
  })
  marks.push(groupSeconds())
  const layout = await layOutPackage(
    {
      sealedFiles: sealed.files,
      reports,
      verifyHtml: readFileSync(join(root, 'dist/verify/verify.html')),
      readme: makeReadme(input),
      pieces,
    },
    { coverEntries: async (entries) => await coverEntries(entries, { timestampers, signal }) },
  )
  await pipeline(packageStream(layout.full()).stream, createWriteStream(join(target, 'package.zip')))
  marks.push(groupSeconds())
  const [begun = 0] = marks
  const took: Stages = {
    start: begun,
    capture: (marks[1] ?? 0) - begun,
    seal: (marks[2] ?? 0) - (marks[1] ?? 0),
    print: (marks[3] ?? 0) - (marks[2] ?? 0),
    pack: (marks[4] ?? 0) - (marks[3] ?? 0),
  }
  writeFileSync(join(target, 'stages.json'), JSON.stringify(took))
}

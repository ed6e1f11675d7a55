/**
 * What it costs to start a program, from its sources and compiled: `node bench/programs.ts RUNS URL`, as root, after `npm run build:release`.
 * Medians of alternating runs, processor time of all descendants; compiled code kept where a name says so.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { fromRoot } from './browser.ts'
import { measure, median, type Measured } from './measure.ts'

const runs = Number(process.argv[2])
const release = fromRoot('dist/release/probant')
if (!existsSync(release)) throw new Error('npm run build:release first')
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-'))
const cache = join(folder, 'cache')
const page = process.argv[3]
if (page === undefined) throw new Error('node bench/programs.ts RUNS URL: a page to make a package of')
const packageFile = join(folder, 'package.zip')
/** Stops the product once it says that it is ready. */
const untilReady = `mkfifo "$FIFO"; "$@" > "$FIFO" & product=$!; grep -m1 'ready at' < "$FIFO"; kill $product; wait $product; rm "$FIFO"`

function environment(extra: Readonly<Record<string, string>>): string[] {
  const all = { PATH: process.env['PATH'] ?? '', FIFO: join(folder, 'fifo'), ...extra }
  return ['-i', ...Object.entries(all).map(([name, value]) => `${name}=${value}`)]
}

const programs: Readonly<Record<string, readonly string[]>> = {
  sources: [process.execPath, '--disable-warning=ExperimentalWarning', fromRoot('apps/cli/probant.ts')],
  compiled: [join(release, 'bin/probant')],
}
const servers: Readonly<Record<string, readonly string[]>> = {
  sources: [process.execPath, fromRoot('apps/server/supervise.ts')],
  compiled: [join(release, 'bin/node'), join(release, 'compiled/supervise.js')],
}

const taken = new Map<string, Measured[]>()
async function take(name: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<void> {
  const one = await measure('env', [...environment(extra), ...args])
  taken.set(name, [...(taken.get(name) ?? []), one])
}

const port = String(await freePort())
const data = join(folder, 'data')
const serverSettings = { PORT: port, PROBANT_DATA: data, PROBANT_WARM_BROWSERS: '0', PROBANT_SAMPLE: 'off' }
await measure(join(release, 'bin/probant'), ['capture', page, '-o', packageFile, '--quiet'])
// The first start of all makes the database and learns the machine; it is nobody's figure.
for (let run = -1; run < runs; run += 1) {
  for (const [way, command] of Object.entries(programs)) {
    for (const [kept, extra] of Object.entries({ '': {}, ', code kept': { NODE_COMPILE_CACHE: cache } })) {
      await take(`probant --help, ${way}${kept}`, [...command, '--help'], extra)
      await take(
        `probant verify FILE, ${way}${kept}`,
        ['sh', '-c', '"$@" || [ $? = 2 ]', 'sh', ...command, 'verify', packageFile],
        extra,
      )
    }
  }
  for (const [way, command] of Object.entries(servers)) {
    for (const [kept, extra] of Object.entries({ '': {}, ', code kept': { NODE_COMPILE_CACHE: cache } }))
      await take(`server until ready and stopped, ${way}${kept}`, ['sh', '-c', untilReady, 'sh', ...command], {
        ...serverSettings,
        ...extra,
      })
  }
  if (run < 0) taken.clear()
}
for (const [name, all] of [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const of = (what: keyof Measured) => median(all.map((each) => each[what])).toFixed(2)
  console.log(`${name}: ${of('cpuSeconds')} s of processor time, ${of('wallSeconds')} s`)
}
console.log(
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`,
)
rmSync(folder, { recursive: true, force: true })

/**
 * Our static capture beside a plain Playwright script that takes the same artefacts of the same site in the same run.
 * Prints medians and ratios; absolute figures mean nothing on a shared machine. Run as root: `node bench/capture.ts [runs]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { measure, median, type Measured } from './measure.ts'

const runs = Number(process.argv[2] ?? 5)
const site = await startFixtureSite()
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-'))
const url = `${site.origin}/resources/`
const allow = new URL(site.origin).host
/** Each run gets a folder of its own. */
const peers: Readonly<Record<string, (run: number) => readonly string[]>> = {
  'plain Playwright script': (run) => ['bench/plain-capture.ts', url, join(folder, `plain-${String(run)}`)],
  'probant, artefacts': (run) => ['bench/engine-capture.ts', url, join(folder, `engine-${String(run)}`)],
  'probant, sealed package': (run) => [
    'apps/cli/probant.ts',
    'capture',
    url,
    '-o',
    join(folder, `${String(run)}.zip`),
    '--quiet',
  ],
}
process.env.PROBANT_ALLOW_ADDRESSES = allow
const taken = new Map<string, Measured[]>(Object.keys(peers).map((name) => [name, []]))
// Alternating, so that a slow spell of the machine meets everybody.
for (let run = 0; run < runs; run += 1) {
  for (const [name, args] of Object.entries(peers)) taken.get(name)?.push(await measure(process.execPath, args(run)))
}
const base = taken.get('plain Playwright script') ?? []
const of = (list: readonly Measured[], key: keyof Measured) => median(list.map((one) => one[key]))
for (const [name, list] of taken) {
  const ratio = (key: keyof Measured) => (of(list, key) / of(base, key)).toFixed(2)
  console.log(
    `${name.padEnd(26)} cpu ${of(list, 'cpuSeconds').toFixed(2)} s (×${ratio('cpuSeconds')})  wall ${of(list, 'wallSeconds').toFixed(2)} s (×${ratio('wallSeconds')})  peak ${(of(list, 'peakBytes') / 2 ** 20).toFixed(0)} MiB (×${ratio('peakBytes')})`,
  )
}
await site.close()
rmSync(folder, { recursive: true, force: true })

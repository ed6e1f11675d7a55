/**
 * Our static capture beside a plain Playwright script that takes the same artefacts of the same site in the same run.
 * Prints medians, and the median and range of the ratios within each round; absolute figures mean nothing on a shared machine. Run as root:
 * `node bench/capture.ts [runs]`; after `npm run build:release` the program of the release runs beside its sources.
 * With `SCOOP_DIR`, a checkout of harvard-lil/scoop whose dependencies and browser are installed, Scoop runs beside them.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bigBody, bodyBlock } from '../testing/site/good-pages.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { fromRoot } from './browser.ts'
import { measure, median, type Measured } from './measure.ts'

const runs = Number(process.argv[2] ?? 5)
const site = await startFixtureSite()
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-'))
process.env.PROBANT_ALLOW_ADDRESSES = new URL(site.origin).host
const plain = 'plain Playwright script'
const scoop = 'Scoop'
const scoopCli = join(process.env['SCOOP_DIR'] ?? '/nonexistent', 'bin', 'cli.js')
const hasScoop = existsSync(scoopCli)
const released = fromRoot('dist/release/probant/bin/probant')
const hasRelease = existsSync(released)
if (!hasRelease) console.log('The program of the release is left out: npm run build:release makes it')
if (!hasScoop) console.log('Scoop is left out: SCOOP_DIR names no checkout of it')

/** The artefacts that we take, of those that it knows; nothing that asks a server outside. Its list of refused addresses replaced by one that the site is not on. */
const scoopOptions = (
  '--format wacz-with-raw --screenshot true --dom-snapshot true --pdf-snapshot true --capture-video-as-attachment false ' +
  '--provenance-summary false --blocklist 203.0.113.0/24 --capture-window-x 1280 --capture-window-y 800 --log-level error'
).split(' ')

type Command = readonly [program: string, ...args: string[]]

/** Each run gets a folder of its own. */
function peersOf(scenario: string, path: string): Readonly<Record<string, (run: number) => Command>> {
  const url = site.origin + path
  const node = process.execPath
  const place = (peer: string, run: number) => join(folder, `${scenario}-${peer}-${String(run)}`)
  const asked = (peer: string, run: number) => ['capture', url, '-o', `${place(peer, run)}.zip`, '--quiet']
  return {
    [plain]: (run) => [node, 'bench/plain-capture.ts', url, place('plain', run)],
    'probant, artefacts': (run) => [node, 'bench/engine-capture.ts', url, place('engine', run)],
    'probant, sealed package': (run) => [node, 'apps/cli/probant.ts', ...asked('package', run)],
    ...(hasRelease ? { '… by the release': (run: number) => [released, ...asked('release', run)] as const } : {}),
    ...(hasScoop
      ? { [scoop]: (run: number) => [node, scoopCli, url, '-o', `${place('scoop', run)}.wacz`, ...scoopOptions] }
      : {}),
  }
}

async function compare(scenario: string, path: string): Promise<void> {
  const peers = peersOf(scenario, path)
  const taken = new Map<string, Measured[]>(Object.keys(peers).map((name) => [name, []]))
  // Alternating, so that a slow spell of the machine meets everybody.
  for (let run = 0; run < runs; run += 1) {
    for (const [name, command] of Object.entries(peers)) {
      const [program, ...args] = command(run)
      try {
        taken.get(name)?.push(await measure(program, args))
      } catch (error) {
        // A peer that fails is said to; our own may not.
        if (name !== scoop) throw error
        console.log(`  Scoop failed: ${String(error)}`)
      }
    }
  }
  const base = taken.get(plain) ?? []
  const of = (list: readonly Measured[], key: keyof Measured) => median(list.map((one) => one[key]))
  console.log(`${scenario} (${path})`)
  for (const [name, list] of taken) {
    if (list.length === 0) continue
    // Of each round by itself; a peer that failed in one has no rounds to compare.
    const ratio = (key: keyof Measured) => {
      if (list.length < base.length) return (of(list, key) / of(base, key)).toFixed(2)
      const each = list.map((one, round) => one[key] / (base[round]?.[key] ?? Number.NaN))
      return [median(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(2)).join(', ')
    }
    console.log(
      `  ${name.padEnd(26)} cpu ${of(list, 'cpuSeconds').toFixed(2)} s (×${ratio('cpuSeconds')})  wall ${of(list, 'wallSeconds').toFixed(2)} s (×${ratio('wallSeconds')})  peak ${(of(list, 'peakBytes') / 2 ** 20).toFixed(0)} MiB (×${ratio('peakBytes')})`,
    )
  }
}

type Entry = { request: { url: string }; response: { content: { size: number; text?: string; _wireSha256?: string } } }

/** What each peer's last HAR and archive hold of the large body, against what was served. */
function checkLargeBody(scenario: string): void {
  const hash = createHash('sha256')
  for (let sent = 0, i = 0; sent < bigBody.bytes; i += 1) {
    const part = bodyBlock(i).subarray(0, bigBody.bytes - sent)
    hash.update(part)
    sent += part.length
  }
  const served = hash.digest('hex')
  const last = String(runs - 1)
  const entryOf = (file: string) =>
    (JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: Entry[] } }).log.entries.find(({ request }) =>
      request.url.endsWith(bigBody.path),
    )?.response.content
  const theirs = entryOf(join(folder, `${scenario}-plain-${last}`, 'page.har'))
  const ours = entryOf(join(folder, `${scenario}-engine-${last}`, 'capture-network.har'))
  const held = theirs?.text?.length ?? 0
  console.log(
    `  body of ${String(bigBody.bytes)} bytes: the plain script's HAR holds ${held === 0 ? 'none of it' : `${String(held)} characters`}`,
  )
  console.log(
    `  body of ${String(bigBody.bytes)} bytes: our record is ${ours?._wireSha256 === served ? 'whole, same SHA-256 as served' : 'NOT what was served'}`,
  )
}

await compare('60 resources', '/resources/')
await compare('60 MB body', '/big-body/')
checkLargeBody('60 MB body')
await site.close()
rmSync(folder, { recursive: true, force: true })

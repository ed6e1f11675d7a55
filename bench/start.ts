/**
 * How long a capture takes from its claim to the first navigation, with a browser that waits and without:
 * `node bench/start.ts [runs]`. Medians in milliseconds of one run, and their ratio.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import { captureStatic, defaultCaptureLimits, onePage, startWarmPool, type WarmPool } from '../modules/capture/server/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { median } from './measure.ts'

const runs = Number(process.argv[2] ?? 5)
const site = await startFixtureSite()
const folder = await mkdtemp(join(tmpdir(), 'probant-bench-'))
const limits = defaultCaptureLimits
const allowAddresses = [new URL(site.origin).host]
const pool = startWarmPool(
  { kind: onePage, size: 1, concurrency: 1, folder: join(folder, 'ready'), limits, allowAddresses },
  { clock: systemClock, log: silentLog, isolationOverride: false },
)

async function untilNavigation(warmPool?: WarmPool): Promise<number> {
  const workDir = await mkdtemp(join(folder, 'run-'))
  const began = performance.now()
  let navigated = Number.NaN
  await captureStatic(
    {
      evidenceId: 'bench',
      url: `${site.origin}/resources/`,
      locale: 'en',
      workDir,
      limits,
      allowAddresses,
      includeTlsKeys: false,
      onProgress: ({ step }) => {
        if (step === 'navigate') navigated = performance.now() - began
      },
    },
    {
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      isolationOverride: false,
      ...(warmPool === undefined ? {} : { warmPool }),
    },
  )
  return navigated
}

const cold: number[] = []
const warm: number[] = []
for (let run = 0; run < runs; run += 1) {
  while (pool.ready().en === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  warm.push(await pool.during(async () => await untilNavigation(pool)))
  cold.push(await untilNavigation())
}
console.log(`own browser: ${median(cold).toFixed(0)} ms to the first navigation`)
console.log(`waiting browser: ${median(warm).toFixed(0)} ms (×${(median(warm) / median(cold)).toFixed(3)})`)
await pool.stop()
await site.close()
await rm(folder, { recursive: true, force: true })

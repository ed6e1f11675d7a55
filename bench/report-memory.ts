/**
 * Peak memory of sealing, printing both reports and packaging, for 10 MB and for 1 GB of artefacts: `node bench/report-memory.ts`.
 * One capture; each size in a process of its own, with one more piece of that length. What is a stream does not grow with it.
 */
import { spawn } from 'node:child_process'
import { createHash, randomUUIDv7 } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { finaliseLocally } from '../apps/cli/finalise-locally.ts'
import { systemClock } from '../kernel/clock.ts'
import { captureStatic, defaultCaptureLimits, type CaptureResult } from '../modules/capture/server/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'

const mebibyte = 1024 * 1024
const signal = new AbortController().signal
const [folder, megabytes] = process.argv.slice(2)

if (folder !== undefined && megabytes !== undefined) {
  const captured = JSON.parse(readFileSync(join(folder, 'captured.json'), 'utf8')) as CaptureResult
  const workDir = join(folder, megabytes)
  mkdirSync(workDir)
  const file = join(workDir, 'large.bin')
  const block = createHash('shake256', { outputLength: mebibyte }).update('seed').digest()
  await pipeline(
    Readable.from(
      (function* () {
        for (let i = 0; i < Number(megabytes); i += 1) yield block
      })(),
    ),
    createWriteStream(file),
  )
  const outFile = join(workDir, 'package.zip')
  const began = performance.now()
  await finaliseLocally({
    evidenceId: randomUUIDv7(),
    captured: {
      ...captured,
      files: [...captured.files, { path: 'capture/large.bin', role: 'source', media_type: 'application/octet-stream', file }],
    },
    locale: 'en',
    outFile,
    workDir,
    env: {},
    log: silentLog,
    signal,
  })
  const seconds = (performance.now() - began) / 1000
  const peak = process.resourceUsage().maxRSS / 1024
  console.log(
    `${megabytes.padStart(5)} MB of artefacts: package of ${(statSync(outFile).size / mebibyte).toFixed(0)} MB in ${seconds.toFixed(1)} s, our peak memory ${peak.toFixed(0)} MB`,
  )
  rmSync(workDir, { recursive: true })
} else {
  const place = mkdtempSync(join(tmpdir(), 'probant-bench-report-'))
  const site = await startFixtureSite()
  const captured = await captureStatic(
    {
      evidenceId: randomUUIDv7(),
      url: `${site.origin}/resources/`,
      locale: 'en',
      workDir: join(place),
      limits: defaultCaptureLimits,
      allowAddresses: [new URL(site.origin).host],
      includeTlsKeys: false,
      onProgress: () => undefined,
    },
    { clock: systemClock, log: silentLog, signal, isolationOverride: false },
  )
  await site.close()
  writeFileSync(join(place, 'captured.json'), JSON.stringify(captured))
  for (const size of ['10', '1024']) {
    const child = spawn(process.execPath, [import.meta.filename, place, size], { stdio: 'inherit' })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    if (code !== 0) throw new Error(`${size} MB ended with ${String(code)}`)
  }
  rmSync(place, { recursive: true })
}

/** One capture for bench/profile.ts: a line for each step with the wall and processor time since the step before. */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { finaliseLocally } from '../apps/cli/finalise-locally.ts'
import { systemClock } from '../kernel/clock.ts'
import { captureStatic, defaultCaptureLimits } from '../modules/capture/server/index.ts'
import { silentLog } from '../platform/log/log.ts'

const [url, folder] = process.argv.slice(2)
if (url === undefined || folder === undefined) throw new Error('usage: profile-engine.ts URL FOLDER')
const workDir = resolve(folder)
mkdirSync(workDir, { recursive: true })
let step = 'program start'
let wall = 0
let cpu: NodeJS.CpuUsage = { user: 0, system: 0 }
const next = (name: string): void => {
  const [at, used] = [process.uptime(), process.cpuUsage()]
  const [wallMs, cpuMs] = [(at - wall) * 1000, (used.user + used.system - cpu.user - cpu.system) / 1000]
  process.stdout.write(`${JSON.stringify({ step, wallMs, cpuMs })}\n`)
  ;[step, wall, cpu] = [name, at, used]
}
const evidenceId = randomUUIDv7()
const signal = new AbortController().signal
const captured = await captureStatic(
  {
    evidenceId,
    url,
    locale: 'en',
    workDir,
    limits: defaultCaptureLimits,
    allowAddresses: [new URL(url).host],
    includeTlsKeys: false,
    onProgress: (progress) => void (progress.step === step || next(progress.step)),
  },
  { clock: systemClock, log: silentLog, signal, isolationOverride: false },
)
next('seal, two reports, package')
await finaliseLocally({
  evidenceId,
  captured,
  locale: 'en',
  outFile: `${workDir}/package.zip`,
  workDir,
  env: process.env,
  log: silentLog,
  signal,
})
next('end')

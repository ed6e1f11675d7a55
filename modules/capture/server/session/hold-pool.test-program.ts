/** Started by a test, which kills it: keeps one browser ready in `argv[2]`, says so, and waits. */
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { defaultCaptureLimits, onePage, startWarmPool } from '../index.ts'

const pool = startWarmPool(
  { kind: onePage, size: 1, concurrency: 1, folder: process.argv[2] ?? '', limits: defaultCaptureLimits, allowAddresses: [] },
  { clock: systemClock, log: silentLog, isolationOverride: false },
)
const timer = setInterval(() => {
  if (pool.ready().en === 0) return
  clearInterval(timer)
  process.stdout.write('ready\n')
  // Keeps the process alive: waiting browsers alone do not.
  setInterval(() => undefined, 60_000)
}, 50)

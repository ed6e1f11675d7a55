/** One run of the capture engine alone, for bench/capture.ts: the same artefacts as the plain script takes, and ours. */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { captureStatic, defaultCaptureLimits } from '../modules/capture/server/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../platform/log/log.ts'

const [url, workDir] = process.argv.slice(2)
if (url === undefined || workDir === undefined) throw new Error('usage: engine-capture.ts URL FOLDER')
mkdirSync(workDir, { recursive: true })
await captureStatic(
  {
    evidenceId: randomUUIDv7(),
    url,
    locale: 'en',
    workDir,
    limits: defaultCaptureLimits,
    allowAddresses: [new URL(url).host],
    includeTlsKeys: false,
    onProgress: () => undefined,
  },
  { clock: systemClock, log: silentLog, signal: new AbortController().signal, isolationOverride: false },
)

/** Captures of many small pages of a logged site, a few at a time, each read back from its own pieces. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { captureStatic, CaptureFailure, defaultCaptureLimits, type CaptureLimits, type CaptureResult } from '../index.ts'
import type { NameResolver } from '../network/index.ts'

export type HarExchange = {
  readonly request: { readonly url: string }
  readonly response: { readonly status: number; readonly content: { readonly _wireSha256?: string | null } }
}

export type Outcome = {
  readonly facts: CaptureResult['facts'] | null
  /** Code of the failure, when there is no capture. */
  readonly failure: CaptureFailure | null
  readonly har: readonly HarExchange[]
  /** Text pieces, by path. */
  readonly texts: ReadonlyMap<string, string>
}

/** Names that lead to loopback; no other name exists. */
const resolverOf = (names: readonly string[]): NameResolver => ({
  resolve: (name) =>
    names.includes(name)
      ? Promise.resolve({ addresses: [{ address: '127.0.0.1', ttl: 60 }], servers: [] })
      : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
})

export async function captureOne(
  url: string,
  options: { readonly allow: readonly string[]; readonly names?: readonly string[]; readonly limits?: Partial<CaptureLimits> },
): Promise<Outcome> {
  const workDir = await mkdtemp(join(tmpdir(), `probant-many-${process.pid}-`))
  try {
    const { facts, files } = await captureStatic(
      {
        evidenceId: 'test',
        url,
        locale: 'en',
        workDir,
        limits: { ...defaultCaptureLimits, ...options.limits },
        allowAddresses: options.allow,
        includeTlsKeys: false,
        onProgress: () => undefined,
      },
      {
        clock: systemClock,
        log: silentLog,
        signal: new AbortController().signal,
        resolver: resolverOf(options.names ?? []),
        isolationOverride: false,
      },
    )
    const texts = new Map<string, string>()
    for (const { path, file, media_type: type } of files)
      if (/json|html|text/.test(type)) texts.set(path, await readFile(file, 'utf8'))
    const { log } = JSON.parse(texts.get('capture/network.har') ?? '{"log":{"entries":[]}}') as {
      log: { entries: HarExchange[] }
    }
    return { facts, failure: null, har: log.entries, texts }
  } catch (error) {
    if (!(error instanceof CaptureFailure)) throw error
    return { facts: null, failure: error, har: [], texts: new Map() }
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** Runs the tasks, so many at a time; results in their order. */
export async function runPool<T, R>(tasks: readonly T[], atATime: number, work: (task: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(atATime, tasks.length) }, async () => {
      for (let i = next++; i < tasks.length; i = next++) results[i] = await work(tasks[i] as T)
    }),
  )
  return results
}

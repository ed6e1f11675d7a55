/** Captures of the fixture site, for the tests of what one page comes to: a folder for each test, and no process left after it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { startFixtureSite, type FixtureSite } from '../../../testing/site/start-fixture-site.ts'
import type { CaptureDeps } from './course/capture-request.ts'
import {
  captureStatic,
  CaptureFailure,
  defaultCaptureLimits,
  type CaptureLimits,
  type CaptureProgress,
  type CaptureResult,
} from './index.ts'

export let site: FixtureSite
export let workDir: string

/** What Node itself complains about, a leak of listeners for one, ends on a user's stderr. */
const nodeWarnings: string[] = []
const keepWarning = (warning: Error) => void nodeWarnings.push(warning.stack ?? warning.message)

/** Processes that ran before the first test. */
const before = new Set<number>()

/** Called once, at the top of a test file. */
export function useFixtureSite(): void {
  beforeAll(async () => {
    site = await startFixtureSite()
    process.on('warning', keepWarning)
    for (const { pid } of await processTree(process.pid)) before.add(pid)
  })
  afterAll(async () => {
    await site.close()
    process.off('warning', keepWarning)
    expect(nodeWarnings).toEqual([])
  })
  beforeEach(async () => {
    workDir = await mkdtemp(join(tmpdir(), 'probant-test-'))
  })
  afterEach(() => rm(workDir, { recursive: true, force: true }))
}

type Options = {
  limits?: Partial<CaptureLimits>
  signal?: AbortSignal
  tlsKeys?: boolean
  onProgress?: (progress: CaptureProgress) => void
  allow?: readonly string[]
  operator?: string
  notary?: CaptureDeps['notary']
}

export function capture(url: string, options: Options = {}): Promise<CaptureResult> {
  return captureStatic(
    {
      evidenceId: 'test',
      url,
      locale: 'fr',
      workDir,
      limits: { ...defaultCaptureLimits, totalMs: 60_000, ...options.limits },
      allowAddresses: options.allow ?? site.addresses,
      includeTlsKeys: options.tlsKeys ?? false,
      operator: options.operator,
      onProgress: options.onProgress ?? (() => undefined),
    },
    {
      clock: systemClock,
      log: silentLog,
      signal: options.signal ?? new AbortController().signal,
      isolationOverride: false,
      ...(options.notary === undefined ? {} : { notary: options.notary }),
    },
  )
}

export async function failureOf(url: string, options: Options = {}): Promise<CaptureFailure> {
  try {
    await capture(url, options)
  } catch (error) {
    if (error instanceof CaptureFailure) return error
    throw error
  }
  throw new Error(`${url} was captured`)
}

export const fileOf = (result: CaptureResult, path: string): string => {
  const found = result.files.find((file) => file.path === path)
  if (!found) throw new Error(`no piece ${path}`)
  return found.file
}
export const codes = (result: CaptureResult) =>
  result.facts.warnings.map(({ code }) => code).filter((code) => code !== 'allowed_private_address')

/** Processes that this one started and that still run. */
export const ownProcesses = async () =>
  (await processTree(process.pid)).filter(({ pid }) => pid !== process.pid && !before.has(pid))

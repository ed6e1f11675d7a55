/**
 * kill -9 of any process in the middle of a capture, at random moments: afterwards every evidence is either whole and
 * verifies, or failed with a reason; never half, never twice. One process of two by turns of the seed, each of them in the whole sweep;
 * `PROBANT_KILLS` sets how many.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startFixtureSite, type FixtureSite } from '../testing/site/start-fixture-site.ts'
import { agree, createEvidence, downloadPackage, waitFor } from './fixtures/evidence-client.ts'
import { startInstallation, type Installation } from './fixtures/installation.ts'
import { verifyByCommand } from './fixtures/verify-package.ts'
import { random, seed, whole } from '../testing/sweep.ts'

const victims = {
  web: /--role web/,
  worker: /--role worker/,
  capture: /--role capture/,
  chromium: /\/chromium\/chromium .*--user-data-dir/,
  postgres: /bin\/postgres .*-D/,
  supervisor: null,
} as const
type Victim = keyof typeof victims
const names = Object.keys(victims) as Victim[]
const kills = Number(process.env.PROBANT_KILLS ?? (whole ? names.length : names.length / 2))
/** Long enough to reach from the queue into finalizing on a busy machine. */
const longestDelayMs = 6_000

let site: FixtureSite
let installation: Installation

test.beforeAll(async () => {
  site = await startFixtureSite()
  installation = await startInstallation({
    PROBANT_ALLOW_ADDRESSES: site.addresses.join(','),
    PROBANT_CAPTURE_LEASE_SECONDS: '6',
  })
})

test.afterAll(async () => {
  expect(await installation.stop()).toBe(0)
  expect(installation.processes(/./)).toEqual([])
  installation.removeData()
  await site.close()
})

async function kill(victim: Victim): Promise<number> {
  const pattern = victims[victim]
  if (pattern === null) {
    await installation.crashAndRestart()
    return 1
  }
  const pids = installation.processes(pattern)
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended between the look and the kill.
    }
  }
  return pids.length
}

test(`${String(kills)} kills lose nothing and double nothing`, async () => {
  test.setTimeout(kills * 120_000 + 60_000)
  const next = random()
  const folder = mkdtempSync(join(tmpdir(), 'probant-kills-'))
  const ends = { final: 0, failed: 0 }
  const roots = new Set<string>()
  for (let n = 0; n < kills; n += 1) {
    const victim = names[(kills < names.length ? 2 * n + seed : n) % names.length] ?? 'web'
    const held = await createEvidence(installation.origin, `${site.origin}/resources/`)
    const delay = Math.floor(next() * longestDelayMs)
    // Agreeing as soon as there is something to agree to, so that the kill may also fall into the finalisation.
    const done = (async () => {
      const captured = await waitFor(installation.origin, held, ['to_validate', 'failed'])
      if (captured.status === 'failed') return captured
      await agree(installation.origin, held)
      return await waitFor(installation.origin, held, ['final', 'failed'])
    })()
    await new Promise((resolve) => setTimeout(resolve, delay))
    const killed = await kill(victim)
    const evidence = await done
    console.log(
      `${String(n + 1)}: ${victim} (${String(killed)}) after ${String(delay)} ms → ${evidence.status} ${evidence.failure?.code ?? ''}`,
    )
    if (evidence.status === 'failed') {
      expect(evidence.failure?.code).toBeTruthy()
      ends.failed += 1
      continue
    }
    ends.final += 1
    const root = evidence.seal?.root ?? ''
    expect(roots.has(root)).toBe(false)
    roots.add(root)
    const file = join(folder, 'package.zip')
    writeFileSync(file, await downloadPackage(installation.origin, held))
    const verified = verifyByCommand(file)
    expect(verified.status, verified.stdout).toBe(0)
  }
  rmSync(folder, { recursive: true, force: true })
  console.log(`seed ${String(seed)}: ${JSON.stringify(ends)}`)
  // Failing everything would lose nothing too: a kill of a process that is started again must not cost the capture.
  expect(ends.final).toBeGreaterThanOrEqual(Math.ceil(kills * 0.6))
})

/**
 * Everything that a live session is made of, killed in the middle of it: what was recorded is kept and verifies, with the gap said,
 * or the session has failed by name. Nothing of a session is left, and no other session is harmed.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { expect, test } from '@playwright/test'
import { liveClose } from '../modules/live/contract/live.ts'
import type { Evidence } from '../modules/evidence/contract/evidence.ts'
import { startFixtureSite, type FixtureSite } from '../testing/site/start-fixture-site.ts'
import { agree, downloadPackage, readEvidence, waitFor, type Held } from './fixtures/evidence-client.ts'
import { timelineIn, unpack, type TimelineLine } from './fixtures/live-package.ts'
import { beginLive, join, type Visitor } from '../testing/live-visitor.ts'
import { startInstallation, type Installation } from './fixtures/installation.ts'
import { verifyByCommand } from './fixtures/verify-package.ts'

test.describe.configure({ mode: 'serial' })

const folder = mkdtempSync(joinPath(tmpdir(), 'probant-live-kills-'))
let site: FixtureSite
let installation: Installation

test.beforeAll(async () => {
  site = await startFixtureSite()
  installation = await startInstallation({
    PROBANT_ALLOW_ADDRESSES: site.addresses.join(','),
    PROBANT_BILLING: 'off',
    PROBANT_CAPTURE_LEASE_SECONDS: '12',
    PROBANT_INTERACTIVE_SESSIONS: '4',
    PROBANT_INTERACTIVE_PER_ADDRESS: '0',
    // Longer than a busy machine takes to start `web` again.
    PROBANT_INTERACTIVE_GRACE: '40',
  })
})

test.afterAll(async () => {
  expect(await installation.stop()).toBe(0)
  expect(installation.processes(/./)).toEqual([])
  installation.removeData()
  rmSync(folder, { recursive: true, force: true })
  await site.close()
})

/** The programs themselves, not the shells that name them; the browser is the one of a session, not one that waits for captures. */
const programs = {
  chromium: /^\S+\/chromium .*--kiosk(?!.*--type=)/,
  encoder: /^ffmpeg .*x11grab/,
  display: /^Xvfb /,
  sound: /^pulseaudio /,
} as const
type Program = keyof typeof programs
type Session = { readonly held: Held; readonly visitor: Visitor; readonly pids: Readonly<Record<Program, readonly number[]>> }

/** Begins a session and waits until it shows its page; its processes are those that were not there before. */
async function begin(): Promise<Session> {
  const find = (program: Program) => installation.processes(programs[program])
  const names = Object.keys(programs) as Program[]
  const before = new Set(names.flatMap(find))
  const held = await beginLive(installation.origin, `${site.origin}/live/echo/`)
  const visitor = await join(installation.origin, held)
  await visitor.shows('Echo')
  await visitor.seesMore(10)
  const own = (program: Program) => find(program).filter((pid) => !before.has(pid))
  const pids = { chromium: own('chromium'), encoder: own('encoder'), display: own('display'), sound: own('sound') }
  for (const name of names) expect(pids[name], name).not.toEqual([])
  return { held, visitor, pids }
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // One of the same program ended with another.
    }
  }
}

/** Waits for a status, or a failure, which is said. */
async function becomes(held: Held, status: 'to_validate' | 'final' | 'failed'): Promise<Evidence> {
  const evidence = await waitFor(installation.origin, held, [status, 'failed'])
  expect(evidence.status, JSON.stringify(evidence.failure)).toBe(status)
  return evidence
}

/** Agrees and has the command line verify what is downloaded. @returns the timeline */
async function keptAndVerified(held: Held): Promise<TimelineLine[]> {
  await becomes(held, 'to_validate')
  await agree(installation.origin, held)
  await becomes(held, 'final')
  const zip = joinPath(folder, `${held.id}.zip`)
  writeFileSync(zip, await downloadPackage(installation.origin, held))
  const verified = verifyByCommand(zip)
  expect(verified.status, verified.stdout).toBe(0)
  const inside = joinPath(folder, held.id)
  unpack(zip, inside)
  return timelineIn(inside)
}

const saying = (lines: readonly TimelineLine[], type: string) =>
  lines.filter((line) => line.type === type).map(({ data }) => data)

test('C-36: kills of sound, encoder, viewer and web leave one session that goes on, and its gaps are said', async () => {
  test.setTimeout(420_000)
  const { held, visitor, pids } = await begin()
  kill(pids.sound)
  await visitor.told('notice', ({ code }) => code === 'sound_interrupted')
  await visitor.seesMore(5)
  kill(pids.encoder)
  await visitor.told('notice', ({ code }) => code === 'picture_interrupted')
  await visitor.seesMore(10)
  visitor.socket.terminate()
  const again = await join(installation.origin, held)
  await again.seesMore(5)
  kill(installation.processes(/--role web/))
  expect(await again.closed).not.toBe(liveClose.ended)
  const through = await join(installation.origin, held)
  await through.seesMore(5)
  // The page is the one that was left, and answers.
  const echo = ({ title, url }: { title: string; url: string }) => title === 'Echo' && url.endsWith('/live/echo/')
  expect((await through.told('welcome')).tabs.filter(echo)).toHaveLength(1)
  through.send({ type: 'screenshot', kind: 'viewport', id: 1 })
  await through.told('screenshot', ({ id }) => id === 1)
  through.send({ type: 'quit' })
  expect(await through.closed).toBe(liveClose.ended)

  const lines = await keptAndVerified(held)
  expect(saying(lines, 'crash')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'sound' }),
      expect.objectContaining({ what: 'picture', reason: 'encoder_ended' }),
      expect.objectContaining({ what: 'picture', recovered: true }),
    ]),
  )
  expect(saying(lines, 'video').filter(({ gap }) => gap !== undefined)).toHaveLength(1)
  expect(saying(lines, 'session')).toContainEqual({ act: 'visit_ended', why: 'visitor' })
})

test('C-36: a browser, a display or a visitor that is gone ends its session alone; what was recorded is kept', async () => {
  test.setTimeout(420_000)
  // First: its grace runs while the others begin.
  const deserted = await begin()
  deserted.visitor.socket.terminate()
  const browser = await begin()
  const display = await begin()
  kill(browser.pids.chromium)
  await browser.visitor.told('notice', ({ code }) => code === 'browser_gone')
  expect(await browser.visitor.closed).toBe(liveClose.ended)
  // The session beside it has noticed nothing.
  await display.visitor.seesMore(10)
  kill(display.pids.display)
  expect(await display.visitor.closed).toBe(liveClose.ended)
  await becomes(browser.held, 'to_validate')
  for (const [{ held }, why] of [
    [display, 'browser_gone'],
    [deserted, 'viewer_gone'],
  ] as const) {
    const lines = await keptAndVerified(held)
    expect(saying(lines, 'session').find(({ act }) => act === 'visit_ended')?.['why']).toBe(why)
    expect(saying(lines, 'video').length).toBeGreaterThan(0)
  }
})

test('C-36: a capture process that is killed loses its sessions by name, keeps nothing half, and the next session begins', async () => {
  test.setTimeout(420_000)
  const { held, visitor, pids } = await begin()
  kill(installation.processes(/--role capture/))
  expect(await visitor.closed).toBe(liveClose.lost)
  const failed = await becomes(held, 'failed')
  expect(failed.failure?.code).toBe('session_lost')
  expect(failed.preview ?? null).toBe(null)
  const retried = await fetch(`${installation.origin}/evidences/${held.id}/retry/`, {
    method: 'POST',
    headers: { 'x-evidence-token': held.token, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(retried.ok, await retried.clone().text()).toBe(true)
  const { id } = (await retried.json()) as { id: string }
  const next = { id, token: held.token }
  const after = await join(installation.origin, next)
  await after.seesMore(5)
  const left = () =>
    Object.values(pids)
      .flat()
      .filter((pid) => existsSync(`/proc/${String(pid)}`))
  await expect.poll(left).toEqual([])
  after.send({ type: 'quit' })
  expect(await after.closed).toBe(liveClose.ended)
  expect((await readEvidence(installation.origin, held)).status).toBe('failed')
  await becomes(next, 'to_validate')
  // Browsers may wait for captures; of sessions nothing is left.
  const ofSessions = () =>
    [programs.encoder, programs.display, programs.sound].flatMap((program) => installation.processes(program))
  await expect.poll(ofSessions).toEqual([])
})

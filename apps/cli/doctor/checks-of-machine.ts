/** What captures are made with on this machine. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemClock } from '../../../kernel/clock.ts'
import { measureClockOffset } from '../../../modules/capture/server/index.ts'
import { chromiumPath } from '../../../platform/browser/browser-flags.ts'
import { IsolationUnavailable, launchBrowser, LaunchFailed } from '../../../platform/browser/launch-browser.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import type { Config } from '../../../platform/config/config.ts'
import { describeBrowserAge } from '../../../tools/offered-browser.mjs'
import { missingPrograms } from '../../server/roles/offer-sessions.ts'
import { fine, forbids, mend, reasonOf, type Check, type Finding } from './finding.ts'

const run = promisify(execFile)

/** As the preflight of a capture server has it: with more, it captures nothing. */
const clockSeconds = 1

/** Families that pages of all scripts need, as set-up installs them. */
const families = ['Liberation Sans', 'Noto Sans', 'Noto Sans CJK JP', 'Noto Color Emoji']

export function machineChecks(config: Config): Check[] {
  return [
    { name: 'clock', patienceMs: 20_000, run: async () => await checkClock(config) },
    { name: 'browser', patienceMs: 90_000, run: async (signal) => await checkBrowser(config, signal) },
    { name: 'browser_age', patienceMs: 45_000, run: async () => await checkBrowserAge(chromiumPath) },
    { name: 'fonts', patienceMs: 20_000, run: checkFonts },
    { name: 'sessions', patienceMs: 20_000, run: async () => await checkSessions(config) },
  ]
}

async function checkClock(config: Config): Promise<Finding> {
  const { timeServers } = config.conditions
  if (timeServers.length === 0) return mend('clock_unasked')
  const offset = await measureClockOffset(config.conditions, systemClock)
  if (offset === null) return mend('clock_unknown')
  const seconds = Math.round(Math.abs(offset) * 1000) / 1000
  return seconds > clockSeconds ? forbids('clock_wrong', { seconds }) : fine('clock', { seconds })
}

/** A real start, in the jail, of an empty page. */
async function checkBrowser(config: Config, signal: AbortSignal): Promise<Finding> {
  if (!existsSync(chromiumPath)) return forbids('browser_absent', { path: chromiumPath })
  const folder = await createSessionFolder()
  try {
    const browser = await launchBrowser({
      folder,
      writeKeyLog: false,
      language: 'en-GB',
      timeZone: 'UTC',
      window: { width: 800, height: 600 },
      memoryBytes: 2e9,
      isolation: config.unjailedBrowser ? 'override' : 'required',
      signal,
    })
    try {
      await browser.cdp.browser.send('Target.createTarget', { url: 'about:blank' })
      return browser.isolation.kind === 'namespaces' ? fine('browser', { product: browser.product }) : mend('browser_unjailed')
    } finally {
      await browser.kill()
    }
  } catch (error) {
    if (error instanceof IsolationUnavailable) return forbids('browser_no_jail', { reason: reasonOf(error) })
    if (error instanceof LaunchFailed) return forbids('browser_fails', { reason: reasonOf(error) })
    throw error
  } finally {
    await folder.remove()
  }
}

export async function checkBrowserAge(browser: string): Promise<Finding> {
  const told = await run(browser, ['--version', '--no-sandbox'], { timeout: 15_000 }).catch(() => null)
  const version = /^Chromium (\d[\d.]*)/.exec(told?.stdout ?? '')?.[1]
  if (version === undefined) return mend('browser_absent', { path: browser })
  const [said] = await describeBrowserAge({ browser })
  if (said === undefined) return fine('browser_newest')
  const offered = /, offered (\d[\d.]*\d)/.exec(said)?.[1]
  return offered === undefined ? mend('browser_age_unknown', { version }) : mend('browser_old', { version, offered })
}

async function checkFonts(): Promise<Finding> {
  const { stdout } = await run('fc-list', [':', 'family'], { timeout: 15_000, maxBuffer: 16 * 1024 * 1024 })
  const there = new Set(stdout.split('\n').flatMap((line) => line.split(',').map((family) => family.trim())))
  const missing = families.filter((family) => !there.has(family))
  return missing.length === 0 ? fine('fonts') : mend('fonts_missing', { families: missing.join(', ') })
}

/** Of live sessions: their programs, and that the encoder has what it is asked for. */
async function checkSessions({ interactive }: Config): Promise<Finding> {
  if (interactive.sessions === 0) return fine('sessions_off')
  const missing = missingPrograms()
  if (missing.length > 0) return mend('sessions_missing', { programs: missing.join(', ') })
  const { stdout } = await run('ffmpeg', ['-hide_banner', '-encoders'], { timeout: 15_000 })
  const absent = ['libx264', 'libopus'].filter((encoder) => !stdout.includes(` ${encoder} `))
  return absent.length === 0 ? fine('sessions') : mend('sessions_encoders', { encoders: absent.join(', ') })
}

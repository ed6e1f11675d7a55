import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { installedChromium } from '../platform/browser/browser-flags.ts'
import { asJailUser } from '../platform/browser/jail.ts'
import { otherBrowser } from './other-browser.ts'

const other = otherBrowser()

/** As the browser's own user, whose folders are few. */
function versionOf(browser: string): string {
  const [program, ...args] = asJailUser([browser, '--version', '--no-sandbox'])
  return execFileSync(program as string, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } }).trim()
}

if ('program' in other)
  test(`the tests of the browser run on Chromium ${other.version} too`, () => {
    expect(versionOf(other.program)).toBe(`Chromium ${other.version}`)
    expect(versionOf(installedChromium)).not.toBe(`Chromium ${other.version}`)
  })
else test.skip(`the tests of the browser run on a second version too: ${other.reason}`)

import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { steeredChromium } from './testing/steered-chromium.ts'
import { seed, whole } from './testing/sweep.ts'

// What a run draws it draws for all its processes, also where a day ends meanwhile.
process.env['PROBANT_SEED'] = String(seed)

const long = [
  '**/tamper*.spec.ts',
  '**/resilience.spec.ts',
  '**/interactive*.spec.ts',
  '**/session-limits.spec.ts',
  '**/live-stack.spec.ts',
]

/**
 * The ten journeys as Debian's Firefox walks them, in one language and at one width each (docs/decisions/0442). Of these Chromium walks the
 * other language at the other width, and this one too by `npm run test:whole` (docs/decisions/0475), by which Firefox walks each that there is.
 */
const shared = [
  /journeys\.spec\.ts .* in fr$/,
  /billing-report\.spec\.ts in en/,
  /documents\.spec\.ts en, 360 px R-14/,
  /proofs\.spec\.ts proofs of a deposit, fr/,
  /licence-sale\.spec\.ts in fr/,
  /referral-payout\.spec\.ts in en, .* journey \(f\)/,
  /review\.spec\.ts fr journey \(h\)/,
  /home\.spec\.ts fr, 360 px E-32/,
  /dedicated-servers\.spec\.ts .*\(en,/,
]
const inFirefox = whole
  ? [
      /journeys\.spec\.ts .* in (?:en|fr)$/,
      /billing-report\.spec\.ts in /,
      /documents\.spec\.ts .* R-14/,
      /proofs\.spec\.ts proofs of a deposit, /,
      /licence-sale\.spec\.ts in /,
      /referral-payout\.spec\.ts .* journey \(f\)/,
      // In an answer that a test gives, it does not hear what was sent: of the hour of thirty files Chromium alone is asked.
      /review\.spec\.ts (?:en|fr) journey \(h\)/,
      /home\.spec\.ts .* E-32/,
      /dedicated-servers\.spec\.ts .*\((?:en|fr),/,
    ]
  : shared
/** These are written for one language: Chromium walks the very same. */
const twice = [
  /interactive\.spec\.ts .* in French/,
  whole ? /billing-subscription\.spec\.ts in .* px/ : /billing-subscription\.spec\.ts in English, 360 px/,
]

/** Journeys and accessibility in Debian's Chromium, against the whole product started by e2e/start-product.ts. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/start-product.ts',
  fullyParallel: true,
  // Twice what two cores can serve: a journey waits for nearly half of its time (docs/decisions/0480).
  workers: 4,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  reporter: [['list']],
  // Files are taken in the order of their names. What takes minutes by itself is begun first: at the end one worker would wait for it.
  projects: [
    { name: 'long', testMatch: long },
    { name: 'short', testIgnore: long, grepInvert: whole ? [] : shared },
    {
      name: 'firefox',
      grep: [...inFirefox, ...twice],
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: fileURLToPath(new URL('./e2e/fixtures/firefox.ts', import.meta.url)),
          firefoxUserPrefs: {
            // It crashes where a page and whoever steers it both read these properties.
            'accessibility.ARIAElementReflection.enabled': false,
            // What the page copies may be read, and nobody is asked.
            'dom.events.testing.asyncClipboard': true,
            // As every test asks of Chromium by its context.
            'ui.prefersReducedMotion': 1,
            // It has services of its own to ask, and is to ask nobody outside of this machine.
            'network.proxy.type': 1,
            'network.proxy.http': '127.0.0.1',
            'network.proxy.http_port': 9,
            'network.proxy.ssl': '127.0.0.1',
            'network.proxy.ssl_port': 9,
            'network.proxy.no_proxies_on': '127.0.0.1, localhost',
          },
        },
      },
    },
  ],
  outputDir: 'test-results',
  use: {
    // Below the time of a test: what never comes is named, with the place in the test that waits for it. What takes longer says so there.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    browserName: 'chromium',
    launchOptions: steeredChromium(),
    timezoneId: 'Europe/Paris',
    // It would answer before what a test answers in its place; the test of what it keeps lets it.
    serviceWorkers: 'block',
    // A trace photographs every step, of tests that pass too: it is asked for where a failure is looked into.
    trace: process.env['PROBANT_E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
})

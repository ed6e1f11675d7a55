import { defineConfig } from '@playwright/test'
import { chromiumPath } from './platform/browser/browser-flags.ts'
import { seed } from './testing/sweep.ts'

// What a run draws it draws for all its processes, also where a day ends meanwhile.
process.env['PROBANT_SEED'] = String(seed)

const long = [
  '**/tamper*.spec.ts',
  '**/resilience.spec.ts',
  '**/interactive*.spec.ts',
  '**/session-limits.spec.ts',
  '**/live-stack.spec.ts',
]

/** Journeys and accessibility in Debian's Chromium, against the whole product started by e2e/start-product.ts. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/start-product.ts',
  fullyParallel: true,
  // Captures start browsers of their own; two cores are shared.
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  reporter: [['list']],
  // Files are taken in the order of their names. What takes minutes by itself is begun first: at the end one worker would wait for it.
  projects: [
    { name: 'long', testMatch: long },
    { name: 'short', testIgnore: long },
  ],
  outputDir: 'test-results',
  use: {
    // Below the time of a test: what never comes is named, with the place in the test that waits for it. What takes longer says so there.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    browserName: 'chromium',
    launchOptions: {
      executablePath: chromiumPath,
      // Chromium refuses to run as root with its sandbox.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
    timezoneId: 'Europe/Paris',
    // It would answer before what a test answers in its place; the test of what it keeps lets it.
    serviceWorkers: 'block',
    // A trace photographs every step, of tests that pass too: it is asked for where a failure is looked into.
    trace: process.env['PROBANT_E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
})

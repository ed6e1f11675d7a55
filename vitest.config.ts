import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const databaseSetup = './testing/global-setup.ts'
/** Files that others published are not kept here: testing/published/README.md. */
const published = process.env['PROBANT_PUBLIC_CLONES'] === undefined ? ['**/*.published.test.ts'] : []

export default defineConfig({
  test: {
    include: ['{kernel,platform,modules,apps,testing,tools,ui}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**', 'e2e/**', ...published],
    environment: 'node',
    pool: 'forks',
    // Two cores: browsers and databases are started by the tests themselves.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globalSetup: existsSync(databaseSetup) ? [databaseSetup] : [],
    restoreMocks: true,
  },
})

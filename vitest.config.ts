import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const databaseSetup = './testing/global-setup.ts'

export default defineConfig({
  test: {
    include: ['{kernel,platform,modules,apps,testing,tools,ui}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**', 'e2e/**'],
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

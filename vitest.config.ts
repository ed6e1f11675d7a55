import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { otherBrowser } from './testing/other-browser.ts'

const databaseSetup = './testing/global-setup.ts'
/** Files that others published are not kept here: testing/published/README.md. */
const published = process.env['PROBANT_PUBLIC_CLONES'] === undefined ? ['**/*.published.test.ts'] : []

/**
 * What holds of a browser rather than of our code runs on a second version of it too: the one that set-up unpacked, unless a variable already
 * says which. Where there is none, testing/other-browser.test.ts says so by name.
 */
const onBothBrowsers = [
  'modules/capture/server/isolation.test.ts',
  'modules/capture/server/session/warm-pool.test.ts',
  'modules/capture/server/servers/measure-silence.test.ts',
  'modules/capture/server/conditions/measure-session.test.ts',
]
const other = otherBrowser()

/** What takes half a minute or more by itself is begun first: at the end one worker would wait for it. `npm test -- --times` tells which they are. */
const long = [
  'modules/live/server/visit/hostile-pages.test.ts',
  'apps/server/supervise.test.ts',
  'modules/capture/server/capture-refusals.test.ts',
  'modules/capture/server/capture-warnings.test.ts',
  'modules/capture/server/capture-static.test.ts',
  'modules/capture/server/isolation.test.ts',
  'modules/capture/server/capture-failures.test.ts',
  'apps/verify-html/verify-html.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`/${name}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'dist/**', 'e2e/**', ...published],
    environment: 'node',
    pool: 'forks',
    // One more than two cores can serve: what starts browsers waits for a fifth of its time and more (docs/decisions/0475).
    maxWorkers: 3,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    // The end of a run tells why each failed in a few lines, without the difference that stands above: the words have to say it.
    chaiConfig: { truncateThreshold: 300 },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['{kernel,platform,modules,apps,testing,tools,ui}/**/*.test.{ts,tsx}'],
          globalSetup: existsSync(databaseSetup) ? [databaseSetup] : [],
        },
      },
      ...('program' in other
        ? [
            {
              extends: true as const,
              test: { name: other.version, include: onBothBrowsers, env: { PROBANT_CHROMIUM: other.program } },
            },
          ]
        : []),
    ],
  },
})

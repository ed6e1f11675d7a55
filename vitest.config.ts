import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { otherBrowser } from './testing/other-browser.ts'
import { mayShare } from './testing/own-process.ts'
import { byTurns, seed } from './testing/sweep.ts'

// What a run draws it draws for all its processes.
process.env['PROBANT_SEED'] = String(seed)

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

const tests = '{kernel,platform,modules,apps,testing,tools,ui}/**/*.test.{ts,tsx}'
/**
 * In a run of all, files that do nothing to their process follow each other in one (docs/decisions/0480); a single one that is asked for has its
 * own, and is found by the name of the project as ever.
 */
const ofAll = process.env['ALL_TESTS'] === '1'
const together = ofAll ? mayShare(tests) : []

/** What takes half a minute or more by itself is begun first: at the end one worker would wait for it. `npm test -- --times` tells which they are. */
const long = [
  'modules/capture/server/capture-warnings.test.ts',
  'apps/server/supervise.test.ts',
  'modules/capture/server/capture-refusals.test.ts',
  'modules/live/server/visit/hostile-pages.test.ts',
  'tools/release/release.test.ts',
  'modules/capture/server/capture-static.test.ts',
  'modules/capture/server/capture-failures.test.ts',
  'modules/billing/server/document/make-invoices.test.ts',
  'modules/capture/server/isolation.test.ts',
  'modules/capture/server/hostile-pages.test.ts',
  'modules/capture/server/scenario/prepare-page.test.ts',
  'modules/backup/server/backup.test.ts',
  'modules/capture/server/session/warm-pool.test.ts',
  'apps/verify-html/verify-html.test.ts',
  'modules/live/server/session/input/press-keys.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`/${name}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const excluded = ['**/node_modules/**', 'dist/**', 'e2e/**', ...published]

export default defineConfig({
  test: {
    exclude: excluded,
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
          include: [tests],
          exclude: [...excluded, ...together],
          globalSetup: existsSync(databaseSetup) ? [databaseSetup] : [],
        },
      },
      ...(together.length > 0
        ? [
            {
              extends: true as const,
              test: {
                name: 'together',
                include: [...together],
                isolate: false,
                globalSetup: existsSync(databaseSetup) ? [databaseSetup] : [],
              },
            },
          ]
        : []),
      ...('program' in other
        ? [
            {
              extends: true as const,
              // Half of them by turns, where all is run: none of these is of our code.
              test: {
                name: other.version,
                include: [...(ofAll ? byTurns(onBothBrowsers, 2) : onBothBrowsers)],
                env: { PROBANT_CHROMIUM: other.program },
              },
            },
          ]
        : []),
    ],
  },
})

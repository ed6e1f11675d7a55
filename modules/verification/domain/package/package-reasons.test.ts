import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import en from '../../messages/en.json' with { type: 'json' }
import { anchorReasons } from './check-anchor.ts'
import { checkIds } from '../report/package-report.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const format = read('../../../../docs/package-format.md')
const prefix = 'verification.reason.'
const worded = new Map(
  Object.entries(en).flatMap(([id, text]) => (id.startsWith(prefix) ? [[id.slice(prefix.length), text] as const] : [])),
)

/** Where the checks of a package are made. What else they call answers by `malformed`, or under a prefix of its own. */
const sources = [
  './contents/open-package.ts',
  '../manifest/read-manifest.ts',
  '../zip/read-zip.ts',
  './contents/piece-states.ts',
  './seal/check-trust.ts',
  './seal/verify-cover.ts',
  './verify-package.ts',
  './pieces/verify-pdf.ts',
  './pieces/verify-reports.ts',
  './seal/verify-seal.ts',
  './session/verify-session.ts',
  './seal/verify-timestamp.ts',
  './pieces/verify-wacz.ts',
  './session/read-timeline.ts',
  './session/verify-interactive.ts',
  './check-anchor.ts',
  '../log/check-log.ts',
  './platform-keys/verify-platform-keys.ts',
  './renewal/check-renewals.ts',
  './renewal/examine-renewals.ts',
]
/** What stands beside a reason in the same call. */
const others: readonly string[] = ['passed', 'failed', 'indeterminate', 'flaws', 'reason', ...checkIds]

test('every reason that a check of a package gives has words', () => {
  const written = sources.flatMap((path) =>
    [
      ...read(path).matchAll(
        /(?:reason|flaw)(?:: | = |\?\?= )([^,;{}\n]*)|(?:fail|failed|flaw|refuse|answer|result|malformed)\(([^;{}\n]*)/g,
      ),
    ].flatMap(([, said, called]) => [...(said ?? called ?? '').matchAll(/'([a-z][a-z_]+)'/g)].map(([, id = '']) => id)),
  )
  const found = new Set([...written, ...anchorReasons].filter((id) => !others.includes(id)))
  expect(found.size).toBeGreaterThan(60)
  const known = (id: string): boolean => ['', 'log_', 'anchor_', 'qualified_'].some((before) => worded.has(before + id))
  expect([...found].filter((id) => !known(id))).toEqual([])
})

test('each of them stands in docs/package-format.md, with the words that a reader gets, and no other does', () => {
  expect(worded.size).toBeGreaterThan(100)
  const section = format.slice(format.indexOf('\n## Reasons\n'))
  const rows = [...section.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)].map(([, id, text]) => `${id}: ${text}`)
  expect(rows).toEqual([...worded].map(([id, text]) => `${id}: ${text.replaceAll('|', String.raw`\|`)}`))
})

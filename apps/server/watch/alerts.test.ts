import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { silentLog, type Log } from '../../../platform/log/log.ts'
import { withDatabase } from '../../../testing/database.ts'
import { parseExposition } from '../../../testing/metrics/parse-exposition.ts'
import { selling } from '../../../testing/selling.ts'
import { openWatch } from './open-watch.ts'

const database = withDatabase()
const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

const rules = read('deploy/prometheus/alerts.yaml')
const alerts = [...rules.matchAll(/^ {6}- alert: (\S+)$/gm)].map((found) => found[1] ?? '')
const named = (text: string) => new Set(text.match(/\b(?:probant|process|nodejs)_[a-z0-9_]+/g))

/** What a process of all roles exposes, where something is sold: names of series, whether there is one of them yet or not. */
async function exposed(): Promise<Set<string>> {
  let address = ''
  const folder = mkdtempSync(join(tmpdir(), 'probant-exposed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log: Log = { ...silentLog, info: (facts: object | string) => void (address = (facts as { metrics: string }).metrics) }
  const watch = openWatch({
    config: loadConfig({ ...selling, PROBANT_METRICS: '127.0.0.1:0' }),
    roles: ['web', 'worker', 'capture'],
    place: 0,
    db: database.db,
    blobs: createFolderBlobStore(folder),
    clock: systemClock,
    log,
    countPool: () => ({ open: 0, idle: 0, waiting: 0, most: 0 }),
  })
  onTestFinished(await watch.serve(() => true))
  const text = await (await fetch(`http://${address}/metrics`)).text()
  return new Set(
    parseExposition(text).flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

test('whatever rules and dashboard name is exposed', async () => {
  const known = await exposed()
  const dashboard = JSON.parse(read('deploy/grafana/probant.json')) as { panels: { targets: { expr: string }[] }[] }
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(queries.length).toBeGreaterThan(20)
  const wanted = new Set([...named(rules.replaceAll(/^ *(?:summary|description|page):.*$/gm, '')), ...named(queries.join('\n'))])
  expect(wanted.size).toBeGreaterThan(20)
  expect([...wanted].filter((name) => !known.has(name))).toEqual([])
  // Nothing of ours is measured that nobody looks at.
  const families = [...known]
    .filter((name) => name.startsWith('probant_'))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
  const looked = [...wanted].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
  expect(families.filter((name) => !looked.includes(name))).toEqual([])
  // The pages for operators name no other either.
  for (const page of ['alerts', 'watch'])
    expect([...named(read(`docs/operating/${page}.md`))].filter((name) => !known.has(name) && !families.includes(name))).toEqual(
      [],
    )
  for (const [name] of read('docs/operating/watch.md').matchAll(/Probant[A-Z]\w+/g)) expect(alerts).toContain(name)
})

test('each alert has its page of what to do, and each page its alert', () => {
  expect(alerts.length).toBeGreaterThan(15)
  const page = read('docs/operating/alerts.md')
  expect([...page.matchAll(/^## (\S+)$/gm)].map((found) => found[1])).toEqual(alerts)
  expect([...rules.matchAll(/^ {10}page: docs\/operating\/alerts\.md#(\S+)$/gm)].map((found) => found[1])).toEqual(
    alerts.map((name) => name.toLowerCase()),
  )
  for (const section of page.split(/^## /m).slice(1)) expect(section, section.split('\n', 1)[0]).toMatch(/^- .{20,}/m)
  for (const [, anchor = ''] of page.matchAll(/\]\(#(\S+?)\)/g))
    expect(alerts.map((name) => name.toLowerCase())).toContain(anchor)
})

test('rules are of their form: an expression, how long, how grave, in words', () => {
  const blocks = rules.split(/^ {6}- alert: /m).slice(1)
  for (const block of blocks)
    expect(block).toMatch(
      /^\S+\n {8}expr: '.+'\n {8}for: \d+m\n {8}labels:\n {10}severity: (?:critical|warning)\n {8}annotations:\n {10}summary: '.+'\n {10}description: '.+'\n {10}page: \S+\n$/,
    )
  // By the tools of Prometheus itself where they are installed (Debian’s package prometheus, 96 MB).
  const [check, tried] = [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ].map((args) => spawnSync('promtool', args, { cwd: `${root}deploy/prometheus`, encoding: 'utf8' }))
  for (const ran of [check, tried])
    if (ran !== undefined && ran.error === undefined) expect(ran.status, `${ran.stdout}${ran.stderr}`).toBe(0)
})

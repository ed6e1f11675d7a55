import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { scenario as scenarioSchema } from '../../contract/scenarios.ts'
import { pageOf } from '../../../../kernel/page.ts'
import { chooseScenario, loadScenarios, ScenarioRefused } from './load-scenarios.ts'
import { scenarioRoutes } from './routes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-scenarios-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const partner = (more: object = {}) => ({
  format: 'probant-scenario/1',
  id: 'galerie',
  version: 2,
  name: { en: 'Gallery search', fr: 'Recherche dans la galerie' },
  description: { en: 'Looks an image up.', fr: 'Recherche une image.' },
  kind: 'partner',
  brand: 'Galerie',
  fields: [{ name: 'image', label: { en: 'Image', fr: 'Image' } }],
  steps: [{ do: 'type', selector: '#q', text: '{image}' }],
  ...more,
})
const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content)

test('H-16: the product’s own scenarios, the one that touches nothing first; then the operator’s', async () => {
  await put('galerie.json', JSON.stringify(partner()))
  await put('notes.txt', 'not a scenario')
  const loaded = await loadScenarios(folder)
  expect(loaded.map(({ recipe }) => recipe.id)).toEqual(['normal', 'expand-details', 'scroll-slowly', 'galerie'])
})

test.each([
  ['broken.json', '{', 'no JSON'],
  ['misspelt.json', JSON.stringify(partner({ setps: [] })), 'setps'],
  ['twice.json', JSON.stringify(partner({ id: 'normal', kind: 'normal' })), 'normal.json'],
  ['bytes.json', new Uint8Array([0x7b, 0xff, 0x7d]), 'no UTF-8'],
  ['huge.json', ' '.repeat(70_000), '65536'],
])('H-16: %s is refused by its name', async (name, content, reason) => {
  await put(name, content)
  const failed = await loadScenarios(folder).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(ScenarioRefused)
  expect(String(failed)).toContain(name)
  expect(String(failed)).toContain(reason)
})

test('a folder that is not there is refused', async () => {
  await expect(loadScenarios(join(folder, 'nowhere'))).rejects.toThrow(/nowhere.*ENOENT/)
})

test('one that is not active cannot be chosen; fields are filled in', async () => {
  await put('a.json', JSON.stringify(partner()))
  await put('b.json', JSON.stringify(partner({ id: 'old', active: false })))
  const loaded = await loadScenarios(folder)
  expect(chooseScenario(loaded, 'old', { image: 'x' })).toEqual({ ok: false, faults: { scenario: 'unknown' } })
  expect(chooseScenario(loaded, 'galerie', {})).toEqual({ ok: false, faults: { 'scenario_input.image': 'required' } })
  expect(chooseScenario(loaded, 'galerie', { image: ' naïade' })).toMatchObject({
    ok: true,
    scenario: { input: { image: 'naïade' } },
  })
})

test('C-58 E-59: GET /scenarios/ lists those that may be chosen', async () => {
  await put('a.json', JSON.stringify(partner()))
  await put('b.json', JSON.stringify(partner({ id: 'old', active: false })))
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    routes: scenarioRoutes(await loadScenarios(folder)),
    health: {},
  })
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const origin = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
    const read = async (query: string) => {
      const answer = await fetch(`${origin}/scenarios/${query}`)
      expect(answer.status).toBe(200)
      return pageOf(scenarioSchema).parse(await answer.json())
    }
    const all = await read('')
    expect(all.count).toBe(4)
    expect(all.results.map(({ id }) => id)).toEqual(['normal', 'expand-details', 'scroll-slowly', 'galerie'])
    const text = await readFile(join(folder, 'a.json'))
    expect(all.results.at(-1)).toMatchObject({
      brand: 'Galerie',
      fields: [{ name: 'image', required: true, max_length: 100 }],
      sha256: createHash('sha256').update(text).digest('hex'),
    })
    expect((await read('?kind=partner')).results.map(({ id }) => id)).toEqual(['galerie'])
    expect((await read('?search=LENT')).results.map(({ id }) => id)).toEqual(['scroll-slowly'])
    const second = await read('?page_size=3&page=2')
    expect([second.results.length, second.next, second.previous]).toEqual([1, null, '/scenarios/?page=1&page_size=3'])
  } finally {
    await server.close()
  }
})

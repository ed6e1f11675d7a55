import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkScenarioInput, fillTemplate, maxRecipeBytes, maxSteps, parseScenario } from './scenario.ts'

const recipe = (more: object = {}) =>
  JSON.stringify({
    format: 'probant-scenario/1',
    id: 'find-image',
    version: 3,
    name: { en: 'Find an image', fr: 'Trouver une image' },
    description: { en: 'Searches the gallery.', fr: 'Cherche dans la galerie.' },
    kind: 'partner',
    brand: 'Galerie',
    fields: [{ name: 'image', label: { en: 'Image', fr: 'Image' }, max_length: 20 }],
    steps: [
      { do: 'type', selector: '#q', text: 'photo {image}' },
      { do: 'click', text: 'Search', navigates: true },
      { do: 'screenshot' },
    ],
    ...more,
  })

test('H-16: a recipe is read with its defaults', () => {
  const parsed = parseScenario(recipe())
  if (!parsed.ok) throw new Error(parsed.reason)
  expect(parsed.recipe).toMatchObject({
    id: 'find-image',
    active: true,
    options: { seconds: 60, after_failure: 'continue' },
    steps: [{ do: 'type' }, { do: 'click', navigates: true }, { do: 'screenshot' }],
  })
})

test.each([
  ['no JSON', 'no JSON', '{'],
  ['a list', '', '[]'],
  ['an unknown member', 'colour', recipe({ colour: 'red' })],
  ['an unknown format', 'format', recipe({ format: 'probant-scenario/2' })],
  ['an unknown step', 'steps.0.do', recipe({ steps: [{ do: 'evaluate', script: 'alert(1)' }] })],
  ['a misspelt member of a step', 'selecter', recipe({ steps: [{ do: 'wait_for', selecter: 'a' }] })],
  ['a click on nothing', 'steps.0', recipe({ steps: [{ do: 'click' }] })],
  ['a wait without bound', 'steps.0.seconds', recipe({ steps: [{ do: 'wait', seconds: 3600 }] })],
  ['too many steps', 'steps', recipe({ steps: Array.from({ length: maxSteps + 1 }, () => ({ do: 'screenshot' })) })],
  ['a text of a field that does not exist', 'steps.0.text', recipe({ steps: [{ do: 'type', selector: 'a', text: '{nobody}' }] })],
  [
    'two fields of one name',
    'fields',
    recipe({ fields: ['a', 'a'].map((name) => ({ name, label: { en: 'a', fr: 'a' } })), steps: [] }),
  ],
  ['a partner without a brand', 'brand', recipe({ brand: null })],
  ['a name in one language', 'name.fr', recipe({ name: { en: 'Only' } })],
  ['an id that is a path', 'id', recipe({ id: '../../etc' })],
  ['a huge text', String(maxRecipeBytes), recipe({ description: { en: 'x'.repeat(maxRecipeBytes), fr: 'x' } })],
])('H-16: %s is refused and named', (_what, named, text) => {
  const parsed = parseScenario(text)
  if (parsed.ok) throw new Error('it was read')
  expect(parsed.reason).toContain(named)
})

test('input fields are checked against the recipe', () => {
  const parsed = parseScenario(recipe())
  if (!parsed.ok) throw new Error(parsed.reason)
  expect(checkScenarioInput(parsed.recipe, { image: '  naïade ' })).toEqual({ ok: true, input: { image: 'naïade' } })
  expect(checkScenarioInput(parsed.recipe, {})).toEqual({ ok: false, faults: { image: 'required' } })
  expect(checkScenarioInput(parsed.recipe, { image: 'x'.repeat(21), other: '', ['__proto__']: '' })).toMatchObject({
    faults: { image: 'too_long', other: 'unknown' },
  })
})

test('a value is never read as a template again', () => {
  expect(fillTemplate('photo {image}!', { image: '{image} $& {other}' })).toBe('photo {image} $& {other}!')
  expect(fillTemplate('{constructor}', {})).toBe('')
})

test('E-25: every scenario of the product is well formed, once, in both languages', () => {
  const folder = new URL('../../scenarios/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files).toContain('normal.json')
  for (const name of files) {
    const parsed = parseScenario(readFileSync(new URL(name, folder), 'utf8'))
    if (!parsed.ok) throw new Error(`${name}: ${parsed.reason}`)
    expect(`${parsed.recipe.id}.json`).toBe(name)
  }
})

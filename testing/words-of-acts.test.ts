import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentActs } from '../modules/document/server/deposit/own-document.ts'
import { evidenceActs } from '../modules/evidence/server/own/own-evidence.ts'
import { licensingActs } from '../modules/licensing/server/keep/acts.ts'
import { wordsOfAct } from '../modules/identity/server/acts/export-acts.ts'
import { locales } from '../kernel/locale.ts'
import { createMessages } from '../platform/messages/messages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('{modules,platform,apps}/**/*.ts', { cwd: root })
  .filter((path) => !/node_modules|\.test\.ts$|\.test-/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const calling = sources.filter(({ path, text }) => /\brecordAct\(/.test(text) && path !== 'platform/acts/record-act.ts')

/** What an object or a variable named `action` may be, alternatives included. */
function actionsOf(text: string): string[] {
  const values = [...text.matchAll(/\baction(?::|\s*=)\s*([^,;\n]*(?:\n\s*[?:] [^,;\n]*)*)/g)].map((match) => match[1] ?? '')
  return values.flatMap((value) => [...value.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map((match) => match[1] ?? ''))
}

test('H-43 whatever is recorded has words in both languages, made of what its line holds', () => {
  expect(calling.length).toBeGreaterThan(20)
  const silent = calling.filter(({ text }) => actionsOf(text).length === 0).map(({ path }) => path)
  // Their verbs are lists.
  expect(silent.toSorted()).toEqual([
    'modules/document/server/deposit/own-document.ts',
    'modules/evidence/server/own/own-evidence.ts',
    'modules/licensing/server/keep/acts.ts',
  ])
  const actions = new Set([
    ...calling.flatMap(({ text }) => actionsOf(text)),
    ...documentActs.map((verb) => `document.${verb}`),
    ...evidenceActs.map((verb) => `evidence.${verb}`),
    ...licensingActs.map((verb) => `licensing.${verb}`),
  ])
  expect(actions.size).toBeGreaterThan(50)
  const missing = locales.flatMap((locale) =>
    [...actions].filter((action) => {
      const [module = '', verb = ''] = action.split('.')
      return !createMessages(locale).has(`${module}.act.${verb}`)
    }),
  )
  expect(missing).toEqual([])
})

test('an act says how many, in the language of whoever reads it; one that lacks that says its code', () => {
  const act = { action: 'identity.suspended_account', data: { sessions_ended: 2 } }
  expect(locales.map((locale) => wordsOfAct(createMessages(locale), act))).toEqual([
    'Suspended the account; 2 sessions ended',
    'Compte suspendu\u{202F}; 2 sessions fermées',
  ])
  expect(wordsOfAct(createMessages('en'), { ...act, data: {} })).toBe(act.action)
  expect(wordsOfAct(createMessages('en'), { action: 'nothing.known', data: {} })).toBe('nothing.known')
})

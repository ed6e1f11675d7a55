import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  isArgumentElement,
  isDateElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  isTagElement,
  isTimeElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { catalogues, messageFileCounts } from './catalogue.ts'
import { createMessages } from './messages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync('{modules/*,ui,platform}/messages/en.json', { cwd: root })
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>

/** Every element of a message, inside plurals, selects and tags too. */
function elements(message: readonly MessageFormatElement[]): MessageFormatElement[] {
  return message.flatMap((element) => {
    if (isTagElement(element)) return [element, ...elements(element.children)]
    if (isPluralElement(element) || isSelectElement(element)) {
      return [element, ...Object.values(element.options).flatMap((option) => elements(option.value))]
    }
    return [element]
  })
}

/** Name and kind of each argument, so that a date is not a number in the other language. */
function argumentsOf(text: string): string[] {
  const named = elements(parse(text)).flatMap((element) => {
    if (isTagElement(element)) return [`<${element.value}>`]
    if (isNumberElement(element) || isPluralElement(element)) return [`${element.value}: number`]
    if (isDateElement(element) || isTimeElement(element)) return [`${element.value}: date`]
    if (isSelectElement(element)) return [`${element.value}: select`]
    return isArgumentElement(element) ? [`${element.value}: text`] : []
  })
  return [...new Set(named)].toSorted()
}

/** The words of a message with every argument as one neutral character. */
function words(text: string): string {
  return (
    elements(parse(text))
      .map((element) => (isLiteralElement(element) ? element.value : '\uFFFC'))
      .join('')
      .replaceAll(/https?:\/\/\S+/g, '\uFFFC')
      // What a foreign program prints is quoted as it prints it.
      .replaceAll(/Verification: OK|CMS Verification successful/g, '\uFFFC')
  )
}

const nnbsp = '\u202F'
const typography: readonly [string, RegExp][] = [
  ['no narrow no-break space before ; ! ?', new RegExp(`[^${nnbsp}\\s!?]([;!?])(?=[\\s${nnbsp}»)]|$)|[ \\u00A0][;!?]`)],
  // 12:30 and 127.0.0.1:80 keep their colon.
  ['no narrow no-break space before :', new RegExp(`[^${nnbsp}]:(?=[\\s${nnbsp}]|$)`)],
  ['no narrow no-break space inside « »', new RegExp(`«[^${nnbsp}]|[^${nnbsp}]»`)],
  ['straight quotation mark', /"/],
  ['straight apostrophe', /'/],
  // Of public officers alone: what the product makes is never called so.
  ['word of public officers', /constat d’huissier|actes? authentiques?|\b(?:un|du|votre|vos|mes?|ce|ces) constats?\b/i],
  ['capital without its accent', /\b(?:Etat|Ecran|Echec|Element|Evenement|Etape|Emis|Economie|Ete|Edit)/],
]

test('every folder of messages is in the catalogue, and no two files share an id', () => {
  expect(files.length).toBeGreaterThan(0)
  expect(messageFileCounts).toHaveLength(files.length)
  expect(Object.keys(catalogues.en)).toHaveLength(messageFileCounts.reduce((sum, count) => sum + count, 0))
})

/** A module may keep more texts beside its catalogue, such as those of its report. */
const all = globSync('{modules/*,ui,platform}/messages/{en,*.en}.json', { cwd: root })

describe.each(all)('%s', (file) => {
  const en = read(file)
  const fr = read(join(dirname(file), basename(file).replace(/en\.json$/, 'fr.json')))

  test('K-20 has the same keys in both languages, none empty', () => {
    expect(Object.keys(fr).toSorted()).toEqual(Object.keys(en).toSorted())
    expect(Object.entries({ ...en, ...fr }).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('has the same arguments in both languages', () => {
    const different = Object.keys(en).filter((id) => argumentsOf(en[id] ?? '').join() !== argumentsOf(fr[id] ?? '').join())
    expect(different).toEqual([])
  })

  test('keeps French typography', () => {
    const faults = Object.entries(fr).flatMap(([id, text]) =>
      typography.filter(([, rule]) => rule.test(words(text))).map(([name]) => `${id}: ${name}`),
    )
    expect(faults).toEqual([])
  })
})

test.each(files)('%s uses ids of its own folder', (file) => {
  const owner = basename(dirname(dirname(file)))
  const prefixes = owner === 'platform' ? ['http', 'mail', 'setup', 'tls'] : [owner]
  expect(Object.keys(read(file)).filter((id) => !prefixes.includes(id.split('.')[0] ?? ''))).toEqual([])
})

test('formats in both languages, and refuses a sentence with a hole', () => {
  expect(createMessages('en').format('http.rate_limited', { seconds: 1 })).toMatch(/in 1 second\.$/)
  expect(createMessages('fr').format('http.rate_limited', { seconds: 2 })).toMatch(/dans 2 secondes\.$/)
  expect(() => createMessages('en').format('http.internal', {})).toThrow()
  expect(createMessages('en').has('no.such')).toBe(false)
})

test('writes French days and hours as pages and reports do', () => {
  const messages = createMessages('fr')
  const first = { at: new Date('2026-11-01T09:05:07Z') }
  expect(messages.format('identity.mail.second_factor_disabled', first)).toMatch(
    /^Depuis le 1er novembre 2026 à 09\u00a0h\u00a005 UTC/,
  )
  expect(messages.format('capture.server.invited', first)).toContain(
    '1er nov. 2026 à 09\u00a0h\u00a005\u00a0min\u00a007\u00a0s UTC',
  )
  const english = createMessages('en').format('identity.mail.second_factor_disabled', first)
  expect(english).toMatch(/ 1 November 2026 at 09:05 UTC/)
})

test('the rules of French typography find what they are for', () => {
  const faulty = ['Le dossier d’un constat', 'Quoi ?', 'Quoi?', 'Fin\u00A0!', 'Note: ici', '«mot»', "l'an", 'Echec']
  expect(faulty.filter((text) => !typography.some(([, rule]) => rule.test(words(text.replaceAll("'", "''")))))).toEqual([])
  const right = [
    `Quoi${nnbsp}?`,
    `Note${nnbsp}: 12:30`,
    `«${nnbsp}mot${nnbsp}»`,
    'l’an',
    `Vraiment${nnbsp}?!`,
    'à https://a.example/?x=1;y',
  ]
  expect(right.filter((text) => typography.some(([, rule]) => rule.test(words(text))))).toEqual([])
})

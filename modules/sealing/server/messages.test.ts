import { readdir, readFile } from 'node:fs/promises'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import en from '../messages/en.json' with { type: 'json' }
import fr from '../messages/fr.json' with { type: 'json' }

const messages: Readonly<Record<'en' | 'fr', Readonly<Record<string, string>>>> = { en, fr }
const argumentsOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? ''))].toSorted()

test('both languages have the same words with the same arguments, and every one formats', () => {
  expect(Object.keys(fr)).toEqual(Object.keys(en))
  for (const [key, text] of Object.entries(en)) {
    expect(argumentsOf(messages.fr[key] ?? ''), key).toEqual(argumentsOf(text))
    const values = Object.fromEntries(argumentsOf(text).map((name) => [name, 7]))
    for (const locale of ['en', 'fr'] as const) {
      const formatted = new IntlMessageFormat(messages[locale][key] ?? '', locale).format(values)
      expect(formatted).toEqual(expect.stringMatching(/\S/))
      expect(formatted).not.toMatch(/[{}]/)
    }
  }
})

test('French typography: a narrow no-break space before : ; ! ? and inside « »', () => {
  for (const text of Object.values(fr)) expect(text).not.toMatch(/[^\u202f][:;!?»](?!\/)|«[^\u202f]|'/)
})

test('every failure that this module can throw has its words', async () => {
  const codes = new Set<string>()
  for (const name of await readdir(import.meta.dirname, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const source = await readFile(`${import.meta.dirname}/${name}`, 'utf8')
    for (const match of source.matchAll(/DomainError\(\s*'\w+',\s*'(sealing\.\w+)'/g)) codes.add(match[1] ?? '')
    for (const match of source.matchAll(/anchorFailure\('(\w+)'/g)) codes.add(`sealing.anchor_${match[1]}`)
    for (const match of source.matchAll(/refusal\('(\w+)'/g)) codes.add(`sealing.tsa_${match[1]}`)
  }
  expect(codes.size).toBeGreaterThan(20)
  expect([...codes].filter((code) => messages.en[code] === undefined)).toEqual([])
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { locales, otherLocale } from '../../../kernel/locale.ts'
import { legalFacts, type OperatorFacts } from './legal-facts.ts'

const silent: OperatorFacts = {
  operator: null,
  mail: null,
  phone: null,
  director: null,
  hosting: null,
  dataOfficer: null,
  mediator: null,
  supportDays: 365,
  identityDays: 30,
  outside: [],
}
const pages = ['terms', 'privacy', 'notices', 'cookies', 'withdrawal'] as const
const text = (locale: string, page: string) =>
  readFileSync(new URL(`../../../content/${locale}/legal/${page}.md`, import.meta.url), 'utf8')
const namesIn = (source: string) => [...source.matchAll(/\{\{([^}]*)\}\}/g)].map(([, name]) => name ?? '')

describe.each(locales)('H-19 K-27 legal texts in %s', (locale) => {
  test.each(pages)('%s names nothing that the installation cannot fill in', (page) => {
    const facts = legalFacts(silent, locale)
    for (const name of namesIn(text(locale, page))) expect(facts[name], name).toBeTruthy()
  })

  test.each(pages)('%s says in both languages what it says in one', (page) => {
    const shape = (source: string) => ({
      headings: source.match(/^## /gm)?.length,
      items: source.match(/^- /gm)?.length,
      facts: namesIn(source).toSorted(),
    })
    expect(shape(text(locale, page))).toEqual(shape(text(otherLocale(locale), page)))
  })

  test('of an operator who states nothing it is said that he states nothing', () => {
    const said = legalFacts(silent, locale)
    for (const name of ['operator', 'mail', 'phone', 'director', 'hosting', 'data_officer', 'mediator'])
      expect(said[name]).toMatch(locale === 'en' ? /stated/ : /indiqué/)
    const stated = legalFacts({ ...silent, operator: 'Example SARL', hosting: '# [Host](javascript:x)' }, locale)
    expect(stated['operator']).toBe('Example SARL')
    expect(stated['hosting']).toBe('\\# \\[Host\\]\\(javascript:x\\)')
  })
})

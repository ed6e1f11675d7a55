import { expect, test } from 'vitest'
import { locales } from '../../../kernel/locale.ts'
import { catalogues } from '../../../platform/messages/catalogue.ts'
import { sampleMails } from './sample-mails.ts'

const samples = Object.fromEntries(locales.map((locale) => [locale, sampleMails(locale, 'https://probant.example')]))

test('of every mail that there are words for, there is a sample in each language', () => {
  for (const locale of locales) {
    const worded = Object.keys(catalogues[locale]).filter((id) =>
      /^[a-z]+\.mail\..*subject(?:\.[a-z]+)?$|^[a-z]+\.mail\.subject$/.test(id),
    )
    expect(worded.length).toBeGreaterThan(60)
    const subjects = new Set(samples[locale]?.map(({ subject }) => subject))
    expect([...subjects].toSorted()).toEqual(worded.toSorted())
  }
})

test('each is a whole mail: no value is missing, its text says what its HTML says, and its language is the reader’s', () => {
  for (const locale of locales)
    for (const { subject, mail } of samples[locale] ?? []) {
      const name = `${locale} ${subject}`
      for (const part of [mail.subject, mail.text, mail.html.replace(/<style>[^]*<\/style>/, '')])
        expect(part, name).not.toMatch(
          /[{}]|undefined|null|NaN|Invalid|\b(?:identity|account|billing|document|evidence|review|support)\.mail\./,
        )
      expect(mail.subject.length, name).toBeGreaterThan(5)
      expect(mail.html, name).toContain('<html lang="')
    }
})

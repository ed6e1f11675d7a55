import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { WordsProvider } from '../../../../ui/intl/words.tsx'
import { expect, test } from 'vitest'
import { payment } from '../../contract/payments.ts'
import callsEnglish from '../../messages/en.json' with { type: 'json' }
import callsFrench from '../../messages/fr.json' with { type: 'json' }
import pagesEnglish from '../../messages/pages.en.json' with { type: 'json' }
import pagesFrench from '../../messages/pages.fr.json' with { type: 'json' }
import { Refused, Standing } from './Outcome.tsx'

const words = { en: { ...callsEnglish, ...pagesEnglish }, fr: { ...callsFrench, ...pagesFrench } }
const asked = payment.parse({
  invoice_id: '01932f6e-7c3a-7d1e-8f00-000000000901',
  status: 'failed',
  amount_cents: 11_880,
  by: 'card',
  redirect_url: null,
  expected_on: null,
  transfer: null,
  failure: 'billing.refusal.other',
  retry_on: null,
  test: true,
})

const html = (locale: 'en' | 'fr', shown: 'Refused' | 'Standing', change: Partial<typeof asked>): string => {
  const Shown = { Refused, Standing }[shown]
  return renderToStaticMarkup(
    <WordsProvider locale={locale} words={words[locale]}>
      <MantineProvider>
        <Shown payment={{ ...asked, ...change }} />
      </MantineProvider>
    </WordsProvider>,
  )
}

test('X-13 a card that fails for no known reason: an alert in the words of the specification, in both languages', () => {
  for (const failure of ['billing.refusal.other', 'billing.refusal.not_known_here', null]) {
    expect(html('en', 'Refused', { failure })).toMatch(/role="alert".*An unknown error occured\. Nothing was paid\./s)
    expect(html('fr', 'Refused', { failure })).toMatch(/role="alert".*Une erreur inconnue/s)
  }
})

test('X-26 what was asked to be paid is told as paid, with its amount, or as refused, with why', () => {
  expect(html('en', 'Standing', { status: 'success', failure: null })).toContain('€118.80 paid. Thank you.')
  expect(html('fr', 'Standing', { status: 'success', failure: null })).toMatch(/118,80\s€/)
  const failure = 'billing.refusal.insufficient_funds'
  for (const locale of ['en', 'fr'] as const) {
    const refused = html(locale, 'Refused', { failure })
    expect(refused).toContain(words[locale]['billing.pay.refused'])
    expect(refused).toContain(words[locale][failure])
  }
})

test('S-04 what is left of a transfer, and each thing that a bank’s form asks for, can be copied', () => {
  const transfer = {
    amount_cents: 147_880,
    received_cents: 10_000,
    reference: 'PRB-7K2M-94QX',
    iban: 'FR7630006000011234567890189',
    bic: 'AGRIFRPP',
    holder: 'Example SARL',
  }
  for (const locale of ['en', 'fr'] as const) {
    const shown = html(locale, 'Standing', { status: 'processing', by: 'transfer', failure: null, transfer })
    expect(shown.match(/<button/g)).toHaveLength(5)
    expect(shown).toMatch({ en: /€1,378\.80<\/span><button/, fr: /1\s378,80\s€<\/span><button/ }[locale])
  }
})

test('S-04 where the bank asks to confirm, the amount is said', () => {
  const confirming = { status: 'action_required', failure: null } as const
  expect(html('en', 'Standing', confirming)).toMatch(/€118\.80.*incl\. VAT/)
  expect(html('fr', 'Standing', confirming)).toMatch(/118,80\s€.*TTC/)
})

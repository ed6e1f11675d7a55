import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WordsProvider } from '../../../../ui/intl/words.tsx'
import { card } from '../../contract/payments.ts'
import english from '../../messages/pages.en.json' with { type: 'json' }
import french from '../../messages/pages.fr.json' with { type: 'json' }
import { Means } from './Means.tsx'

const words = { en: english, fr: french }
const valid = card.parse({
  id: '01932f6e-7c3a-7d1e-8f00-000000000a01',
  alias: '497010XXXXXX1119',
  last_digits: '1119',
  expires_on: '2029-01-01',
  expired: false,
})
const expired = { ...valid, id: '01932f6e-7c3a-7d1e-8f00-000000000a02', expires_on: '2026-11-01', expired: true }

const html = (locale: 'en' | 'fr'): string =>
  renderToStaticMarkup(
    <WordsProvider locale={locale} words={words[locale]}>
      <MantineProvider>
        <Means
          methods={{ cards: [valid, expired], mandate: null, renewals: null, by: ['card'], referred: false, test: true }}
          chosen={valid.id}
          onChoose={() => undefined}
          newCard={null}
        />
      </MantineProvider>
    </WordsProvider>,
  )

test('a card that has expired is marked, says since when, in a month of either language, and cannot be chosen; one that holds is not', () => {
  expect(html('en')).toContain('Valid until the end of December 2028</span>')
  expect(html('en')).toMatch(/disabled="".*data-tone="bad">Expired at the end of October 2026<\/span>/s)
  expect(html('fr')).toContain('Valable jusqu’à fin décembre 2028</span>')
  expect(html('fr')).toMatch(/disabled="".*data-tone="bad">Expirée depuis fin octobre 2026<\/span>/s)
  for (const locale of ['en', 'fr'] as const) expect(html(locale).match(/data-tone/g)).toHaveLength(1)
})

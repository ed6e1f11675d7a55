import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { WordsProvider } from '../intl/words.tsx'
import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import en from '../messages/en.json' with { type: 'json' }
import fr from '../messages/fr.json' with { type: 'json' }
import { ErrorPage } from './ErrorPages.tsx'

const html = (locale: 'en' | 'fr', error: unknown): string =>
  renderToStaticMarkup(
    <WordsProvider locale={locale} words={locale === 'en' ? en : fr}>
      <MantineProvider>
        <ErrorPage error={error} onBack={() => undefined} />
      </MantineProvider>
    </WordsProvider>,
  )

test.each([
  ['en', 'Oops... an unknown error occurred!', 'Error 500', 'Go to the home page'],
  ['fr', fr['ui.error.title'], 'Erreur 500', fr['ui.error.home']],
] as const)(
  'L-17 X-02: any other error, in %s: its words, its status, a link home, and nothing of the defect',
  (locale, title, status, home) => {
    const out = html(locale, new TypeError('secret of the defect'))
    expect(out).toContain(`<h1>${title}</h1>`)
    expect(out).toContain(status)
    expect(out).toMatch(new RegExp(`<a [^>]*href="/${locale}/".*${home}`))
    expect(out).not.toContain('secret')
  },
)

test('X-05 L-17: what the server refused shows its status and the id of the request, none of its own words', () => {
  const wire = { code: 'http.internal', message: 'relation "x" does not exist', fields: {}, data: {}, request_id: 'request-7' }
  const out = html('en', new ApiError(503, wire))
  expect(out).toContain('Error 503')
  expect(out).toContain('<code>request-7</code>')
  expect(out).not.toContain('relation')
})

test.each(['en', 'fr'] as const)('X-02: an answer that never came is no error of ours, in %s: no status, no reload', (locale) => {
  const wire = { code: 'ui.error.network', message: 'ui.error.network', fields: {}, data: {}, request_id: '' }
  const out = html(locale, new ApiError(0, wire))
  expect(out).toContain((locale === 'en' ? en : fr)['ui.connection.title'])
  expect(out).not.toMatch(/500|<button/)
})

import { describe, expect, test } from 'vitest'
import reportEn from '../../../report/messages/report.en.json' with { type: 'json' }
import reportFr from '../../../report/messages/report.fr.json' with { type: 'json' }
import pagesEn from '../../messages/pages.en.json' with { type: 'json' }
import pagesFr from '../../messages/pages.fr.json' with { type: 'json' }

const under = (words: Readonly<Record<string, string>>, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(words).flatMap(([id, said]) => (id.startsWith(prefix) ? [[id.slice(prefix.length), said]] : [])),
  )

describe('why an exchange is missing or differs', () => {
  test.each([
    ['en', pagesEn, reportEn],
    ['fr', pagesFr, reportFr],
  ] as const)('is said on the page in the words of the report, %s', (_locale, pages, report) => {
    const said = under(pages, 'evidence.loss.')
    expect(Object.keys(said)).toContain('response_missing')
    expect(said).toEqual(under(report, 'report.loss.'))
  })
})

import { describe, expect, test } from 'vitest'
import { wordsOf as commandWords } from '../../../apps/cli/verify-words.ts'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { locales } from '../../../kernel/locale.ts'
import { utcInstant } from '../../../kernel/utc-instant.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { documentText } from '../../../testing/document-text.ts'
import { makeReadme } from './instructions/readme.ts'
import { composeReport } from './compose-report.ts'
import { reportWords } from './words/report-words.ts'
import { sampleFacts, samplePieces, sampleSeal, sampleSubject } from './sample-report.test-data.ts'

/** The last millisecond of a second, and of a year: whoever rounds says another. */
const began = '2026-12-31T23:59:59.999Z'
const navigated = '2027-01-01T00:00:00.001Z'
const subject = { ...sampleSubject, started_at: began, finished_at: '2027-01-01T00:00:05.000Z' }
const seal = {
  ...sampleSeal,
  timestamps: sampleSeal.timestamps.map((stamp) => ({ ...stamp, gen_time: '2027-01-01T00:00:07.999Z' })),
}
const facts = { ...sampleFacts(900), started_at: began, navigated_at: navigated, finished_at: subject.finished_at }

/** Its first page. */
function coverIn(locale: 'en' | 'fr'): string {
  const { blocks } = composeReport(
    {
      locale,
      preview: false,
      subject,
      facts,
      askedBy: null,
      pieces: samplePieces,
      seal,
      pictures: [],
      picturesLeftOut: 0,
      secondWindow: null,
      session: null,
      exchanges: { state: 'absent' },
      certificates: null,
      limits: null,
      lines: () => null,
      siteUrl: null,
    },
    { captureWords: () => null, rosette: sealRosette, folder: '' },
  )
  return documentText(
    blocks.slice(
      0,
      blocks.findIndex(({ kind }) => kind === 'page-break'),
    ),
  )
}

describe('one fact, one instant', () => {
  test.each(locales)('%s: cover, path, README.txt and command line say the same of when a capture began', (locale) => {
    const expected = utcInstant(began, locale)
    const cover = coverIn(locale)
    const { t, instant } = reportWords(locale)
    expect(cover).toContain(`${t('report.cover.captured')} ${expected.replaceAll(/\s/g, ' ')}`)
    expect(cover).not.toContain(utcInstant(navigated, locale).replaceAll(/\s/g, ' '))
    expect(instant(began).utc).toBe(expected)
    const readme = Buffer.from(makeReadme({ subject, seal, facts, siteUrl: null })).toString('utf8')
    expect(readme).toContain(`${t('report.readme.when')}\n    ${expected}`)
    expect(commandWords(createMessages(locale)).instant(began)).toBe(expected)
  })

  test.each(locales)('%s: and of when it was time-stamped', (locale) => {
    const expected = utcInstant('2027-01-01T00:00:07.000Z', locale)
    expect(coverIn(locale)).toContain(expected.replaceAll(/\s/g, ' '))
    expect(Buffer.from(makeReadme({ subject, seal, facts, siteUrl: null })).toString('utf8')).toContain(expected)
  })

  test.each([
    ['2026-01-01T00:00:00.999Z', '1 January 2026, 00:00:00 UTC', '1er janvier 2026 à 00 h 00 min 00 s UTC'],
    ['2026-08-20T23:10:59.999Z', '20 August 2026, 23:10:59 UTC', '20 août 2026 à 23 h 10 min 59 s UTC'],
    ['2024-02-29T01:00:00+02:00', '28 February 2024, 23:00:00 UTC', '28 février 2024 à 23 h 00 min 00 s UTC'],
  ])('%s is cut off to the second, never rounded', (iso, english, french) => {
    expect(utcInstant(iso, 'en')).toBe(english)
    expect(utcInstant(iso, 'fr').replaceAll('\u00a0', ' ')).toBe(french)
    // No line ends within the hour, nor between it and its zone: the spaces that may break are those of the date.
    expect(utcInstant(iso, 'fr').split(' ')).toHaveLength(4)
    expect(() => utcInstant('soon', 'en')).toThrow(RangeError)
  })
})

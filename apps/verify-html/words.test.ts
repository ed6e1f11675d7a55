import { expect, test } from 'vitest'
import { locales } from '../../kernel/locale.ts'
import { utcInstant } from '../../kernel/utc-instant.ts'
import { formatExact } from '../../ui/intl/format.ts'
import { wordsOf } from './words.ts'

test.each(locales)(
  '%s: verify.html and the pages say an instant as the report does, and the reader’s own hour beside it',
  (locale) => {
    const iso = '2026-12-31T23:59:59.999Z'
    const expected = utcInstant(iso, locale)
    expect(wordsOf(locale).instant(iso)).toBe(formatExact(iso, locale))
    expect(formatExact(iso, locale)).toMatch(new RegExp(`^${expected}(?: = |$)`))
  },
)

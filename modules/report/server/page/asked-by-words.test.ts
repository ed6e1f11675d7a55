import { expect, test } from 'vitest'
import type { Inline } from '../../../../kernel/document/blocks.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import { sentence } from '../../../../platform/print/document/sentence.ts'
import { inlineText } from '../../../../testing/document-text.ts'
import { askedByWords, namesAccounts, whatIsKnownOfAccounts } from './asked-by-words.ts'
import type { AskedBy } from '../content/report-content.ts'
import { type ReportMessageId, reportWords } from '../words/report-words.ts'

function words(locale: 'en' | 'fr', askedBy: AskedBy): string {
  const known = reportWords(locale)
  const page = {
    ...known,
    // In braces, so that a test sees where it ends.
    text: (value: string, limit = 400): Inline => ({ kind: 'strong', of: ['{', outside(value, limit, () => '[cut]'), '}'] }),
    say: (id: ReportMessageId, values: Parameters<typeof sentence>[1]) => sentence((plain) => known.t(id, plain), values),
  }
  const more = namesAccounts(askedBy) ? [' ', whatIsKnownOfAccounts(page, askedBy)] : []
  return inlineText([askedByWords(page, askedBy), more])
}

const confirmedAt = '2026-11-01T09:05:00.000Z'
const grace = { name: 'Grace Hopper', confirmedAt }

test('H-22 a report says X for Y, what was confirmed and when, and that nobody verified a name', () => {
  expect(words('en', { kind: 'account', name: 'Ada Byron', confirmedAt, owner: grace })).toBe(
    '{Ada Byron} for {Grace Hopper}, who gave access to the account ' +
      'Names are as the holders of the accounts gave them; nobody verified them. ' +
      'The email address of the account of {Ada Byron} was confirmed on 1 November 2026, 09:05:00 UTC. ' +
      'The email address of the account of {Grace Hopper} was confirmed on 1 November 2026, 09:05:00 UTC.',
  )
  expect(words('fr', { kind: 'claimed', owner: grace, at: '2026-11-21T10:00:00.000Z' })).toContain(
    'une personne sans compte\u202f; le compte au nom de {Grace Hopper} a repris la capture le 21 novembre 2026',
  )
})

test('nothing is said of an address that was not confirmed, nor in the name of an account that has none', () => {
  expect(words('en', { kind: 'account', name: ' ', confirmedAt: null })).toBe(
    'the holder of the account in the name of (no name) Names are as the holders of the accounts gave them; nobody verified them.',
  )
  expect(words('en', { kind: 'without_account' })).toBe('someone without an account; no identity was recorded')
})

test('a name is no markup, turns no sentence round it, and stands for no other name', () => {
  const name = '<b>\u202eLe\uE001on</b>'
  expect(words('en', { kind: 'account', name, owner: grace })).toContain('{<b>[U+202E]Le\uE001on</b>} for {Grace Hopper}')
  expect(words('en', { kind: 'account', name: 'N'.repeat(5000) }).length).toBeLessThan(400)
})

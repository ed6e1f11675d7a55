import { constantFrom, integer, property, record, string, oneof, assert, constant } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { seed, share } from '../../../testing/sweep.ts'
import { faultOfAttachments, faultsOfDraft } from '../domain/draft-faults.ts'
import { announcedAttachment, contactFields } from './support.ts'

const rule = z.object(contactFields)

/** The first code of each field, as a form of the contract would show it. */
const said = (parsed: z.ZodSafeParseResult<unknown>) =>
  Object.fromEntries((parsed.error?.issues ?? []).toReversed().map(({ path, message }) => [String(path[0]), message]))

const typed = oneof(
  string({ unit: 'binary', maxLength: 12 }),
  constantFrom(
    '',
    '   ',
    '\n\t',
    ' Zoé ',
    'a\nb',
    'a\r\nb\rc',
    'a\u202eb',
    'x'.repeat(200),
    'x'.repeat(201),
    ` ${'y'.repeat(10_000)} `,
  ),
  constantFrom('z'.repeat(10_001), 'zoe@example.org', ' zoe@example.org ', 'zoe@', '\u200b', 'a\u0000b', '\ufeff'),
)

test('V-40 V-41 V-42 V-43: a page that is there before the contract finds the same faults, field for field', () => {
  assert(
    property(record({ name: typed, email: typed, title: typed, description: typed }), (draft) => {
      expect(faultsOfDraft(draft)).toEqual(said(rule.safeParse(draft)))
    }),
    { seed, numRuns: share(5000) },
  )
})

test('so of the files that go with a message', () => {
  const bytes = oneof(
    integer({ min: 0, max: 20_000_000 }),
    constant(10 * 1024 * 1024),
    constant(10 * 1024 * 1024 + 1),
    constant(0),
  )
  assert(
    property(record({ name: typed, bytes }), (file) => {
      const [first] = announcedAttachment.safeParse(file).error?.issues ?? []
      expect(faultOfAttachments([file])).toBe(first?.message ?? null)
    }),
    { seed, numRuns: share(2000) },
  )
  expect(faultOfAttachments(Array.from({ length: 6 }, () => ({ name: 'a', bytes: 1 })))).toBe('too_many_attachments')
})

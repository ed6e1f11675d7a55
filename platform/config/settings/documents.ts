/** Copies of deposited documents. */
import { integer, mebi } from './parsers.ts'
import { setting } from './setting.ts'

export const documents = {
  documentCopyBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_BYTES',
    ...integer(0, 10_240 * mebi, 'bytes'),
    fallback: 2048 * mebi,
    fallbackText: '`2147483648` (2 GiB)',
    meaning:
      'Largest file of which a copy is kept beside its fingerprint, where its depositor asks for it. `0` keeps none but of empty files.',
  }),
  documentCopyAccountBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_ACCOUNT_BYTES',
    ...integer(0, 1_048_576 * mebi, 'bytes'),
    fallback: 20_480 * mebi,
    fallbackText: '`21474836480` (20 GiB)',
    meaning: 'Bytes of copies that one account may have kept at a time, those included that are on their way.',
  }),
  documentCopyDays: setting({
    name: 'PROBANT_DOCUMENT_COPY_DAYS',
    ...integer(1, 36_500, 'days'),
    fallback: 365,
    fallbackText: '365 days',
    meaning:
      'How long a copy is kept from the day on which its fingerprint was compared; the date is shown to its depositor, and stays as it was promised when this changes. Fingerprint and proofs are kept on.',
  }),
  documentCopySpareBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_SPARE_BYTES',
    ...integer(0, 1_048_576 * mebi, 'bytes'),
    fallback: 1024 * mebi,
    fallbackText: '`1073741824` (1 GiB)',
    meaning:
      'Bytes that copies leave free on the disk of the blob folder: no piece of a file is taken that would leave less, and what came of it is kept. An object store tells no room, and is not asked.',
  }),
} as const

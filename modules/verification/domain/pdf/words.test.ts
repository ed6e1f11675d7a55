import { expect, test } from 'vitest'
import { anomalies } from '../cms/read-cms.ts'
import { proofWords as everyEn } from '../../messages/proof-words.en.ts'
import { proofWords as everyFr } from '../../messages/proof-words.fr.ts'
import en from '../../messages/pdf.en.json' with { type: 'json' }
import fr from '../../messages/pdf.fr.json' with { type: 'json' }
import { pdfCheckIds, pdfFactIds, pdfReasons } from './verify-pdf-proof.ts'

const languages: readonly Readonly<Record<string, string>>[] = [everyEn, everyFr]
/** Reasons that the reading of signatures and tokens names are said in the words of those kinds. */
const said = (words: Readonly<Record<string, string>>, id: string): string | undefined =>
  ['pdf', ...(id.startsWith('reason.') ? ['cms', 'timestamp'] : [])]
    .map((kind) => words[`verification.proof.${kind}.${id}`])
    .find((text) => text !== undefined)

test('every check, reason and fact of a PDF has words in both languages, with the same values', () => {
  const wanted = [
    ...pdfCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
    ...[...pdfReasons, ...anomalies].map((reason) => `reason.${reason}`),
    ...pdfFactIds.map((fact) => `fact.${fact}`),
  ]
  for (const words of languages) for (const id of wanted) expect(said(words, id), id).toMatch(/\S/)
  const values = (text: string): string[] => [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? '').toSorted()
  expect(Object.keys(en)).toEqual(Object.keys(fr))
  for (const [id, text] of Object.entries(en))
    expect(new Set(values((fr as Record<string, string>)[id] ?? '')), id).toEqual(new Set(values(text)))
})

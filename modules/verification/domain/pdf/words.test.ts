import { expect, test } from 'vitest'
import { anomalies } from '../cms/read-cms.ts'
import en from '../../messages/pdf.en.json' with { type: 'json' }
import fr from '../../messages/pdf.fr.json' with { type: 'json' }
import { pdfCheckIds, pdfFactIds, pdfReasons } from './verify-pdf-proof.ts'

const languages: readonly Readonly<Record<string, string>>[] = [en, fr]

test('every check, reason and fact of a PDF has words in both languages, with the same values', () => {
  const wanted = [
    ...pdfCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
    ...[...pdfReasons, ...anomalies].map((reason) => `reason.${reason}`),
    ...pdfFactIds.map((fact) => `fact.${fact}`),
  ]
  for (const words of languages) for (const id of wanted) expect(words[`verification.proof.pdf.${id}`], id).toMatch(/\S/)
  const values = (text: string): string[] => [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? '').toSorted()
  expect(Object.keys(en)).toEqual(Object.keys(fr))
  for (const [id, text] of Object.entries(en))
    expect(new Set(values((fr as Record<string, string>)[id] ?? '')), id).toEqual(new Set(values(text)))
})

import { expect, test } from 'vitest'
import type { Block, Inlines, ShownDocument } from './blocks.ts'
import { readDocument, writeDocument } from './read-document.ts'

const words: Inlines = [
  'a',
  { kind: 'strong', of: ['b', { kind: 'soft', of: 'c' }] },
  { kind: 'toned', tone: 'doubtful', of: 'd' },
  { kind: 'code', text: 'e' },
  { kind: 'code', text: 'e', tone: 'bad' },
  { kind: 'outside', parts: [{ text: 'f' }, { code: 'U+202E' }], leftOut: null, mono: true },
  { kind: 'outside', parts: [], leftOut: '(2)', mono: false },
  { kind: 'line-break' },
  { kind: 'reference', to: 'g', text: 'h' },
]
const paragraph: Block = { kind: 'paragraph', text: words }
/** Of each kind one, with each field that it may have. */
const every: { readonly [Kind in Block['kind']]: Extract<Block, { readonly kind: Kind }> } = {
  heading: { kind: 'heading', level: 2, text: words, number: 3, id: 'g', listed: true },
  contents: { kind: 'contents', title: 'a' },
  paragraph: { kind: 'paragraph', text: words, look: 'lead' },
  callout: { kind: 'callout', tone: 'alert', text: words },
  quote: { kind: 'quote', text: words },
  facts: {
    kind: 'facts',
    rows: [
      ['a', words],
      ['b', { blocks: [paragraph] }],
    ],
    look: 'dense',
  },
  table: {
    kind: 'table',
    columns: [{ head: 'a', share: 12.5, figures: true }, { head: '' }],
    rows: [['a', { blocks: [paragraph] }]],
    size: 'tiny',
  },
  sums: {
    kind: 'sums',
    rows: [
      { name: 'a', amount: '1,00 €' },
      { name: 'b', amount: '2,00 €', result: true },
    ],
  },
  list: { kind: 'list', ordered: true, items: [[paragraph], []], size: 'small' },
  lines: { kind: 'lines', text: 'a\nb' },
  figure: {
    kind: 'figure',
    picture: {
      file: 'a.png',
      alt: 'b',
      from: { width: 1280, height: 20, rows: [{ path: 'capture/a.png', firstRow: 1, lastRow: 20 }] },
    },
    caption: words,
    width: 30,
    framed: true,
  },
  boxes: { kind: 'boxes', boxes: [[paragraph]] },
  columns: { kind: 'columns', columns: [[paragraph], []], shares: [70, 30] },
  together: { kind: 'together', blocks: [paragraph] },
  brand: { kind: 'brand' },
  fill: { kind: 'fill' },
  'page-break': { kind: 'page-break' },
}
const document: ShownDocument = { language: 'fr-FR', title: 'a', mark: 'b', blocks: Object.values(every) }

test('every block comes back as it was written, and nothing of paper with it', () => {
  expect(readDocument(writeDocument(document))).toEqual(document)
  const paper = { ...document, mark: null, attachments: [{ bytes: new Uint8Array(3) }], files: [], subject: 's' }
  expect(JSON.parse(writeDocument(paper))).toEqual({ ...document, mark: null })
})

test.each<[string, unknown]>([
  ['a kind that is not known', [{ kind: 'script', text: 'x' }]],
  ['a field that is missing', [{ kind: 'heading', level: 2 }]],
  ['a level that no heading has', [{ kind: 'heading', level: 7, text: 'x' }]],
  ['words that are none', [{ kind: 'paragraph', text: 3 }]],
  ['an inline that is not known', [{ kind: 'paragraph', text: { kind: 'link', href: 'javascript:alert(1)' } }]],
  ['a block in a cell that is not known', [{ kind: 'facts', rows: [['a', { blocks: [{ kind: 'x' }] }]] }]],
  ['rows that no image has', [{ ...every.figure, picture: { file: '', alt: '', from: { width: 0, height: 1, rows: [] } } }]],
])('nothing is read of a document with %s', (_name, blocks) => {
  expect(readDocument(JSON.stringify({ ...document, blocks }))).toBeNull()
})

test('nothing is read of what is no document', () => {
  for (const json of ['', '{', 'null', '[]', '{}', JSON.stringify({ ...document, language: '"><x' })])
    expect(readDocument(json)).toBeNull()
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(readDocument(JSON.stringify(document).replace('"title":"a"', `"title":${deep}`))).toBeNull()
  const nested = `{"kind":"paragraph","text":${deep}}`
  expect(readDocument(`{"language":"fr","title":"a","mark":null,"blocks":[${nested}]}`)).toBeNull()
})

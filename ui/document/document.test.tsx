import { renderToStaticMarkup } from 'react-dom/server'
import { WordsProvider } from '../intl/words.tsx'
import { describe, expect, test } from 'vitest'
import type { Block, Inlines, ShownDocument } from '../../kernel/document/blocks.ts'
import en from '../messages/en.json' with { type: 'json' }
import { DocumentView } from './DocumentView.tsx'

const documentOf = (blocks: readonly Block[], more: Partial<ShownDocument> = {}): ShownDocument => ({
  language: 'fr',
  title: 'Rapport 12',
  mark: null,
  blocks,
  ...more,
})
const originals = new Map([
  ['capture/full-1.png', '/files/full-1.png'],
  ['capture/full-2.png', '/files/full-2.png'],
])
const drawings = new Map([['rosette.svg', 'data:image/svg+xml,rosette']])

const html = (document: ShownDocument, topLevel?: number) =>
  renderToStaticMarkup(
    <WordsProvider locale="en" words={en}>
      <DocumentView
        document={document}
        pictures={{ originals, drawings, onBroken: () => undefined, notShown: 'Not shown here; in the PDF:' }}
        {...(topLevel === undefined ? {} : { topLevel })}
      />
    </WordsProvider>,
  ).replaceAll(/ class="[^"]*"/g, '')
const of = (...blocks: readonly Block[]) => html(documentOf(blocks))
const said = (text: Inlines) => of({ kind: 'paragraph', text })

describe('every block is what it is to whoever does not see it', () => {
  test('headings go on where the page’s end, and contents lead to those that are listed', () => {
    const out = of(
      { kind: 'heading', level: 1, text: 'Rapport' },
      { kind: 'contents', title: 'Sommaire' },
      { kind: 'heading', level: 2, text: 'Conditions', number: 1, id: 'conditions' },
      { kind: 'heading', level: 3, text: 'Horloge' },
      { kind: 'together', blocks: [{ kind: 'heading', level: 3, text: 'Pièce 1', listed: true }] },
      { kind: 'heading', level: 2, text: 'Annexe', listed: false },
    )
    const id = /<h3 id="(\w+-2)"/.exec(out)?.[1] ?? 'no heading'
    expect(out).toContain(`<h3 id="${id}" tabindex="-1" data-level="2"><span>1 </span>Conditions</h3>`)
    expect(out).toMatch(/<h2 id="\w+-1" [^>]*>Rapport<\/h2>/)
    expect(out).toMatch(/<h4 id="\w+-3" [^>]*>Horloge<\/h4>/)
    const nav = /<nav aria-label="Sommaire">(.*?)<\/nav>/s.exec(out)?.[1] ?? ''
    expect([...nav.matchAll(/<a href="#([^"]+)">(.*?)<\/a>/g)].map(([, to, words]) => [to, words])).toEqual([
      [id, '<span>1 </span>Conditions'],
      [id.replace(/2$/, '4'), 'Pièce 1'],
    ])
    expect(html(documentOf([{ kind: 'heading', level: 3, text: 'x' }]), 5)).toContain('<h6 ')
    expect(of({ kind: 'contents', title: 'Sommaire' })).not.toContain('<nav')
  })

  test('references lead to their headings; one to what is not there is its words', () => {
    const out = of(
      { kind: 'paragraph', text: ['Voir ', { kind: 'reference', to: 'seal', text: 'section 2' }, '.'] },
      { kind: 'paragraph', text: { kind: 'reference', to: 'gone', text: 'section 9' } },
      { kind: 'heading', level: 2, text: 'Scellé', id: 'seal' },
      { kind: 'heading', level: 2, text: ['Un autre ', { kind: 'reference', to: 'seal', text: 'ici' }], id: 'seal' },
      { kind: 'contents', title: 'Sommaire' },
    )
    const [, first] = /<h3 id="([\w-]+)" tabindex="-1" data-level="2">Scellé/.exec(out) ?? []
    expect(first).toBeTruthy()
    expect(out).toContain(`<p>Voir <a href="#${String(first)}">section 2</a>.</p>`)
    expect(out).toContain('<p>section 9</p>')
    // No link stands in a link.
    expect(out).toMatch(/<li data-level="2"><a href="#[\w-]+">Un autre ici<\/a><\/li>/)
  })

  test('a table is one by its roles too, is named by the heading above, and its cells by their columns', () => {
    const out = of(
      { kind: 'heading', level: 2, text: 'Fichiers' },
      {
        kind: 'table',
        columns: [{ head: 'Nom', share: 60 }, { head: 'Taille', figures: true }, { head: '' }],
        rows: [['a.png', '12', { blocks: [{ kind: 'paragraph', text: 'oui' }] }]],
        size: 'tiny',
      },
    )
    expect(out).toMatch(/<table role="table" data-size="tiny" aria-labelledby="\w+-1">/)
    expect(out).toContain('<th scope="col" role="columnheader">Nom</th>')
    expect(out).toContain('<td role="cell"></td></tr></thead>')
    expect(out).toContain(
      '<tr role="row"><td role="cell" data-head="Nom">a.png</td><td role="cell" data-head="Taille" data-figures="true">12</td>' +
        '<td role="cell" data-head=""><p>oui</p></td></tr>',
    )
    expect(out).toContain('<col style="width:60%"/>')
    expect(of({ kind: 'table', columns: [{ head: 'Nom' }], rows: [] })).not.toContain('aria-labelledby')
  })

  test('facts, lists, quotes, callouts and lines', () => {
    const out = of(
      {
        kind: 'facts',
        rows: [
          ['Adresse', { kind: 'code', text: 'https://exemple.fr/' }],
          ['Adresse', { blocks: [{ kind: 'list', ordered: true, items: [[{ kind: 'paragraph', text: 'un' }]] }] }],
        ],
      },
      { kind: 'list', ordered: false, items: [[{ kind: 'paragraph', text: 'deux' }]], size: 'small' },
      { kind: 'quote', text: 'Citation' },
      { kind: 'callout', tone: 'alert', text: 'Attention' },
      { kind: 'lines', text: 'openssl ts\n  -verify' },
    )
    expect(out).toContain('<dt>Adresse</dt><dd><code><bdi>https://exemple.fr/</bdi></code></dd>')
    expect(out).toContain('<dt>Adresse</dt><dd><ol><li><p>un</p></li></ol></dd>')
    expect(out).toContain('<ul data-size="small"><li><p>deux</p></li></ul>')
    expect(out).toContain('<blockquote>Citation</blockquote>')
    expect(out).toContain('<p role="note" data-tone="alert">Attention</p>')
    expect(out).toContain('<pre><code>openssl ts\n  -verify</code></pre>')
  })

  test('sums are names and amounts, and what matters stands out', () => {
    const rows = [
      { name: 'Total HT', amount: '99,00 €' },
      { name: 'Net à payer', amount: '118,80 €', result: true },
    ]
    expect(of({ kind: 'sums', rows })).toContain(
      '<dt>Total HT</dt><dd>99,00 €</dd></div><div><dt>Net à payer</dt><dd><strong>118,80 €</strong></dd>',
    )
  })

  test('boxes, columns, the brand, and what only paper has', () => {
    const out = of(
      { kind: 'boxes', boxes: [[{ kind: 'paragraph', text: 'a', look: 'grave' }], [{ kind: 'paragraph', text: 'b' }]] },
      { kind: 'columns', columns: [[{ kind: 'paragraph', text: 'c' }], [{ kind: 'brand' }]], shares: [70, 30] },
      { kind: 'fill' },
      { kind: 'page-break' },
    )
    expect(out).toContain('<div><p data-look="grave">a</p></div><div><p>b</p></div>')
    expect(out).toContain(
      '<div style="--shares:minmax(0, 70fr) minmax(0, 30fr)"><div><p>c</p></div><div><p>Probant</p></div></div>',
    )
    expect(out).toMatch(/Probant<\/p><\/div><\/div><\/article>$/)
  })

  test('words in their weight and tone', () => {
    expect(
      said([
        { kind: 'strong', of: ['Fort ', { kind: 'soft', of: 'doux' }] },
        { kind: 'line-break' },
        { kind: 'toned', tone: 'bad', of: 'mauvais' },
        { kind: 'code', text: 'ab12', tone: 'good' },
      ]),
    ).toContain(
      '<p><strong>Fort <span>doux</span></strong><br/><strong data-tone="bad">mauvais</strong><code data-tone="good"><bdi>ab12</bdi></code></p>',
    )
  })
})

describe('pictures', () => {
  const figure = (picture: Extract<Block, { kind: 'figure' }>['picture'], caption?: string) =>
    of({ kind: 'figure', picture, ...(caption === undefined ? {} : { caption, width: 30, framed: true }) })
  const rows = (...each: readonly (readonly [path: string, firstRow: number, lastRow: number])[]) => ({
    width: 1280,
    height: 900,
    rows: each.map(([path, firstRow, lastRow]) => ({ path, firstRow, lastRow })),
  })

  test('are windows on the rows of the originals, loaded when they come into view, with one text for all of them', () => {
    const from = rows(['capture/full-1.png', 1601, 2100], ['capture/full-2.png', 1, 400])
    const out = figure({ file: 'a.png', alt: 'Pièce 1', from }, 'Lignes 1601 à 2500')
    expect(out).toContain('<figure style="max-width:30mm"><div role="img" aria-label="Pièce 1">')
    expect(
      [...out.matchAll(/aspect-ratio:(\d+ \/ \d+)"><img src="([^"]+)" alt="" loading="lazy"/g)].map((m) => m.slice(1)),
    ).toEqual([
      ['1280 / 500', '/files/full-1.png'],
      ['1280 / 400', '/files/full-2.png'],
    ])
    expect(out).toContain('<figcaption>Lignes 1601 à 2500</figcaption>')
  })

  test('that are not here are told, never shown in part or for one another', () => {
    const absent = '<p><span>Not shown here; in the PDF:</span> Pièce 1</p>'
    expect(figure({ file: 'a.png', alt: 'Pièce 1' })).toContain(absent)
    const partly = rows(['capture/full-1.png', 1, 500], ['capture/gone.png', 1, 400])
    expect(figure({ file: 'a.png', alt: 'Pièce 1', from: partly })).toContain(absent)
    expect(figure({ file: 'a.png', alt: 'Pièce 1', from: rows() })).toContain(absent)
    expect(figure({ file: 'rosette.svg', alt: 'Scellé' })).toContain('<img src="data:image/svg+xml,rosette" alt="Scellé"/>')
  })
})

describe('text from outside', () => {
  const outside = (
    parts: Extract<Exclude<Inlines, string | readonly Inlines[]>, { kind: 'outside' }>['parts'],
    leftOut: string | null = null,
  ) => said({ kind: 'outside', parts, leftOut, mono: false })

  test('is isolated, its unseen characters are named, and what was cut is told beside it', () => {
    expect(outside([{ text: 'עברית' }, { code: 'U+202E' }, { text: 'exe.fdp' }], '(3 more)')).toContain(
      '<p><bdi>עברית<span>⟨U+202E⟩</span>exe.fdp</bdi><span> (3 more)</span></p>',
    )
    expect(said({ kind: 'code', text: 'a\u202eb\u0000' })).toContain('<code><bdi>a⟨U+202E⟩b⟨U+0000⟩</bdi></code>')
    expect(of({ kind: 'lines', text: 'a\u200b\nb' })).toContain('<code>a⟨U+200B⟩\nb</code>')
    expect(of({ kind: 'figure', picture: { file: 'x', alt: 'a\u202eb' } })).toContain('a⟨U+202E⟩b')
  })

  test('is text and never markup, wherever it stands', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&'
    const out = html(
      documentOf(
        [
          { kind: 'heading', level: 2, text: hostile, id: '"><script>' },
          { kind: 'contents', title: hostile },
          { kind: 'paragraph', text: { kind: 'outside', parts: [{ text: hostile }], leftOut: hostile, mono: true } },
          { kind: 'paragraph', text: { kind: 'reference', to: '"><script>', text: hostile } },
          { kind: 'table', columns: [{ head: hostile }], rows: [[hostile]] },
          { kind: 'figure', picture: { file: hostile, alt: hostile }, caption: hostile },
        ],
        { title: hostile, mark: hostile },
      ),
    )
    expect(out).not.toMatch(/<(?:img|script)/)
    expect(out).not.toContain('script')
    const stamp = decodeURIComponent(/image\/svg\+xml,(.+?)&quot;/.exec(out.replaceAll('&#x27;', "'"))?.[1] ?? '')
    expect(stamp).toContain('&#60;img src=x onerror=alert(1)&#62;"\'&#38;</text>')
    expect(out).toMatch(/<p>&lt;img src=x onerror=alert\(1\)&gt;/)
  })
})

test('says what it is, in its language; a preview where it begins and at the foot of the window, and on every picture', () => {
  const plain = of({ kind: 'paragraph', text: 'x' })
  expect(plain).toContain('<article lang="fr" aria-label="Rapport 12"><p>x</p></article>')
  const marked = html(documentOf([{ kind: 'paragraph', text: 'x' }], { mark: 'APERÇU – non définitif' }))
  expect(marked).toMatch(/--stamp:url\(&quot;data:image\/svg\+xml,[^"]*APER%C3%87U/)
  expect(marked).toContain('<p>APERÇU – non définitif</p><p>x</p><p aria-hidden="true">APERÇU – non définitif</p></article>')
})

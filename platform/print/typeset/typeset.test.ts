import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Block } from '../../../kernel/document/blocks.ts'
import type { PrintedDocument } from '../document/printed-document.ts'
import { outside } from '../document/outside.ts'
import { encodeDocument } from './encode.ts'
import { typeset, typesetAll, TypesetFailed } from './typeset.ts'

const run = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typeset-'))
})
afterAll(async () => await rm(dir, { recursive: true, force: true }))

const documentOf = (blocks: readonly Block[], given: Partial<PrintedDocument> = {}): PrintedDocument => ({
  language: 'fr-FR',
  title: 'Œuvres',
  subject: 'Un essai',
  date: new Date('2026-11-20T10:11:12.345Z'),
  look: 'report',
  running: {
    head: ['À gauche', 'à droite'],
    foot: 'Au pied',
    pageOf: 'page {page} sur {pages}',
    onPage: 'p. {page}',
    byCode: 'Montrés par leur code : {count}.',
    cover: false,
  },
  mark: null,
  blocks,
  attachments: [],
  files: [],
  ...given,
})
/** Its head says 9 × 0 pixels (ISO 15948 §11.2.2 forbids it). */
const emptyPng = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000009000000000802000000e4d3ea6c0000000849444154789c030000000001' +
    '1f2e2e0a0000000049454e44ae426082',
  'hex',
)
const of = (text: string): Block => ({ kind: 'paragraph', text: outside(text, 10_000, (count) => `${String(count)} left out`) })
const folder = () => join(dir, 'job')
const set = async (document: PrintedDocument, memoryBytes?: number) =>
  await typeset(document, {
    folder: folder(),
    signal: AbortSignal.timeout(120_000),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  })

/** Looked at by tools that are not ours. */
async function seen(document: PrintedDocument): Promise<{ readonly pdf: string; readonly text: string; readonly info: string }> {
  const pdf = join(dir, 'seen.pdf')
  await writeFile(pdf, await set(document))
  const [{ stdout: text }, { stdout: info }] = await Promise.all([run('pdftotext', ['-raw', pdf, '-']), run('pdfinfo', [pdf])])
  return { pdf, text, info }
}

test('a document is tagged PDF/A-3a with title, language, outline, alternative texts and what is attached; the same gives the same bytes', async () => {
  const square = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#b3321f"/></svg>'
  const document = documentOf(
    [
      { kind: 'heading', level: 1, text: 'Le titre' },
      { kind: 'heading', level: 2, number: 7, text: 'La partie' },
      { kind: 'figure', picture: { file: 'carre.svg', alt: 'Un carré rouge' }, width: 20, caption: 'Pièce 1' },
      {
        kind: 'facts',
        rows: [
          ['Nom', 'valeur'],
          ['Liste', { blocks: [{ kind: 'list', ordered: false, items: [[of('un')]] }] }],
        ],
      },
      { kind: 'page-break' },
      { kind: 'lines', text: 'openssl ts -verify\n  -in a.tsr' },
    ],
    {
      files: [{ name: 'carre.svg', content: Buffer.from(square) }],
      attachments: [
        { name: 'a.json', mediaType: 'application/json', description: 'ce qui est dit', bytes: Buffer.from('{"a":1}') },
      ],
    },
  )
  const { pdf, text, info } = await seen(document)
  expect(info).toMatch(/^Title: +Œuvres$/m)
  expect(info).toMatch(/^Tagged: +yes$/m)
  expect(info).toMatch(/^Pages: +2$/m)
  expect(info).toContain('Nov 20 10:11:12 2026')
  for (const said of ['Le titre', '7 La partie', 'Pièce 1', 'page 1 sur 2', 'page 2 sur 2', 'À gauche', 'Au pied'])
    expect(text).toContain(said)
  const { stdout: metadata } = await run('pdfinfo', ['-meta', pdf])
  expect(metadata).toMatch(/pdfaid:part>3</)
  expect(metadata).toMatch(/pdfaid:conformance>A</)
  const { stdout: structure } = await run('pdfinfo', ['-struct-text', pdf])
  for (const tag of ['H1', 'H2', 'Figure', 'Table', 'L ', 'P ']) expect(structure).toContain(tag)
  const { stdout: objects } = await run('qpdf', ['--qdf', '--object-streams=disable', pdf, '-'], {
    encoding: 'latin1',
    maxBuffer: 2 ** 26,
  })
  expect(objects).toContain('/Lang (fr-FR)')
  expect(objects).toMatch(/\/AFRelationship \/Supplement/)
  expect(objects).toMatch(/\/Outlines \d+ 0 R/)
  expect(objects).toContain('/Alt')
  expect((await run('qpdf', ['--check', pdf])).stdout).toContain('No syntax or stream encoding errors found')
  await run('pdfdetach', ['-save', '1', '-o', join(dir, 'a.json'), pdf])
  expect((await run('cat', [join(dir, 'a.json')])).stdout).toBe('{"a":1}')
  expect(Buffer.compare(Buffer.from(await set(document)), Buffer.from(await set(document)))).toBe(0)
  expect(existsSync(folder())).toBe(false)
})

describe('whatever text comes from outside', () => {
  test('is text and never markup, and what has no place in PDF/A is shown by its name', async () => {
    const hostile = [
      '#panic("x") *b* _i_ $x^2$ @ref <label> `raw` \\ #let // /* [[ ]] = == - + 1.',
      '{"kind":"page-break"} ${page} {page}',
      'privé \ue000 \u{10fff0} non attribué \u0378 nul \u0000 moitié \ud800 sans police \u{16100}',
      'sens \u202eexe.fdp\u202c vide \u200b',
      'עברית (1) العربية',
      '漢字 ไทย हिन्दी 👩‍🚀',
    ]
    const { text } = await seen(documentOf(hostile.map(of)))
    for (const said of [
      '#panic("x") *b* _i_ $x^2$ @ref <label> `raw` \\ #let // /* [[ ]]',
      '{"kind":"page-break"} ${page} {page}',
    ])
      expect(text).toContain(said)
    const shown = text.replaceAll(/\s/g, '')
    for (const name of ['U+E000', 'U+10FFF0', 'U+0378', 'U+0000', 'U+D800', 'U+202E', 'U+202C', 'U+200B'])
      expect(shown).toContain(name)
    // A character that no font of this machine has is named too; one that has a font is itself.
    expect(shown).toMatch(/sanspolice(?:⟨U\+16100⟩|\u{16100})/u)
    // And all of them are counted.
    expect(shown).toContain(`Montrésparleurcode:${shown.includes('⟨U+16100⟩') ? '9' : '8'}.`)
    expect((await seen(documentOf([of('rien de tel')]))).text).not.toContain('Montrés')
  })

  test('turns nothing round it, though it is written from right to left', async () => {
    const hebrew = outside('עברית', 100, String)
    const { pdf } = await seen(documentOf([{ kind: 'paragraph', text: ['before ', hebrew, ' (12) 34 after'] }]))
    const { stdout: boxes } = await run('pdftotext', ['-bbox', pdf, '-'])
    // As it stands on the page from left to right: without isolation the numbers that follow it would stand before it.
    const shown = [...boxes.matchAll(/<word [^>]*>([^<]*)</g)].map(([, word]) => word).join(' ')
    expect(shown.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/before \p{Script=Hebrew}+ \(12\) 34 after/u)
  })

  test('stays within the page, however long its words are, and is copied as it is', async () => {
    const digest = 'ab12'.repeat(32)
    const { pdf, text } = await seen(
      documentOf([
        of('W'.repeat(3000)),
        {
          kind: 'facts',
          rows: [
            ['Empreinte', { kind: 'code', text: digest }],
            ['M'.repeat(60), 'x'],
          ],
        },
        {
          kind: 'table',
          columns: [{ head: 'Étroite', share: 12 }, { head: 'Adresse' }],
          rows: [['n'.repeat(90), { kind: 'code', text: `https://exemple.fr/${'a/'.repeat(400)}` }]],
        },
        { kind: 'lines', text: `openssl ${'x'.repeat(400)}` },
        { kind: 'heading', level: 2, text: 'T'.repeat(300) },
        { kind: 'heading', level: 1, text: 'É'.repeat(10_000) },
      ]),
    )
    const { stdout: boxes } = await run('pdftotext', ['-bbox', pdf, '-'])
    const right = [...boxes.matchAll(/xMax="([\d.]+)"/g)].map((match) => Number(match[1]))
    expect(right.length).toBeGreaterThan(30)
    // A4 is 595.3 points wide, less a margin of 18 mm.
    expect(Math.max(...right)).toBeLessThan(595.3 - 51 + 0.5)
    expect(text.replaceAll('\n', '')).toContain(digest)
  })
})

test('contents, references and what leads there name the same pages; a reference to nothing is its words; a cover has no margins', async () => {
  const heading = (number: number): Block => ({
    kind: 'heading',
    level: 2,
    number,
    id: `partie-${String(number)}`,
    text: `Partie ${String(number)}`,
  })
  const to = (id: string, text: string): Block => ({
    kind: 'paragraph',
    text: ['voir ', { kind: 'reference', to: id, text }, '.'],
  })
  const { pdf } = await seen(
    documentOf(
      [
        { kind: 'heading', level: 1, text: 'Couverture' },
        { kind: 'fill' },
        { kind: 'paragraph', text: 'au pied de la page' },
        { kind: 'page-break' },
        { kind: 'contents', title: 'Sommaire' },
        heading(1),
        to('partie-2', 'deux'),
        to('partie-1', 'un'),
        to('nulle-part', 'trois'),
        { kind: 'page-break' },
        heading(2),
        { kind: 'heading', level: 3, id: 'piece', listed: true, text: 'Une pièce' },
        { kind: 'heading', level: 3, text: 'Un détail' },
      ],
      {
        running: {
          head: ['À gauche', 'à droite'],
          foot: 'Au pied',
          pageOf: 'page {page} sur {pages}',
          onPage: 'p. {page}',
          byCode: '',
          cover: true,
        },
      },
    ),
  )
  const { stdout } = await run('pdftotext', ['-layout', pdf, '-'])
  const [cover = '', contents = '', last = ''] = stdout.split('\f')
  expect(cover).not.toMatch(/À gauche|page 1/)
  expect(contents).toMatch(/1 *Partie 1[ .\u2060]*2\n/)
  expect(contents).toMatch(/2 *Partie 2[ .\u2060]*3\n/)
  expect(contents).toMatch(/Une pièce[ .\u2060]*3\n/)
  expect(contents).not.toContain('Un détail')
  expect(contents).toContain('voir deux, p. 3.')
  expect(contents).toContain('voir un.')
  expect(contents).toContain('voir trois.')
  expect(last).toContain('page 3 sur 3')
})

test('a document that is not the one meant says so on every page, its cover too', async () => {
  const { pdf } = await seen(
    documentOf([{ kind: 'heading', level: 1, text: 'Couverture' }, { kind: 'page-break' }, of('x')], { mark: 'APERÇU' }),
  )
  const { stdout } = await run('pdftotext', ['-raw', pdf, '-'])
  const pages = stdout.split('\f').slice(0, -1)
  expect(pages).toHaveLength(2)
  // Three across the page, one at its foot.
  for (const page of pages) expect(page.replaceAll(/\s/g, '').split('APERÇU')).toHaveLength(5)
})

test('two documents of one call are what each is by itself, and share the files that both name', async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#0f5e63"/></svg>'
  const one = documentOf([{ kind: 'figure', picture: { file: 'a.svg', alt: 'vert' }, width: 20 }, of('un')], {
    files: [{ name: 'a.svg', content: Buffer.from(picture) }],
  })
  const other = { ...one, blocks: [...one.blocks, of('deux')] }
  const both = await typesetAll([one, other], { folder: folder(), signal: AbortSignal.timeout(120_000) })
  expect(both.map((pdf) => Buffer.from(pdf).toString('base64'))).toEqual(
    [await set(one), await set(other)].map((pdf) => Buffer.from(pdf).toString('base64')),
  )
})

test('what is kept together goes on where it is longer than a page: nothing of it is lost', async () => {
  const lines = Array.from({ length: 200 }, (_, i) => of(`ligne ${String(i)}`))
  const { text, info } = await seen(documentOf([{ kind: 'together', blocks: lines }, of('après')]))
  expect(Number(/^Pages: +(\d+)$/m.exec(info)?.[1])).toBeGreaterThan(3)
  for (let i = 0; i < 200; i += 1) expect(text).toContain(`ligne ${String(i)}\n`)
  expect(text).toContain('après')
})

test('no line ends within a French word that points to what stands near it', async () => {
  const words = ['ci-dessous', 'celui-ci']
  const lengths = Array.from({ length: 40 }, (_, i) => 30 + i)
  const blocks = words.flatMap((word) =>
    lengths.map((length): Block => ({ kind: 'paragraph', text: `${'a '.repeat(length)}${word} et la suite` })),
  )
  const { text } = await seen(documentOf(blocks))
  for (const word of words) expect(text.split(word)).toHaveLength(lengths.length + 1)
})

test('a long table repeats its head on every page', async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => [String(i), `https://exemple.fr/${String(i)}`])
  const { text, info } = await seen(
    documentOf([{ kind: 'table', columns: [{ head: 'Numéro', share: 10 }, { head: 'Adresse' }], rows }]),
  )
  const pages = Number(/^Pages: +(\d+)$/m.exec(info)?.[1])
  expect(pages).toBeGreaterThan(20)
  expect(text.match(/Numéro Adresse/g)).toHaveLength(pages)
  expect(text).toContain('https://exemple.fr/1999')
})

describe('what cannot be set is told, and nothing is left', () => {
  test.each([
    ['an image that is damaged', Buffer.from('\x89PNG\r\n\x1a\n damaged', 'latin1')],
    ['a drawing that is none', Buffer.from('no drawing')],
    ['an image of no height', emptyPng],
  ])('%s', async (_name, bytes) => {
    const document = documentOf([{ kind: 'figure', picture: { file: 'a.png', alt: 'x' } }], {
      files: [{ name: 'a.png', content: bytes }],
    })
    await expect(set(document)).rejects.toThrow(TypesetFailed)
    expect(existsSync(folder())).toBe(false)
  })

  test('too much memory', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [`${String(i)} ${'word '.repeat(40)}`])
    await expect(set(documentOf([{ kind: 'table', columns: [{ head: 'x' }], rows }]), 60 * 1024 * 1024)).rejects.toThrow(
      TypesetFailed,
    )
    expect(existsSync(folder())).toBe(false)
  })

  test('who asked has gone', async () => {
    const gone = new AbortController()
    const setting = typeset(documentOf([of('x')]), { folder: folder(), signal: gone.signal })
    gone.abort(new Error('shutting down'))
    await expect(setting).rejects.toThrow('shutting down')
    expect(existsSync(folder())).toBe(false)
  })
})

test('an invoice has its sums under each other, what matters last, and says what is attached to be the same in another form', async () => {
  const rows = [
    { name: 'Total HT', amount: '1 197,60 €' },
    { name: 'Net à payer', amount: '1 437,12 €', result: true },
  ]
  const bytes = Buffer.from('<a/>')
  const { pdf, text, info } = await seen(
    documentOf(
      [
        { kind: 'heading', level: 1, text: 'Facture' },
        { kind: 'sums', rows },
      ],
      {
        look: 'invoice',
        attachments: [
          { name: 'a.xml', mediaType: 'text/xml', description: 'les mêmes données', bytes, relationship: 'alternative' },
          { name: 'b.xml', mediaType: 'text/xml', description: 'autre chose', bytes },
        ],
      },
    ),
  )
  expect(info).toMatch(/^Tagged: +yes$/m)
  expect(text).toMatch(/Facture\nTotal HT 1 197,60 €\nNet à payer 1 437,12 €\n/)
  const related = (await readFile(pdf)).toString('latin1').match(/\/UF \(\w\.xml\)[^]*?\/AFRelationship \/\w+/g)
  expect(related?.map((each) => [each.slice(5, 10), each.split('/').at(-1)])).toEqual([
    ['a.xml', 'Alternative'],
    ['b.xml', 'Supplement'],
  ])
})

test('facts that nobody measures lose nothing beside something else, wherever on a page they begin', async () => {
  const half = (rows: number, words: number): Block => ({
    kind: 'columns',
    shares: [40, 60],
    columns: [
      [
        {
          kind: 'facts',
          rows: Array.from({ length: rows }, (_, row) => [`R${row}`, `${'abc '.repeat(words)}end${row}.`] as const),
        },
      ],
      [{ kind: 'paragraph', text: 'beside' }],
    ],
  })
  const sizes = [
    [8, 8],
    [1, 73],
    [8, 60],
    [1, 900],
  ] as const
  const isShort = (block: Block) => JSON.stringify(encodeDocument(documentOf([block]))).includes('"short":true')
  expect(sizes.map(([rows, words]) => isShort(half(rows, words)))).toEqual([true, true, false, false])
  for (const [rows, words] of sizes) {
    const filler = Array.from({ length: 34 }, (_, line): Block => ({ kind: 'paragraph', text: `filler ${line}` }))
    const { text } = await seen(documentOf([...filler, half(rows, words), { kind: 'paragraph', text: 'after' }]))
    expect(Array.from({ length: rows }, (_, row) => row).filter((row) => !text.includes(`end${row}.`))).toEqual([])
    expect(text).toContain('after')
  }
})

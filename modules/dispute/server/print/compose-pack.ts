/** A formal notice with its list of exhibits, as a printed document. The words are its sender's. */
import type { Block, Inline, Inlines } from '../../../../kernel/document/blocks.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { code, heading, lineBreak, paragraph } from '../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import type { DisputePack } from '../../contract/packs.ts'
import { readLetter, type Placeholder } from '../../domain/letter.ts'
import { placeholderNames, type DisputeWords } from '../present/dispute-words.ts'

const longest = 12_000
/** Written as it is, each character alike. */
const exact: readonly Placeholder[] = ['address', 'root', 'offer']

export function composePack(words: DisputeWords, pack: DisputePack, at: Date): PrintedDocument {
  const { t } = words
  const date = dayOf(at, words.tag)
  const text = (value: string, mono = false): Inline =>
    outside(value, longest, (count) => t('dispute.document.left_out', { count }), mono)
  const lines = (value: string): Inlines =>
    value.split('\n').flatMap((line, index) => (index === 0 ? [text(line)] : [lineBreak, text(line)]))
  const letter = letterBlocks(words, pack, text)
  const signature = paragraph([...roomToSign, text(pack.signatory)])
  return {
    look: 'letter',
    language: words.tag,
    title: t('dispute.document.title'),
    subject: t('dispute.document.subject', { report: pack.id }),
    date: at,
    running: {
      head: null,
      foot: t('dispute.document.foot', { date }),
      pageOf: t('dispute.document.page_of', { page: '{page}', pages: '{pages}' }),
      onPage: '{page}',
      byCode: t('dispute.document.by_code', { count: '{count}' }),
      cover: false,
    },
    mark: null,
    blocks: [
      ...headOf(pack, lines, paragraph(t('dispute.document.date', { date }))),
      heading(1, t('dispute.document.heading')),
      ...letter.slice(0, -1),
      // Nobody signs a page on which nothing else stands.
      { kind: 'together', blocks: [...letter.slice(-1), pack.language === 'fr' ? atRight([signature]) : signature] },
      { kind: 'page-break' },
      heading(2, t('dispute.document.exhibits')),
      paragraph(t('dispute.document.exhibits_why', { count: pack.exhibits.length, report: pack.id }), 'annex'),
      {
        kind: 'table',
        size: 'tiny',
        columns: [
          { head: t('dispute.document.number'), share: 4, figures: true },
          { head: t('dispute.document.path'), share: 24 },
          { head: t('dispute.document.size'), share: 11, figures: true },
          { head: t('dispute.document.sha256') },
        ],
        rows: pack.exhibits.map(({ path, bytes, sha256 }, index) => [
          words.number(index + 1),
          text(path, true),
          words.number(bytes),
          code(sha256),
        ]),
      },
      paragraph(t('dispute.document.root'), 'annex'),
      paragraph(code(pack.root)),
    ],
    attachments: [],
    files: [],
  }
}

/** In French, the sender stands at the left and who is written to at the right; in English it is the other way round. */
function headOf(pack: DisputePack, lines: (value: string) => Inlines, date: Block): Block[] {
  const [sender, recipient] = [paragraph(lines(pack.sender)), paragraph(lines(pack.recipient))]
  return pack.language === 'fr' ? [sender, atRight([recipient]), atRight([date])] : [atRight([sender]), recipient, date]
}

const atRight = (blocks: readonly Block[]): Block => ({ kind: 'columns', shares: [52, 48], columns: [[], blocks] })
const roomToSign: readonly Inline[] = [lineBreak, lineBreak, lineBreak, lineBreak]

export const packFileName = (id: string, locale: Locale): string => `notice-${id}.${locale}.pdf`

/** Words of the letter are text from outside, whatever they are; an empty line parts paragraphs. */
function letterBlocks(words: DisputeWords, pack: DisputePack, text: (value: string, mono?: boolean) => Inline): Block[] {
  const values = new Map(pack.placeholders.map(({ id, value }) => [id, value ?? '']))
  const blocks: Block[] = []
  let line: Inline[] = []
  const end = () => {
    if (line.some((each) => each !== lineBreak)) blocks.push(paragraph(line))
    line = []
  }
  const write = (written: string, mono = false) => {
    for (const [index, each] of written.split('\n').entries()) {
      if (index > 0) {
        // The second end of a line in a row ends the paragraph.
        if (line.at(-1) === lineBreak) end()
        else if (line.length > 0) line.push(lineBreak)
      }
      if (each !== '') line.push(text(each, mono))
    }
  }
  for (const part of readLetter(pack.letter.text, placeholderNames(words)).parts) {
    if ('text' in part) write(part.text)
    else write(values.get(part.placeholder) ?? '', exact.includes(part.placeholder))
  }
  end()
  return blocks
}

function dayOf(at: Date, tag: string): string {
  const [day, rest] = [
    new Intl.DateTimeFormat(tag, { day: 'numeric', timeZone: 'UTC' }).format(at),
    new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at),
  ]
  return `${tag.startsWith('fr') && day === '1' ? '1er' : day} ${rest}`
}

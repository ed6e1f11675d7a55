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
const exact: readonly Placeholder[] = ['address', 'report', 'root', 'offer']

export function composePack(words: DisputeWords, pack: DisputePack, at: Date): PrintedDocument {
  const { t } = words
  const text = (value: string, mono = false): Inline =>
    outside(value, longest, (count) => t('dispute.document.left_out', { count }), mono)
  const lines = (value: string): Inlines =>
    value.split('\n').flatMap((line, index) => (index === 0 ? [text(line)] : [lineBreak, text(line)]))
  return {
    look: 'letter',
    language: words.tag,
    title: t('dispute.document.title'),
    subject: t('dispute.document.subject', { report: pack.id }),
    date: at,
    running: {
      head: null,
      foot: t('dispute.document.foot'),
      pageOf: t('dispute.document.page_of', { page: '{page}', pages: '{pages}' }),
      onPage: '{page}',
      byCode: t('dispute.document.by_code', { count: '{count}' }),
      cover: false,
    },
    mark: null,
    blocks: [
      {
        kind: 'columns',
        shares: [50, 50],
        columns: [
          [paragraph(lines(pack.sender))],
          [paragraph(lines(pack.recipient)), paragraph(t('dispute.document.date', { date: dayOf(at, words.tag) }))],
        ],
      },
      heading(1, t('dispute.document.title')),
      ...letterBlocks(words, pack, text),
      { kind: 'columns', shares: [50, 50], columns: [[], [paragraph(text(pack.signatory))]] },
      heading(2, t('dispute.document.exhibits', { count: pack.exhibits.length })),
      paragraph(t('dispute.document.exhibits_why', { report: pack.id }), 'annex'),
      {
        kind: 'table',
        size: 'tiny',
        columns: [
          { head: t('dispute.document.number'), share: 5, figures: true },
          { head: t('dispute.document.path'), share: 24 },
          { head: t('dispute.document.size'), share: 13, figures: true },
          { head: t('dispute.document.sha256') },
        ],
        rows: pack.exhibits.map(({ path, bytes, sha256 }, index) => [
          words.number(index + 1),
          text(path, true),
          words.t('dispute.document.bytes', { count: bytes }),
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

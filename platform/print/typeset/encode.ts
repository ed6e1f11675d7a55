/** A document as the template reads it: every text printable, every long run with places to break. */
import type { Block, Cell, Inline, Inlines } from '../../../kernel/document/blocks.ts'
import type { PrintedDocument } from '../document/printed-document.ts'
import { piecesOf, printable, shownByCode } from './printable.ts'

/** Names of files stay whole; digests and addresses may be broken anywhere. */
const longestCode = 28
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

type Encoded = { readonly [name: string]: unknown }

const textOf = (text: string, longest?: number): readonly string[] => piecesOf(printable(text), longest)

function encodeInline(inline: Inline): unknown {
  if (typeof inline === 'string') return { kind: 'text', pieces: textOf(inline) }
  switch (inline.kind) {
    case 'strong':
    case 'soft':
    case 'toned':
      return { ...inline, of: encodeInlines(inline.of) }
    case 'code':
      return { ...inline, text: undefined, pieces: textOf(inline.text, longestCode) }
    case 'outside':
      return {
        ...inline,
        parts: inline.parts.map((part) =>
          'text' in part ? { pieces: textOf(part.text, inline.mono ? longestCode : undefined) } : part,
        ),
        isolated: inline.parts.some((part) => 'text' in part && rightToLeft.test(part.text)),
        leftOut: inline.leftOut === null ? null : printable(inline.leftOut),
      }
    default:
      return inline
  }
}

const isList = (value: Inlines): value is readonly Inlines[] => Array.isArray(value)
const encodeInlines = (value: Inlines): unknown => (isList(value) ? value.map(encodeInlines) : encodeInline(value))

const encodeCell = (said: Cell): Encoded =>
  typeof said === 'object' && 'blocks' in said ? { blocks: encodeBlocks(said.blocks) } : { words: encodeInlines(said) }

/** A row whose data are no longer (in JSON, characters) ends no page in its midst: the narrowest column has room for it. */
const shortRow = 3_600

function encodeRow(row: readonly Cell[]): readonly Encoded[] {
  const cells = row.map(encodeCell)
  const whole = JSON.stringify(cells).length < shortRow
  return cells.map((cell) => ({ ...cell, whole }))
}

/** Facts of few rows with few words, and nothing else, are less than a page where they have half of its width: nobody has to measure them. */
const short = { rows: 8, words: 300, row: 90 }

function isShort(rows: readonly { readonly said: Encoded }[]): boolean {
  const data = JSON.stringify(rows)
  const plain = !data.includes('line-break') && rows.every(({ said }) => !('blocks' in said))
  return plain && rows.length <= short.rows && data.length <= short.words + short.row * rows.length
}

const encodeBlocks = (blocks: readonly Block[]): readonly Encoded[] => blocks.map(encodeBlock)

function encodeBlock(block: Block): Encoded {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'callout':
    case 'quote':
      return { ...block, text: encodeInlines(block.text) }
    case 'facts': {
      const rows = block.rows.map(([name, said]) => ({ name: encodeInlines(name), said: encodeCell(said) }))
      return { ...block, rows, short: isShort(rows) }
    }
    case 'table':
      return {
        ...block,
        columns: block.columns.map((column) => ({ ...column, head: encodeInlines(column.head) })),
        rows: block.rows.map(encodeRow),
      }
    case 'sums':
      return {
        ...block,
        rows: block.rows.map(({ name, amount, result = false }) => ({
          name: encodeInlines(name),
          amount: encodeInlines(amount),
          result,
        })),
      }
    case 'list':
      return { ...block, items: block.items.map(encodeBlocks) }
    case 'lines':
      return { ...block, text: undefined, lines: block.text.split('\n').map((line) => textOf(line)) }
    case 'figure':
      return {
        ...block,
        picture: { ...block.picture, alt: printable(block.picture.alt) },
        ...(block.caption === undefined ? {} : { caption: encodeInlines(block.caption) }),
      }
    case 'boxes':
      return { ...block, boxes: block.boxes.map(encodeBlocks) }
    case 'columns':
      return { ...block, columns: block.columns.map(encodeBlocks) }
    case 'together':
      return { ...block, blocks: encodeBlocks(block.blocks) }
    default:
      return block
  }
}

export function encodeDocument(document: PrintedDocument): Encoded {
  const { date, running } = document
  return {
    language: document.language.slice(0, 2),
    region: document.language.slice(3) || null,
    title: printable(document.title),
    subject: printable(document.subject),
    look: document.look,
    date: {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    },
    running: {
      head: running.head === null ? null : running.head.map(printable),
      foot: printable(running.foot),
      pageOf: running.pageOf,
      onPage: running.onPage,
      byCode: running.byCode,
      cover: running.cover,
    },
    mark: document.mark,
    blocks: encodeBlocks(document.blocks),
    shownByCode: shownByCode(document.blocks),
    attachments: document.attachments.map(({ name, mediaType, description, relationship = 'supplement' }) => ({
      name,
      relationship,
      mediaType: mediaType.replace(/;.*/s, ''),
      description: printable(description),
    })),
  }
}

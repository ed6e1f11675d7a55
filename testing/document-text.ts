/** What a printed document says, in one line of text: for tests of words, which need no paper. */
import type { Block, Cell, Inlines } from '../kernel/document/blocks.ts'

const isList = (value: Inlines): value is readonly Inlines[] => Array.isArray(value)

/** What cannot be seen by its code, in brackets. */
export function inlineText(value: Inlines): string {
  if (isList(value)) return value.map(inlineText).join('')
  if (typeof value === 'string') return value
  switch (value.kind) {
    case 'strong':
    case 'soft':
    case 'toned':
      return inlineText(value.of)
    case 'outside': {
      const parts = value.parts.map((part) => ('text' in part ? part.text : `[${part.code}]`))
      return [...parts, ...(value.leftOut === null ? [] : [' ', value.leftOut])].join('')
    }
    case 'line-break':
      return ' '
    default:
      return value.text
  }
}

const cellText = (cell: Cell): string =>
  typeof cell === 'object' && 'blocks' in cell ? documentText(cell.blocks) : inlineText(cell)

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return [block.number === undefined ? '' : `${String(block.number)} `, inlineText(block.text)].join('')
    case 'paragraph':
    case 'callout':
    case 'quote':
      return inlineText(block.text)
    case 'facts':
      return block.rows.map(([name, said]) => `${name} ${cellText(said)}`).join(' ')
    case 'table':
      return [block.columns.map(({ head }) => head), ...block.rows.map((row) => row.map(cellText))].flat().join(' ')
    case 'sums':
      return block.rows.map(({ name, amount }) => `${name} ${amount}`).join(' ')
    case 'list':
      return block.items.map(documentText).join(' ')
    case 'figure':
      return `${block.picture.alt} ${inlineText(block.caption ?? '')}`
    case 'boxes':
      return block.boxes.map(documentText).join(' ')
    case 'columns':
      return block.columns.map(documentText).join(' ')
    case 'together':
      return documentText(block.blocks)
    case 'lines':
      return block.text
    case 'contents':
      return block.title
    default:
      return ''
  }
}

export const documentText = (blocks: readonly Block[]): string => blocks.map(blockText).join(' ').replaceAll(/\s+/g, ' ')

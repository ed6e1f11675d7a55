import type { Block, Cell, ShownDocument } from '../../kernel/document/blocks.ts'

export type Heading = Extract<Block, { readonly kind: 'heading' }>

/** Where the headings of a document stand. Blocks are told apart by what they are in memory, not by what they say. */
export type Outline = {
  /** Of each heading, its id in the page. */
  readonly anchors: ReadonlyMap<Heading, string>
  /** Where references lead, by what they name. */
  readonly named: ReadonlyMap<string, string>
  readonly listed: readonly Heading[]
  /** Of each table, the heading it stands under. */
  readonly above: ReadonlyMap<Block, Heading>
}

const blocksOf = (cell: Cell): readonly Block[] => (typeof cell === 'object' && 'blocks' in cell ? cell.blocks : [])

/** Those within a block, in the order in which they are read. */
function within(block: Block): readonly Block[] {
  switch (block.kind) {
    case 'facts':
      return block.rows.flatMap(([, cell]) => blocksOf(cell))
    case 'table':
      return block.rows.flat().flatMap(blocksOf)
    case 'list':
      return block.items.flat()
    case 'boxes':
      return block.boxes.flat()
    case 'columns':
      return block.columns.flat()
    case 'together':
      return block.blocks
    case 'heading':
    case 'contents':
    case 'paragraph':
    case 'callout':
    case 'quote':
    case 'sums':
    case 'lines':
    case 'figure':
    case 'brand':
    case 'fill':
    case 'page-break':
      return []
    default:
      return block satisfies never
  }
}

/** @param prefix of every id: what a document calls its parts meets nothing else of the page */
export function outlineOf({ blocks }: ShownDocument, prefix: string): Outline {
  const anchors = new Map<Heading, string>()
  const named = new Map<string, string>()
  const listed: Heading[] = []
  const above = new Map<Block, Heading>()
  let last: Heading | null = null
  const visit = (block: Block): void => {
    if (block.kind === 'heading') {
      const anchor = `${prefix}-${String(anchors.size + 1)}`
      anchors.set(block, anchor)
      // Of two that are called alike, references mean the first.
      if (block.id !== undefined && !named.has(block.id)) named.set(block.id, anchor)
      if (block.listed ?? block.level === 2) listed.push(block)
      last = block
    }
    if (block.kind === 'table' && last !== null) above.set(block, last)
    for (const each of within(block)) visit(each)
  }
  for (const block of blocks) visit(block)
  return { anchors, named, listed, above }
}

/**
 * A Markdown text as the server read it, which pages draw (docs/decisions/0494): its words, and what each of them is. Nothing in it is HTML;
 * addresses are as they were written, and whoever draws a link judges where it may lead.
 */
export type MarkdownNode =
  | string
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly nodes: MarkdownNodes }
  | { readonly kind: 'paragraph' | 'strong' | 'emphasis' | 'quote'; readonly nodes: MarkdownNodes }
  | { readonly kind: 'link'; readonly href: string; readonly nodes: MarkdownNodes }
  | { readonly kind: 'code' | 'fence'; readonly text: string }
  /** @property start null: its items are not numbered */
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly MarkdownNodes[] }
  | { readonly kind: 'table'; readonly header: readonly MarkdownNodes[]; readonly rows: readonly (readonly MarkdownNodes[])[] }
  | { readonly kind: 'rule' | 'break' }
export type MarkdownNodes = readonly MarkdownNode[]

/** What stands before the first second-level heading, then each of these with what stands below it. */
export type MarkdownText = readonly MarkdownNodes[]

/** What is read of a piece of text, without its marks. */
export function wordsOf(nodes: MarkdownNodes): string {
  return nodes.map(wordsOfOne).join('')
}

function wordsOfOne(node: MarkdownNode): string {
  if (typeof node === 'string') return node
  switch (node.kind) {
    case 'code':
    case 'fence':
      return node.text
    case 'list':
      return node.items.map(wordsOf).join(' ')
    case 'table':
      return [node.header, ...node.rows].map((row) => row.map(wordsOf).join(' – ')).join('. ')
    case 'rule':
      return ''
    case 'break':
      return ' '
    default:
      return wordsOf(node.nodes)
  }
}

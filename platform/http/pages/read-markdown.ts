import { Lexer, type Token, type Tokens } from 'marked'
import { wordsOf, type MarkdownNode, type MarkdownNodes, type MarkdownText } from '../../../kernel/markdown-text.ts'

/** `How it is proven` → `how-it-is-proven`; letters keep their accents. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The lexer escapes some characters in some tokens; what draws them escapes again, so they are read back first. */
function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Words that follow each other are one. */
function nodesOf(tokens: readonly Token[] | undefined): MarkdownNodes {
  const nodes: MarkdownNode[] = []
  for (const node of (tokens ?? []).flatMap(read)) {
    const last = nodes.at(-1)
    if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node
    else nodes.push(node)
  }
  return nodes
}

function read(token: Token): MarkdownNodes {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      const nodes = nodesOf(tokens)
      return [{ kind: 'heading', level: depth, id: slugOf(wordsOf(nodes)), nodes }]
    }
    case 'paragraph':
      return [{ kind: 'paragraph', nodes: nodesOf((token as Tokens.Paragraph).tokens) }]
    case 'strong':
      return [{ kind: 'strong', nodes: nodesOf((token as Tokens.Strong).tokens) }]
    case 'em':
      return [{ kind: 'emphasis', nodes: nodesOf((token as Tokens.Em).tokens) }]
    case 'blockquote':
      return [{ kind: 'quote', nodes: nodesOf((token as Tokens.Blockquote).tokens) }]
    case 'codespan':
      return [{ kind: 'code', text: decoded((token as Tokens.Codespan).text) }]
    case 'code':
      return [{ kind: 'fence', text: (token as Tokens.Code).text }]
    case 'list': {
      const { ordered, start, items } = token as Tokens.List
      return [
        { kind: 'list', start: ordered ? (start === '' ? 1 : start) : null, items: items.map((item) => nodesOf(item.tokens)) },
      ]
    }
    case 'link': {
      const { href, tokens } = token as Tokens.Link
      return [{ kind: 'link', href, nodes: nodesOf(tokens) }]
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const cells = (row: readonly Tokens.TableCell[]) => row.map((cell) => nodesOf(cell.tokens))
      return [{ kind: 'table', header: cells(header), rows: rows.map(cells) }]
    }
    case 'hr':
      return [{ kind: 'rule' }]
    case 'br':
      return [{ kind: 'break' }]
    case 'space':
    case 'def':
      return []
    case 'text': {
      const { text, tokens } = token as Tokens.Text
      return tokens === undefined ? [decoded(text)] : nodesOf(tokens)
    }
    case 'escape':
      return [decoded((token as Tokens.Escape).text)]
    default:
      // HTML and images of strangers' hosts stay text: nothing in a content file can run or load.
      return [token.raw]
  }
}

/** Reads Markdown (CommonMark with the tables of GitHub's). Whatever is written gives a text: there is no Markdown that is wrong. */
export function readMarkdown(source: string): MarkdownText {
  const sections: MarkdownNode[][] = [[]]
  for (const node of nodesOf(Lexer.lex(source))) {
    if (typeof node !== 'string' && node.kind === 'heading' && node.level === 2) sections.push([])
    sections.at(-1)?.push(node)
  }
  return sections.filter((section) => section.length > 0)
}

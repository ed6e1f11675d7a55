import { Fragment, memo, type ReactNode } from 'react'
import { wordsOf, type MarkdownNode, type MarkdownNodes, type MarkdownText } from '../../kernel/markdown-text.ts'
import { withWholeNames } from '../intl/whole.tsx'
import { TextLink } from './TextLink.tsx'
import styles from './markdown.module.css'

/** Only these lead somewhere; `javascript:`, `data:` and the rest become plain text. */
export function safeHref(href: string): string | null {
  return /^(?:https?:\/\/|mailto:|[/#])/i.test(href) && !href.startsWith('//') ? href : null
}

function drawn(nodes: MarkdownNodes): ReactNode {
  return nodes.map((node, i) => <Fragment key={i}>{one(node)}</Fragment>)
}

function one(node: MarkdownNode): ReactNode {
  if (typeof node === 'string') return withWholeNames(node)
  switch (node.kind) {
    case 'heading': {
      const Level = `h${Math.min(node.level, 4)}` as 'h1' | 'h2' | 'h3' | 'h4'
      return <Level id={node.id}>{drawn(node.nodes)}</Level>
    }
    case 'paragraph':
      return <p>{drawn(node.nodes)}</p>
    case 'strong':
      return <strong>{drawn(node.nodes)}</strong>
    case 'emphasis':
      return <em>{drawn(node.nodes)}</em>
    case 'quote':
      return <blockquote>{drawn(node.nodes)}</blockquote>
    case 'code':
      return <code>{node.text}</code>
    case 'fence':
      return (
        <pre tabIndex={0}>
          <code>{node.text}</code>
        </pre>
      )
    case 'list': {
      const items = node.items.map((item, i) => <li key={i}>{drawn(item)}</li>)
      return node.start === null ? <ul>{items}</ul> : <ol start={node.start}>{items}</ol>
    }
    case 'link': {
      const href = safeHref(node.href)
      return href === null ? drawn(node.nodes) : <TextLink href={href}>{drawn(node.nodes)}</TextLink>
    }
    case 'table':
      return table(node)
    default:
      return node.kind === 'rule' ? <hr /> : <br />
  }
}

function table({ header, rows }: Extract<MarkdownNode, { readonly kind: 'table' }>): ReactNode {
  return (
    <div className={styles['scroll']} tabIndex={0} role="group">
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              <th key={i} scope="col">
                {drawn(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j}>{drawn(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Draws a text as React elements. No HTML is ever parsed, so there is nothing to sanitise afterwards. Each section is drawn by itself: where all is
 * drawn in steps, a long text is several.
 */
export function Markdown(props: { content: MarkdownText }): ReactNode {
  return (
    <div className={styles['text']}>
      {props.content.map((section, i) => (
        <Section key={i} nodes={section} />
      ))}
    </div>
  )
}

const Section = memo(({ nodes }: { nodes: MarkdownNodes }): ReactNode => drawn(nodes))

/** The second-level headings, for a table of contents: each begins a section. */
export function headingsOf(content: MarkdownText): readonly { id: string; text: string }[] {
  return content.flatMap(([first]) =>
    typeof first === 'object' && first.kind === 'heading' && first.level === 2
      ? [{ id: first.id, text: wordsOf(first.nodes) }]
      : [],
  )
}

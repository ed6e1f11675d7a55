import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'
import { withWholeNames } from '../intl/whole.tsx'
import { decoded, slugOf } from './headings.ts'
import { sectionsOf } from './sections.ts'
import { TextLink } from './TextLink.tsx'
import styles from './markdown.module.css'

/** Only these lead somewhere; `javascript:`, `data:` and the rest become plain text. */
export function safeHref(href: string): string | null {
  return /^(?:https?:\/\/|mailto:|[/#])/i.test(href) && !href.startsWith('//') ? href : null
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, i) => <Fragment key={i}>{one(token)}</Fragment>)
}

function one(token: Token): ReactNode {
  switch (token.type) {
    case 'heading': {
      const heading = token as Tokens.Heading
      const Level = `h${Math.min(heading.depth, 4)}` as 'h1' | 'h2' | 'h3' | 'h4'
      return <Level id={slugOf(decoded(heading.text))}>{inline(heading.tokens)}</Level>
    }
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens)}</em>
    case 'codespan':
      return <code>{decoded((token as Tokens.Codespan).text)}</code>
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{inline((token as Tokens.Blockquote).tokens)}</blockquote>
    case 'list': {
      const list = token as Tokens.List
      const items = list.items.map((item, i) => <li key={i}>{inline(item.tokens)}</li>)
      return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'link': {
      const link = token as Tokens.Link
      const href = safeHref(link.href)
      return href === null ? inline(link.tokens) : <TextLink href={href}>{inline(link.tokens)}</TextLink>
    }
    case 'table': {
      const table = token as Tokens.Table
      return (
        <div className={styles['scroll']} tabIndex={0} role="group">
          <table>
            <thead>
              <tr>
                {table.header.map((cell, i) => (
                  <th key={i} scope="col">
                    {inline(cell.tokens)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>{inline(cell.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    }
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'space':
    case 'def':
      return null
    case 'text': {
      const text = token as Tokens.Text
      return text.tokens === undefined ? withWholeNames(decoded(text.text)) : inline(text.tokens)
    }
    case 'escape':
      return decoded((token as Tokens.Escape).text)
    default:
      // HTML and images of strangers' hosts stay text: nothing in a content file can run or load.
      return token.raw
  }
}

/**
 * Renders Markdown to React elements. No HTML is ever parsed, so there is nothing to sanitise afterwards. Each section is read by itself: where all is
 * drawn in steps, a long text is several.
 */
export function Markdown(props: { source: string }): ReactNode {
  return (
    <div className={styles['text']}>
      {sectionsOf(props.source).map((section, i) => (
        <Section key={i} source={section} />
      ))}
    </div>
  )
}

const Section = memo(({ source }: { source: string }): ReactNode => inline(Lexer.lex(source)))

/** The second-level headings, for a table of contents. */
export function headingsOf(source: string): readonly { id: string; text: string }[] {
  const sections = sectionsOf(source)
  return sections
    .flatMap((section) => Lexer.lex(sections.length === 1 ? section : firstLineOf(section)))
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map((heading) => ({ id: slugOf(decoded(heading.text)), text: decoded(heading.text) }))
}

const firstLineOf = (section: string): string => section.slice(0, `${section}\n`.indexOf('\n'))

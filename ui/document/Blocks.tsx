import type { CSSProperties, ReactNode } from 'react'
import type { Block, Cell } from '../../kernel/document/blocks.ts'
import { Facts } from '../controls/Facts.tsx'
import { useText } from '../intl/text.tsx'
import { showUnseen } from '../intl/visible.ts'
import styles from './document.module.css'
import type { Heading } from './outline.ts'
import { PictureView } from './PictureView.tsx'
import { useShown } from './shown.ts'
import { Table } from './Table.tsx'
import { Words } from './Words.tsx'

type Of<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>

export function Blocks(props: { of: readonly Block[] }): ReactNode {
  return props.of.map((block, i) => <One key={i} block={block} />)
}

/** One of any kind; a kind that is not here does not compile. */
function One({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <HeadingView heading={block} />
    case 'contents':
      return <Contents title={block.title} />
    case 'paragraph':
      return (
        <p className={styles['paragraph']} data-look={block.look}>
          <Words of={block.text} />
        </p>
      )
    case 'callout':
      return (
        <p className={styles['callout']} role="note" data-tone={block.tone}>
          <Words of={block.text} />
        </p>
      )
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <Words of={block.text} />
        </blockquote>
      )
    case 'facts':
      return (
        <div className={styles['facts']} data-look={block.look}>
          <Facts rows={block.rows.map(([name, cell], i) => [name, <CellView key={i} cell={cell} />])} />
        </div>
      )
    case 'table':
      return <Table table={block}>{(cell) => <CellView cell={cell} />}</Table>
    case 'sums':
      return (
        <div className={styles['sums']}>
          <Facts
            rows={block.rows.map(({ name, amount, result = false }) => [
              name,
              result ? <strong key={name}>{amount}</strong> : amount,
            ])}
          />
        </div>
      )
    case 'list':
      return <List list={block} />
    case 'lines':
      return (
        <pre className={styles['lines']}>
          <code>{block.text.split('\n').map(showUnseen).join('\n')}</code>
        </pre>
      )
    case 'figure':
      return (
        <figure className={styles['figure']} style={block.width === undefined ? undefined : { maxWidth: `${block.width}mm` }}>
          <PictureView picture={block.picture} />
          {block.caption === undefined ? null : (
            <figcaption>
              <Words of={block.caption} />
            </figcaption>
          )}
        </figure>
      )
    case 'boxes':
      return (
        <div className={styles['boxes']}>
          {block.boxes.map((box, i) => (
            <div key={i}>
              <Blocks of={box} />
            </div>
          ))}
        </div>
      )
    case 'columns':
      return (
        <div
          className={styles['columns']}
          style={{ '--shares': block.shares.map((share) => `minmax(0, ${share}fr)`).join(' ') } as CSSProperties}
        >
          {block.columns.map((column, i) => (
            <div key={i}>
              <Blocks of={column} />
            </div>
          ))}
        </div>
      )
    case 'together':
      return <Blocks of={block.blocks} />
    case 'brand':
      return <Brand />
    // There is no page to fill or to end.
    case 'fill':
    case 'page-break':
      return null
    default:
      return block satisfies never
  }
}

function CellView({ cell }: { cell: Cell }): ReactNode {
  return typeof cell === 'object' && 'blocks' in cell ? <Blocks of={cell.blocks} /> : <Words of={cell} />
}

function HeadingView({ heading }: { heading: Heading }): ReactNode {
  const { outline, topLevel } = useShown()
  const Tag = `h${Math.min(6, topLevel + heading.level - 1)}` as 'h2'
  return (
    <Tag className={styles['heading']} id={outline.anchors.get(heading)} tabIndex={-1} data-level={heading.level}>
      <HeadingWords heading={heading} />
    </Tag>
  )
}

function HeadingWords({ heading, linked = true }: { heading: Heading; linked?: boolean }): ReactNode {
  return (
    <>
      {heading.number === undefined ? null : <span className={styles['number']}>{heading.number} </span>}
      <Words of={heading.text} linked={linked} />
    </>
  )
}

function Contents({ title }: { title: string }): ReactNode {
  const { outline } = useShown()
  if (outline.listed.length === 0) return null
  return (
    <nav className={styles['contents']} aria-label={title}>
      <p>
        <strong>{title}</strong>
      </p>
      <ul>
        {outline.listed.map((heading) => {
          const anchor = outline.anchors.get(heading) ?? ''
          return (
            <li key={anchor} data-level={heading.level}>
              <a href={`#${anchor}`}>
                <HeadingWords heading={heading} linked={false} />
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function List({ list: { ordered, items, size } }: { list: Of<'list'> }): ReactNode {
  const lines = items.map((item, i) => (
    <li key={i}>
      <Blocks of={item} />
    </li>
  ))
  return ordered ? (
    <ol className={styles['list']} data-size={size}>
      {lines}
    </ol>
  ) : (
    <ul className={styles['list']} data-size={size}>
      {lines}
    </ul>
  )
}

function Brand(): ReactNode {
  return <p className={styles['brand']}>{useText()('ui.product')}</p>
}

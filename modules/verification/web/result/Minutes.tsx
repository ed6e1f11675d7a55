import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import { minutesHtml, type MinutesBlock } from '../../domain/minutes/minutes-html.ts'
import { minutesOf } from '../../domain/minutes/minutes.ts'
import { useWords } from './use-words.ts'
import styles from './minutes.module.css'

/** The result as one page to print, and as files to keep. Made here: no server sees them. */
export function Minutes(props: { dossier: Dossier; version: string; children?: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const blocks = minutesOf(props.dossier, useWords(), props.version)
  return (
    <div className={styles['actions']}>
      <Button size="md" onClick={() => window.print()}>
        {text('verification.page.minutes')}
      </Button>
      <Button variant="default" size="md" onClick={() => save('minutes.html', 'text/html', minutesHtml(blocks, locale))}>
        {text('verification.page.minutes_html')}
      </Button>
      <Button
        variant="default"
        size="md"
        onClick={() =>
          save('report.json', 'application/json', JSON.stringify({ version: props.version, ...props.dossier }, null, 2))
        }
      >
        {text('verification.page.minutes_json')}
      </Button>
      {props.children}
      {createPortal(
        <div className={styles['minutes']} data-minutes="" aria-hidden="true">
          {blocks.map((block, i) => (
            <Block key={i} block={block} />
          ))}
        </div>,
        document.body,
      )}
    </div>
  )
}

function Block(props: { block: MinutesBlock }): ReactNode {
  const { block } = props
  if (block.tag === 'ul') {
    return (
      <ul>
        {block.lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    )
  }
  if (block.tag === 'dl') {
    return (
      <dl>
        {block.rows.map(([name, value], i) => (
          <div key={i}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )
  }
  const Tag = block.tag === 'h1' || block.tag === 'h2' || block.tag === 'h3' ? block.tag : 'p'
  return <Tag data-tag={block.tag}>{block.text}</Tag>
}

function save(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = `probant-${name}`
  link.click()
  URL.revokeObjectURL(address)
}

import { Fragment, type ReactNode } from 'react'
import type { Inline, Inlines } from '../../kernel/document/blocks.ts'
import { showUnseen } from '../intl/visible.ts'
import styles from './document.module.css'
import { useShown } from './shown.ts'

const isList = (value: Inlines): value is readonly Inlines[] => Array.isArray(value)

/** What stands in a line. @param props.linked no: within a link, where there is none */
export function Words(props: { of: Inlines; linked?: boolean }): ReactNode {
  const { of, linked = true } = props
  if (!isList(of)) return <One of={of} linked={linked} />
  return of.map((each, i) => <Words key={i} of={each} linked={linked} />)
}

function One({ of, linked }: { of: Inline; linked: boolean }): ReactNode {
  if (typeof of === 'string') return of
  switch (of.kind) {
    case 'strong':
      return (
        <strong>
          <Words of={of.of} linked={linked} />
        </strong>
      )
    case 'soft':
      return (
        <span className={styles['soft']}>
          <Words of={of.of} linked={linked} />
        </span>
      )
    case 'toned':
      return (
        <strong className={styles['toned']} data-tone={of.tone}>
          <Words of={of.of} linked={linked} />
        </strong>
      )
    case 'code':
      return (
        <code className={styles['toned']} data-tone={of.tone}>
          <bdi>{showUnseen(of.text)}</bdi>
        </code>
      )
    case 'outside': {
      const said = (
        <bdi>
          {of.parts.map((part, i) =>
            'text' in part ? (
              <Fragment key={i}>{part.text}</Fragment>
            ) : (
              <span key={i} className={styles['unseen']}>
                ⟨{part.code}⟩
              </span>
            ),
          )}
        </bdi>
      )
      return (
        <>
          {of.mono ? <code>{said}</code> : said}
          {of.leftOut === null ? null : <span className={styles['soft']}> {of.leftOut}</span>}
        </>
      )
    }
    case 'line-break':
      return <br />
    case 'reference':
      return <Reference to={of.to} text={of.text} linked={linked} />
    default:
      return of satisfies never
  }
}

/** What leads nowhere is no link: its words say what they say all the same. */
function Reference(props: { to: string; text: string; linked: boolean }): ReactNode {
  const { outline } = useShown()
  const anchor = outline.named.get(props.to)
  return anchor === undefined || !props.linked ? props.text : <a href={`#${anchor}`}>{props.text}</a>
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { describeDossier, describeItem } from '../../domain/describe/describe-conclusion.ts'
import type { ConclusionSaid } from '../../domain/describe/describe-conclusion.ts'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import type { DossierItem } from '../../domain/dossier/dropped/item.ts'
import { datesOfItem } from '../../domain/dossier/concluded/independence.ts'
import { nameOf, unlinkedLine } from '../../domain/minutes/minutes.ts'
import { useWords } from './use-words.ts'
import { FileAnswers } from './FileAnswers.tsx'
import { IndependenceView } from './IndependenceView.tsx'
import { Digests, ProofResult } from './ProofResult.tsx'
import { VerdictBand } from './VerdictBand.tsx'
import { VerificationResult } from './VerificationResult.tsx'
import styles from './verification-result.module.css'

/** Everything that was given together: one conclusion, what is linked to what, then each item. */
export function DossierResult(props: { dossier: Dossier; remove?: (index: number) => void; children?: ReactNode }): ReactNode {
  const { dossier } = props
  const text = useText()
  const [only] = dossier.items
  const alone = dossier.items.length === 1 && dossier.many === null && only !== undefined
  const said = describeDossier(dossier, useWords())
  return (
    <div className={styles['result']} data-verdict={dossier.verdict ?? 'none'}>
      {alone ? (
        <ItemResult item={only} said={said} at={dossier.verified_at} focused />
      ) : (
        <>
          <Summary dossier={dossier} said={said} />
          <FileAnswers dossier={dossier} />
          <Links dossier={dossier} />
        </>
      )}
      {dossier.many === null ? <IndependenceView dates={dossier.items.flatMap(datesOfItem)} /> : null}
      {props.children}
      {alone || dossier.items.length === 0 ? null : (
        <section className={styles['section']} aria-labelledby="items">
          <h2 id="items">{text('verification.page.items', { count: dossier.items.length })}</h2>
          {dossier.items.map((item, i) => (
            <Item
              key={i}
              item={item}
              at={dossier.verified_at}
              open={dossier.items.length <= 6}
              remove={props.remove === undefined ? undefined : () => props.remove?.(i)}
            />
          ))}
        </section>
      )}
    </div>
  )
}

/** So many items are named beside the verdict, whatever they are; of more, those that say something, as many as are read at a glance. */
const fewItems = 6
const mostNamed = 20

function Summary(props: { dossier: Dossier; said: ConclusionSaid }): ReactNode {
  const text = useText()
  const words = useWords()
  const { items } = props.dossier
  const named = items.length <= fewItems ? items : items.filter(({ result }) => result.form !== 'document').slice(0, mostNamed)
  const others = items.length - named.length
  return (
    <VerdictBand said={props.said} at={props.dossier.verified_at} name="" focused>
      <ul className={styles['plain']}>
        {named.map((item, i) => (
          <li key={i}>
            <bdi>{nameOf(item, words)}</bdi>, {text(`verification.kind.${item.kind}`)} – <StateOf item={item} />
          </li>
        ))}
        {others === 0 ? null : <li>{text('verification.dossier.others', { count: others })}</li>}
      </ul>
    </VerdictBand>
  )
}

function StateOf(props: { item: DossierItem }): ReactNode {
  const text = useText()
  const words = useWords()
  const { result } = props.item
  if ('report' in result) return describeItem(props.item, words).title
  if (result.form === 'unreadable') return text(`verification.dossier.unreadable.${result.reason}`)
  if (result.form === 'keys') return text('verification.dossier.keys', { count: result.count })
  if (result.form === 'certificates') return text('verification.dossier.certificates', { count: result.names.length })
  return text('verification.dossier.document_in_a_word')
}

const mostLinks = 60

function Links(props: { dossier: Dossier }): ReactNode {
  const text = useText()
  const words = useWords()
  const { items, links } = props.dossier
  const lonely = unlinkedLine(props.dossier, words)
  const nameAt = (i: number) => {
    const item = items[i]
    return item === undefined ? '' : nameOf(item, words)
  }
  if (links.length + lonely.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="links">
      <h2 id="links">{text('verification.page.links')}</h2>
      <ul className={styles['links']}>
        {links.slice(0, mostLinks).map((link, i) => (
          <li key={i} data-relation={link.relation}>
            {text(`verification.dossier.link.${link.relation}`, { from: nameAt(link.from), to: nameAt(link.to) })}
          </li>
        ))}
        {lonely.map((line) => (
          <li key={line} data-relation="none">
            {line}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Item(props: { item: DossierItem; at: string; open: boolean; remove: (() => void) | undefined }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const words = useWords()
  const { item, remove } = props
  const name = nameOf(item, words)
  const said = describeItem(item, words)
  const bad = item.result.form === 'unreadable' || said.colour === 'red'
  return (
    <details className={styles['item']} open={bad || props.open} data-item={item.kind}>
      <summary>
        <span>
          <b>
            <bdi>{name}</bdi>
          </b>{' '}
          · {text(`verification.kind.${item.kind}`)} · {formatBytes(item.size, locale)}
        </span>
      </summary>
      {remove === undefined ? null : (
        <Button
          variant="default"
          size="compact-md"
          mih={44}
          aria-label={text('verification.page.remove', { name })}
          onClick={remove}
        >
          {text('verification.page.remove_short')}
        </Button>
      )}
      <ItemResult item={item} said={said} at={props.at} focused={false} />
    </details>
  )
}

function ItemResult(props: { item: DossierItem; said: ConclusionSaid; at: string; focused: boolean }): ReactNode {
  const text = useText()
  const { item, said: conclusion, focused } = props
  const { result } = item
  const head = { name: item.name, said: conclusion, focused }
  if (result.form === 'package') return <VerificationResult {...head} report={result.report} />
  if (result.form === 'proof') return <ProofResult {...head} report={result.report} bound={item.bound} />
  const said =
    result.form === 'unreadable'
      ? text(`verification.dossier.unreadable.${result.reason}`)
      : result.form === 'certificates'
        ? text('verification.dossier.certificates', { count: result.names.length })
        : result.form === 'keys'
          ? text('verification.dossier.keys', { count: result.count })
          : text('verification.dossier.document')
  return (
    <div className={styles['result']}>
      {focused ? <VerdictBand {...head} at={props.at} /> : null}
      <p role={result.form === 'unreadable' ? 'alert' : undefined}>{said}</p>
      {result.form === 'certificates' ? (
        <ul className={styles['plain']}>
          {result.names.slice(0, 50).map((name, i) => (
            <li key={i}>
              <bdi>{visible(name)}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      <Digests bound={item.bound} />
    </div>
  )
}

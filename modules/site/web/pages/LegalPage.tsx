import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ContentMarkdown } from '../../../../ui/markdown/ContentMarkdown.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { useScrollToHash } from '../use-scroll-to-hash.ts'
import styles from './legal.module.css'

const legalNames = ['terms', 'privacy', 'notices', 'cookies', 'withdrawal'] as const

/** On one page of five, and there only where somebody else is spoken to. */
const AskAgain = lazy(async () => {
  const { AskAgain: ask } = await loadChunk(() => import('../../../outside/web/index.ts'))
  return { default: ask }
})

/** H-19, K-27: a text of `/_content/{locale}/legal/`, the operator's own where he has one. */
export function LegalPage(): ReactNode {
  const text = useText()
  const { _splat = '' } = useParams({ strict: false })
  const name = legalNames.find((each) => each === _splat.replace(/\/$/, ''))
  useScrollToHash(name !== undefined)
  if (name === undefined) return null
  return (
    <div className={styles['page']}>
      <h1>{text(`ui.page.legal.${name}`)}</h1>
      <ContentMarkdown key={name} path={`legal/${name}`} />
      {name === 'cookies' ? (
        <Suspense fallback={null}>
          <AskAgain />
        </Suspense>
      ) : null}
    </div>
  )
}

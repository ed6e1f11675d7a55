import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { headingsOf, Markdown } from '../../../../ui/markdown/Markdown.tsx'
import { useContent } from '../../../../ui/markdown/ContentMarkdown.tsx'
import { searchIn } from '../../../../ui/shell/search-in.ts'
import { SearchText } from '../../../../ui/markdown/SearchText.tsx'
import { useScrollToHash } from '../use-scroll-to-hash.ts'
import styles from './guide.module.css'

/** L-05: the user guide, from `/_content/{locale}/guide.md`, with its table of contents. */
export function GuidePage(): ReactNode {
  const text = useText()
  const { content, failed, retry } = useContent('guide')
  useScrollToHash(content !== null)
  if (failed) {
    return (
      <div role="alert">
        <h1>{text('ui.page.guide')}</h1>
        <p>{text('site.guide.unavailable')}</p>
        <button type="button" onClick={retry}>
          {text('ui.retry')}
        </button>
      </div>
    )
  }
  if (content === null) return <p role="status">{text('ui.loading')}</p>
  return (
    <div className={styles['guide']}>
      <header>
        <h1>{text('ui.page.guide')}</h1>
        <SearchText
          label={text('ui.search.guide')}
          prepare={async () => await searchIn(content)}
          examples={text('ui.search.examples').split(', ')}
          onChoose={(id) => {
            // To the same section again, too.
            history.replaceState(history.state, '', location.pathname + location.search)
            location.hash = id
          }}
        />
      </header>
      <nav className={styles['contents']} aria-label={text('site.guide.contents')}>
        <p>{text('site.guide.contents')}</p>
        <ol>
          {headingsOf(content).map((heading) => (
            <li key={heading.id}>
              <a href={`#${heading.id}`}>{heading.text}</a>
            </li>
          ))}
        </ol>
      </nav>
      <Markdown content={content} />
    </div>
  )
}

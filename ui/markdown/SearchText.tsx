import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import type { Hit, Part } from './search-text.ts'
import styles from './search-text.module.css'

type Search = (query: string) => readonly Hit[]

/**
 * Finds a section of a text. Arrow keys move among what was found, Enter goes there, Escape begins anew.
 * @param props.prepare makes what searches, once it is needed
 * @param props.examples searches that find something, for whom nothing was found
 */
export function SearchText(props: {
  label: string
  prepare: () => Promise<Search>
  examples: readonly string[]
  onChoose: (id: string) => void
}): ReactNode {
  const text = useText()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const loading = useRef<Promise<Search> | null>(null)
  const [search, setSearch] = useState<Search | 'failed' | null>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const prepare = (): void => {
    if (loading.current !== null) return
    loading.current = props.prepare()
    loading.current.then(
      (made) => setSearch(() => made),
      () => {
        loading.current = null
        setSearch('failed')
      },
    )
  }
  const query = typed.trim()
  const hits = query === '' || typeof search !== 'function' ? null : search(query)
  const shown = hits?.[Math.min(active, hits.length - 1)]
  const choose = (hit: Hit | undefined): void => {
    if (hit === undefined) return
    setTyped('')
    props.onChoose(hit.id)
  }
  const type = (next: string): void => {
    prepare()
    setTyped(next)
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = hits?.length ?? 0
    if (event.key === 'Escape' && typed !== '') {
      // A dialog that it stands in stays open.
      event.stopPropagation()
      event.preventDefault()
      type('')
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(shown)
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setActive((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count)
    }
  }
  return (
    <div className={styles['search']} role="search">
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        ref={field}
        name="search-text"
        type="search"
        role="combobox"
        value={typed}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        aria-expanded={(hits?.length ?? 0) > 0}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={shown === undefined ? undefined : `${id}-${shown.id}`}
        onFocus={prepare}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="visually-hidden">
        {hits === null ? '' : text('ui.search.found', { count: hits.length })}
      </p>
      <div
        id={`${id}-hits`}
        role="listbox"
        aria-label={props.label}
        className={styles['hits']}
        hidden={(hits?.length ?? 0) === 0}
      >
        {hits?.map((hit) => (
          // The field keeps the focus, and answers the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={hit.id}
            id={`${id}-${hit.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={hit === shown}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(hit)}
          >
            <strong>
              <Marked parts={hit.title} />
            </strong>
            <span>
              <Marked parts={hit.excerpt} />
            </span>
          </div>
        ))}
      </div>
      {hits?.length === 0 ? (
        <div className={styles['nothing']}>
          <p>{text('ui.search.nothing', { query })}</p>
          <p>{text('ui.search.try')}</p>
          <ul>
            {props.examples.map((example) => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => {
                    type(example)
                    field.current?.focus()
                  }}
                >
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {search === 'failed' && query !== '' ? (
        <p role="alert" className={styles['nothing']}>
          {text('ui.error.network')}
        </p>
      ) : null}
    </div>
  )
}

function Marked({ parts }: { parts: readonly Part[] }): ReactNode {
  return parts.map(({ text, marked }, i) => (marked ? <mark key={i}>{text}</mark> : text))
}

import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react'
import styles from './list.module.css'

/** Between two keys nobody waits for an answer. */
const pauseMs = 300

/**
 * Searches as one types. The first words of a search make a step that one can go back from; what is typed on replaces it.
 * @param onSearch `on`: it goes on from the search before
 */
export function SearchField(props: {
  label: string
  search: string
  onSearch: (search: string, on: boolean) => void
}): ReactNode {
  const id = useId()
  const { search } = props
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  const goesOn = useRef(false)
  const send = (next: string): void => {
    if (next === sent.current) return
    sent.current = next
    props.onSearch(next, goesOn.current)
    goesOn.current = true
  }
  const sendLater = useEffectEvent(send)
  // Somebody went back, or chose otherwise.
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    goesOn.current = false
    setTyped(search)
  }, [search])
  useEffect(() => {
    const timer = setTimeout(() => sendLater(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault()
        send(typed.trim())
      }}
    >
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        type="search"
        value={typed}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => {
          // Whoever presses a line of the list is on his way to it: a search that came later would take him back.
          send(typed.trim())
          goesOn.current = false
        }}
      />
    </form>
  )
}

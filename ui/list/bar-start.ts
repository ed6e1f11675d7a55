import { createContext } from 'react'

/** The beginning of the bar above a list: its head makes the place, its rows fill it. Null: no rows were read yet. */
export const BarStart = createContext<{
  readonly place: HTMLElement | null
  readonly set: (place: HTMLElement | null) => void
} | null>(null)

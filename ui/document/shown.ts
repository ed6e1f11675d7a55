import { createContext, useContext } from 'react'
import type { Outline } from './outline.ts'

export type Pictures = {
  /** Where the images are of which pictures show rows, by the path that the document calls them. */
  readonly originals: ReadonlyMap<string, string>
  /** Where drawings are that are no rows of an image, by the name of their file. */
  readonly drawings: ReadonlyMap<string, string>
  /** A link may have ended. */
  readonly onBroken: () => void
  /** Stands before what is said of a picture that is not here. */
  readonly notShown: string
}

/** What every part of one document on the screen asks for. */
export type Shown = { readonly outline: Outline; readonly pictures: Pictures; readonly topLevel: number }

export const ShownContext = createContext<Shown | null>(null)

export function useShown(): Shown {
  const shown = useContext(ShownContext)
  if (shown === null) throw new Error('a part of a document stands outside of one')
  return shown
}

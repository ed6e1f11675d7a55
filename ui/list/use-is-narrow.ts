import { useSyncExternalStore } from 'react'

/** As in list.module.css. */
const narrow = '(max-width: 759.98px)'

/** Whether a line has the room of a phone alone: what stood beside each other is folded away. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrow)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(narrow).matches,
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ListFigures } from '../../../../ui/list/Figures.tsx'
import { statsQuery } from './queries.ts'

/** E-51, E-52, H-40: final deposits; and the drafts, of which there may be so many. */
export function DocumentStats(): ReactNode {
  const text = useText()
  const read = useQuery(statsQuery)
  const { held = 0, most = 0 } = read.data?.drafts ?? {}
  return (
    <ListFigures label={text('document.stats')} own={text('document.stats.own')} query={read}>
      {held === 0 ? null : <p>{text('document.stats.drafts', { held, most })}</p>}
    </ListFigures>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ListFigures } from '../../../../ui/list/Figures.tsx'
import { statsQuery } from './queries.ts'

/** E-51, E-52, H-40: final reports. */
export function EvidenceStats(): ReactNode {
  const text = useText()
  return (
    <ListFigures label={text('evidence.account.stats')} own={text('evidence.account.stats.own')} query={useQuery(statsQuery)} />
  )
}

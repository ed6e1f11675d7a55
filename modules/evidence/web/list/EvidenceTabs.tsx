import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TabLinks } from '../../../../ui/controls/TabStrip.tsx'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { prices } from '../../../../ui/shell/prices.ts'

const categories = ['pending', 'completed', 'licenses', 'trash'] as const
type Category = (typeof categories)[number]

/** E-28: by category, each with an address of its own. Without an account there is no trash: what is removed was this browser's key. */
export function EvidenceTabs(props: { current: Category }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  const words = {
    pending: text('evidence.list.pending'),
    completed: text('evidence.list.completed'),
    licenses: text('evidence.list.licenses'),
    trash: session === null ? '' : text('evidence.account.trash'),
  }
  const there = categories.filter((each) => {
    if (each === 'licenses') return session !== null && prices !== null
    return each !== 'trash' || session !== null
  })
  return (
    <TabLinks label={text('evidence.list.tabs')}>
      {there.map((each) => (
        <Link
          key={each}
          to={`/$locale/evidences/${each}/`}
          params={{ locale }}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={each === props.current ? 'page' : undefined}
        >
          {words[each]}
        </Link>
      ))}
    </TabLinks>
  )
}

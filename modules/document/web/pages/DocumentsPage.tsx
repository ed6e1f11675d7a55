import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { prepareNotices } from '../../../../ui/shell/notify.ts'
import { TabLinks } from '../../../../ui/controls/TabStrip.tsx'
import { UploadsPanel } from '../copy/UploadsPanel.tsx'
import { DepositForm } from '../intake/DepositForm.tsx'
import { Intake } from '../intake/Intake.tsx'
import { AccountDocuments, listAddresses } from '../list/AccountDocuments.tsx'
import { DocumentStats } from '../list/DocumentStats.tsx'
import { OutboxPanel } from '../outbox/OutboxPanel.tsx'
import { useMayDeposit } from '../../../account/web/index.ts'
import { useWhatIsStamped } from '../list/queries.ts'
import rows from '../../../../ui/list/rows.module.css'
import styles from '../list/documents.module.css'

/** what is given to be dated, and what was. All of it comes with the page, which goes on without a network. */
export function DocumentsPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pathname } = useLocation()
  const session = useSession()
  const deposits = useMayDeposit()
  useEffect(prepareNotices, [])
  useWhatIsStamped()
  if (session === null) return null
  const category = pathname.includes('/completed') ? 'completed' : pathname.includes('/trash') ? 'trash' : 'pending'
  const who = `${session.userId} ${session.delegation ?? ''}`
  return (
    <div className={styles['page']}>
      <div className={rows['top']}>
        <h1>{text(`ui.page.documents.${category}`)}</h1>
        <DocumentStats key={who} />
      </div>
      {category === 'pending' && deposits ? (
        <Intake
          key={who}
          user={who}
          renderNext={(intake, glance) => <DepositForm intake={intake} glance={glance} user={who} />}
        />
      ) : null}
      <OutboxPanel />
      {deposits ? <UploadsPanel /> : null}
      <TabLinks label={text('document.tabs')}>
        {(['pending', 'completed', 'trash'] as const).map((each) => (
          <Link
            key={each}
            to={listAddresses[each]}
            params={{ locale }}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={category === each ? 'page' : undefined}
          >
            {text(`document.tab.${each}`)}
          </Link>
        ))}
      </TabLinks>
      <AccountDocuments key={`${who} ${category}`} category={category} userId={session.userId} />
    </div>
  )
}

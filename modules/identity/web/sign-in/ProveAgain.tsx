import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { prove } from '../../contract/endpoints.ts'
import { secondFactorQuery } from '../queries.ts'
import { ProveForm } from './ProveForm.tsx'

/** Asks who is signed in to say anew who he is; then what he was about to do is done (decision 0245). */
export function ProveAgain(props: { onProven: () => void; onBack: () => void }): ReactNode {
  const text = useText()
  const factor = useQuery(secondFactorQuery)
  return (
    <Loaded query={factor} loading={text('ui.loading')} failed={text('identity.page.factor.failed')}>
      {({ enabled }) => (
        <ProveForm
          withCode={enabled}
          action={text('identity.page.prove.action')}
          onBack={props.onBack}
          prove={async ({ password, code }) => {
            await call(prove, { body: { password, ...(enabled ? { code } : {}) } })
            props.onProven()
          }}
        />
      )}
    </Loaded>
  )
}

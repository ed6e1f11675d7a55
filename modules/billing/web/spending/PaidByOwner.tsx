import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { SpendingOutlook } from '../../contract/spending.ts'

/** Who pays what the reader agreed to, by name: the owner of the account that he acts in, or of his group. */
export function PaidByOwner(props: { outlook: SpendingOutlook }): ReactNode {
  const text = useText()
  return <p>{text('billing.cost.paid_by', { owner: visible(props.outlook.owner ?? '') })}</p>
}

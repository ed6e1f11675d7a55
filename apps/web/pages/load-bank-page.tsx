import type { ComponentType } from 'react'
import { BankPage } from '../../../modules/account/web/pages/BankPage.tsx'
import { prices } from '../../../ui/shell/prices.ts'

/** Where something is paid for, a mandate may hang on the bank account (D-09): the account knows nothing of that. */
export async function loadBankPage(): Promise<ComponentType> {
  if (prices === null) return BankPage
  const { ChangeAccountButton } = await import('../../../modules/billing/web/dialogs/ChangeAccountButton.tsx')
  return () => <BankPage ChangeButton={ChangeAccountButton} />
}

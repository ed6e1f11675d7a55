import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceRecord } from './store.ts'

/**
 * What is for sale is there when somebody buys it, and who has a licence has the package as long as that lasts.
 * @throws DomainError conflict `evidence.for_sale`, `evidence.licensed`
 */
export function refuseSold({ sale }: Pick<EvidenceRecord, 'sale'>): void {
  if (sale !== 'none') throw new DomainError('conflict', sale === 'licensed' ? 'evidence.licensed' : 'evidence.for_sale')
}

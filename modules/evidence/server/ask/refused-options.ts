import { DomainError } from '../../../../kernel/errors.ts'

export const refusedOptions = (fields: Record<string, readonly string[]>): DomainError =>
  new DomainError('invalid', 'evidence.options', {}, { fields })

export const refusedOption = (field: string, code: string): DomainError => refusedOptions({ [field]: [code] })

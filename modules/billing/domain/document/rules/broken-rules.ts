import type { InvoiceDocument } from '../invoice-document.ts'
import { amountRules } from './amounts.ts'
import { frenchFormatRules } from './french-format.ts'
import { frenchLawRules } from './french-law.ts'
import { identifierRules } from './identifiers.ts'
import { presenceRules } from './presence.ts'
import type { Rule } from './rule.ts'
import { vatRules } from './vat.ts'

export const rules: readonly Rule[] = [
  ...presenceRules,
  ...amountRules,
  ...vatRules,
  ...identifierRules,
  ...frenchFormatRules,
  ...frenchLawRules,
]

/** Ids of the rules that a document breaks; of one that may be issued none. */
export const brokenRules = (document: InvoiceDocument): readonly string[] =>
  rules.filter(([, keeps]) => !keeps(document)).map(([id]) => id)

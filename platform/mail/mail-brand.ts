import type { PerLocale } from '../../kernel/page-brand.ts'

/** What a mail is written with under a partner's sign. */
export type MailBrand = {
  readonly name: PerLocale
  /** Name beside the installation's own address. */
  readonly sender: PerLocale
  /** Address of mail that helps. */
  readonly support: string | null
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Which of the two entries links of signing in lead to. */
  readonly entry: 'authentication' | 'old-authentication'
}

/** By what accounts keep as their brand; null: the product's own. */
export type FindMailBrand = (brand: string) => MailBrand | null

import { wrongParameters } from './api-error.ts'
import type { Address, Money } from './entities.ts'

const currencies = new Set(
  'AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PLN RON SAR SEK SGD TRY USD ZAR'.split(' '),
)

/** Reads the fields of a body and gathers what is wrong with them, so that one answer names them all. */
export class Form {
  readonly body: Readonly<Record<string, unknown>>
  readonly #errors: Record<string, string> = {}
  readonly #path: string

  constructor(body: Readonly<Record<string, unknown>>, path = '', errors?: Record<string, string>) {
    this.body = body
    this.#path = path
    if (errors !== undefined) this.#errors = errors
  }

  wrong(field: string, message: string): void {
    this.#errors[this.#path + field] ??= message
  }

  /** Empty where it is missing or wrong: nothing is kept before {@link check} passed. */
  text(field: string, { max = 255, pattern, says }: { max?: number; pattern?: RegExp; says?: string } = {}): string {
    const value = this.body[field]
    if (value === undefined || value === null || value === '') this.wrong(field, `The ${this.#path}${field} field is required.`)
    else if (typeof value !== 'string') this.wrong(field, `The value ${JSON.stringify(value)} is not valid`)
    else if (value.length > max) this.wrong(field, `The field ${field} must be a string with a maximum length of ${max}.`)
    else if (pattern !== undefined && !pattern.test(value)) this.wrong(field, says ?? `The field ${field} is not valid`)
    else return value
    return ''
  }

  optionalText(field: string, options: { max?: number; pattern?: RegExp; says?: string } = {}): string | null {
    const value = this.body[field]
    return value === undefined || value === null || value === '' ? null : this.text(field, options)
  }

  oneOf<const T extends string>(field: string, values: readonly T[], fallback?: T): T {
    const value = this.body[field] ?? fallback
    const found = values.find((one) => one === value)
    if (found !== undefined) return found
    this.wrong(
      field,
      value === undefined
        ? `The ${this.#path}${field} field is required.`
        : `The requested value ${JSON.stringify(value)} was not found. Allowed values: ${values.join(', ')}`,
    )
    return values[0] as T
  }

  currency(field: string): string {
    const value = this.text(field)
    if (value !== '' && !currencies.has(value)) this.wrong(field, `Error converting value "${value}" to type CurrencyIso`)
    return value
  }

  country(field: string): string {
    return this.text(field, { pattern: /^[A-Z]{2}$/, says: `The field ${field} must be an ISO 3166-1 alpha-2 code` })
  }

  instant(field: string): number {
    const value = this.body[field]
    if (typeof value === 'number' && Number.isInteger(value)) return value
    this.wrong(
      field,
      value === undefined || value === null ? `The ${field} field is required.` : `The value is not a Unix timestamp`,
    )
    return 0
  }

  money(field: string): Money {
    const value = this.body[field]
    if (typeof value !== 'object' || value === null) {
      this.wrong(field, `The ${field} field is required.`)
      return { Currency: 'EUR', Amount: 0 }
    }
    const inner = new Form(value as Record<string, unknown>, `${this.#path}${field}.`, this.#errors)
    const Currency = inner.currency('Currency')
    const Amount = inner.body['Amount']
    if (typeof Amount === 'number' && Number.isSafeInteger(Amount) && Amount >= 0) return { Currency, Amount }
    inner.wrong('Amount', 'The value must be a positive whole number of cents')
    return { Currency, Amount: 0 }
  }

  optionalMoney(field: string): Money | null {
    return this.body[field] === undefined || this.body[field] === null ? null : this.money(field)
  }

  address(field: string): Address {
    const value = this.body[field]
    if (typeof value !== 'object' || value === null) {
      this.wrong(field, `The ${field} field is required.`)
      return { AddressLine1: '', AddressLine2: null, City: '', Region: null, PostalCode: '', Country: '' }
    }
    const inner = new Form(value as Record<string, unknown>, `${this.#path}${field}.`, this.#errors)
    return {
      AddressLine1: inner.text('AddressLine1'),
      AddressLine2: inner.optionalText('AddressLine2'),
      City: inner.text('City'),
      Region: inner.optionalText('Region'),
      PostalCode: inner.text('PostalCode', { max: 50 }),
      Country: inner.country('Country'),
    }
  }

  optionalAddress(field: string): Address | null {
    return this.body[field] === undefined || this.body[field] === null ? null : this.address(field)
  }

  /** An object of which one field is read by the caller. */
  inner(field: string): Form {
    const value = this.body[field]
    if (typeof value !== 'object' || value === null) this.wrong(field, `The ${this.#path}${field} field is required.`)
    return new Form((value ?? {}) as Record<string, unknown>, `${this.#path}${field}.`, this.#errors)
  }

  url(field: string): string {
    const value = this.text(field, { max: 2000 })
    if (value !== '' && !(URL.canParse(value) && /^https?:/.test(value)))
      this.wrong(field, `The value ${value} is not a valid URL`)
    return value
  }

  tag(): string | null {
    return this.optionalText('Tag')
  }

  /** @throws the provider's 400, which names every wrong field */
  check(): void {
    if (Object.keys(this.#errors).length > 0) throw wrongParameters(this.#errors)
  }
}

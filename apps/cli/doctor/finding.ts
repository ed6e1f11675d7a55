import type { MessageId } from '../../../platform/messages/catalogue.ts'

/** `mend`: something is to be mended; `forbids`: no evidence can be made, or none should. */
export type Grade = 'fine' | 'mend' | 'forbids'

type Ending<Id, Prefix extends string> = Id extends `${Prefix}${infer Rest}` ? Rest : never

/** What was found: each has its words, and each that is not fine says what to do. */
export type Code = Ending<MessageId, 'doctor.said.'>
export type CheckName = Ending<MessageId, 'doctor.check.'>

export type Finding = {
  readonly grade: Grade
  readonly code: Code
  readonly data?: Readonly<Record<string, string | number>>
}

export type Check = {
  readonly name: CheckName
  /** After this long it is told to have taken too long; what it began is told to end. */
  readonly patienceMs: number
  run(signal: AbortSignal): Promise<Finding | readonly Finding[]>
}

export const fine = (code: Code, data: Finding['data'] = {}): Finding => ({ grade: 'fine', code, data })
export const mend = (code: Code, data: Finding['data'] = {}): Finding => ({ grade: 'mend', code, data })
export const forbids = (code: Code, data: Finding['data'] = {}): Finding => ({ grade: 'forbids', code, data })

/** Of an error, what a person is told: the first line, not too long. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const said = first instanceof Error ? first.message : String(first)
  return (said.split('\n', 1)[0] ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300)
}

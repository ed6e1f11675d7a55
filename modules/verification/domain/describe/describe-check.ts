import type { Check, VerificationReport } from '../report/package-report.ts'

/** Words of the reader's language: messages by id, and instants (ISO 8601) as that language writes them. */
export type Words = {
  format(id: string, values: Readonly<Record<string, string | number>>): string
  has(id: string): boolean
  instant(iso: string): string
}

const instants = ['gen_time', 'finished_at', 'at', 'listed_at', 'listed_since', 'since', 'until']

/** A check in plain words, the same in the command line, in `verify.html` and in the minutes. */
export function describeCheck(check: Check, words: Words): { title: string; sentence: string } {
  const values: Record<string, string | number> = { subject: '', path: '', reason: '', state: '', place: '' }
  for (const [key, value] of Object.entries(check.data)) {
    values[key] =
      instants.includes(key) && typeof value === 'string' && value !== ''
        ? words.instant(value)
        : typeof value === 'string'
          ? nameOfAuthority(value, words)
          : value
  }
  const subject = check.subject === undefined ? '' : visible(check.subject)
  const reason = check.data['reason']
  const state = check.data['state']
  const path = check.data['path']
  return {
    title: words.format(`verification.check.${check.id}.title`, {}),
    sentence: words.format(`verification.check.${check.id}.${check.status}`, {
      ...values,
      subject,
      place: subject === '' ? '' : ` (${subject})`,
      path: path === undefined ? '' : ` (${visible(String(path))})`,
      reason: reason === undefined ? '' : reasonInWords(String(reason), words),
      state: state === undefined ? '' : words.format(`verification.state.${state}`, {}),
    }),
  }
}

function reasonInWords(reason: string, words: Words): string {
  const id = `verification.reason.${reason}`
  if (words.has(id)) return words.format(id, {})
  return words.format(
    reason.startsWith('timestamp_') ? 'verification.reason.timestamp_failed' : 'verification.reason.malformed',
    {},
  )
}

/**
 * Names and addresses come from strangers: control characters, and those that turn the direction of writing, would let a file
 * name or a certificate write something else on the screen than what it is.
 */
export function visible(text: string): string {
  return text
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .slice(0, 2000)
}

/** What the trusted lists say of the time stamps taken together, in one sentence; the checks `qualified` say it of each. */
export function describeQualified({ seal }: VerificationReport, words: Words): string {
  const lists = seal?.trusted_lists
  if (lists === undefined) return words.format('verification.not_qualified', {})
  return words.format(seal?.qualified === true ? 'verification.qualified' : 'verification.not_said_qualified', {
    number: lists.number,
    at: words.instant(lists.issued_at),
  })
}

/** What the platform's own keys call themselves, in the words of the reader's language; that they are not qualified is said beside. */
const own: Readonly<Record<string, string>> = {
  'Probant platform authority': 'platform_authority',
  'Probant platform seal': 'platform_seal',
  'Probant embedded time authority root (not qualified)': 'time_root',
  'Probant embedded time authority (not qualified)': 'time_authority',
}

export function nameOfAuthority(name: string, words: Words): string {
  const id = own[name]
  return id === undefined ? visible(name) : words.format(`verification.own.${id}`, {})
}

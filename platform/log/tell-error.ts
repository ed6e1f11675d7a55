/** An error as the log has it: what kind, where, and its words without what may be somebody's. */
export type ToldError = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: ToldError
}

const mostCauses = 4
const longestText = 8_000
const left = '…'

/** What looks like an address of a page, a mailbox, an account, a name of a host that was looked up, a token, or facts of a failure. */
const somebodys: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]{1,20}):\/\/(?!\/)[^\s"'<>)\]]+/gi, `$1://${left}`],
  [/[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,255}/g, `${left}@${left}`],
  [/\b(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL) \S+/g, `$1 ${left}`],
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, left],
  [/\{[^{}]*\}/g, `{${left}}`],
  // A digest in hexadecimal is nobody's; what is longer than a word and no digest may open something.
  [/\b(?![0-9a-f]+\b)[A-Za-z0-9_-]{40,}\b/g, left],
]

/** @param text of a program, in which somebody's words may stand */
export function withoutPersons(text: string): string {
  return somebodys.reduce((said, [pattern, instead]) => said.replaceAll(pattern, instead), text.slice(0, longestText))
}

/**
 * An error carries whatever its maker put into it: a page's address in its words, a row in its members. Of these the log has its kind, its code, its
 * words without what may be somebody's, the places in the program, and the same of what caused it.
 */
export function tellError(error: unknown, depth = 0): ToldError | string {
  if (!(error instanceof Error)) return withoutPersons(typeof error === 'string' ? error : typeof error)
  const { code } = error as { code?: unknown }
  // The first lines of a stack are the message again.
  const places = error.stack?.match(/^ {4}at .*$/gm)?.join('\n') ?? ''
  const cause = error.cause === undefined || depth >= mostCauses ? undefined : tellError(error.cause, depth + 1)
  return {
    type: error.name,
    message: withoutPersons(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(places === '' ? {} : { stack: places.replaceAll(/\bfile:\/\/(?=\/)/g, '').slice(0, longestText) }),
    ...(typeof cause === 'object' ? { cause } : {}),
  }
}

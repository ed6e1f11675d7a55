/**
 * The log as the rest of the program sees it: pino's calling convention, `(facts, sentence)`, without pino. No personal
 * data, no address a visitor typed, no token goes into `facts`.
 */
export type LogMethod = {
  (facts: object, message?: string): void
  (message: string): void
}

export type Log = {
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  readonly fatal: LogMethod
  child(bindings: Record<string, unknown>): Log
}

/** What a use case notes with that needs no more of a log; a log fits. */
export type Notes = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

const nothing: LogMethod = () => undefined

/** For tests and for programs whose output is their result. */
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => silentLog,
}

import type { Keyboard } from './ask-secret.ts'

/** Where a command reads and writes, and what ends it. */
export type CommandIo = {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Of a command that asks for a password. */
export type AdminIo = Omit<CommandIo, 'signal'> & {
  /** Where it is typed. */
  readonly keyboard: Keyboard
}

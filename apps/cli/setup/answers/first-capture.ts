import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Messages } from '../../../../platform/messages/messages.ts'
import type { CommandIo } from '../../terminal/command-io.ts'

type Command = (argv: readonly string[], io: CommandIo) => Promise<number>

export type CaptureDeps = { readonly capture: Command; readonly verify: Command }

/** Captures, seals and verifies one page as whoever types the commands would, by the settings of `io`; nothing of it is kept. */
export async function captureFirst(address: string, io: CommandIo, messages: Messages, deps: CaptureDeps): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'probant-first-'))
  try {
    const file = join(folder, 'first.zip')
    const captured = await deps.capture([address, '-o', file, '--lang', messages.locale], io)
    // What an authority that nobody knows sealed is intact, and not more: 2.
    const verified = captured === 0 ? await deps.verify([file, '--lang', messages.locale], io) : 1
    return verified === 0 || verified === 2
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { settingsLine } from '../../../../platform/config/settings-file.ts'
import type { Messages } from '../../../../platform/messages/messages.ts'
import type { CommandIo } from '../../terminal/command-io.ts'
import type { Answers } from './steps.ts'

/** Whole or not at all, and only its owner's from the first octet on. */
export async function writeSettings(file: string, answers: Answers, messages: Messages): Promise<void> {
  const lines = [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => settingsLine(name, value))
  const partial = `${file}.${randomUUID()}`
  const handle = await open(partial, 'wx', 0o600)
  try {
    await handle.writeFile(`# ${messages.format('setup.file')}\n${lines.join('\n')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  const folder = await open(dirname(file))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** As a command has it that knows what was just answered, and nothing of before. */
export function environmentOf(env: CommandIo['env'], answers: Answers): CommandIo['env'] {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('PROBANT_'))
  return { ...Object.fromEntries(others), ...Object.fromEntries(answers), PROBANT_SETTINGS: 'none' }
}

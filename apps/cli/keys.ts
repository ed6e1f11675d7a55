import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale } from '../../kernel/locale.ts'
import { messageKeyKinds, openKeyring, type RotatedKind } from '../../modules/sealing/server/index.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import type { CommandIo } from './terminal/command-io.ts'

const kinds: readonly RotatedKind[] = [...messageKeyKinds, 'platform-signing', 'time-signing']

/**
 * `probant keys list` and `probant keys rotate KIND`, where the installation keeps its keys. `list` prints the document of published keys
 * as it stands, retired keys included; `rotate` puts a new key in force: a running worker takes it up by itself and publishes it.
 * Exit codes: 0 done, 1 the keys cannot be used, 3 wrong use, 78 wrong settings.
 */
export async function runKeysCommand(argv: readonly string[], io: Omit<CommandIo, 'signal'>): Promise<number> {
  const at = argv.indexOf('--lang')
  const language = at < 0 ? undefined : argv[at + 1]
  const [command, kind, ...rest] = at < 0 ? argv : argv.toSpliced(at, 2)
  const messages = createMessages(isLocale(language) ? language : defaultLocale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  const rotated = kinds.find((each) => each === kind)
  const isList = command === 'list' && kind === undefined
  const isRotate = command === 'rotate' && rotated !== undefined
  if ((!isList && !isRotate) || rest.length > 0 || (at >= 0 && !isLocale(language))) {
    say(messages.format('sealing.keys.usage', { kinds: kinds.join(' | ') }))
    return 3
  }
  try {
    const config = loadConfig(io.env)
    const dir = join(config.dataFolder, 'keys')
    const keyring = await openKeyring({ dir, clock: systemClock, log: silentLog, token: config.sealingToken ?? undefined })
    if (rotated !== undefined) {
      await keyring.rotate(rotated)
      say(messages.format('sealing.keys.rotated', { kind: rotated }))
    }
    const names = { log: config.publicLog.origin, witness: config.publicLog.witnessName }
    io.stdout.write(`${JSON.stringify(await keyring.publishedKeys(names), null, 1)}\n`)
    return 0
  } catch (error) {
    if (error instanceof ConfigError) {
      say(error.message)
      return configErrorExitCode
    }
    const known = error instanceof DomainError && messages.has(error.code)
    say(known ? messages.format(error.code, error.data) : error instanceof Error ? error.message : String(error))
    return 1
  }
}

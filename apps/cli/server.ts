import { dirname } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import {
  compareSilence,
  createServerMeasurement,
  createSilenceMeasurement,
  mayBePinned,
  measureClockOffset,
  measurePublicAddress,
  pinManifest,
  readManifest,
  readSeenDifference,
  readSilence,
  serverFolder,
  serverIdentity,
  type PreflightDifference,
} from '../../modules/capture/server/index.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { createMessages, type Messages } from '../../platform/messages/messages.ts'
import { silentLog } from '../../platform/log/log.ts'
import { kindsOfSession } from '../server/roles/offer-sessions.ts'
import { runAssignment, type ServerAssignment } from './assign-server.ts'
import { runMachineCommand, readMachineUse, type MachineUse } from './machine.ts'
import type { CommandIo } from './terminal/command-io.ts'

/**
 * `probant server show|pin`, on the machine of the capture server and by its settings. `pin` accepts what the server measured
 * when it was set aside, and prints it: nothing is accepted that was not shown. A running server takes it up by itself.
 * `probant server assign|unassign` says of any server to whom it is dedicated; the rest is in `machine.ts`.
 * Exit codes: 0 done, 1 what differs cannot be accepted, or it cannot be assigned, 3 wrong use, 78 wrong settings.
 */
export async function runServerCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { command, locale, assignment, machine } = readUse(argv)
  const messages = createMessages(locale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (command === null) {
    say(messages.format('capture.server.usage'))
    return 3
  }
  try {
    const config = loadConfig(io.env)
    if (assignment !== null) return await runAssignment(assignment, config, io, messages)
    if (machine !== null) return await runMachineCommand(machine, config, io, messages)
    const { id } = await serverIdentity(config)
    const folder = serverFolder(config.dataFolder, id)
    const measureSilence = createSilenceMeasurement({
      clock: systemClock,
      log: silentLog,
      folder: dirname(folder),
      kinds: kindsOfSession(config),
      isolationOverride: config.unjailedBrowser,
    })
    const [pinned, seen] = [await readManifest(folder, id), await readSeenDifference(folder)]
    if (command === 'show') {
      const silence = await readSilence(dirname(folder))
      const shown = {
        server_id: id,
        manifest_sha256: pinned?.sha256 ?? null,
        manifest: pinned?.manifest ?? null,
        difference: seen,
        silence,
      }
      io.stdout.write(`${JSON.stringify(shown, null, 1)}\n`)
      return 0
    }
    if (pinned !== null && seen === null) {
      say(messages.format('capture.server.nothing_differs', { id, sha256: pinned.sha256 }))
      return 0
    }
    if (seen !== null) {
      say(messages.format('capture.server.differs', { id, at: new Date(seen.at) }))
      for (const difference of seen.differences) say(lineOf(messages, difference))
      if (!mayBePinned(seen.differences)) {
        say(messages.format('capture.server.not_acceptable'))
        return 1
      }
    }
    const items = seen?.items ?? (await measure(config)).items
    if (items.browser === null || items.browser_sha256 === null) {
      say(messages.format('capture.server.no_browser'))
      return 1
    }
    // What was seen was listened to by the server; what nobody saw yet is listened to now.
    const speaks = seen === null ? compareSilence(await measureSilence(items, io.signal)) : []
    if (speaks.length > 0) {
      for (const difference of speaks) say(lineOf(messages, difference))
      say(messages.format('capture.server.not_acceptable'))
      return 1
    }
    const pin = await pinManifest(folder, { serverId: id, at: systemClock.now(), by: 'command', items })
    say(messages.format('capture.server.pinned', { id, sha256: pin.sha256 }))
    io.stdout.write(`${JSON.stringify({ server_id: id, manifest_sha256: pin.sha256, manifest: pin.manifest })}\n`)
    return 0
  } catch (error) {
    if (error instanceof ConfigError) {
      say(error.message)
      return configErrorExitCode
    }
    say(messages.format('capture.command.unexpected', { reason: error instanceof Error ? error.message : String(error) }))
    return 1
  }
}

type Use = {
  /** Null: wrong use. */
  readonly command: 'show' | 'pin' | 'assign' | 'machine' | null
  readonly locale: Locale
  readonly assignment: ServerAssignment | null
  readonly machine: MachineUse | null
}

function readUse(argv: readonly string[]): Use {
  const [flag, language] = argv.slice(-2)
  const isTold = argv.length > 2 && flag === '--lang' && isLocale(language)
  const locale = isTold ? language : defaultLocale
  const [command, serverId, group, ...rest] = isTold ? argv.slice(0, -2) : argv
  const given = [serverId, group].filter((each) => each !== undefined && !each.startsWith('--')).length
  const use = (is: Use['command'], assignment: ServerAssignment | null = null): Use => ({
    command: is,
    locale,
    assignment,
    machine: null,
  })
  const machine = readMachineUse(isTold ? argv.slice(0, -2) : argv)
  if (machine !== null) return { command: 'machine', locale, assignment: null, machine }
  if (rest.length > 0) return use(null)
  if ((command === 'show' || command === 'pin') && serverId === undefined) return use(command)
  if (command === 'assign' && serverId !== undefined && group !== undefined && given === 2)
    return use('assign', { serverId, to: group })
  if (command === 'unassign' && serverId !== undefined && group === undefined && given === 1)
    return use('assign', { serverId, to: null })
  return use(null)
}

function lineOf(messages: Messages, { item, expected, measured }: PreflightDifference): string {
  return messages.format('capture.server.difference', { item, expected, measured })
}

async function measure(config: ReturnType<typeof loadConfig>) {
  const probes = {
    measureClockOffset: async () => await measureClockOffset(config.conditions, systemClock),
    measurePublicAddress: async () => await measurePublicAddress(config.conditions, systemClock),
  }
  const { imageDigest } = config.server
  return await createServerMeasurement({ probes, isolationOverride: config.unjailedBrowser, imageDigest })()
}

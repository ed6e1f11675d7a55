import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale } from '../../kernel/locale.ts'
import {
  listBackups,
  openTarget,
  readIdentity,
  readManifest,
  removePast,
  restoreBackup,
  takeBackup,
  verifyBackup,
  type Manifest,
} from '../../modules/backup/server/index.ts'
import { createBlobStore } from '../../platform/blobs/create-blob-store.ts'
import { ConfigError, configErrorExitCode, loadConfig, type Config } from '../../platform/config/config.ts'
import { parseKeep } from '../../platform/config/settings/backup.ts'
import { createMessages, type Messages } from '../../platform/messages/messages.ts'
import { withDatabaseUrl } from './open-installation.ts'
import type { CommandIo } from './terminal/command-io.ts'

type BackupIo = Omit<CommandIo, 'signal'>

const spec = {
  to: { type: 'string' },
  from: { type: 'string' },
  recipient: { type: 'string', multiple: true },
  keep: { type: 'string' },
  backup: { type: 'string' },
  identity: { type: 'string' },
  installation: { type: 'string' },
  'with-master-key': { type: 'boolean' },
  lang: { type: 'string' },
} as const

const allowed = {
  take: ['to', 'recipient', 'keep', 'with-master-key', 'lang'],
  list: ['to', 'lang'],
  verify: ['to', 'backup', 'identity', 'lang'],
  restore: ['from', 'identity', 'backup', 'installation', 'lang'],
} as const

type Command = keyof typeof allowed

function readOptions(command: Command, argv: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...argv], options: spec, strict: true })
    const names: readonly string[] = allowed[command]
    if (Object.keys(values).some((name) => !names.includes(name))) return null
    if (values.lang !== undefined && !isLocale(values.lang)) return null
    return values
  } catch {
    return null
  }
}

type Options = NonNullable<ReturnType<typeof readOptions>>
type Use = (config: Config, given: Options, io: BackupIo, messages: Messages) => Promise<number>

/**
 * `probant backup`, `probant backup list|verify` and `probant restore`, on the machine of the installation and by its settings.
 * Exit codes: 0 done, 1 refused, failed or faulty, 2 taken, but something that a row names was not there to be taken, 3 wrong use, 78 wrong settings.
 */
export async function runBackupCommand(argv: readonly string[], io: BackupIo): Promise<number> {
  const [first, ...rest] = argv
  if (first === 'list' || first === 'verify') return await run(first, rest, io)
  return await run('take', argv, io)
}

export async function runRestoreCommand(argv: readonly string[], io: BackupIo): Promise<number> {
  return await run('restore', argv, io)
}

const uses: Readonly<Record<Command, Use>> = { take, list, verify, restore }

async function run(command: Command, argv: readonly string[], io: BackupIo): Promise<number> {
  const given = readOptions(command, argv)
  const messages = createMessages(isLocale(given?.lang) ? given.lang : defaultLocale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (given === null || (command === 'restore' && (given.from === undefined || given.identity === undefined))) {
    say(messages.format(command === 'restore' ? 'backup.command.restore_usage' : 'backup.command.usage'))
    return 3
  }
  try {
    return await uses[command](loadConfig(io.env), given, io, messages)
  } catch (error) {
    if (error instanceof ConfigError) {
      say(error.message)
      return configErrorExitCode
    }
    const known = error instanceof DomainError && messages.has(error.code)
    say(
      known
        ? messages.format(error.code, error.data)
        : messages.format('backup.command.unexpected', { reason: error instanceof Error ? error.message : String(error) }),
    )
    return 1
  }
}

/** @throws DomainError `backup.no_target_told` */
function targetOf(config: Config, told: string | undefined): string {
  const address = told ?? config.backup.to
  if (address === undefined) throw new DomainError('invalid', 'backup.no_target_told')
  return address
}

async function take(config: Config, given: Options, io: BackupIo, messages: Messages): Promise<number> {
  const target = await openTarget(targetOf(config, given.to), config.backup.s3)
  const keep = keepOf(given.keep) ?? (given.to === undefined ? config.backup.keep : null)
  const startedMs = performance.now()
  const { manifest, sent, missing } = await withDatabaseUrl(
    config,
    async (databaseUrl) =>
      await takeBackup(
        { databaseUrl, blobs: createBlobStore(config), dataFolder: config.dataFolder, clock: systemClock },
        {
          target,
          recipients: given.recipient ?? config.backup.recipients,
          withMasterKey: given['with-master-key'] ?? false,
        },
      ),
  )
  const seconds = (performance.now() - startedMs) / 1000
  const removed = keep === null ? null : await withDatabaseUrl(config, async (url) => await removePast(url, target, keep))
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  say(messages.format('backup.command.taken', { id: manifest.id, sent: sent.bytes, bytes: manifest.pieces.bytes, seconds }))
  if (removed !== null) say(messages.format('backup.command.removed', { count: removed.backups.length, bytes: removed.bytes }))
  say(messages.format('backup.command.installation', { installation: manifest.installation }))
  if (!manifest.with_master_key) {
    const path = config.masterKey === undefined ? join(config.dataFolder, 'master-key') : 'PROBANT_MASTER_KEY'
    say(messages.format('backup.command.master_key_apart', { path }))
  }
  for (const { scope, sha256 } of missing) say(messages.format('backup.command.missing', { scope, sha256 }))
  io.stdout.write(`${JSON.stringify({ ...summaryOf(manifest), sent_pieces: sent.pieces, sent_bytes: sent.bytes, seconds })}\n`)
  return missing.length === 0 ? 0 : 2
}

/** @throws DomainError `backup.wrong_keep` */
function keepOf(text: string | undefined) {
  if (text === undefined) return null
  try {
    return parseKeep(text)
  } catch (error) {
    throw new DomainError('invalid', 'backup.wrong_keep', { keep: text.slice(0, 40) }, { cause: error })
  }
}

function summaryOf(manifest: Manifest) {
  const { id, taken_at, software, installation, database, log, blobs, pieces, with_master_key } = manifest
  return {
    id,
    taken_at,
    software,
    installation,
    database,
    log,
    blobs,
    pieces: pieces.count,
    bytes: pieces.bytes,
    with_master_key,
  }
}

/** A line of JSON each, the newest first; one that is not what it was is told, and the others are shown. */
async function list(config: Config, given: Options, io: BackupIo, messages: Messages): Promise<number> {
  const target = await openTarget(targetOf(config, given.to), config.backup.s3)
  let code = 0
  for (const id of await listBackups(target)) {
    try {
      io.stdout.write(`${JSON.stringify(summaryOf(await readManifest(target, id)))}\n`)
    } catch (error) {
      if (!(error instanceof DomainError) || !messages.has(error.code)) throw error
      io.stderr.write(`${messages.format(error.code, error.data)}\n`)
      code = 1
    }
  }
  return code
}

async function newestOr(target: Awaited<ReturnType<typeof openTarget>>, told: string | undefined): Promise<Manifest> {
  const id = told ?? (await listBackups(target))[0]
  if (id === undefined) throw new DomainError('not_found', 'backup.none', { address: target.address })
  return await readManifest(target, id)
}

async function verify(config: Config, given: Options, io: BackupIo, messages: Messages): Promise<number> {
  const target = await openTarget(targetOf(config, given.to), config.backup.s3)
  const manifest = await newestOr(target, given.backup)
  const decipher = given.identity === undefined ? null : await readIdentity(given.identity)
  const { faults, ...read } = await verifyBackup(target, manifest, decipher)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  for (const { object, code } of faults)
    say(`${object}: ${messages.has(code) ? messages.format(code, { object, name: object }) : code}`)
  if (faults.length === 0)
    say(
      messages.format(decipher === null ? 'backup.command.stored_whole' : 'backup.command.holds', {
        id: manifest.id,
        bytes: read.bytes,
      }),
    )
  io.stdout.write(`${JSON.stringify({ id: manifest.id, installation: manifest.installation, ...read, faults: faults.length })}\n`)
  return faults.length === 0 ? 0 : 1
}

async function restore(config: Config, given: Options, io: BackupIo, messages: Messages): Promise<number> {
  const target = await openTarget(given.from ?? '', config.backup.s3)
  const manifest = await newestOr(target, given.backup)
  if (given.installation !== undefined && given.installation !== manifest.installation)
    throw new DomainError('conflict', 'backup.other_signer', { installation: manifest.installation })
  const decipher = await readIdentity(given.identity ?? '')
  const startedMs = performance.now()
  const restored = await restoreBackup(
    {
      dataFolder: config.dataFolder,
      blobs: createBlobStore(config),
      withDatabase: async (use) => await withDatabaseUrl(config, use, { evenRestoring: true }),
      // An embedded one is made when it is first started.
      hasDatabase: config.databaseUrl !== undefined || existsSync(join(config.dataFolder, 'postgres', 'cluster')),
    },
    { target, manifest, decipher },
  )
  const seconds = (performance.now() - startedMs) / 1000
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  say(messages.format('backup.command.restored', { id: manifest.id, at: new Date(manifest.taken_at), seconds }))
  say(messages.format('backup.command.installation', { installation: manifest.installation }))
  if (!manifest.with_master_key) {
    const path = config.masterKey === undefined ? join(config.dataFolder, 'master-key') : 'PROBANT_MASTER_KEY'
    say(messages.format('backup.command.put_master_key', { path }))
  }
  io.stdout.write(`${JSON.stringify({ id: manifest.id, installation: manifest.installation, ...restored, seconds })}\n`)
  return 0
}

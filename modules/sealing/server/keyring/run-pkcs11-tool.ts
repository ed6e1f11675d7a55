import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { lstat, readFile } from 'node:fs/promises'
import { DomainError } from '../../../../kernel/errors.ts'
import { settings } from '../../../../platform/config/settings/settings.ts'

/** A key in a token (PKCS#11 v2.40), reached through OpenSC's `pkcs11-tool`: any module of any maker works, none is loaded into this process. */
export type TokenConfig = {
  /** Path of the maker's module. */
  readonly module: string
  /** Label of the token. */
  readonly token: string
  /** Label of the key pair: ECDSA P-256. */
  readonly key: string
  /** File that holds the PIN and nothing else, readable by its owner alone. */
  readonly pinFile: string
  /** PEM: certificate of the key, then its issuers up to the root. Null: the platform's own authority issues one. */
  readonly certificateFile: string | null
}

/** A card asks its reader, a module its network: more than this is nobody's patience. */
const patienceMs = 20_000
const mostOutput = 65_536

/** Digests of PINs that a token refused: tried again, they would lock it. Lives as long as the process. */
const refusedPins = new Set<string>()

/**
 * Runs one operation. The PIN goes by the child's environment, never on its command line, which every process may read.
 * @throws DomainError `sealing.token_…` that names what is wrong.
 */
export async function runPkcs11Tool(
  config: TokenConfig,
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): Promise<Uint8Array> {
  const pin = await readPin(config)
  const fingerprint = createHash('sha256').update(`${config.module}\n${config.token}\n${pin}`).digest('hex')
  if (refusedPins.has(fingerprint)) throw fault('token_pin', config)
  const { code, output, said } = await run(config, [...common(config), ...args], pin, input)
  if (code === 0) return output
  if (/CKR_PIN_(?:INCORRECT|INVALID|LEN_RANGE)/.test(said)) {
    refusedPins.add(fingerprint)
    throw fault('token_pin', config)
  }
  if (/CKR_PIN_LOCKED/.test(said)) throw fault('token_locked', config)
  if (/No slot with token named|CKR_(?:TOKEN_NOT_PRESENT|DEVICE_REMOVED|TOKEN_NOT_RECOGNIZED)|No slot with a token/.test(said))
    throw fault('token_absent', config)
  if (/Failed to load pkcs11 module|sc_dlopen/.test(said)) throw fault('token_module', config)
  // OpenSC builds the keys of few curves alone.
  if (/cannot create EVP_PKEY/.test(said)) throw fault('token_algorithm', config)
  if (/(?:key|object) not found/i.test(said)) throw fault('token_key', config)
  // Only what names an error of the standard is passed on: the rest is a stranger's text.
  throw fault('token_failed', config, { reason: /\bCKR_[A-Z_]+\b/.exec(said)?.[0] ?? `exit code ${code}` })
}

const common = ({ module, token }: TokenConfig): string[] => [
  '--module',
  module,
  '--token-label',
  token,
  '--login',
  '--pin',
  'env:PROBANT_TOKEN_PIN',
]

export function fault(
  code: string,
  { module, token, key }: TokenConfig,
  more: Readonly<Record<string, string>> = {},
  cause?: unknown,
): DomainError {
  return new DomainError('unavailable', `sealing.${code}`, { module, token, key, ...more }, { cause })
}

async function readPin(config: TokenConfig): Promise<string> {
  const path = config.pinFile
  try {
    const info = await lstat(path)
    const mode = info.mode & 0o777
    if (!info.isFile() || info.size > 1024) throw fault('token_pin_file', config, { path })
    if ((mode & 0o077) !== 0)
      throw new DomainError('unavailable', 'sealing.keyring_permissions', { path, mode: mode.toString(8).padStart(4, '0') })
    const pin = (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
    if (pin === '' || pin.includes('\0')) throw fault('token_pin_file', config, { path })
    return pin
  } catch (error) {
    throw error instanceof DomainError ? error : fault('token_pin_file', config, { path }, error)
  }
}

async function run(
  config: TokenConfig,
  args: readonly string[],
  pin: string,
  input: Uint8Array,
): Promise<{ code: number; output: Uint8Array; said: string }> {
  // Makers' modules read their own settings from the environment; ours, with their secrets, are none of theirs.
  const ours = new Set(Object.values(settings).map(({ name }) => name))
  const theirs = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.has(name)))
  const env = { ...theirs, LC_ALL: 'C', PROBANT_TOKEN_PIN: pin }
  const child = spawn('pkcs11-tool', args, { env, stdio: 'pipe', timeout: patienceMs, killSignal: 'SIGKILL' })
  const output: Buffer[] = []
  let [bytes, said] = [0, '']
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= mostOutput) output.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(0, mostOutput)
  })
  // A tool that ends before it has read its input is told of by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return await new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? fault('token_tool', config, {}, error)
          : fault('token_failed', config, { reason: 'spawn' }, error),
      ),
    )
    child.on('close', (code, signal) => {
      if (signal !== null) reject(fault('token_timeout', config))
      else resolve({ code: code ?? 1, output: new Uint8Array(Buffer.concat(output)), said })
    })
  })
}

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { isApiKey } from '../../../modules/identity/domain/api-key.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where the calls go, and with which key. */
export type Access = { readonly server: URL; readonly key: string }

/** Why there is none; words are `document.command.access.<code>`. */
export class AccessFault extends Error {
  override readonly name = 'AccessFault'
  readonly code: 'no_server' | 'no_key' | 'bad_key' | 'bad_server' | 'not_encrypted' | 'readable' | 'unreadable'
  readonly data: Readonly<Record<string, string>>
  constructor(code: AccessFault['code'], data: Readonly<Record<string, string>> = {}) {
    super(code)
    this.code = code
    this.data = data
  }
}

/** A folder of the user's, by the XDG Base Directory Specification: a path that is not absolute is none. */
export function userFolder(env: Environment, variable: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', otherwise: string): string {
  const named = env[variable] ?? ''
  return named.startsWith('/') ? named : join(env['HOME'] ?? homedir(), otherwise)
}

const largestFile = 16_384

/** `NAME=value` a line; lines that begin with # are remarks. */
function parse(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) found.set(name, value)
  }
  return found
}

/** @throws AccessFault when others than its owner may read the file: it holds a key */
async function readConfiguration(path: string): Promise<Map<string, string>> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const facts = await file.stat()
    if (!facts.isFile()) throw new AccessFault('unreadable', { path, reason: 'no file' })
    if ((facts.mode & 0o077) !== 0) throw new AccessFault('readable', { path })
    const block = Buffer.alloc(largestFile)
    const { bytesRead } = await file.read(block, 0, largestFile, 0)
    return parse(block.toString('utf8', 0, bytesRead))
  } catch (error) {
    if (error instanceof AccessFault) throw error
    const { code = String(error) } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return new Map()
    throw new AccessFault('unreadable', { path, reason: code })
  }
}

const isLoopback = ({ hostname }: URL) => hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)

/**
 * `PROBANT_API_URL` and `PROBANT_API_KEY`, of the environment or of the file `probant` in the user's folder of settings. The key never
 * goes over a network in the clear, and never stands among the arguments, which other users of the machine see.
 * @throws AccessFault
 */
export async function readAccess(env: Environment): Promise<Access> {
  const path = join(userFolder(env, 'XDG_CONFIG_HOME', '.config'), 'probant')
  const address = env['PROBANT_API_URL'] ?? ''
  const fromFile =
    address === '' || (env['PROBANT_API_KEY'] ?? '') === '' ? await readConfiguration(path) : new Map<string, string>()
  const named = (name: string) => env[name] || (fromFile.get(name) ?? '')
  const given = named('PROBANT_API_URL')
  if (given === '') throw new AccessFault('no_server', { path })
  const server = URL.parse(given.endsWith('/') ? given : `${given}/`)
  const isAddress =
    server !== null && /^https?:$/.test(server.protocol) && server.username === '' && server.search === '' && server.hash === ''
  if (!isAddress) throw new AccessFault('bad_server', { address: given })
  if (server.protocol === 'http:' && !isLoopback(server)) throw new AccessFault('not_encrypted', { address: given })
  const key = named('PROBANT_API_KEY')
  if (key === '') throw new AccessFault('no_key', { path })
  if (!isApiKey(key, crc32)) throw new AccessFault('bad_key')
  return { server, key }
}

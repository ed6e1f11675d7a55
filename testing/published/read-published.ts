import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A file of a public repository, by the digest of its octets. */
export type PublishedFile = {
  /** `owner/name` on GitHub. */
  readonly repository: string
  readonly commit: string
  readonly path: string
  readonly sha256: string
}

const run = promisify(execFile)

async function git(repository: string, ...args: readonly string[]): Promise<Buffer> {
  const clones = process.env['PROBANT_PUBLIC_CLONES']
  if (clones === undefined) throw new Error('PROBANT_PUBLIC_CLONES names no folder of clones')
  const folder = join(clones, repository.replace('/', '+'), 'repo')
  const { stdout } = await run('git', ['--git-dir', folder, ...args], { encoding: 'buffer', maxBuffer: 1 << 28 })
  return stdout
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The octets of a file that is other people's and is not kept here, from a clone of its repository: a git directory
 * `<PROBANT_PUBLIC_CLONES>/<owner>+<name>/repo`.
 * @throws Error when it is not there, or is not what the manifest says.
 */
export async function readPublished({ repository, commit, path, sha256 }: PublishedFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(await git(repository, 'show', `${commit}:${path}`))
  const found = sha256Of(bytes)
  if (found !== sha256) throw new Error(`${repository} ${path} has the SHA-256 ${found}, not ${sha256}`)
  return bytes
}

/** Every file of a folder at a commit, by its path, in the order of git; what is there is fixed by the commit. */
export async function readPublishedFolder(
  repository: string,
  commit: string,
  folder: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const listed = (await git(repository, 'ls-tree', '-r', '-z', commit, `${folder}/`)).toString('utf8')
  const entries = listed.split('\0').filter((entry) => entry !== '')
  const files: { path: string; text: string }[] = []
  for (const entry of entries) {
    const [head = '', path = ''] = entry.split('\t')
    files.push({ path, text: (await git(repository, 'cat-file', 'blob', head.split(' ')[2] ?? '')).toString('utf8') })
  }
  return files
}

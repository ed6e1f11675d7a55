/** Which of the installed packages the compiled programs need: what they import, and what that imports in turn. */

type Locked = {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
/** `packages` of a lock file (npm's lockfileVersion 3): by folder. */
export type LockedPackages = Readonly<Record<string, Locked>>

/** The folder that Node finds a package in from another's: the nearest above. */
function resolve(packages: LockedPackages, from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const candidate = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (candidate in packages) return candidate
    if (at === '') return null
  }
}

/**
 * @param isInstalled optional packages are there for one processor only
 * @returns folders below the top, sorted. Types are left out: nothing reads them at run time
 * @throws Error when one that is needed is not locked or not installed
 */
export function choosePackages(
  packages: LockedPackages,
  wanted: readonly string[],
  isInstalled: (folder: string) => boolean,
): readonly string[] {
  const chosen = new Set<string>()
  const visit = (from: string, name: string, mayBeAbsent: boolean) => {
    if (name.startsWith('@types/')) return
    const folder = resolve(packages, from, name)
    if (folder === null || !isInstalled(folder)) {
      if (mayBeAbsent) return
      throw new Error(`${name}, which ${from === '' ? 'a program' : from} needs, is not installed`)
    }
    if (chosen.has(folder)) return
    chosen.add(folder)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[folder] ?? {}
    for (const each of Object.keys(dependencies)) visit(folder, each, each in optionalDependencies)
    for (const each of Object.keys(optionalDependencies)) visit(folder, each, true)
    // What may as well be absent is brought by who imports it.
    for (const each of Object.keys(peerDependencies))
      if (peerDependenciesMeta[each]?.optional !== true) visit(folder, each, false)
  }
  for (const name of wanted) visit('', name, false)
  return [...chosen].toSorted()
}

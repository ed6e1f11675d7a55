/** Any two of these say that a folder is an unpacked package, also when one of them is what was removed. */
const landmarks = ['manifest.json', 'seal/root.bin', 'seal/signature.p7s', 'META-INF/ASiCManifest001.xml'] as const
/** What systems leave in folders; not what anybody meant to verify. */
const litter = /(?:^|\/)(?:\.DS_Store|\.localized|(?:eh)?thumbs\.db|desktop\.ini|\._[^/]+)$|^__MACOSX\//i

export function isLitter(path: string): boolean {
  return litter.test(path)
}

/** Folders of unpacked packages among these paths, each with `/` behind it; none that lies in another. */
export function packageFolders(paths: readonly string[]): string[] {
  const found = new Map<string, number>()
  for (const path of paths) {
    for (const landmark of landmarks) {
      if (path !== landmark && !path.endsWith(`/${landmark}`)) continue
      const folder = path.slice(0, path.length - landmark.length)
      found.set(folder, (found.get(folder) ?? 0) + 1)
    }
  }
  const folders = [...found].flatMap(([folder, count]) => (count >= 2 ? [folder] : [])).toSorted((a, b) => a.length - b.length)
  return folders.filter((folder, i) => !folders.slice(0, i).some((outer) => folder.startsWith(outer)))
}

/** The folder that a whole package lies in, when nothing but what a system leaves is beside it. */
export function packageFolder(paths: readonly string[]): string | undefined {
  const [folder, ...others] = packageFolders(paths)
  const isAlone = others.length === 0 && paths.every((path) => isLitter(path) || path.startsWith(folder ?? ''))
  return isAlone ? folder : undefined
}

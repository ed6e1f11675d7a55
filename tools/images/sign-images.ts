/** Who made the images from what, beside them: a statement as that of a release, of their digests and of what is in them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signProvenance, subjectOf } from '../release/pack.ts'
import type { BuiltImage } from './build-images.ts'
import { images } from './image-packages.ts'

/**
 * @param commit null where what was built is not what was committed: nobody vouches for that
 * @returns the file
 */
export function signImages(
  built: readonly BuiltImage[],
  by: {
    readonly root: string
    readonly target: string
    readonly version: string
    readonly epoch: number
    readonly commit: string | null
    readonly key: string
    readonly builder: string
  },
): string {
  if (by.commit === null) throw new Error('images are signed of what was committed: there is no commit, or something beside it')
  const roots = [...new Set(built.map(({ role }) => images[role]))]
  const signed = signProvenance({
    subjects: [
      ...built.map(({ role, digest }) => ({ name: `probant-${role}`, digest: { sha256: digest.replace('sha256:', '') } })),
      ...roots.map((name) => subjectOf(join(by.target, `sbom-${name}.cdx.json`))),
    ],
    script: 'build:images',
    key: by.key,
    builder: by.builder,
    commit: by.commit,
    lockFile: join(by.root, 'package-lock.json'),
    sourceDate: by.epoch,
  })
  const file = join(by.target, `probant-images-${by.version}.intoto.json`)
  writeFileSync(file, signed)
  return file
}

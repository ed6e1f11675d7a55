import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** Pieces that we write ourselves. */
export async function writeTexts(
  workDir: string,
  texts: readonly (readonly [path: string, role: CapturedFile['role'], mediaType: string, text: string])[],
): Promise<readonly CapturedFile[]> {
  return Promise.all(
    texts.map(async ([path, role, media_type, text]) => {
      const file = join(workDir, path.replace('/', '-'))
      await writeFile(file, text)
      return { path, role, media_type, file }
    }),
  )
}

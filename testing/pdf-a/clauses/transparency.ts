import { isDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive } from '../read/archive.ts'
import type { Said, Step } from '../read/drawn.ts'

/** §6.2.10: a page with transparency says in which colours it blends, where the document has no profile. */
export async function transparency(archive: Archive, step: Step, output: string | undefined): Promise<Said[]> {
  if (output !== undefined || !(await blends(archive, step))) return []
  const colours = await archive.get(await archive.dictionary(step.drawn.page, 'Group'), 'CS')
  return colours === undefined ? [['6.2.10', 'there is transparency on a page that names no colours to blend in']] : []
}

/** ISO 32000-1 §11: something of what is drawn lets what is under it be seen. */
async function blends(archive: Archive, { name, used }: Step): Promise<boolean> {
  if (name === 'Do')
    return (
      isDictionary(await archive.get(used, 'SMask')) ||
      (await archive.nameAt(await archive.dictionary(used, 'Group'), 'S')) === 'Transparency'
    )
  if (name !== 'gs') return false
  const mode = await archive.nameAt(used, 'BM')
  const opacities = [await archive.get(used, 'ca'), await archive.get(used, 'CA')]
  return (
    isDictionary(await archive.get(used, 'SMask')) ||
    (mode !== undefined && mode !== 'Normal' && mode !== 'Compatible') ||
    opacities.some((each) => typeof each === 'number' && each < 1)
  )
}

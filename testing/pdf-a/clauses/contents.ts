import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { clauseOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'
import { drawnOf, outputColours } from '../read/drawn.ts'
import type { Drawn, Said, Step } from '../read/drawn.ts'
import { isDefined, operatorsOf } from '../read/operators.ts'
import { deviceColours } from './device-colours.ts'
import { TextStates } from './fonts.ts'
import { inlineImages } from './inline-images.ts'
import { operandsOf } from './operands.ts'
import { resourceOf } from './resources.ts'
import { transparency } from './transparency.ts'

/** What pages and appearances draw, with which colours and fonts; §6.2.2: by operators of ISO 32000-1 and resources of their own. */
export async function contents(archive: Archive): Promise<Finding[]> {
  const output = await outputColours(archive)
  const found: Finding[] = []
  for (const drawn of await drawnOf(archive)) {
    const said = new Set<string>()
    const add = (clause: string, words: string): void => {
      if (!said.has(clause + words)) found.push({ clause, object: drawn.object, words })
      said.add(clause + words)
    }
    try {
      for (const each of await look(archive, drawn, output)) add(...each)
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      add(clauseOf(error.message, '6.2.2'), `its contents cannot be read: ${error.message}`)
    }
  }
  return found
}

async function look(archive: Archive, drawn: Drawn, output: string | undefined): Promise<readonly Said[]> {
  const said: Said[] = []
  const states = new TextStates()
  for (const operator of operatorsOf(drawn.octets)) {
    const { used, missing } = await resourceOf(archive, drawn, operator)
    const step: Step = { ...operator, drawn, used }
    if (!isDefined(step.name)) said.push(['6.2.2', `the operator ${step.name} is not one of ISO 32000-1`])
    if (missing !== undefined) said.push(['6.2.2', `the ${missing} is not in its resources`])
    said.push(...operandsOf(step), ...inlineImages(step), ...states.follow(step))
    said.push(...(await deviceColours(archive, step, output)), ...(await transparency(archive, step, output)))
  }
  return [...said, ...(await states.unembedded(archive))]
}

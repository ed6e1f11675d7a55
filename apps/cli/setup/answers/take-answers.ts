import { ConfigError, loadConfig, type Config } from '../../../../platform/config/config.ts'
import { settings } from '../../../../platform/config/settings/settings.ts'
import { settingsLine } from '../../../../platform/config/settings-file.ts'
import { steps, type Answers, type Question, type Step } from './steps.ts'

/** What came of trying what was answered. */
export type Found = { readonly isRight: boolean; readonly text: string }

/** What was set before, without what is empty. */
export function answersOf(before: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const answers = new Map<string, string>()
  for (const [name, value] of Object.entries(before)) if (value !== undefined && value !== '') answers.set(name, value)
  return answers
}

/** Which questions of a step are asked after what was answered; what is not asked is not kept either. */
export function askedOf(step: Step, answers: Map<string, string>): readonly Question[] {
  return step.questions.filter(({ key, when }) => {
    const isAsked = when?.(answers) !== false
    if (!isAsked) answers.delete(settings[key].name)
    return isAsked
  })
}

/** @returns why it cannot be the answer; null: it was taken */
export function takeAnswer({ key }: Question, given: string, answers: Map<string, string>): string | null {
  const { name, parse } = settings[key]
  try {
    parse(given)
    settingsLine(name, given)
    answers.set(name, given)
    return null
  } catch (error) {
    return `${name} ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The steps that faults speak of. */
export function concernedBy(faults: readonly string[]): readonly Step[] {
  return steps.filter(({ questions }) => questions.some(({ key }) => faults.some((fault) => fault.includes(settings[key].name))))
}

/** Whoever has an enciphered address is not trying things out. */
export function followAddress(answers: Map<string, string>): void {
  if (answers.get('PROBANT_PUBLIC_URL')?.startsWith('https:') === true) answers.set('PROBANT_ENV', 'production')
}

/** What the answers lack, or what of them does not go together; each names its variable. */
export function faultsOf(answers: Answers): readonly string[] {
  try {
    loadConfig(Object.fromEntries(answers))
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

/** Null while something is missing, or does not go together. */
export function configOf(answers: Answers): Config | null {
  return faultsOf(answers).length === 0 ? loadConfig(Object.fromEntries(answers)) : null
}

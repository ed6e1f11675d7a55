import { ConfigError, type Config } from '../../../platform/config/config.ts'
import { settings } from '../../../platform/config/settings/settings.ts'
import type { Messages } from '../../../platform/messages/messages.ts'
import {
  answersOf,
  askedOf,
  concernedBy,
  configOf,
  faultsOf,
  followAddress,
  takeAnswer,
  type Found,
} from './answers/take-answers.ts'
import { sayFault } from './answers/say-fault.ts'
import { steps, type Question, type Step } from './answers/steps.ts'

/** Who answers. */
export type Asker = {
  say(text: string): void
  /** @param hidden nobody sees what is typed */
  ask(question: string, hidden: boolean): Promise<string>
}

export type AskDeps = {
  readonly asker: Asker
  readonly messages: Messages
  /** Tries what a step was answered, for real. */
  readonly attempt: (step: Step['id'], config: Config) => Promise<readonly Found[]>
}

/** Takes an answer back; the default applies then. */
const none = '-'

/**
 * Asks for each setting that nearly everybody decides, tries it, and lets whoever answers change what does not work, or keep it all the same.
 * Enter keeps what stands in brackets; `-` takes an answer back.
 * @param before what is set already; what is not asked for stays
 * @returns every setting, as {@link loadConfig} takes them
 */
export async function askSettings(
  before: Readonly<Record<string, string | undefined>>,
  deps: AskDeps,
): Promise<Map<string, string>> {
  const answers = answersOf(before)
  for (const step of steps) await takeStep(step, answers, deps)
  // What only holds together, such as a bucket without its key, names its variables.
  for (;;) {
    const faults = faultsOf(answers)
    if (faults.length === 0) return answers
    const { asker, messages } = deps
    for (const fault of faults) asker.say(`  ✗ ${sayFault(fault, messages)}`)
    const concerned = concernedBy(faults)
    if (concerned.length === 0) throw new ConfigError(faults)
    asker.say(messages.format('setup.again'))
    for (const step of concerned) await takeStep(step, answers, deps)
  }
}

async function takeStep(step: Step, answers: Map<string, string>, deps: AskDeps): Promise<void> {
  const { asker, messages } = deps
  for (;;) {
    asker.say(`\n${messages.format(step.title)}`)
    for (const question of step.questions) if (askedOf(step, answers).includes(question)) await ask(question, answers, deps)
    if (step.id === 'address') followAddress(answers)
    const config = configOf(answers)
    // Tried once the rest is there; its own faults are told in the end.
    const found = config === null ? [] : await deps.attempt(step.id, config)
    for (const { isRight, text } of found) asker.say(`  ${isRight ? '✓' : '✗'} ${text}`)
    if (found.every(({ isRight }) => isRight)) return
    const answer = (await asker.ask(messages.format('setup.change'), false)).trim().toLowerCase()
    if (answer === messages.format('setup.change.keep')) return
  }
}

async function ask(question: Question, answers: Map<string, string>, { asker, messages }: AskDeps): Promise<void> {
  const setting = settings[question.key]
  const now = answers.get(setting.name)
  const shown = now === undefined ? setting.fallbackText.replaceAll(/[`*]/g, '') : setting.secret ? '•••' : now
  const label = messages.format(question.ask)
  for (const [choice, id] of Object.entries(question.words ?? {})) asker.say(`    ${choice.padEnd(8)} ${messages.format(id)}`)
  for (;;) {
    const given = (await asker.ask(`  ${label} [${shown}] `, setting.secret)).trim()
    if (given === '') return
    if (given === none) {
      answers.delete(setting.name)
      return
    }
    const fault = takeAnswer(question, given, answers)
    if (fault === null) return
    asker.say(`  ✗ ${sayFault(fault, messages)}`)
  }
}

import { z } from 'zod'

/**
 * A scenario (decision H-16): what the robot does on the page before it is photographed, as a recipe that a judge can read.
 * The recipe's own text goes into the package; nothing that it does not say is done. Unknown members are refused, so that a
 * misspelt step is never silently left out.
 */

const words = (max: number) => z.strictObject({ en: z.string().trim().min(1).max(max), fr: z.string().trim().min(1).max(max) })

/** A CSS selector; whether it parses is only known in a browser, which says so in the step's result. */
const selector = z.string().trim().min(1).max(500)
/** May hold `{name}` of an input field. */
const template = z.string().min(1).max(500)

const scroll = z.strictObject({
  do: z.literal('scroll'),
  /** Where it ends: an edge of the page, or so many CSS pixels further down (up when negative). */
  to: z.union([z.enum(['bottom', 'top']), z.int().min(-100_000).max(100_000)]),
  /** Rest between two turns of the wheel, each half a window. */
  pause_ms: z.int().min(0).max(2_000).default(100),
})
const wait = z.strictObject({ do: z.literal('wait'), seconds: z.number().min(0.1).max(10) })
const waitFor = z.strictObject({ do: z.literal('wait_for'), selector, seconds: z.number().min(0.1).max(20).default(10) })
/** Clicks everything that the selector finds, from top to bottom; without one, every `<details>` that is closed. */
const expand = z.strictObject({
  do: z.literal('expand'),
  selector: selector.optional(),
  /** Only those whose visible text is this. */
  text: template.optional(),
  at_most: z.int().min(1).max(200).default(50),
})
const click = z
  .strictObject({
    do: z.literal('click'),
    selector: selector.optional(),
    /** Visible text of the link, button or element, white space collapsed, in any case. */
    text: template.optional(),
    /** The click leads to another page, which is then the one captured; without it, the page is held where it is. */
    navigates: z.boolean().default(false),
  })
  .refine((step) => step.selector !== undefined || step.text !== undefined, 'needs a selector or a text')
const type = z.strictObject({ do: z.literal('type'), selector, text: template })
const screenshot = z.strictObject({ do: z.literal('screenshot') })
const dismissCookieBanner = z.strictObject({
  do: z.literal('dismiss_cookie_banner'),
  /** Where nothing refuses or closes, accept. Never done where something refuses (decision H-12). */
  accept_as_last_resort: z.boolean().default(false),
})

export const scenarioStep = z.discriminatedUnion('do', [
  scroll,
  wait,
  waitFor,
  expand,
  click,
  type,
  screenshot,
  dismissCookieBanner,
])
export type ScenarioStep = z.infer<typeof scenarioStep>

/** Filled in by whoever asks for the capture. Its value stands in the package: it is no place for a secret. */
export const scenarioField = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,29}$/),
  label: words(80),
  required: z.boolean().default(true),
  max_length: z.int().min(1).max(200).default(100),
})

export const maxSteps = 50
export const maxRecipeBytes = 65_536

const placeholder = /\{([^{}]*)\}/g

export const scenarioRecipe = z
  .strictObject({
    format: z.literal('probant-scenario/1'),
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/),
    /** Grows with each change of the recipe. */
    version: z.int().min(1).max(1_000_000),
    name: words(80),
    description: words(500),
    /** `partner`: made for a partner's site or product, whose name is `brand`. */
    kind: z.enum(['normal', 'partner']),
    brand: z.string().trim().min(1).max(80).nullable().default(null),
    fields: z.array(scenarioField).max(10).default([]),
    steps: z.array(scenarioStep).max(maxSteps),
    options: z
      .strictObject({
        /** Time for all steps together. */
        seconds: z.int().min(1).max(120).default(60),
        /** What follows a step that failed: the rest of the steps, or none of them. */
        after_failure: z.enum(['continue', 'stop']).default('continue'),
      })
      .prefault({}),
    active: z.boolean().default(true),
  })
  .superRefine((recipe, context) => {
    const names = recipe.fields.map(({ name }) => name)
    if (new Set(names).size !== names.length)
      context.addIssue({ code: 'custom', path: ['fields'], message: 'two fields have one name' })
    if (recipe.kind === 'partner' && recipe.brand === null)
      context.addIssue({ code: 'custom', path: ['brand'], message: 'a partner’s scenario names its brand' })
    recipe.steps.forEach((step, index) => {
      if (!('text' in step) || step.text === undefined) return
      for (const [, name] of step.text.matchAll(placeholder))
        if (!names.includes(name ?? ''))
          context.addIssue({ code: 'custom', path: ['steps', index, 'text'], message: `no field is named ${name}` })
    })
  })
export type ScenarioRecipe = z.infer<typeof scenarioRecipe>

export type ParsedScenario =
  | { readonly ok: true; readonly recipe: ScenarioRecipe }
  /** What is wrong, for the operator: `steps.2.seconds: Too big…`. */
  | { readonly ok: false; readonly reason: string }

/** Reads a recipe's text. Never throws. */
export function parseScenario(text: string): ParsedScenario {
  if (text.length > maxRecipeBytes) return { ok: false, reason: `longer than ${maxRecipeBytes} characters` }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, reason: `no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const parsed = scenarioRecipe.safeParse(json)
  if (parsed.success) return { ok: true, recipe: parsed.data }
  const reasons = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return { ok: false, reason: reasons.join('; ') }
}

export type ScenarioInput = Readonly<Record<string, string>>

/**
 * Checks what was filled in against the recipe's fields. Values lose outer white space; absent optional ones become empty.
 * @returns the values of every field, or a code for each wrong name: `required`, `too_long`, `unknown`
 */
export function checkScenarioInput(
  recipe: ScenarioRecipe,
  given: ScenarioInput,
):
  | { readonly ok: true; readonly input: ScenarioInput }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> } {
  const faults: Record<string, string> = {}
  const input: Record<string, string> = {}
  for (const name of Object.keys(given)) if (!recipe.fields.some((field) => field.name === name)) faults[name] = 'unknown'
  for (const field of recipe.fields) {
    const value = (Object.hasOwn(given, field.name) ? (given[field.name] ?? '') : '').trim()
    if (value === '' && field.required) faults[field.name] = 'required'
    else if (value.length > field.max_length) faults[field.name] = 'too_long'
    input[field.name] = value
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, input }
}

/** Puts the fields' values into a step's text. A value is taken as it is: it is never read as a template again. */
export function fillTemplate(text: string, input: ScenarioInput): string {
  return text.replaceAll(placeholder, (_whole, name: string) => (Object.hasOwn(input, name) ? (input[name] ?? '') : ''))
}

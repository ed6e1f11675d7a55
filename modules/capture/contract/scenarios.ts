import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'

export const scenarioKinds = ['normal', 'partner'] as const

const words = z.object({ en: z.string(), fr: z.string() })

/** A recipe of steps that the robot follows on the page before it is photographed (decision H-16). */
export const scenario = z.object({
  id: z.string(),
  version: z.int().positive(),
  name: words,
  description: words,
  kind: z.enum(scenarioKinds),
  /** Whose scenario it is, for a partner's. */
  brand: z.string().nullable(),
  /** What is to be filled in when a capture is asked for; the values stand in the package. */
  fields: z.array(z.object({ name: z.string(), label: words, required: z.boolean(), max_length: z.int().positive() })),
  /** The steps as the recipe writes them. */
  steps: z.array(z.looseObject({ do: z.string() })),
  options: z.object({ seconds: z.int(), after_failure: z.enum(['continue', 'stop']) }),
  active: z.boolean(),
  /** SHA-256 of the recipe's file: that of `capture/scenario.json` in the packages made with it. */
  sha256: z.string(),
})
export type Scenario = z.infer<typeof scenario>

/** C-58: those that may be chosen. `search` looks in names and brands. */
export const listScenarios = endpoint({
  method: 'GET',
  path: '/scenarios/',
  summary: 'List the scenarios',
  access: ['open'],
  delegable: 'read',
  query: pageQuery.extend({
    kind: z.enum(scenarioKinds).optional(),
    ordering: z.enum(['name', '-name', 'id', '-id']).optional(),
  }),
  response: pageOf(scenario),
})

import type { Landmark } from '../pieces/find-lines.ts'
import type { CaptureFacts } from './report-content.ts'

export const checklistPath = 'environment/checklist.json'
export const actionsPath = 'capture/actions.jsonl'
export const environmentPath = 'environment/environment.json'

/** As `JSON.stringify` with an indent writes the member of a condition. */
export const conditionMark = (id: string): string => `"id": ${JSON.stringify(id)}`
/** As the action log writes its lines. */
export const actionMark = (action: string): string => `"action":${JSON.stringify(action)}`
/** A member of the description of the environment. */
export const memberMark = (name: string): string => `${JSON.stringify(name)}:`

export const actionsLookedFor = ['session_started', 'browser_started', 'navigate', 'screenshot', 'session_finished'] as const
export const membersLookedFor = [
  'operator_as_stated',
  'isolation',
  'profile_before_start',
  'decrypts',
  'rolling_hash',
  'limits',
] as const

/** Every line of a sealed piece that the report may send its reader to. */
export function landmarksOf(facts: Pick<CaptureFacts, 'checklist'>): readonly Landmark[] {
  return [
    ...facts.checklist.map(({ id }) => ({ path: checklistPath, text: conditionMark(id) })),
    ...actionsLookedFor.map((action) => ({ path: actionsPath, text: actionMark(action) })),
    ...membersLookedFor.map((name) => ({ path: environmentPath, text: memberMark(name) })),
  ]
}

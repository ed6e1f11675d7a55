import { useSyncExternalStore } from 'react'
import { startHashing } from '../../../../ui/hash/start-hashing.ts'
import { nextTask } from './next-task.ts'
import { makeIntake, type Intake, type IntakeGlance } from './intake.ts'

/** Between two drawings of the list. */
const shownEveryMs = 100

function tellSoon(): (show: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (show) => {
    timer ??= setTimeout(() => {
      timer = undefined
      show()
    }, shownEveryMs)
  }
}

/** Whoever has not signed in yet: what he gave goes with him when he does, on the same page. */
export const nobody = ''

let current: { readonly user: string; readonly intake: Intake } | null = null

/** What was given lives as long as the page, whichever of its tabs is in view; it is not shown to the next who signs in. */
export function intakeOf(user: string): Intake {
  if (current?.user === nobody && user !== nobody) current = { user, intake: current.intake }
  if (current?.user !== user) {
    current?.intake.end()
    current = { user, intake: makeIntake(startHashing(), () => performance.now(), tellSoon(), nextTask) }
  }
  return current.intake
}

export function useIntake(user: string): { intake: Intake; glance: IntakeGlance } {
  const intake = intakeOf(user)
  return { intake, glance: useSyncExternalStore(intake.onChange, intake.glance, intake.glance) }
}

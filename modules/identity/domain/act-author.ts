/** Modules by whose acts people do something to each other, whom they know: members of a group, delegates. */
const amongPeople: readonly string[] = ['account', 'evidence']

/** Whether an act that somebody reads of his own account was done to it by the staff, whose names are not for him. */
export function isByStaff(
  act: { readonly action: string; readonly actorId: string | null; readonly onBehalfOf: string | null },
  readerId: string,
): boolean {
  if (act.actorId === null || act.actorId === readerId || act.onBehalfOf === readerId) return false
  return !amongPeople.includes(act.action.split('.')[0] ?? '')
}

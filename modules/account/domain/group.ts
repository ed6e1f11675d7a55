/** Roles in a group. There is one owner: the legal entity whose group it is. */
export const groupRoles = ['owner', 'manager', 'member'] as const
export type GroupRole = (typeof groupRoles)[number]

/** Those that the owner or a manager gives. */
export const grantedRoles = ['manager', 'member'] as const
export type GrantedRole = (typeof grantedRoles)[number]

/** Places of a group, the owner's among them (specification §9: Comfort, 5 users). */
export const defaultSeats = 5

export const invitationDays = 7

/** Whether that role invites, removes and lists, and sees what the group's members made. */
export function manages(role: GroupRole): boolean {
  return role !== 'member'
}

/** A manager removes members; other managers answer to the owner, and the owner stays until he hands the group over. */
export function mayRemove(actor: GroupRole, other: GroupRole): boolean {
  return (actor === 'owner' && other !== 'owner') || (actor === 'manager' && other === 'member')
}

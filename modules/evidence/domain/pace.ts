/** When the processes of a fleet look for work, so that together they cost the database little more than a few would (decision 0493). */

/** So many look at the same moment. */
const atOnce = 4
const delayMsEach = 4
/** Nobody is later than this at what was asked of him by name, or has waited for another long enough (decision 0101). */
const pollMs = 2_000
const careMsEach = 20

/** Each notification costs the database's processor time for each process that listens: of more than so many all look by the clock alone. */
export const mostListeners = 64
/** Listening begins again below this: not with each process that comes or goes. */
export const fewEnough = 48

/** @param takers processes that take captures @param chance from 0 to 1 @returns how long one of them leaves to the others what was asked of all */
export const delayOfLook = (takers: number, chance: number): number => Math.max(0, takers - atOnce) * delayMsEach * chance

/** @returns how long after its last look one of them looks without having been told: no two in step */
export const delayOfPoll = (chance: number): number => pollMs * (1 - chance / 4)

/** @returns how long after it did so last one of them releases leases of dead holders, and counts how many they are */
export const delayOfCare = (takers: number, chance: number): number => Math.max(pollMs, takers * careMsEach * (0.5 + chance))

/** H-38: how long the owner may think better of it; then everything personal goes. */
export const undoHours = 24

export const longestReason = 2000

/** Between two facts that follow each other: a line ends after it, and none begins with it. */
export const dot = '\u00a0· '

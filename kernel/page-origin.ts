/** Stands in the pages that the build draws, for the server to put its own address in its place. */
export const markedOrigin = '__ORIGIN__'

/** What of the sample stands in its page before any script has come: how large its picture is, and its package, in words of one language. */
export type PageSample = { readonly width: number | string; readonly height: number | string; readonly size: string }

/** Stands in the page that the build draws, for the server to put that of the sample of the day in its place. */
export const markedSample = {
  width: '__SAMPLE_WIDTH__',
  height: '__SAMPLE_HEIGHT__',
  size: '__SAMPLE_SIZE__',
} as const satisfies PageSample

/** What to put in the place of each mark. */
export const sampleWords = ({ width, height, size }: PageSample): Readonly<Record<string, string>> => ({
  [markedSample.width]: String(width),
  [markedSample.height]: String(height),
  [markedSample.size]: size,
})

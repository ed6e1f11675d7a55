/** Ten minutes (K-01), warnings, and how long a session waits for a viewer that went (decisions H-49). Milliseconds. */
export const interactiveLimits = {
  sessionMs: 10 * 60_000,
  warningsMs: [120_000, 30_000],
  graceMs: 60_000,
  tabs: 8,
  screenshots: 100,
  downloadBytes: 200 * 1024 * 1024,
  uploadBytes: 50 * 1024 * 1024,
} as const

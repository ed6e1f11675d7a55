/** `static`: a robot captures the page; `interactive`: the visitor steers a browser that is recorded (decision H-21). */
export const captureActions = ['static', 'interactive'] as const
export type CaptureAction = (typeof captureActions)[number]

/** What the browser of an interactive session passes for. */
export const captureDevices = ['desktop', 'mobile'] as const
export type CaptureDevice = (typeof captureDevices)[number]

/**
 * Whether the queue may begin a capture again whose process is gone. What a visitor did cannot be done again: once a session
 * was his, it fails instead (decision 0218; migration 0011 refuses the other way too).
 */
export function mayBeginAgain(action: CaptureAction, status: 'preparing' | 'capturing'): boolean {
  return action === 'static' || status === 'preparing'
}

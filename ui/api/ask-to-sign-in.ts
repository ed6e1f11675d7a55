/**
 * D-04, H-13: what needs an account asks for it where the visitor is, so that nothing he typed is lost. Whoever asks waits; all who
 * wait are answered by one dialog.
 */
export type SignInReason =
  | 'ended'
  | 'required'
  | 'save'
  /** What is agreed to is paid, by somebody. */
  | 'agree'
  /** Signed in, and asked to prove anew who he is (decision 0245). */
  | 'prove'

type Asked = {
  readonly reason: SignInReason
  /** Token of the evidence that is to be kept. */
  readonly draft: string | null
  readonly answer: Promise<boolean>
  readonly settle: (signedIn: boolean) => void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

/** @returns whether he signed in; at once false where nothing can show the dialog */
export function askToSignIn(reason: SignInReason, draft: string | null = null): Promise<boolean> {
  if (asked !== null) {
    // Whose session has ended meanwhile has nothing to prove with: he signs in, which proves it too.
    if (asked.reason === 'prove' && reason !== 'prove') change({ ...asked, reason })
    return asked.answer
  }
  if (listeners.size === 0) return Promise.resolve(false)
  let settle: (signedIn: boolean) => void = () => undefined
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  change({ reason, draft, answer, settle })
  return answer
}

/** null: nobody asks. */
export const signInReason = (): SignInReason | null => asked?.reason ?? null

export const signInDraft = (): string | null => asked?.draft ?? null

export function onSignInAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function answerSignIn(signedIn: boolean): void {
  const settled = asked
  change(null)
  settled?.settle(signedIn)
}

import { CdpError, type CdpSession } from '../../../platform/browser/cdp-connection.ts'

/**
 * Calls a function of ours in a world of its own: it sees the page's document but not the page's scripts, so that a page
 * that redefines what we call does not change what we measure. Arguments and result are JSON.
 */
export async function evaluateApart<T = undefined>(
  session: CdpSession,
  functionText: string,
  args: readonly unknown[],
  timeoutMs: number,
): Promise<T> {
  const { frameTree } = await session.send('Page.getFrameTree', {}, { timeoutMs })
  const { executionContextId } = await session.send(
    'Page.createIsolatedWorld',
    { frameId: frameTree.frame.id, worldName: 'probant' },
    { timeoutMs },
  )
  const { result, exceptionDetails } = await session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: functionText,
      arguments: args.map((value) => ({ value })),
      executionContextId,
      awaitPromise: true,
      returnByValue: true,
    },
    { timeoutMs },
  )
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

import type { Endpoint, ResponseOf } from '../../kernel/endpoint.ts'
import type { CallInput } from '../api/call.ts'
import { loadChunk } from './chunk-failure.ts'

/**
 * As `call`, for a page that is there before its answer: what checks that against the contract is fetched when it is asked for.
 * @param load the endpoint, by an import of its own
 */
export async function callLater<E extends Endpoint>(load: () => Promise<E>, input: CallInput<E>): Promise<ResponseOf<E>> {
  const [{ call }, endpoint] = await Promise.all([loadChunk(() => import('../api/call.ts')), loadChunk(load)])
  return await call(endpoint, input)
}

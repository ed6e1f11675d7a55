import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Shows what a change has answered, or what was told, in the place of what was read before. A reading that is on its way may be of
 * before the change: it is given up, so that it takes back nothing, and asked for again.
 */
export function keepAnswer<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  answer: NoInfer<Data> | ((before: Data | undefined) => Data | undefined),
): void {
  const of = { queryKey, exact: true }
  const isBeingRead = client.isFetching(of) > 0
  if (isBeingRead) void client.cancelQueries(of)
  client.setQueryData<Data>(queryKey, answer)
  if (isBeingRead) void client.invalidateQueries(of)
}

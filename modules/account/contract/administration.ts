import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'

/** A group as staff finds it. Names are not unique: whose it is tells one from another. */
export const listedGroup = z.object({
  id: z.uuid(),
  name: z.string(),
  owner: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  members: z.int().positive(),
  created_at: z.iso.datetime(),
})
export type ListedGroup = z.infer<typeof listedGroup>

/** `search` looks in the names of groups, and in the name and the address of their owners. By name. */
export const listGroups = endpoint({
  method: 'GET',
  path: '/admin/groups/',
  summary: 'List the groups',
  access: ['administrator'],
  query: pageQuery.omit({ ordering: true }),
  response: pageOf(listedGroup),
})

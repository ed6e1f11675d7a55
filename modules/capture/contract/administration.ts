import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf } from '../../../kernel/page.ts'
import { serverIdPattern } from '../domain/servers/capture-server.ts'
import { captureServer, captureServerListQuery } from './servers.ts'

/** To whom staff dedicates the capture servers (decision 0338). To anybody else none of these calls exists. */

const byId = z.object({ id: z.string().regex(serverIdPattern).describe('Id of the server.') })

export const assignedServer = captureServer.extend({
  /** Of a dedicated one: the group whose members alone may ask for it; null: nobody may. */
  group: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Captures and sessions that asked for it by name and wait for it. */
  waiting: z.int().nonnegative(),
})
export type AssignedServer = z.infer<typeof assignedServer>

/** After a change. */
export const assignment = assignedServer.extend({
  /** Captures and sessions that asked for it in the name of whom it was taken from, and were ended before they began. */
  ended: z.int().nonnegative(),
})
export type Assignment = z.infer<typeof assignment>

/** All of them, whosever they are. */
export const listAssignedServers = endpoint({
  method: 'GET',
  path: '/admin/servers/',
  summary: 'List all capture servers, and to whom they are dedicated',
  access: ['administrator'],
  query: captureServerListQuery,
  response: pageOf(assignedServer),
})

const holder = z.uuid().nullable()

/**
 * What is under way there goes on; what waits for it in the name of another group ends with the error `server_withdrawn`.
 * @throws `capture.server_unknown`, `capture.server_public`, `capture.group_unknown`, `capture.server_reassigned` when it is not `instead_of`’s
 */
export const assignServer = endpoint({
  method: 'POST',
  path: '/admin/servers/:id/assign/',
  summary: 'Dedicate a capture server to a group',
  access: ['administrator'],
  params: byId,
  body: z.object({
    group_id: z.uuid().describe('Id of the group that it becomes dedicated to.'),
    instead_of: holder.describe('Id of the group that it is taken from; null: it was nobody’s.'),
  }),
  response: assignment,
})

/** As `assignServer`, and then it is nobody’s: nobody may ask for it. @throws `capture.server_unknown`, `capture.server_reassigned` */
export const unassignServer = endpoint({
  method: 'POST',
  path: '/admin/servers/:id/unassign/',
  summary: 'Take a capture server from its group',
  access: ['administrator'],
  params: byId,
  body: z.object({ group_id: z.uuid().describe('Id of the group that it is taken from.') }),
  response: assignment,
})

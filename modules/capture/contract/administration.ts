import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { serverIdPattern } from '../domain/servers/capture-server.ts'
import { captureServer, captureServerListQuery } from './servers.ts'

/** To whom staff dedicates the capture servers (decision 0338). To anybody else none of these calls exists. */

const byId = z.object({ id: z.string().regex(serverIdPattern).describe('Id of the server.') })

export const assignedServer = captureServer.extend({
  /** Of a dedicated one: the group whose members alone may ask for it; null: nobody may. */
  group: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Captures and sessions that asked for it by name and wait for it. */
  waiting: z.int().nonnegative(),
  /** Version of the program that its newest process runs; null: none told it. */
  version: z.string().nullable(),
  /** Since when it takes nothing new; null: it takes what comes. */
  drained_at: z.iso.datetime().nullable(),
  /** SHA-256 of the public key (SubjectPublicKeyInfo) that was pinned when it joined: which machine it is. */
  key_sha256: z.string().nullable(),
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

/** It finishes what it has, and takes nothing new; live sessions end by themselves. @throws `capture.server_unknown` */
export const drainServer = endpoint({
  method: 'POST',
  path: '/admin/servers/:id/drain/',
  summary: 'Drain a capture server',
  access: ['administrator'],
  params: byId,
  response: assignedServer,
})

/** It takes what comes again. @throws `capture.server_unknown` */
export const resumeServer = endpoint({
  method: 'POST',
  path: '/admin/servers/:id/resume/',
  summary: 'Undo the draining of a capture server',
  access: ['administrator'],
  params: byId,
  response: assignedServer,
})

export const removal = z.object({
  /** Captures that were under way there, and wait for another server now. */
  requeued: z.int().nonnegative(),
  /** Live sessions that somebody used there, and that are lost. */
  lost: z.int().nonnegative(),
  /** Captures and sessions that asked for it by name, and were ended. */
  ended: z.int().nonnegative(),
})
export type Removal = z.infer<typeof removal>

/** Whether it lives or not: what it still does is refused. It comes back by a new invitation alone. @throws `capture.server_unknown` */
export const removeServer = endpoint({
  method: 'POST',
  path: '/admin/servers/:id/remove/',
  summary: 'Remove a capture server',
  access: ['administrator'],
  params: byId,
  response: removal,
})

export const invitation = z.object({
  /** Told once, here. */
  token: z.string(),
  expires_at: z.iso.datetime(),
})
export type Invitation = z.infer<typeof invitation>

/** One machine may join with it, by `probant server join`, within an hour. */
export const inviteServer = endpoint({
  method: 'POST',
  path: '/admin/servers/invite/',
  summary: 'Let a machine join as a capture server',
  access: ['administrator'],
  response: invitation,
})

export const roleProcess = z.object({
  id: z.uuid(),
  roles: z.array(z.enum(['web', 'worker', 'capture'])),
  /** What its machine calls itself. */
  host: z.string(),
  version: z.string(),
  /** Id of the capture server that it is part of. */
  server: z.string().nullable(),
  /** Runnable tasks of its machine for each processor, in the mean of the minute before its last sign of life; null where that is not measured. */
  load_per_core: z.number().nullable(),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  /** Whether it gave a sign of life in time. */
  alive: z.boolean(),
})
export type RoleProcess = z.infer<typeof roleProcess>

/** Web processes, workers and capture processes by their own word; one that ended in order is not among them, one that fell silent is for a day. */
export const listProcesses = endpoint({
  method: 'GET',
  path: '/admin/processes/',
  summary: 'List the processes of the installation',
  access: ['administrator'],
  query: pageQuery.omit({ search: true }),
  response: pageOf(roleProcess),
})

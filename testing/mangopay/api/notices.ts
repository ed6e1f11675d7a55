import { ApiError, notFound } from '../world/api-error.ts'
import type { Hook } from '../world/entities.ts'
import { type Call, formOf, List, param, route } from './route.ts'

/** Events are told for 45 days. */
const keptEvents = 45 * 86_400

function createHook(call: Call): Hook {
  const form = formOf(call)
  const EventType = form.text('EventType', { pattern: /^[A-Z_]{3,80}$/ })
  const Url = form.url('Url')
  const Tag = form.tag()
  form.check()
  if (call.world.list('hook').some((one) => one.EventType === EventType))
    throw new ApiError(400, 'param_error', 'A hook has already been registered for this EventType', {
      EventType: `A hook has already been registered for this EventType: ${EventType}`,
    })
  return call.world.add('hook', { Tag, EventType, Url, Status: 'ENABLED', Validity: 'VALID' })
}

/** One that became invalid is of use again once it was disabled and enabled. */
function saveHook(call: Call): Hook {
  const hook = call.world.get('hook', param(call, 'id'))
  const form = formOf({ ...call, body: { ...hook, ...call.body } })
  const Url = form.url('Url')
  const Status = form.oneOf('Status', ['ENABLED', 'DISABLED'])
  const Tag = form.tag()
  form.check()
  const Validity = Status === 'DISABLED' ? 'VALID' : hook.Validity
  return Object.assign(hook, { Url, Status, Tag, Validity })
}

export const noticeRoutes = [
  route('POST hooks', createHook),
  route('GET hooks', ({ world }) => new List(world.list('hook'))),
  route('GET hooks/:id', (call) => call.world.get('hook', param(call, 'id'))),
  route('PUT hooks/:id', saveHook),
  route('GET events', ({ world }) => new List(world.state.events.filter((one) => one.Date > world.now() - keptEvents))),
  route('GET responses/:key', (call) => {
    const key = param(call, 'key')
    const found = Object.hasOwn(call.world.state.responses, key) ? call.world.state.responses[key] : undefined
    if (found === undefined) throw notFound('Response', key)
    const { at: _at, ...told } = found
    return told
  }),
]

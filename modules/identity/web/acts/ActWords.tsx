import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Act } from '../../contract/identity.ts'

/** Id of the words of an action; every module has its own. */
export function idOfAct(action: string): string {
  const [module = '', verb = ''] = action.split('.')
  return `${module}.act.${verb}`
}

/** What was done. */
export function ActWords(props: { act: Act }): ReactNode {
  const optionalText = useOptionalText()
  const { action, data } = props.act
  return optionalText(idOfAct(action), data) ?? <code>{action}</code>
}

/** H-22: who did it, and in whose name when that is somebody else. */
export function useAuthorText(readerId: string | null): (act: Act) => string {
  const text = useText()
  const nameOf = (person: { id: string; name: string }) =>
    person.id === readerId ? text('identity.acts.you') : person.name === '' ? text('identity.acts.erased') : visible(person.name)
  return (act) => {
    if (act.by_staff) return text('identity.acts.staff')
    if (act.actor === null) return text('identity.acts.nobody')
    const user = nameOf(act.actor)
    if (act.on_behalf_of === null) return user
    if (act.on_behalf_of.id === readerId) return text('identity.acts.for_you', { user })
    return text('identity.acts.for', { user, owner: nameOf(act.on_behalf_of) })
  }
}

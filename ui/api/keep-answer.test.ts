import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { keepAnswer } from './keep-answer.ts'

/** What a server would answer, each when the test says so. */
function asked() {
  const answers: ((value: string) => void)[] = []
  const client = new QueryClient()
  const observer = new QueryObserver(client, {
    queryKey: ['one'],
    queryFn: async () => await new Promise<string>((answer) => answers.push(answer)),
  })
  return { answers, client, observer, shown: () => client.getQueryData(['one']) }
}

test('a reading of before a change takes back nothing, and what is read after it is shown', async () => {
  const { answers, client, observer, shown } = asked()
  const end = observer.subscribe(() => undefined)
  answers[0]?.('first')
  await expect.poll(shown).toBe('first')
  void client.invalidateQueries({ queryKey: ['one'] })
  expect(answers).toHaveLength(2)
  keepAnswer(client, ['one'], 'changed')
  expect(shown()).toBe('changed')
  answers[1]?.('first')
  // Asked for again, as the one that was given up may have been of after the change.
  await expect.poll(() => answers.length).toBe(3)
  expect(shown()).toBe('changed')
  answers[2]?.('later')
  await expect.poll(shown).toBe('later')
  end()
})

test('where nothing is being read, nothing is asked for again', async () => {
  const { answers, client, observer, shown } = asked()
  const end = observer.subscribe(() => undefined)
  answers[0]?.('first')
  await expect.poll(shown).toBe('first')
  keepAnswer<string>(client, ['one'], (before) => `${before ?? ''}, changed`)
  await Promise.resolve()
  expect([shown(), answers.length, client.isFetching()]).toEqual(['first, changed', 1, 0])
  end()
})

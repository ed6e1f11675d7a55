/** What the page has to do meanwhile is done first: it draws, and answers. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
